/** One token shared by all calls of this process, and by all processes that use the same store. */
import { Failure } from '../failure.ts';
import type { Session } from './session.ts';
import type { Tokens } from './tokens.ts';

/** A token as it is stored, with times in epoch milliseconds. Without `expiresAt` it is valid until it is refused. */
export type StoredToken = { readonly accessToken?: string; readonly expiresAt?: number; readonly issuedAt?: number };

/** Keeps one token, and gets another one. */
export type TokenStore<H extends StoredToken> = {
  read(): Promise<H>;
  /** Whether another token can be got without asking the user. */
  canRenew(stored: H): boolean;
  /** Records that the platform has refused the token, and that no other can be got. */
  markRefused?(stored: H): Promise<void> | undefined;
  /** Records whether the platform has refused a token that had just been renewed; false once it accepts one. */
  markRefusedInVain?(stored: H, isRefusedInVain: boolean): Promise<void> | undefined;
  /** Reserves space for new tokens before the old ones are used up. @returns a function that frees it, to be called right before saving */
  reserveSpace?(): Promise<() => void>;
  /** Whether a renewal uses up the refresh token or secret that it is made with. */
  usesUp?(stored: H): boolean;
  obtain(stored: H, reason: RenewalReason): Promise<Tokens>;
  /** Replaces `stored` with the new tokens. @returns what is stored afterwards: the tokens of another process, if those are newer */
  save(stored: H, tokens: Tokens): Promise<H>;
  /** Runs the work while no other process can. */
  lock<T>(work: () => Promise<T>): Promise<T>;
};

/** Why a token is renewed: it expires soon, the platform refused it, or the user asked for another one. */
export type RenewalReason = 'due' | 'refused' | 'requested';

/** How long before its expiry a token is renewed, in milliseconds, because clocks differ and a request takes time. */
const margin = 60_000;

/** The shortest time between two renewals that were not due by the clock, in milliseconds. */
const pause = 60_000;

type Sharing<H extends StoredToken> = {
  readonly store: TokenStore<H>;
  readonly now: () => number;
  readonly notice: (line: string) => void;
  /** The token that was read once for all calls, or renewed since. */
  known?: Promise<H>;
  /** The renewal that is under way, for all calls. */
  inFlight?: Promise<H> | undefined;
  /** The newest tokens if they could not be saved, with the older ones on disk. */
  unsaved?: { readonly onDisk: H; readonly latest: H; readonly reason: Failure } | undefined;
  /** The platform's refusal to give another token. */
  ended?: Failure;
  /** When the last renewal began. */
  triedAt: number;
  /** Whether the platform has accepted a token. */
  hasWorked?: boolean;
  /** A token that replaced a refused one and has not worked yet. */
  forced?: { readonly token: string; readonly at: number } | undefined;
};

/**
 * Renews a token when it is due, was refused, or on request. There is one renewal at a time in this process and, by the lock, on this machine, and a
 * process that waited uses its result. New tokens are saved before use. If that fails, this process uses them and says so.
 * @returns these functions of a session, and `token`, which gives a token that is valid as far as this machine knows
 */
export function shareToken<H extends StoredToken>(
  store: TokenStore<H>,
  { now, notice }: { readonly now: () => number; readonly notice: (line: string) => void },
): Pick<Session, 'after401' | 'accepted' | 'renew'> & { readonly token: () => Promise<string> } {
  const state: Sharing<H> = { store, now, notice, triedAt: Number.NEGATIVE_INFINITY };
  return {
    async token() {
      const known = await readOnce(state);
      if (!isDue(known, now()) || isGoodEnough(known, state)) return tokenOf(known);
      return tokenOf(await joinRenewal('due', known, state));
    },
    after401: (refused) => replace(refused, state),
    accepted(token) {
      if (state.forced?.token === token) state.forced = undefined;
      if (!state.hasWorked) void state.known?.then((known) => store.markRefusedInVain?.(known, false));
      state.hasWorked = true;
    },
    async renew() {
      await joinRenewal('requested', await readOnce(state), state);
    },
  };
}

async function readOnce<H extends StoredToken>(state: Sharing<H>): Promise<H> {
  if (state.ended) throw state.ended;
  if (state.inFlight) return state.inFlight;
  state.known ??= state.store.read();
  return state.known;
}

async function replace<H extends StoredToken>(refused: string, state: Sharing<H>): Promise<string | undefined> {
  const known = await readOnce(state);
  if (known.accessToken !== undefined && known.accessToken !== refused) return known.accessToken;
  if (state.forced?.token === refused && isRecent(state.forced.at, state)) {
    await state.store.markRefusedInVain?.(known, true);
    return undefined;
  }
  const next = await joinRenewal('refused', { ...known, accessToken: refused }, state);
  if (next.accessToken === undefined || next.accessToken === refused) return undefined;
  state.forced = { token: next.accessToken, at: state.now() };
  return next.accessToken;
}

// Without this pause, a clock that runs ahead or a failed renewal would cause request after request while the token still works.
function isGoodEnough<H extends StoredToken>(known: H, state: Sharing<H>): boolean {
  return !isExpired(known, state.now()) && (!state.store.canRenew(known) || isRecent(state.triedAt, state));
}

function isRecent(time: number, { now }: { readonly now: () => number }): boolean {
  return Math.abs(now() - time) < pause;
}

/** Waits for the renewal that is under way, or begins one. */
function joinRenewal<H extends StoredToken>(reason: RenewalReason, previous: H, state: Sharing<H>): Promise<H> {
  state.inFlight ??= renewLocked(reason, previous, state)
    .then((next) => {
      state.known = Promise.resolve(next);
      return next;
    })
    .finally(() => {
      state.inFlight = undefined;
    });
  return state.inFlight;
}

async function renewLocked<H extends StoredToken>(reason: RenewalReason, old: H, state: Sharing<H>): Promise<H> {
  state.triedAt = state.now();
  try {
    return await state.store.lock(() => renewUnderLock(reason, old, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { refused = '' } = error.facts;
    const mayPass = ['elsewhere', 'renewal'].includes(refused);
    if (error.kind === 'unauthenticated' && !mayPass) state.ended = error;
    const isTemporary = error.kind === 'unavailable' || error.kind === 'not_found' || mayPass;
    if (!isTemporary || reason !== 'due' || isExpired(old, state.now())) throw error;
    state.notice(`${error.message} The token is not renewed yet, and works until it expires.`);
    return old;
  }
}

async function renewUnderLock<H extends StoredToken>(reason: RenewalReason, old: H, state: Sharing<H>): Promise<H> {
  const { onDisk, latest } = await readLatest(state);
  if (reason !== 'requested' && isNewer(latest, old, state)) return latest;
  if (reason === 'refused' && !state.store.canRenew(latest)) {
    await state.store.markRefused?.(latest);
    return old;
  }
  const freeSpace = await reserveSpaceFor(reason, latest, state);
  if (freeSpace === undefined) return latest;
  let tokens: Tokens;
  try {
    tokens = await state.store.obtain(latest, reason);
  } catch (error) {
    return readNewerOrThrow(error, latest, state);
  } finally {
    freeSpace();
  }
  const next = await save(onDisk, latest, tokens, state);
  if (reason === 'requested' && state.unsaved)
    throw withCause('The login was renewed, but could not be saved.', state.unsaved.reason);
  return next;
}

/** Reserves space for new tokens. @returns undefined if there is none and the token is not to be renewed now */
async function reserveSpaceFor<H extends StoredToken>(
  reason: RenewalReason,
  latest: H,
  { store, now, notice }: Sharing<H>,
): Promise<(() => void) | undefined> {
  try {
    return (await store.reserveSpace?.()) ?? (() => undefined);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (reason === 'requested')
      throw withCause('The login was not renewed, because the new token could not be saved.', error);
    // A refresh token may work only once, so it is not used up for tokens that could not be saved. A client secret works again and again.
    if (!store.usesUp?.(latest) && (reason === 'refused' || isExpired(latest, now()))) return () => undefined;
    if (reason !== 'due' || isExpired(latest, now()))
      throw withCause('The login was not renewed, because the new token could not be saved.', error);
    notice(`${error.message} The token is not renewed, and works until it expires.`);
    return undefined;
  }
}

// Tokens that could not be saved are newer than those on disk, unless another process has changed the file.
async function readLatest<H extends StoredToken>({ store, unsaved }: Sharing<H>): Promise<{ onDisk: H; latest: H }> {
  try {
    const onDisk = await store.read();
    const isOurs = unsaved?.onDisk.accessToken === onDisk.accessToken;
    return { onDisk, latest: (isOurs && unsaved?.latest) || onDisk };
  } catch (error) {
    if (unsaved && error instanceof Failure && error.kind === 'io') return unsaved;
    throw error;
  }
}

// A refusal does not prove that the login has ended: a process that did not wait for the lock may have renewed it.
async function readNewerOrThrow<H extends StoredToken>(error: unknown, latest: H, state: Sharing<H>): Promise<H> {
  if (!(error instanceof Failure) || error.kind !== 'unauthenticated') throw error;
  const again = await state.store.read();
  if (isNewer(again, latest, state)) return again;
  throw error;
}

function isNewer<H extends StoredToken>(latest: H, previous: H, { now }: Sharing<H>): boolean {
  return latest.accessToken !== undefined && latest.accessToken !== previous.accessToken && !isDue(latest, now());
}

async function save<H extends StoredToken>(onDisk: H, latest: H, tokens: Tokens, state: Sharing<H>): Promise<H> {
  try {
    const saved = await state.store.save(onDisk, tokens);
    state.unsaved = undefined;
    return saved;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unauthenticated') throw error;
    if (!state.unsaved)
      state.notice(`The new token could not be saved, and works for this command only. ${error.message}`);
    const { expiresAt: _past, ...others } = latest;
    const unsaved = { ...others, ...tokens } as H; // H with another token and its times
    state.unsaved = { onDisk, latest: unsaved, reason: error };
    return unsaved;
  }
}

function withCause(sentence: string, reason: Failure): Failure {
  return new Failure(reason.kind, `${sentence} ${reason.message}`, { ...reason.facts, cause: reason });
}

function tokenOf({ accessToken }: StoredToken): string {
  if (accessToken === undefined) throw new Error('a renewal without a token');
  return accessToken;
}

function isDue({ accessToken, expiresAt, issuedAt }: StoredToken, now: number): boolean {
  if (accessToken === undefined) return true;
  if (expiresAt === undefined) return false;
  // A token that lives for a minute only is renewed after half of that.
  const life = issuedAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
  return now >= expiresAt - Math.min(margin, life / 2);
}

function isExpired({ accessToken, expiresAt }: StoredToken, now: number): boolean {
  return accessToken === undefined || (expiresAt !== undefined && now >= expiresAt);
}
