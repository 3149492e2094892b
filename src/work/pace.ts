import type { Clock } from './clock.ts';
import { openRate } from './rate.ts';

/**
 * How a request ended, as far as the pace is concerned: the platform answered ('answered', even if it refused the row), asked for fewer
 * requests ('throttled'), had a problem ('troubled') or could not be reached ('unreached'), or the same for what may have been applied and is not
 * repeated ('lost').
 */
export type ResponseClass = 'answered' | 'throttled' | 'troubled' | 'unreached' | 'lost';

/** Why no request may start: which kind of response came last, and for how many milliseconds there has been no other. */
export type Outage = { readonly why: Exclude<ResponseClass, 'answered'>; readonly lasted: number };

export type Pace = ReturnType<typeof openPace>;

export type PaceOptions = {
  /** The maximum number of requests under way. */
  readonly concurrency: number;
  /** How many of them until the first response, if not all. */
  readonly first?: number;
  /** The maximum number of starts per second; Infinity for no limit. */
  readonly rate: number;
  /** For how many milliseconds the platform may have a problem; for a minute more it may limit requests, and for less a platform may not be there at all. */
  readonly patience: number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onRest?: (milliseconds: number, outage: Outage) => void;
  /** Called when `patience` is exceeded. */
  readonly onGivenUp: (outage: Outage) => void;
};

const firstRest = 1000;
const longestRest = 60_000;
/** No row is to blame for a connection that is refused, so fewer of them than of other failures are an outage. */
const fewUnreached = 4;

/** What has never answered is probably not there, or not under this address. */
const firstPatience = 20_000;

/** Each is one for a person to look up. */
const mostLost = 3;

type PaceState = ReturnType<typeof openState>;

function openState(options: PaceOptions) {
  return {
    ...options,
    limiter: openRate(options.rate),
    waiting: [] as (() => void)[],
    limit: options.first ?? options.concurrency,
    underWay: 0,
    heldUntil: 0,
    inARow: 0,
    /** Since the last response; the first of them began at `troubledSince`. */
    restsInARow: 0,
    troubledSince: 0,
    wasReached: false,
    lostInARow: 0,
    restsSoFar: 0,
    isGentle: false,
    isGivenUp: false,
    isOpen: false,
    cancelWake: undefined as (() => void) | undefined,
  };
}

/**
 * Decides when requests may start: one pace for all workers. Starts at full speed. A refusal (429, or a 503 without a body) pauses all workers, and a
 * rate may be learnt from it. After several failures in a row there is a pause of 1 s, 2 s, 4 s …, and after each that is lost; then it goes on with one
 * request at a time, and each response doubles how many may be under way.
 */
export function openPace(options: PaceOptions) {
  const state = openState(options);
  const { waiting, limiter, clock } = state;
  const alarming = Math.max(10, options.concurrency);
  return {
    /** Undefined if a request may start now, else a promise that resolves when it may; from then on it counts as started. */
    turn(): Promise<void> | undefined {
      const now = clock.now();
      if (waiting.length === 0 && waitOf(state, now) === 0) {
        countStart(state, now);
        return undefined;
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) wake(state);
      });
    },
    rests: () => state.restsSoFar,
    /** Whether the platform has been in trouble since its last response. */
    isOutage: () => state.restsInARow > 0,
    /** To be called at the end of each turn. `rests` is the number of pauses when it started. */
    report(how: ResponseClass, rests: number) {
      const now = clock.now();
      state.underWay -= 1;
      if (how === 'answered') answered(state);
      state.wasReached ||= how !== 'unreached';
      if (rests !== state.restsSoFar) {
        if (how === 'answered' || how === 'throttled') limiter.ended(how === 'throttled');
      } else if (how !== 'answered') {
        state.inARow += 1;
        // A request that started before the last pause says nothing new.
        const isAlarming = state.inARow >= (how === 'unreached' ? fewUnreached : alarming);
        if (how === 'throttled' || how === 'lost' || isAlarming || state.isGentle) rest(state, now, how);
      }
      wake(state);
    },
    /** Starts nothing for that many milliseconds, because the platform asked for it. */
    hold(milliseconds: number) {
      state.heldUntil = Math.max(state.heldUntil, clock.now() + milliseconds);
    },
    /** Lets all waiting requests start, and all later ones. */
    release() {
      state.isOpen = true;
      wake(state);
    },
  };
}

/** Milliseconds until another one may start: 0 for now, Infinity if one has to end first. */
function waitOf({ isOpen, underWay, limit, heldUntil, limiter }: PaceState, now: number): number {
  if (isOpen) return 0;
  if (underWay >= limit) return Number.POSITIVE_INFINITY;
  return Math.max(heldUntil - now, limiter.wait(now), 0);
}

function countStart(state: PaceState, now: number): void {
  state.underWay += 1;
  state.limiter.started(now);
}

function wake(state: PaceState): void {
  state.cancelWake?.();
  state.cancelWake = undefined;
  while (state.waiting.length > 0) {
    const now = state.clock.now();
    const wait = waitOf(state, now);
    if (wait > 0) {
      // A timer may fire a little early; the loop checks again.
      if (wait !== Number.POSITIVE_INFINITY) state.cancelWake = state.clock.after(Math.ceil(wait), () => wake(state));
      return;
    }
    countStart(state, now);
    state.waiting.shift()?.();
  }
}

function rest(state: PaceState, now: number, why: Outage['why']): void {
  state.restsSoFar += 1;
  state.restsInARow += 1;
  if (why === 'lost') state.lostInARow += 1;
  if (state.restsInARow === 1) state.troubledSince = now;
  const outage = { why, lasted: now - state.troubledSince };
  const left = patienceFor(why, state) - outage.lasted;
  if (left <= 0 || state.lostInARow >= mostLost) {
    if (!state.isGivenUp) state.onGivenUp(outage);
    state.isGivenUp = true;
    return;
  }
  // At least half of the time, so that the platform can recover.
  const longest = Math.min(longestRest, firstRest * 2 ** (state.restsInARow - 1));
  const own = Math.min(left, longest * (0.5 + state.random() / 2));
  const until = Math.max(state.heldUntil, why !== 'throttled' || state.heldUntil <= now ? now + own : 0);
  state.heldUntil = until;
  state.onRest?.(until - now, outage);
  // The refused request has already been subtracted.
  if (why === 'throttled') state.limiter.refused(now, until, state.underWay + 1);
  else {
    state.limit = 1;
    state.isGentle = true;
  }
}

/** After a pause of a minute, even a limit per ten minutes has let requests through. */
function patienceFor(why: Outage['why'], { patience, wasReached }: PaceState): number {
  if (why === 'throttled') return patience + longestRest;
  return wasReached ? patience : Math.min(patience, firstPatience);
}

function answered(state: PaceState): void {
  state.limiter.succeeded();
  state.inARow = 0;
  state.restsInARow = 0;
  state.lostInARow = 0;
  state.isGentle = false;
  state.limit = Math.min(state.concurrency, state.limit * 2);
}
