import { Failure, usage } from '../failure.ts';
import type { Login } from '../store/credentials.ts';
import { textOf } from '../text/record.ts';
import { environmentCredentials } from './environment.ts';
import { wrongPlaceOf } from './login-place.ts';
import type { Session, SessionParts, SessionStatus } from './session.ts';
import { claimedExpiry, claimedTenant, claimsOf } from './tokens.ts';

/** The session of one command: IIOT_TOKEN, else client ID and secret, else the profile. If one is refused, the next is not tried. */
export async function openSession(parts: SessionParts): Promise<Session> {
  const session = await chosenSession(parts);
  return {
    ...session,
    bearer: () => session.bearer().catch(withoutToken),
    after401: (refused) => session.after401(refused).catch(withoutToken),
  };
}

/** Without a token nothing is sent, whatever has become of the request for one. */
function withoutToken(error: unknown): never {
  throw error instanceof Failure ? error.with({ fate: 'not_sent' }) : error;
}

async function chosenSession(parts: SessionParts): Promise<Session> {
  const found = await environmentCredentials(parts.env);
  if (found?.kind === 'token') return tokenSession(parts, found.token);
  if (found?.kind === 'client') {
    parts.remember(found.clientSecret);
    const { clientSession } = await import('./client-session.ts');
    return clientSession(parts, found.clientId, found.clientSecret);
  }
  const { profileSession } = await import('./profile-session.ts');
  return profileSession(parts);
}

/** Clocks that differ by less do not make a token that serves look as if it had expired, in milliseconds. */
const tolerance = 5 * 60_000;

function tokenSession({ settings, remember, now }: SessionParts, token: string): Session {
  remember(token);
  const known = statusIn(token);
  const hasExpired = () => (known.expiresAt ?? Number.POSITIVE_INFINITY) < now() - tolerance;
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
      ...known,
    }),
  };
}

// The claims of a JWT: shown, but never trusted.
function statusIn(token: string): Pick<SessionStatus, 'account' | 'clientId' | 'tenantId' | 'expiresAt'> {
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

/** A token that expires sooner than this is not used where nobody may wait, in milliseconds. */
const margin = 5000;

/** Like `openSession`, for work that must not wait: without renewals, requests, prompts, locks and writes. @throws 'unauthenticated', from `bearer` */
export function storedSession(parts: StoredSessionParts): Pick<Session, 'bearer' | 'after401'> {
  return {
    async bearer() {
      const token = await goodToken(parts);
      if (token === undefined) throw new Failure('unauthenticated', 'There is no valid token.');
      return { token, from: 'what is kept' };
    },
    after401: async () => undefined,
  };
}

async function goodToken({ settings, env, store, now }: StoredSessionParts): Promise<string | undefined> {
  const given = await environmentCredentials(env);
  if (given?.kind === 'token') return given.token;
  const { base } = settings;
  if (base === undefined) return undefined;
  if (given) {
    const { machineTokenKey } = await import('../store/keys.ts');
    return unexpired(store.readToken(machineTokenKey(base, given.clientId, given.clientSecret)), now());
  }
  const login = store.readLogin(settings.profile);
  return login && !wrongPlaceOf(login, settings) ? unexpired(login, now()) : undefined;
}

function unexpired(token: Pick<Login, 'accessToken' | 'expiresAt'> | undefined, now: number): string | undefined {
  return (token?.expiresAt ?? Number.POSITIVE_INFINITY) > now + margin ? token?.accessToken : undefined;
}
