/** A session with the stored login of a profile, of a user or of a machine. */

import { asFailure, Failure, ignoreFailure } from '../failure.ts';
import { type Place, sameLogin } from '../place.ts';
import type { Login } from '../store/credentials.ts';
import { onAbort } from '../text/abort.ts';
import { isOn } from '../text/environment.ts';
import { cannotRenew, cutOffWords, loggedInAnew, loggedOut, loginCommand, notLoggedIn } from './login-failures.ts';
import { placeOfLogin, wrongPlaceFailure } from './login-place.ts';
import type { Session, SessionParts, SessionStatus } from './session.ts';
import { type RenewalReason, shareToken, type TokenStore } from './shared-token.ts';
import type { Tokens } from './tokens.ts';

/** How long to wait while another process renews, in milliseconds: longer than two requests, with all the waits that the platform may ask for. */
const patience = 600_000;

export function profileSession(given: SessionParts): Session {
  const openedAt = given.now();
  let { profile } = given.settings;
  // A command stays in the place where it began, although the profile may be renamed or logged in elsewhere at any time.
  let startPlace: (Place & Pick<Login, 'flow'>) | undefined;
  const settings = Object.defineProperty({ ...given.settings }, 'profile', { get: () => profile });
  const parts = { ...given, settings };
  const followRename = () => {
    const name = startPlace && findNewName(parts, startPlace, openedAt);
    if (name === undefined) return;
    parts.notice(`Profile ${profile} was renamed to ${name} meanwhile. This command goes on with it.`);
    profile = name;
  };
  const read = () => {
    followRename();
    const login = readLogin(parts, startPlace);
    startPlace ??= { ...placeOfLogin(login), flow: login.flow };
    return login;
  };
  const tokenStore = tokenStoreOf(parts, read);
  const lock: typeof tokenStore.lock = (work) => {
    const locked = profile;
    return tokenStore.lock(() => {
      followRename();
      return profile === locked ? work() : lock(work);
    });
  };
  const { token, ...shared } = shareToken({ ...tokenStore, lock }, parts);
  return {
    ...shared,
    bearer: async () => ({
      token: await token(),
      from: `profile ${profile}`,
      remedy: () => `Log in again: ${loginCommand(profile, parts.store.readLogin(profile)?.flow)}`,
    }),
    async status() {
      followRename();
      const now = await statusOf(parts);
      const isOther =
        startPlace !== undefined && (!now.flow || sameLogin(startPlace, { ...now, base: now.base ?? '' }) === 'other');
      return { ...now, ...(isOther && startPlace) };
    },
  };
}

function tokenStoreOf(parts: SessionParts, read: () => Login): TokenStore<Login> {
  const { settings, store, notice } = parts;
  return {
    read: async () => read(),
    canRenew: (login) => renewalFor(login, parts) !== undefined,
    markRefused: (login) =>
      login.renewalRefusedAt === undefined ? undefined : amendLogin(login, { expiresAt: parts.now() }, parts),
    markRefusedInVain: (login, isInVain) =>
      isInVain === (login.refusedInVainAt !== undefined)
        ? undefined
        : amendLogin(login, { refusedInVainAt: isInVain ? parts.now() : undefined }, parts),
    reserveSpace: store.reserveSpace,
    usesUp: ({ flow }) => flow === 'user',
    obtain: (login, reason) => requestTokensFor(login, reason, parts),
    save: async (login, tokens) => (await saveTokens(login, tokens, parts)) ?? read(),
    lock: (work) =>
      store.withLock(settings.profile, work, {
        wait: patience,
        onWait: (holder) => notice(`Waiting for ${holder} to renew the login.`),
        signal: parts.interrupt,
      }),
  };
}

/** Finds the name that a profile was given after `since`; undefined if its login is still there, or was removed. */
function findNewName({ settings: { profile }, store }: SessionParts, place: Place, since: number): string | undefined {
  const logins = ignoreFailure(() => store.readLogins()) ?? {};
  const isSameLogin = (login: Login) => sameLogin(place, placeOfLogin(login)) !== 'other';
  if (logins[profile] && isSameLogin(logins[profile])) return undefined;
  const found = Object.entries(logins).find(
    ([, login]) => login.renamedFrom === profile && (login.renamedAt ?? 0) >= since && isSameLogin(login),
  );
  return found?.[0];
}

/** Reads the login, which must be for the place of the settings. @param startPlace where this command has used it before @throws Failure 'unauthenticated' */
function readLogin(parts: SessionParts, startPlace?: Place): Login {
  const { settings, env, store, remember } = parts;
  const { profile } = settings;
  const login = store.readLogin(profile);
  if (!login) throw startPlace ? loggedOut(profile) : notLoggedIn(profile, isOn(env.CI));
  const place = placeOfLogin(login);
  if (startPlace && sameLogin(startPlace, place) === 'other') throw loggedInAnew(profile, startPlace, place);
  const wrong = wrongPlaceFailure(login, settings);
  if (wrong) throw wrong;
  for (const secret of [login.accessToken, login.refreshToken, login.clientSecret]) if (secret) remember(secret);
  return login;
}

type Renewal = (parts: SessionParts) => Promise<Tokens>;

// Renewing is loaded on first use, because most commands find a valid token.
function renewalFor(login: Login, { settings, secretCommand }: SessionParts, why?: RenewalReason): Renewal | undefined {
  const { flow, base, refreshToken, clientId, clientSecret } = login;
  const { tenant = settings.tenant?.value, app = settings.app } = login;
  if (flow === 'm2m') {
    const secretOf = clientSecret ? async () => clientSecret : secretCommand;
    if (!clientId || !secretOf) return undefined;
    return async ({ exchange, now }) => {
      const client = { base, clientId, clientSecret: await secretOf() };
      return (await import('./token-request.ts')).requestMachineToken(exchange, client, now);
    };
  }
  if (!refreshToken || !tenant || !app) return undefined;
  // After a refusal, renewing is tried again only on explicit request.
  if (login.renewalRefusedAt !== undefined && why !== 'requested') return undefined;
  return async ({ exchange, now, sleep }) =>
    (await import('./token-request.ts')).renewTokens(exchange, { base, tenant, app, refreshToken }, { now, sleep });
}

async function requestTokensFor(login: Login, reason: RenewalReason, parts: SessionParts): Promise<Tokens> {
  const { profile } = parts.settings;
  const renew = renewalFor(login, parts, reason);
  if (!renew) throw cannotRenew(profile, login, parts.now());
  parts.interrupt?.throwIfAborted();
  const { renewalSentAt } = login;
  const interrupt = login.flow === 'user' ? parts.interrupt : undefined;
  const warn = () => parts.notice('Finishing the renewal of the login, for up to 5 s.');
  const unsubscribe = interrupt && onAbort(interrupt, warn);
  // Recorded before the request, in case this process is killed before the response.
  if (login.flow === 'user') await amendLogin(login, { renewalSentAt: renewalSentAt ?? parts.now() }, parts);
  try {
    return await renew(parts);
  } catch (error) {
    const { mayBeRenewed, saysLoginEnded } = await import('./token-request.ts');
    if (login.flow === 'user' && !mayBeRenewed(error)) await amendLogin(login, { renewalSentAt }, parts);
    if (!saysLoginEnded(error)) throw error;
    const at = parts.now();
    // If the access token was refused too, the login has ended.
    await amendLogin(login, { renewalRefusedAt: at, ...(reason === 'refused' && { expiresAt: at }) }, parts);
    const isUsed = login.flow === 'user' && renewalSentAt === undefined && usedBeforeWords.test(error.message);
    const hint = `Log in again: ${loginCommand(profile, login.flow)}${isUsed ? notSharedHint : ''}`;
    throw new Failure(error.kind, error.message + cutOffWords(login), { ...error.facts, hint });
  } finally {
    unsubscribe?.();
  }
}

const usedBeforeWords = /\b(redeemed|used|revoked)\b/i;
const notSharedHint = '. A login cannot be shared: give every other machine its own client credential';

/** Stores the outcome of a renewal, so that later commands know it without a request. */
async function amendLogin(login: Login, changes: Partial<Login>, { settings, store }: SessionParts): Promise<void> {
  const amended = (found?: Login) => (found && isSameToken(found, login) ? { ...found, ...changes } : found);
  // If it cannot be saved, the next command finds out again.
  await store.changeLogin(settings.profile, amended).catch(asFailure);
}

// A logout or login in the meantime takes precedence.
async function saveTokens(login: Login, tokens: Tokens, parts: SessionParts): Promise<Login | undefined> {
  const { settings, store, remember } = parts;
  for (const secret of [tokens.accessToken, tokens.refreshToken]) if (secret) remember(secret);
  const after = await store.changeLogin(settings.profile, (found) => {
    if (!found || !isSameToken(found, login)) return found;
    const ended = { expiresAt: undefined, renewalRefusedAt: undefined, renewalSentAt: undefined };
    return { ...found, ...ended, refusedInVainAt: undefined, ...tokens };
  });
  if (!after) throw loggedOut(settings.profile);
  return after.accessToken === tokens.accessToken ? after : undefined;
}

function isSameToken(one: Login, other: Login): boolean {
  return (['flow', 'base', 'clientId', 'accessToken', 'refreshToken'] as const).every(
    (name) => one[name] === other[name],
  );
}

async function statusOf(parts: SessionParts): Promise<SessionStatus> {
  const { settings, env, store, now } = parts;
  const { profile, base } = settings;
  const login = store.readLogin(profile);
  const where = { source: 'profile', profile } as const;
  if (!login)
    return { ...where, loggedIn: false, renewable: false, why: notLoggedIn(profile, isOn(env.CI)).message, base };
  const unusable = whyUnusable(login, parts);
  const why =
    login.renewalRefusedAt === undefined ? unusable : (unusable ?? cannotRenew(profile, login, now()).message);
  const { hint } = wrongPlaceFailure(login, settings)?.facts ?? {};
  const { flow, app, issuer, expiresAt } = login;
  const known = { ...placeOfLogin(login), flow, app, issuer, expiresAt };
  return { ...where, loggedIn: unusable === undefined, ...known, renewable: isRenewable(login, parts), why, hint };
}

/** Whether the login can be renewed, as far as this machine knows. Commands try a refused client credential again, but will hardly get a token. */
function isRenewable(login: Login, parts: SessionParts): boolean {
  return login.renewalRefusedAt === undefined && renewalFor(login, parts) !== undefined;
}

function whyUnusable(login: Login, parts: SessionParts): string | undefined {
  const { profile } = parts.settings;
  const wrong = wrongPlaceFailure(login, parts.settings);
  if (wrong) return wrong.message;
  const ended = login.expiresAt !== undefined && login.expiresAt <= parts.now();
  if (login.refusedInVainAt !== undefined)
    return `The platform refused the login of profile ${profile} at ${new Date(login.refusedInVainAt).toISOString()}, right after it was renewed.`;
  const over = login.accessToken === undefined || ended;
  return over && !isRenewable(login, parts) ? cannotRenew(profile, login, parts.now()).message : undefined;
}
