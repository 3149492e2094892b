import { placeOfLogin } from '../auth/login-place.ts';
import { claimedTenant } from '../auth/tokens.ts';
import { ignoreFailure, usage } from '../failure.ts';
import { type Place, placeWords, sameLogin, sameTenant } from '../place.ts';
import { optionForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';
import { baseUrl } from './target.ts';

/** Where a command acts, and as whom, as far as this machine knows; nothing is sent. @param org of what belongs to one */
export async function placeOf(context: Context, org?: string): Promise<Place> {
  const base = baseUrl(context);
  const { tenant, tenantId, account, clientId, firstClientId } = await (await context.session()).status();
  return { base, tenant, tenantId, account, clientId, firstClientId, org };
}

/** The same with the tenant that only a machine's token tells: one is got where none is kept, but in a dry run. @throws Failure if it cannot be got */
export async function placeNow(context: Context, org?: string): Promise<Place> {
  const place = await placeOf(context, org);
  const session = await context.session();
  const isKnown = place.tenant !== undefined || place.tenantId !== undefined;
  if (isKnown || context.options.dryRun || !(await session.status()).loggedIn) return place;
  return { ...place, tenantId: claimedTenant((await session.bearer()).token) };
}

/** For each request: the organization of a profile means nothing in the tenant of another token. @throws usage if both tenants are known and differ */
export function foreignOrganization(context: Context): ((path: string, token: string) => void) | undefined {
  const { settings, world } = context;
  const { org } = settings.resolved;
  const profile = settings.profile.value;
  const variable = ['IIOT_TOKEN', 'IIOT_CLIENT_ID'].find((name) => world.env[name]);
  const own = variable && org?.from === `profile ${profile}` ? placeOfProfile(profile, context) : undefined;
  if (!own || !org) return undefined;
  return (path, token) => {
    const its = { base: own.base, tenantId: claimedTenant(token) };
    if (!path.includes(encodeURIComponent(org.value)) || sameTenant(own, its) !== 'other') return;
    throw usage(
      `Organization ${org.value} is that of profile ${profile} (${placeWords(own)}), but ${variable} is of tenant ${its.tenantId}.`,
      `Give --org ID, or unset ${variable} to use the login of the profile`,
    ).with({ fate: 'not_sent' });
  };
}

/** Where the profiles of this machine act; those without a platform act nowhere. A file that cannot be read names none. */
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

/** "at platform.example", or where this machine knows several places "at https://platform.example/prod, tenant acme". */
export function whereText(here: Place, context: Context): string {
  if (isOnlyPlace(here, context)) return `at ${new URL(here.base).host}`;
  const tenant = here.tenant ?? here.tenantId;
  const who = here.account ?? here.clientId;
  const owner = tenant === undefined ? (who === undefined ? '' : ` as ${who}`) : `, tenant ${tenant}`;
  return `at ${here.base}${owner}`;
}

/** What a person does to act in another place, where a profile is for it: best one with the same login. */
export function wayTo(place: Place, context: Context): string | undefined {
  const all = placesOf(context).filter((each) => sameTenant(place, each) === 'same');
  const { profile } = all.find((each) => sameLogin(place, each) === 'same') ?? all[0] ?? {};
  if (profile === undefined) return undefined;
  const isInUse = profile === context.settings.profile.value;
  return isInUse ? `use the base URL and the login of profile ${profile}` : `add ${optionForShell('profile', profile)}`;
}
