import type { SandboxClock } from '../world/world.ts';
import { hashOf, type Secrets } from './secrets.ts';

/** A login in progress, identified by the cookie of step 1. */
export type PendingLogin = {
  readonly id: string;
  readonly startedAt: number;
  /** The account, once step 2 has verified its password, and the value of the cookie that proves it. */
  account?: string;
  permission?: string;
  /** The content of the form in step 3; removed once it is redeemed. */
  form?: { readonly code: string; readonly state: string; readonly expiresAt: number; readonly returnUrl: string };
};

/** A login whose tokens can be renewed. Refresh tokens are stored as hashes. */
type AccountLogin = {
  readonly sid: string;
  readonly account: string;
  refreshHash: string;
  readonly usedHashes: Set<string>;
  /** When one of its refresh tokens was last used, in epoch milliseconds. */
  usedAt?: number;
};

export type Identity = {
  readonly pendingLogins: Map<string, PendingLogin>;
  /** Accounts by the value of the cookie that step 4 sets. */
  readonly sessions: Map<string, { readonly account: string; readonly startedAt: number }>;
  /** By sid. A login that is missing here is revoked, together with its access tokens. */
  readonly logins: Map<string, AccountLogin>;
};

/** The cookie of step 1. The interface mentions a session context, but not what carries it. */
export const contextCookie = 'SvcOidc.Context';

/** In milliseconds. The interface does not specify how long a browser session lasts: here eight hours, one shift. */
const sessionLifetime = 8 * 3_600_000;

/** In milliseconds. The interface does not specify how long a code is valid: here five minutes, OpenIddict's default. */
export const codeLifetime = 300_000;

type LoginParts = { readonly identity: Identity; readonly secrets: Secrets; readonly clock: SandboxClock };

export function createIdentity(): Identity {
  return { pendingLogins: new Map(), sessions: new Map(), logins: new Map() };
}

export function beginPendingLogin({ identity, secrets, clock }: LoginParts): PendingLogin {
  const pending: PendingLogin = { id: secrets.text(), startedAt: clock.now() };
  addBounded(identity.pendingLogins, pending.id, pending);
  return pending;
}

export function beginSession({ identity, secrets, clock }: LoginParts, account: string): string {
  const value = secrets.text();
  addBounded(identity.sessions, value, { account, startedAt: clock.now() });
  return value;
}

/** The account for a cookie of step 4, unless it has expired. */
export function sessionAccount({ identity, clock }: Omit<LoginParts, 'secrets'>, value: string | undefined) {
  return unexpired(identity.sessions.get(value ?? ''), clock)?.account;
}

export function unexpired<T extends { readonly startedAt: number }>(found: T | undefined, clock: SandboxClock) {
  return found && clock.now() < found.startedAt + sessionLifetime ? found : undefined;
}

export function beginLogin({ identity, secrets }: Omit<LoginParts, 'clock'>, account: string) {
  const sid = secrets.text().slice(0, 22);
  const refreshToken = `${sid}.${secrets.text()}`;
  const login: AccountLogin = { sid, account, refreshHash: hashOf(refreshToken), usedHashes: new Set() };
  addBounded(identity.logins, sid, login);
  return { login, refreshToken };
}

/**
 * Takes a refresh token and returns its successor, or undefined if it is refused. The interface does not say whether refresh tokens can be used again.
 * As in RFC 9700 (4.14.2), each is replaced, and using one twice revokes the whole login, because one of the two users must be a thief. As in
 * OpenIddict, that begins `refreshLeeway` milliseconds after the first use.
 */
export function renewLogin(
  { identity: { logins }, secrets, clock, refreshLeeway }: LoginParts & { readonly refreshLeeway: number },
  refreshToken: string,
) {
  const login = logins.get(refreshToken.slice(0, 22));
  if (!login) return undefined;
  const hash = hashOf(refreshToken);
  const now = clock.now();
  const isRepeat = login.usedHashes.has(hash);
  const isLenient = isRepeat && now < (login.usedAt ?? 0) + refreshLeeway;
  if (isRepeat && !isLenient) logins.delete(login.sid);
  if (login.refreshHash !== hash && !isLenient) return undefined;
  // The successor that a repeat replaces may still be used, too.
  login.usedHashes.add(login.refreshHash);
  if (!isRepeat) login.usedAt = now;
  const successor = `${login.sid}.${secrets.text()}`;
  login.refreshHash = hashOf(successor);
  return { login, refreshToken: successor };
}

const mostEntries = 10_000;

/** Adds an entry, and removes the oldest ones beyond the limit, to bound memory under load. */
function addBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostEntries) return;
    map.delete(oldest);
  }
}
