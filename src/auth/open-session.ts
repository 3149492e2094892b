import { Failure, usage } from '../failure.ts';
import type { Login } from '../store/credentials.ts';
import { textOf } from '../text/record.ts';
import { environmentCredentials } from './environment.ts';
import { wrongPlaceFailure } from './login-place.ts';
import type { Session, SessionParts, SessionStatus } from './session.ts';
import { claimedExpiry, claimedTenant, claimsOf } from './tokens.ts';

/** Opens the session of one command: with IIOT_TOKEN, else with client ID and secret, else with the profile. If one is refused, the next is not tried. */
export async function openSession(parts: SessionParts): Promise<Session> {
  const session = await chooseSession(parts);
  return {
    ...session,
    bearer: () => session.bearer().catch(throwNotSent),
    after401: (refused) => session.after401(refused).catch(throwNotSent),
  };
}

/** Without a token the request is not sent, whatever became of the request for a token. */
function throwNotSent(error: unknown): never {
  throw error instanceof Failure ? error.with({ fate: 'not_sent' }) : error;
}

async function chooseSession(parts: SessionParts): Promise<Session> {
  const credentials = await environmentCredentials(parts.env);
  if (credentials?.kind === 'token') return tokenSession(parts, credentials.token);
  if (credentials?.kind === 'client') {
    parts.remember(credentials.clientSecret);
    const { clientSession } = await import('./client-session.ts');
    return clientSession(parts, credentials.clientId, credentials.clientSecret);
  }
  const { profileSession } = await import('./profile-session.ts');
  return profileSession(parts);
}

/** How long after its expiry a token may still be valid by the platform's clock, in milliseconds. */
const tolerance = 5 * 60_000;

function tokenSession({ settings, remember, now }: SessionParts, token: string): Session {
  remember(token);
  const claimed = claimedStatus(token);
  const hasExpired = () => (claimed.expiresAt ?? Number.POSITIVE_INFINITY) < now() - tolerance;
  return {
    bearer: async () => ({
      token,
      from: 'IIOT_TOKEN',
      remedy: () => "The token comes from IIOT_TOKEN: set another one, or unset it to use the profile's login",
    }),
    after401: async () => undefined,
    accepted: () => undefined,
    async renew() {
      throw usage('iiot cannot renew the token in IIOT_TOKEN.', 'Unset IIOT_TOKEN to use the login of the profile');
    },
    status: async () => ({
      loggedIn: !hasExpired(),
      ...(hasExpired() && { why: 'The token in IIOT_TOKEN has expired.' }),
      source: 'IIOT_TOKEN',
      profile: settings.profile,
      flow: 'token',
      renewable: false,
      base: settings.base,
      ...claimed,
    }),
  };
}

// The claims of a JWT are shown, but never trusted.
function claimedStatus(token: string): Pick<SessionStatus, 'account' | 'clientId' | 'tenantId' | 'expiresAt'> {
  const claims = claimsOf(token) ?? {};
  const clientId = textOf(claims, 'client_id');
  const names = ['email', 'preferred_username', 'unique_name', 'sub'];
  const account = names.map((name) => textOf(claims, name)).find((each) => each !== undefined);
  return {
    // The subject of a machine's token is its client (RFC 9068, section 2.2).
    account: account === clientId ? undefined : account,
    clientId,
    tenantId: claimedTenant(token),
    expiresAt: claimedExpiry(token),
  };
}

type StoredSessionParts = Pick<SessionParts, 'settings' | 'env' | 'now'> & {
  readonly store: Pick<SessionParts['store'], 'readLogin' | 'readToken'>;
};

/** How long a stored token must still be valid to be used, in milliseconds. */
const margin = 5000;

/** A session for work that must not wait: without renewals, requests, prompts, locks and writes. Its `bearer` throws 'unauthenticated' without a valid token. */
export function storedSession(parts: StoredSessionParts): Pick<Session, 'bearer' | 'after401'> {
  return {
    async bearer() {
      const token = await readValidToken(parts);
      if (token === undefined) throw new Failure('unauthenticated', 'There is no valid token.');
      return { token, from: 'what is kept' };
    },
    after401: async () => undefined,
  };
}

async function readValidToken({ settings, env, store, now }: StoredSessionParts): Promise<string | undefined> {
  const credentials = await environmentCredentials(env);
  if (credentials?.kind === 'token') return credentials.token;
  const { base } = settings;
  if (base === undefined) return undefined;
  if (credentials) {
    const { machineTokenKey } = await import('../store/keys.ts');
    return validToken(store.readToken(machineTokenKey(base, credentials.clientId, credentials.clientSecret)), now());
  }
  const login = store.readLogin(settings.profile);
  return login && !wrongPlaceFailure(login, settings) ? validToken(login, now()) : undefined;
}

function validToken(token: Pick<Login, 'accessToken' | 'expiresAt'> | undefined, now: number): string | undefined {
  return (token?.expiresAt ?? Number.POSITIVE_INFINITY) > now + margin ? token?.accessToken : undefined;
}
