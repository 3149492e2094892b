import type { SandboxClock } from '../world/clock.ts';
import { hashOf, type Secrets } from './secrets.ts';

/** A login under way, known by the cookie of step 1. */
export type PendingSignIn = {
  readonly id: string;
  readonly startedAt: number;
  /** Of the account, once step 2 has proved its password; with the value of the cookie that says so. */
  account?: string;
  permission?: string;
  /** What the form of step 3 holds; gone once it was redeemed. */
  form?: { readonly code: string; readonly state: string; readonly expiresAt: number; readonly returnUrl: string };
};

/** A login from which tokens are renewed. Refresh tokens are kept as hashes. */
export type AccountLogin = {
  readonly sid: string;
  readonly account: string;
  refreshHash: string;
  readonly usedHashes: Set<string>;
};

export type Identity = {
  readonly signIns: Map<string, PendingSignIn>;
  /** Accounts by the value of the cookie that step 4 sets. */
  readonly sessions: Map<string, { readonly account: string; readonly startedAt: number }>;
  /** By sid. A login that is not here is revoked, and its access tokens with it. */
  readonly logins: Map<string, AccountLogin>;
};

/** Step 1's cookie. The interface speaks of a session context and does not name what carries it. */
export const contextCookie = 'SvcOidc.Context';

/** The interface does not say how long a browser's session lasts: eight hours, a shift. */
const sessionLifetime = 8 * 3_600_000;

/** Nor how long a code lasts: five minutes, OpenIddict's default. */
export const codeLifetime = 300_000;

const bound = 10_000;

export function createIdentity(): Identity {
  return { signIns: new Map(), sessions: new Map(), logins: new Map() };
}

export function beginSignIn({ signIns }: Identity, secrets: Secrets, clock: SandboxClock): PendingSignIn {
  const signIn: PendingSignIn = { id: secrets.text(), startedAt: clock.now() };
  addBounded(signIns, bound, signIn.id, signIn);
  return signIn;
}

/** The login that a cookie of step 1 belongs to, while it lasts. */
export function findSignIn(
  { signIns }: Identity,
  clock: SandboxClock,
  id: string | undefined,
): PendingSignIn | undefined {
  const found = signIns.get(id ?? '');
  return found && clock.now() < found.startedAt + sessionLifetime ? found : undefined;
}

export function beginSession({ sessions }: Identity, secrets: Secrets, clock: SandboxClock, account: string): string {
  const value = secrets.text();
  addBounded(sessions, bound, value, { account, startedAt: clock.now() });
  return value;
}

/** The account that a cookie of step 4 belongs to, while it lasts. */
export function sessionAccount(
  { sessions }: Identity,
  clock: SandboxClock,
  value: string | undefined,
): string | undefined {
  const found = sessions.get(value ?? '');
  return found && clock.now() < found.startedAt + sessionLifetime ? found.account : undefined;
}

/** A login of an account, and its first refresh token. */
export function beginLogin({ logins }: Identity, secrets: Secrets, account: string) {
  const sid = secrets.text().slice(0, 22);
  const refreshToken = `${sid}.${secrets.text()}`;
  const login: AccountLogin = { sid, account, refreshHash: hashOf(refreshToken), usedHashes: new Set() };
  addBounded(logins, bound, sid, login);
  return { login, refreshToken };
}

/**
 * Takes a refresh token and gives its successor, or undefined where it is refused. The interface does not say whether refresh tokens
 * are used once. We do as RFC 9700 (4.14.2) advises: each is replaced, and one that comes a second time revokes the whole login,
 * since either the first or the second to show it was a thief.
 */
export function renewLogin({ logins }: Identity, secrets: Secrets, refreshToken: string) {
  const login = logins.get(refreshToken.slice(0, 22));
  if (!login) return undefined;
  const hash = hashOf(refreshToken);
  if (login.usedHashes.has(hash)) logins.delete(login.sid);
  if (login.refreshHash !== hash) return undefined;
  login.usedHashes.add(hash);
  const successor = `${login.sid}.${secrets.text()}`;
  login.refreshHash = hashOf(successor);
  return { login, refreshToken: successor };
}

/** Adds to a map and forgets its oldest entries beyond the bound, so that a sandbox under load does not grow. */
function addBounded<K, V>(map: Map<K, V>, bound: number, key: K, value: V): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= bound) return;
    map.delete(oldest);
  }
}
