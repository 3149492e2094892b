import type { Clock } from './clock.ts';
import { openRate } from './rate.ts';

/**
 * How a request ended, for the pace: the platform answered, even if it refused the row; asked for fewer requests (throttled); had a problem (troubled);
 * or could not be reached. Lost: it had a problem or could not be reached, and the change may have been applied, so it is not repeated.
 */
export type ResponseClass = 'answered' | 'throttled' | 'troubled' | 'unreached' | 'lost';

/** The reason why no request may start, and for how many milliseconds the platform has not answered. */
export type Outage = { readonly why: Exclude<ResponseClass, 'answered'>; readonly lasted: number };

export type Pace = ReturnType<typeof openPace>;

export type PaceOptions = {
  /** The maximum number of requests under way. */
  readonly concurrency: number;
  /** The maximum number of requests under way until the first response, if it is smaller. */
  readonly first?: number;
  /** The maximum number of starts per second; Infinity for no limit. */
  readonly rate: number;
  /** For how many milliseconds the platform may have a problem before the pace gives up. `patienceFor` has the exceptions. */
  readonly patience: number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onRest?: (milliseconds: number, outage: Outage) => void;
  /** Called when `patience` is exceeded. */
  readonly onGivenUp: (outage: Outage) => void;
};

/** The shortest and the longest pause, in milliseconds. */
const [firstRest, longestRest] = [1000, 60_000];

/** The number of refused connections in a row that are an outage. Other failures may be caused by their rows, so that it takes more of them. */
const alarmingUnreached = 4;

/** The patience with a platform that was never reached, which probably has another address, in milliseconds. */
const firstPatience = 20_000;

/** The number of lost changes in a row after which the pace gives up, because the user has to look up each of them. */
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
    troublesInARow: 0,
    /** The number of pauses since the last response, of which the first began at `troubledSince`. */
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
 * Decides for all workers when requests may start. Starts at full speed. Pauses after a refusal (429, or a 503 without a body), from which it may learn
 * a rate. Also pauses, for 1 s, 2 s, 4 s …, after each lost change and after several failures in a row. Then it goes on with one request at a time, and
 * each response doubles the number that may be under way.
 */
export function openPace(options: PaceOptions) {
  const state = openState(options);
  const { waiting, limiter, clock } = state;
  const alarming = Math.max(10, options.concurrency);
  return {
    /** Takes a turn to start a request. @returns undefined if the request may start now, else a promise that resolves when it may */
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
    /** Ends a turn. @param rests the number of pauses when it started, by which a request is told that began before the last pause */
    report(how: ResponseClass, rests: number) {
      const now = clock.now();
      state.underWay -= 1;
      if (how === 'answered') countAnswer(state);
      state.wasReached ||= how !== 'unreached';
      if (rests !== state.restsSoFar) {
        if (how === 'answered' || how === 'throttled') limiter.countEnd(how === 'throttled');
      } else if (how !== 'answered') {
        state.troublesInARow += 1;
        const isAlarming = state.troublesInARow >= (how === 'unreached' ? alarmingUnreached : alarming);
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

/** How many milliseconds to wait before another request may start: 0 for none, Infinity if one under way has to end first. */
function waitOf({ isOpen, underWay, limit, heldUntil, limiter }: PaceState, now: number): number {
  if (isOpen) return 0;
  if (underWay >= limit) return Number.POSITIVE_INFINITY;
  return Math.max(heldUntil - now, limiter.wait(now), 0);
}

function countStart(state: PaceState, now: number): void {
  state.underWay += 1;
  state.limiter.countStart(now);
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
  // Random, but at least half of the longest pause, so that the platform can recover.
  const longest = Math.min(longestRest, firstRest * 2 ** (state.restsInARow - 1));
  const pauseLength = Math.min(left, longest * (0.5 + state.random() / 2));
  const until = Math.max(state.heldUntil, why !== 'throttled' || state.heldUntil <= now ? now + pauseLength : 0);
  state.heldUntil = until;
  state.onRest?.(until - now, outage);
  // The refused request itself is not among those under way any more.
  if (why === 'throttled') state.limiter.noteRefusal(now, until, state.underWay + 1);
  else {
    state.limit = 1;
    state.isGentle = true;
  }
}

/** The patience of the user; a minute more with a platform that limits requests, and less with one that was never reached. */
function patienceFor(why: Outage['why'], { patience, wasReached }: PaceState): number {
  if (why === 'throttled') return patience + longestRest;
  return wasReached ? patience : Math.min(patience, firstPatience);
}

function countAnswer(state: PaceState): void {
  state.limiter.countSuccess();
  state.troublesInARow = 0;
  state.restsInARow = 0;
  state.lostInARow = 0;
  state.isGentle = false;
  state.limit = Math.min(state.concurrency, state.limit * 2);
}
