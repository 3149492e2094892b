import { placeOfLogin } from '../auth/login-place.ts';
import { claimedTenant } from '../auth/tokens.ts';
import { ignoreFailure, usage } from '../failure.ts';
import { type Place, placeWords, sameLogin, sameTenant } from '../place.ts';
import { optionForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';
import { baseUrl } from './target.ts';

/** The place where a command acts, as far as this machine knows. Sends nothing. @param org the organization, for something that belongs to one */
export async function placeOf(context: Context, org?: string): Promise<Place> {
  const base = baseUrl(context);
  const { tenant, tenantId, account, clientId, firstClientId } = await (await context.session()).status();
  return { base, tenant, tenantId, account, clientId, firstClientId, org };
}

/** The place where a command acts, with the tenant. Requests a token if only that can tell it, except in a dry run. @throws Failure without a token */
export async function resolvePlace(context: Context, org?: string): Promise<Place> {
  const place = await placeOf(context, org);
  const session = await context.session();
  const isKnown = place.tenant !== undefined || place.tenantId !== undefined;
  if (isKnown || context.options.dryRun || !(await session.status()).loggedIn) return place;
  return { ...place, tenantId: claimedTenant((await session.bearer()).token) };
}

/** Gives a check for each request, which throws usage if the organization is a profile's, and the token is of another tenant. Undefined if it is not needed. */
export function organizationCheck(context: Context): ((path: string, token: string) => void) | undefined {
  const { settings, world } = context;
  const { org } = settings.resolved;
  const profile = settings.profile.value;
  const variable = ['IIOT_TOKEN', 'IIOT_CLIENT_ID'].find((name) => world.env[name]);
  const profilePlace = variable && org?.from === `profile ${profile}` ? placeOfProfile(profile, context) : undefined;
  if (!profilePlace || !org) return undefined;
  return (path, token) => {
    const place = { base: profilePlace.base, tenantId: claimedTenant(token) };
    if (!path.includes(encodeURIComponent(org.value)) || sameTenant(profilePlace, place) !== 'other') return;
    throw usage(
      `Organization ${org.value} is that of profile ${profile} (${placeWords(profilePlace)}), but ${variable} is of tenant ${place.tenantId}.`,
      `Give --org ID, or unset ${variable} to use the login of the profile`,
    ).with({ fate: 'not_sent' });
  };
}

/** The places of the profiles of this machine, except those without a base URL. Empty if the configuration file cannot be read. */
export function placesOf({ store }: Context): readonly (Place & { readonly profile: string })[] {
  const places = ignoreFailure(() => {
    const logins = store.readLogins();
    return Object.entries(store.readConfig().profiles).flatMap(([profile, { baseUrl: base, tenant, account, org }]) => {
      const login = logins[profile];
      if (login) return [{ profile, ...placeOfLogin(login), org }];
      return base === undefined ? [] : [{ profile, base, tenant, account, org }];
    });
  });
  return places ?? [];
}

export function isOnlyPlace(here: Place, context: Context): boolean {
  return placesOf(context).every((each) => sameTenant(here, each) === 'same');
}

export function placeOfProfile(name: string, context: Context): (Place & { readonly profile: string }) | undefined {
  return placesOf(context).find(({ profile }) => profile === name);
}

/** "at platform.example", or "at https://platform.example/prod, tenant acme" if this machine knows several places. */
export function whereText(here: Place, context: Context): string {
  if (isOnlyPlace(here, context)) return `at ${new URL(here.base).host}`;
  const tenant = here.tenant ?? here.tenantId;
  const who = here.account ?? here.clientId;
  const owner = tenant === undefined ? (who === undefined ? '' : ` as ${who}`) : `, tenant ${tenant}`;
  return `at ${here.base}${owner}`;
}

/** How the user can act in another place: by the profile for it, preferably one with the same login. Undefined if no profile is for it. */
export function wayTo(place: Place, context: Context): string | undefined {
  const candidates = placesOf(context).filter((each) => sameTenant(place, each) === 'same');
  const { profile } = candidates.find((each) => sameLogin(place, each) === 'same') ?? candidates[0] ?? {};
  if (profile === undefined) return undefined;
  const isInUse = profile === context.settings.profile.value;
  return isInUse ? `use the base URL and the login of profile ${profile}` : `add ${optionForShell('profile', profile)}`;
}
