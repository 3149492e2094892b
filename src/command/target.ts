/** Finds the base URL, the organization and the login that a command needs, or says which one is missing. */

import { notLoggedIn } from '../auth/login-failures.ts';
import { type Failure, usage } from '../failure.ts';
import { isOpenToAll } from '../network/base-url.ts';
import { type Environment, isOn } from '../text/environment.ts';
import { parseUrl } from '../text/parse-url.ts';
import { argumentForShell, quoteForShell } from '../text/shell-lines.ts';
import type { Context } from './context.ts';

type TargetContext = Pick<Context, 'settings' | 'world' | 'store' | 'options'>;

/** The cause of a failure that does not happen once the user has chosen an organization. */
export const noOrganization = new Error('No organization is set.');

/** The organization of a command. @throws usage, caused by `noOrganization`, if none is set */
export function organization(target: TargetContext): string {
  const { settings } = target;
  if (settings.missing) throw settings.missing;
  const found = settings.resolved.org;
  if (found) return found.value;
  if (settings.broken) throw settings.broken;
  requireLogin(target);
  throw usage(
    'Which organization? --org is missing.',
    `Give --org ID, set IIOT_ORG, or: iiot profiles set ${settings.profile.value} org=ID`,
  ).with({ cause: noOrganization });
}

/** The base URL of a command. @throws usage if there is none, or if it is not allowed: plain http to another machine, or another platform in a sandbox */
export function baseUrl(target: TargetContext, profile: 'existing' | 'new' = 'existing'): string {
  const { settings, world } = target;
  if (settings.missing && profile === 'existing') throw settings.missing;
  const found = settings.resolved.baseUrl;
  // Not even with credentials in variables: it is unknown what guards the named profile.
  if (settings.broken && profile === 'existing' && settings.isProfileNamed) throw settings.broken;
  if (!found) {
    if (settings.broken) throw settings.broken;
    if (profile === 'existing') requireLogin(target);
    throw usage(
      'Which platform? --base-url is missing.',
      `Give --base-url URL, set IIOT_BASE_URL, or: iiot profiles set ${settings.profile.value} baseUrl=URL. To try without one: iiot sandbox tour`,
    );
  }
  refuseOutside(found.value, world.env);
  if (isOpenToAll(new URL(found.value)) && settings.stored.allowHttp !== true) {
    const { baseUrl: own = found.value } = settings.stored;
    const profile = own === found.value ? settings.profile.value : 'NAME';
    throw usage(
      `${found.value} is plain http, which exposes passwords and tokens to everyone on the network.`,
      `Use https or, if you must: iiot profiles set ${argumentForShell(profile)} baseUrl=${quoteForShell(found.value)} allowHttp=true`,
    );
  }
  return found.value;
}

/** Checks that there is a login before a prompt, whose answer would be useless without one. A dry run needs none. @throws unauthenticated */
export function requireLogin({ settings, store, options, world: { env, stderr } }: TargetContext): void {
  const variables = [env.IIOT_TOKEN, env.IIOT_CLIENT_ID, env.IIOT_CLIENT_SECRET, env.IIOT_CLIENT_SECRET_FILE];
  if (variables.some(Boolean)) return;
  if (settings.missing) throw settings.missing;
  const { baseUrl: place } = settings.resolved;
  if (!place && settings.broken) throw settings.broken;
  if (place && (options.dryRun || store.readLogin(settings.profile.value))) return;
  throw notLoggedIn(settings.profile.value, stderr.isTTY !== true || isOn(env.CI));
}

/** Refuses every other platform while a command runs in a sandbox, so that a test does not touch production. @throws usage */
function refuseOutside(base: string, env: Environment): void {
  if (!env.IIOT_SANDBOX) return;
  const sandbox = env.IIOT_SANDBOX_URL;
  if (sandbox !== undefined && parseUrl(sandbox)?.origin === new URL(base).origin) return;
  const sentence = `${new URL(base).origin} is not the sandbox that this command runs under, so nothing is sent to it.`;
  throw usage(sentence, `Inside iiot sandbox exec, requests go only to ${sandbox ?? 'the sandbox'}`);
}

/** Adds a hint on what the platform may not have found, unless its message names one of the IDs. */
export function withNotFound(failure: Failure, ids: readonly unknown[], hint: string): Failure {
  const isNamed = ids.some((id) => typeof id === 'string' && id.length > 3 && failure.message.includes(id));
  return isNamed ? failure : failure.with({ hint });
}

export function organizationHint(orgId: string): string {
  return `Check the organization ${orgId} (from --org, IIOT_ORG or the profile)`;
}
