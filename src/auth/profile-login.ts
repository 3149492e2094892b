/** The login of a profile, a person's or a machine's, as it lies in the store. */
import { Failure } from '../failure.ts';
import type { Login } from '../store/credentials.ts';
import { originOf } from './address.ts';
import { cannotRenew, loginCommand, notSignedIn, signedInElsewhere, signedOut } from './not-signed-in.ts';
import type { Session, SessionParts, SessionStatus } from './session.ts';
import { type Keeping, shareToken } from './shared-token.ts';
import type { Tokens } from './tokens.ts';

/** How long to wait for another process that renews: longer than a request with its repeats takes. */
const patience = 90_000;

export function profileSession(parts: SessionParts): Session {
  const { profile } = parts.settings;
  const shared = shareToken(keepingOf(parts), parts);
  return {
    bearer: async () => ({
      token: await shared.token(),
      from: `profile ${profile}`,
      remedy: () => `Log in again: ${loginCommand(profile, parts.store.readLogin(profile)?.flow)}`,
    }),
    after401: shared.after401,
    renew: shared.renew,
    status: () => statusOf(parts),
  };
}

function keepingOf(parts: SessionParts): Keeping<Login> {
  const { settings, store, notice } = parts;
  return {
    read: async () => readLogin(parts),
    canRenew: (login) => renewableOf(login, parts) !== undefined,
    obtain: (login) => obtain(login, parts),
    save: (login, tokens) => save(login, tokens, parts),
    lock: (work) =>
      store.withLock(settings.profile, work, {
        wait: patience,
        onWait: (pid) =>
          notice(`Waiting for ${pid > 0 ? `process ${pid}` : 'another process'}, which renews the login.`),
        signal: parts.interrupt,
      }),
  };
}

function readLogin({ settings: { profile, base }, store, remember }: SessionParts): Login {
  const login = store.readLogin(profile);
  if (!login) throw notSignedIn(profile, base);
  if (base !== undefined && originOf(base) !== login.origin) throw signedInElsewhere(profile, base, login);
  for (const secret of [login.accessToken, login.refreshToken, login.clientSecret]) if (secret) remember(secret);
  return login;
}

type Renewal = (parts: SessionParts) => Promise<Tokens>;

// Each way is loaded when it is first gone: most commands find a token that is good.
function renewableOf(login: Login, { settings }: SessionParts): Renewal | undefined {
  const { flow, base, refreshToken, clientId, clientSecret, tenant = settings.tenant, app = settings.app } = login;
  if (flow === 'm2m') {
    if (!clientId || !clientSecret) return undefined;
    return async ({ exchange, now }) =>
      (await import('./machine.ts')).machineToken(exchange, { base, clientId, clientSecret }, now);
  }
  if (!refreshToken || !tenant || !app) return undefined;
  return async ({ exchange, now, sleep }) =>
    (await import('./renewal.ts')).renewTokens(exchange, { base, tenant, app, refreshToken }, { now, sleep });
}

async function obtain(login: Login, parts: SessionParts): Promise<Tokens> {
  const { profile } = parts.settings;
  const renew = renewableOf(login, parts);
  if (!renew) throw cannotRenew(profile, login, parts.now());
  try {
    return await renew(parts);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'unauthenticated' || login.flow === 'm2m') throw error;
    throw error.with({ hint: `Sign in again: ${loginCommand(profile)}` });
  }
}

// Whoever signed out or signed in meanwhile wins.
async function save(login: Login, tokens: Tokens, parts: SessionParts): Promise<Login> {
  const { settings, store, remember } = parts;
  for (const secret of [tokens.accessToken, tokens.refreshToken]) if (secret) remember(secret);
  const after = await store.changeLogin(settings.profile, (found) => {
    if (!found || !isSame(found, login)) return found;
    const { expiresAt: _past, ...others } = found;
    return { ...others, ...tokens };
  });
  if (!after) throw signedOut(settings.profile);
  return after.accessToken === tokens.accessToken ? after : readLogin(parts);
}

function isSame(one: Login, other: Login): boolean {
  return (['flow', 'origin', 'clientId', 'accessToken', 'refreshToken'] as const).every(
    (name) => one[name] === other[name],
  );
}

async function statusOf(parts: SessionParts): Promise<SessionStatus> {
  const { settings, store } = parts;
  const login = store.readLogin(settings.profile);
  const where = { source: 'profile', profile: settings.profile } as const;
  if (!login) {
    return {
      ...where,
      signedIn: false,
      renewable: false,
      why: notSignedIn(settings.profile, settings.base).message,
      ...(settings.base !== undefined && { base: settings.base }),
    };
  }
  const why = unusable(login, parts);
  const { base, flow, account, clientId, tenant, app, issuer, expiresAt } = login;
  return {
    ...where,
    signedIn: why === undefined,
    base,
    flow,
    renewable: renewableOf(login, parts) !== undefined,
    ...(why !== undefined && { why }),
    ...(account !== undefined && { account }),
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
    ...(app !== undefined && { app }),
    ...(issuer !== undefined && { issuer }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

function unusable(login: Login, parts: SessionParts): string | undefined {
  const { base, profile } = parts.settings;
  if (base !== undefined && originOf(base) !== login.origin) return signedInElsewhere(profile, base, login).message;
  const ended = login.expiresAt !== undefined && login.expiresAt <= parts.now();
  const over = login.accessToken === undefined || ended;
  return over && !renewableOf(login, parts) ? cannotRenew(profile, login, parts.now()).message : undefined;
}
