/** One token shared by all calls of this process, and by all processes that use the same store. */
import { Failure } from '../failure.ts';
import type { Tokens } from './tokens.ts';

/** Times in epoch milliseconds; without `expiresAt`: valid until refused. */
export type StoredToken = { readonly accessToken?: string; readonly expiresAt?: number; readonly issuedAt?: number };

/** Where a token is kept, and how to get another one. */
export type TokenStore<H extends StoredToken> = {
  /** What is stored now. */
  read(): Promise<H>;
  /** Whether another token can be got without asking the user. */
  canRenew(stored: H): boolean;
  /** Reserves space for new tokens before the old ones are used up; returns a function that frees it, to be called right before saving. */
  reserveSpace?(): Promise<() => void>;
  /** Gets another token from the platform. */
  obtain(stored: H, reason: RenewalReason): Promise<Tokens>;
  /** Replaces `stored` with the new tokens; returns what is stored then: another process's tokens, if those are newer. */
  save(stored: H, tokens: Tokens): Promise<H>;
  /** Runs the work while no other process can. */
  lock<T>(work: () => Promise<T>): Promise<T>;
};

type SharedToken = {
  /** A token that is valid as far as this machine knows. */
  token(): Promise<string>;
  /** A token other than the refused one, or undefined if none can be got. */
  after401(refused: string): Promise<string | undefined>;
  /** This token has worked. */
  accepted(token: string): void;
  /** Gets another token even if the current one is still valid. */
  renew(): Promise<void>;
};

/** It expires soon, the platform refused it, or the user asked for another one. */
export type RenewalReason = 'due' | 'refused' | 'requested';

/** Clocks differ, and a request takes time. */
const margin = 60_000;

/** The shortest time before renewing again a token that replaced a refused one and never worked, or that was renewed early. */
const pause = 60_000;

/**
 * Renews a token when it is due, was refused, or on request: one renewal at a time in this process and, by the lock, on this machine. A
 * process that waited uses the result of the other. New tokens are saved before use; if that fails, this process uses them and says so.
 */
export function shareToken<H extends StoredToken>(
  store: TokenStore<H>,
  { now, notice }: { readonly now: () => number; readonly notice: (line: string) => void },
): SharedToken {
  let reading: Promise<H> | undefined;
  let stored: H | undefined;
  let unsaved: { readonly onDisk: H; readonly latest: H; readonly reason: Failure } | undefined;
  let inFlight: Promise<H> | undefined;
  let ended: Failure | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let forced: { readonly token: string; readonly at: number } | undefined;

  return {
    async token() {
      const known = await current();
      if (!isDue(known, now()) || isGoodEnough(known)) return tokenOf(known);
      return tokenOf(await renewed('due', known));
    },
    async after401(refused) {
      const known = await current();
      if (known.accessToken !== undefined && known.accessToken !== refused) return known.accessToken;
      if (forced?.token === refused && isRecent(forced.at)) return undefined;
      const next = await renewed('refused', { ...known, accessToken: refused });
      if (next.accessToken === undefined || next.accessToken === refused) return undefined;
      forced = { token: next.accessToken, at: now() };
      return next.accessToken;
    },
    accepted(token) {
      if (forced?.token === token) forced = undefined;
    },
    async renew() {
      await renewed('requested', await current());
    },
  };

  async function current(): Promise<H> {
    if (ended) throw ended;
    if (inFlight) return inFlight;
    reading ??= store.read();
    const first = await reading;
    stored ??= first;
    return stored;
  }

  // While the token works, a clock that runs ahead or a failed renewal must not cause request after request.
  function isGoodEnough(known: H): boolean {
    return !isExpired(known, now()) && (!store.canRenew(known) || isRecent(triedAt));
  }

  function isRecent(time: number): boolean {
    return Math.abs(now() - time) < pause;
  }

  function renewed(reason: RenewalReason, previous: H): Promise<H> {
    inFlight ??= locked(reason, previous)
      .then((next) => {
        stored = next;
        return next;
      })
      .finally(() => {
        inFlight = undefined;
      });
    return inFlight;
  }

  async function locked(reason: RenewalReason, previous: H): Promise<H> {
    triedAt = now();
    try {
      return await store.lock(() => underLock(reason, previous));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === 'unauthenticated' && !error.facts.notPlatform) ended = error;
      const passing = error.kind === 'unavailable' || error.kind === 'not_found' || error.facts.notPlatform;
      if (!passing || reason !== 'due' || isExpired(previous, now())) throw error;
      notice(`${error.message} The token is not renewed yet, and works until it expires.`);
      return previous;
    }
  }

  async function underLock(reason: RenewalReason, previous: H): Promise<H> {
    const { onDisk, latest } = await look();
    if (reason !== 'requested' && isNewer(latest, previous)) return latest;
    if (reason === 'refused' && !store.canRenew(latest)) return previous;
    const freeSpace = await reserveSpaceFor(reason, latest);
    if (freeSpace === undefined) return latest;
    let tokens: Tokens;
    try {
      tokens = await store.obtain(latest, reason);
    } catch (error) {
      return somebodyElses(error, latest);
    } finally {
      freeSpace();
    }
    const next = await kept(onDisk, latest, tokens);
    if (reason === 'requested' && unsaved) throw notKept(unsaved.reason);
    return next;
  }

  // A refresh token may work only once: while the access token works, do not use it up for tokens that could not be saved.
  async function reserveSpaceFor(reason: RenewalReason, latest: H): Promise<(() => void) | undefined> {
    try {
      return (await store.reserveSpace?.()) ?? (() => undefined);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      if (reason === 'requested') throw notRenewed(error);
      if (reason === 'refused' || isExpired(latest, now())) return () => undefined;
      notice(`${error.message} The token is not renewed, and works until it expires.`);
      return undefined;
    }
  }

  // Tokens that could not be saved are newer than those on disk, unless another process has changed the file.
  async function look(): Promise<{ readonly onDisk: H; readonly latest: H }> {
    try {
      const onDisk = await store.read();
      if (unsaved?.onDisk.accessToken === onDisk.accessToken) return { onDisk, latest: unsaved?.latest ?? onDisk };
      return { onDisk, latest: onDisk };
    } catch (error) {
      if (unsaved && error instanceof Failure && error.kind === 'io') return unsaved;
      throw error;
    }
  }

  // A refusal does not prove that the login has ended: a process that did not wait for the lock may have renewed it.
  async function somebodyElses(error: unknown, latest: H): Promise<H> {
    if (!(error instanceof Failure) || error.kind !== 'unauthenticated') throw error;
    const again = await store.read();
    if (isNewer(again, latest)) return again;
    throw error;
  }

  function isNewer(latest: H, previous: H): boolean {
    return latest.accessToken !== undefined && latest.accessToken !== previous.accessToken && !isDue(latest, now());
  }

  async function kept(onDisk: H, latest: H, tokens: Tokens): Promise<H> {
    try {
      const saved = await store.save(onDisk, tokens);
      unsaved = undefined;
      return saved;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unauthenticated') throw error;
      if (!unsaved) notice(`The new token could not be saved, and works for this command only. ${error.message}`);
      const { expiresAt: _past, ...others } = latest;
      unsaved = { onDisk, latest: { ...others, ...tokens } as H, reason: error }; // H with another token and its times
      return unsaved.latest;
    }
  }
}

function notRenewed(reason: Failure): Failure {
  return new Failure(
    reason.kind,
    `The login was not renewed, because the new token could not be saved. ${reason.message}`,
    {
      ...reason.facts,
      cause: reason,
    },
  );
}

function notKept(reason: Failure): Failure {
  return new Failure(reason.kind, `The login was renewed, but could not be saved. ${reason.message}`, {
    ...reason.facts,
    cause: reason,
  });
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
