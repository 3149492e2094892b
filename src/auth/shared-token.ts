/** One token shared by all calls of this process, and by all processes that use the same store. */
import { Failure } from '../failure.ts';
import type { Session } from './session.ts';
import type { Tokens } from './tokens.ts';

/** Times in epoch milliseconds; without `expiresAt`: valid until refused. */
export type StoredToken = { readonly accessToken?: string; readonly expiresAt?: number; readonly issuedAt?: number };

/** Where a token is kept, and how to get another one. */
export type TokenStore<H extends StoredToken> = {
  read(): Promise<H>;
  /** Whether another token can be got without asking the user. */
  canRenew(stored: H): boolean;
  /** The platform has refused its token, and no other can be got. */
  refused?(stored: H): Promise<void> | undefined;
  /** Whether the platform has refused a token that had just been renewed; false once it accepts one. */
  mark?(stored: H, isRefusedInVain: boolean): Promise<void> | undefined;
  /** Reserves space for new tokens before the old ones are used up; returns a function that frees it, to be called right before saving. */
  reserveSpace?(): Promise<() => void>;
  /** Whether a renewal uses up what it is made with. */
  usesUp?(stored: H): boolean;
  obtain(stored: H, reason: RenewalReason): Promise<Tokens>;
  /** Replaces `stored` with the new tokens; returns what is stored then: another process's tokens, if those are newer. */
  save(stored: H, tokens: Tokens): Promise<H>;
  /** Runs the work while no other process can. */
  lock<T>(work: () => Promise<T>): Promise<T>;
};

/** It expires soon, the platform refused it, or the user asked for another one. */
export type RenewalReason = 'due' | 'refused' | 'requested';

/** Clocks differ, and a request takes time. */
const margin = 60_000;

/** The shortest time before renewing again a token that replaced a refused one and never worked, or that was renewed early. */
const pause = 60_000;

type SharedState<H extends StoredToken> = {
  readonly store: TokenStore<H>;
  readonly now: () => number;
  readonly notice: (line: string) => void;
  /** What was read, once for all calls, or renewed since then. */
  known?: Promise<H>;
  /** The renewal that is under way, for all calls. */
  inFlight?: Promise<H> | undefined;
  /** Tokens that could not be saved, with what is stored instead of them. */
  unsaved?: { readonly onDisk: H; readonly latest: H; readonly reason: Failure } | undefined;
  /** The platform's refusal to give another token. */
  ended?: Failure;
  /** When the last renewal began. */
  triedAt: number;
  /** The platform has accepted a token. */
  hasWorked?: boolean;
  /** A token that replaced a refused one and has not worked yet. */
  forced?: { readonly token: string; readonly at: number } | undefined;
};

/**
 * Renews a token when it is due, was refused, or on request: one renewal at a time in this process and, by the lock, on this machine. A
 * process that waited uses the result of the other. New tokens are saved before use; if that fails, this process uses them and says so.
 * @returns what a session does with it, and `token`, which gives one that is valid as far as this machine knows
 */
export function shareToken<H extends StoredToken>(
  store: TokenStore<H>,
  { now, notice }: { readonly now: () => number; readonly notice: (line: string) => void },
): Pick<Session, 'after401' | 'accepted' | 'renew'> & { readonly token: () => Promise<string> } {
  const state: SharedState<H> = { store, now, notice, triedAt: Number.NEGATIVE_INFINITY };
  return {
    async token() {
      const known = await current(state);
      if (!isDue(known, now()) || isGoodEnough(known, state)) return tokenOf(known);
      return tokenOf(await renewed('due', known, state));
    },
    after401: (refused) => otherThan(refused, state),
    accepted(token) {
      if (state.forced?.token === token) state.forced = undefined;
      if (!state.hasWorked) void state.known?.then((known) => store.mark?.(known, false));
      state.hasWorked = true;
    },
    async renew() {
      await renewed('requested', await current(state), state);
    },
  };
}

async function current<H extends StoredToken>(state: SharedState<H>): Promise<H> {
  if (state.ended) throw state.ended;
  if (state.inFlight) return state.inFlight;
  state.known ??= state.store.read();
  return state.known;
}

async function otherThan<H extends StoredToken>(refused: string, state: SharedState<H>): Promise<string | undefined> {
  const known = await current(state);
  if (known.accessToken !== undefined && known.accessToken !== refused) return known.accessToken;
  if (state.forced?.token === refused && isRecent(state.forced.at, state)) {
    await state.store.mark?.(known, true);
    return undefined;
  }
  const next = await renewed('refused', { ...known, accessToken: refused }, state);
  if (next.accessToken === undefined || next.accessToken === refused) return undefined;
  state.forced = { token: next.accessToken, at: state.now() };
  return next.accessToken;
}

// While the token works, a clock that runs ahead or a failed renewal must not cause request after request.
function isGoodEnough<H extends StoredToken>(known: H, state: SharedState<H>): boolean {
  return !isExpired(known, state.now()) && (!state.store.canRenew(known) || isRecent(state.triedAt, state));
}

function isRecent(time: number, { now }: { readonly now: () => number }): boolean {
  return Math.abs(now() - time) < pause;
}

function renewed<H extends StoredToken>(reason: RenewalReason, previous: H, state: SharedState<H>): Promise<H> {
  state.inFlight ??= locked(reason, previous, state)
    .then((next) => {
      state.known = Promise.resolve(next);
      return next;
    })
    .finally(() => {
      state.inFlight = undefined;
    });
  return state.inFlight;
}

async function locked<H extends StoredToken>(reason: RenewalReason, previous: H, state: SharedState<H>): Promise<H> {
  state.triedAt = state.now();
  try {
    return await state.store.lock(() => underLock(reason, previous, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { refused = '' } = error.facts;
    const isOpen = ['elsewhere', 'renewal'].includes(refused);
    if (error.kind === 'unauthenticated' && !isOpen) state.ended = error;
    const passing = error.kind === 'unavailable' || error.kind === 'not_found' || isOpen;
    if (!passing || reason !== 'due' || isExpired(previous, state.now())) throw error;
    state.notice(`${error.message} The token is not renewed yet, and works until it expires.`);
    return previous;
  }
}

async function underLock<H extends StoredToken>(reason: RenewalReason, previous: H, state: SharedState<H>): Promise<H> {
  const { onDisk, latest } = await look(state);
  if (reason !== 'requested' && isNewer(latest, previous, state)) return latest;
  if (reason === 'refused' && !state.store.canRenew(latest)) {
    await state.store.refused?.(latest);
    return previous;
  }
  const freeSpace = await reserveSpaceFor(reason, latest, state);
  if (freeSpace === undefined) return latest;
  let tokens: Tokens;
  try {
    tokens = await state.store.obtain(latest, reason);
  } catch (error) {
    return newerOnDisk(error, latest, state);
  } finally {
    freeSpace();
  }
  const next = await keep(onDisk, latest, tokens, state);
  if (reason === 'requested' && state.unsaved)
    throw withCause('The login was renewed, but could not be saved.', state.unsaved.reason);
  return next;
}

// A refresh token may work only once: while the access token works, do not use it up for tokens that could not be saved.
async function reserveSpaceFor<H extends StoredToken>(
  reason: RenewalReason,
  latest: H,
  { store, now, notice }: SharedState<H>,
): Promise<(() => void) | undefined> {
  try {
    return (await store.reserveSpace?.()) ?? (() => undefined);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (reason === 'requested')
      throw withCause('The login was not renewed, because the new token could not be saved.', error);
    // A refresh token may work only once, a client secret again and again.
    if (!store.usesUp?.(latest) && (reason === 'refused' || isExpired(latest, now()))) return () => undefined;
    if (reason !== 'due' || isExpired(latest, now()))
      throw withCause('The login was not renewed, because the new token could not be saved.', error);
    notice(`${error.message} The token is not renewed, and works until it expires.`);
    return undefined;
  }
}

// Tokens that could not be saved are newer than those on disk, unless another process has changed the file.
async function look<H extends StoredToken>({ store, unsaved }: SharedState<H>): Promise<{ onDisk: H; latest: H }> {
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
async function newerOnDisk<H extends StoredToken>(error: unknown, latest: H, state: SharedState<H>): Promise<H> {
  if (!(error instanceof Failure) || error.kind !== 'unauthenticated') throw error;
  const again = await state.store.read();
  if (isNewer(again, latest, state)) return again;
  throw error;
}

function isNewer<H extends StoredToken>(latest: H, previous: H, { now }: SharedState<H>): boolean {
  return latest.accessToken !== undefined && latest.accessToken !== previous.accessToken && !isDue(latest, now());
}

async function keep<H extends StoredToken>(onDisk: H, latest: H, tokens: Tokens, state: SharedState<H>): Promise<H> {
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
  // Otherwise a token that lives for a minute would be due at once.
  const life = issuedAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - issuedAt;
  return now >= expiresAt - Math.min(margin, life / 2);
}

function isExpired({ accessToken, expiresAt }: StoredToken, now: number): boolean {
  return accessToken === undefined || (expiresAt !== undefined && now >= expiresAt);
}
