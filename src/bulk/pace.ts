import type { Clock } from './clock.ts';
import { openRate } from './rate.ts';

/**
 * How a request ended, as far as the pace is concerned: the platform answered ('answered', even if it refused the row), asked for fewer
 * requests ('throttled'), or had a problem or could not be reached ('troubled').
 */
export type ResponseClass = 'answered' | 'throttled' | 'troubled';

/** Decides when requests may start: one pace for all workers. */
export type Pace = {
  /** Undefined if a request may start now, else a promise that resolves when it may; from then on it counts as started. */
  readonly turn: () => Promise<void> | undefined;
  /** How many pauses there have been so far. */
  readonly rests: () => number;
  /** To be called at the end of each turn. `rests` is the number of pauses when it started. */
  readonly report: (how: ResponseClass, rests: number) => void;
  /** Starts nothing for that many milliseconds, because the platform asked for it. */
  readonly hold: (milliseconds: number) => void;
  /** Lets all waiting requests start, and all later ones. */
  readonly release: () => void;
};

export type PaceOptions = {
  /** The maximum number of requests under way. */
  readonly concurrency: number;
  /** The maximum number of starts per second; Infinity for no limit. */
  readonly rate: number;
  /** How many pauses in a row without any response to allow before giving up. */
  readonly patience: number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called at every pause. */
  readonly onRest?: (milliseconds: number, why: Exclude<ResponseClass, 'answered'>) => void;
  /** Called when `patience` is exceeded. */
  readonly onGivenUp: () => void;
};

const firstRest = 1000;
const longestRest = 60_000;

/**
 * Starts at full speed. A refusal (429) pauses all workers, and a rate may be learnt from it. After several failures in a row there is a
 * pause of 1 s, 2 s, 4 s …; then it goes on with one request at a time, and each response doubles how many may be under way.
 */
export function openPace(options: PaceOptions): Pace {
  const { concurrency, clock } = options;
  const rate = openRate(options.rate);
  const alarming = Math.max(10, concurrency);
  const waiting: (() => void)[] = [];
  const state = {
    limit: concurrency,
    underWay: 0,
    heldUntil: 0,
    inARow: 0,
    /** Since the last response. */
    restsInARow: 0,
    rests: 0,
    isGentle: false,
    isOpen: false,
  };
  let cancelWake: (() => void) | undefined;

  /** Milliseconds until another one may start: 0 for now, Infinity if one has to end first. */
  function waitOf(now: number): number {
    if (state.isOpen) return 0;
    if (state.underWay >= state.limit) return Number.POSITIVE_INFINITY;
    return Math.max(state.heldUntil - now, rate.wait(now), 0);
  }

  function start(now: number): void {
    state.underWay += 1;
    rate.started(now);
  }

  function wake(): void {
    cancelWake?.();
    cancelWake = undefined;
    while (waiting.length > 0) {
      const now = clock.now();
      const wait = waitOf(now);
      if (wait > 0) {
        // A timer may fire a little early; the loop checks again.
        if (wait !== Number.POSITIVE_INFINITY) cancelWake = clock.after(Math.ceil(wait), wake);
        return;
      }
      start(now);
      waiting.shift()?.();
    }
  }

  function rest(now: number, why: Exclude<ResponseClass, 'answered'>): void {
    state.rests += 1;
    state.restsInARow += 1;
    if (state.restsInARow > options.patience) {
      if (state.restsInARow === options.patience + 1) options.onGivenUp();
      return;
    }
    // At least half of the time, so that the platform can recover.
    const own = Math.min(longestRest, firstRest * 2 ** (state.restsInARow - 1)) * (0.5 + options.random() / 2);
    const until = Math.max(state.heldUntil, why === 'troubled' || state.heldUntil <= now ? now + own : 0);
    state.heldUntil = until;
    options.onRest?.(until - now, why);
    // The refused request has already been subtracted.
    if (why === 'throttled') rate.refused(now, until, state.underWay + 1);
    else {
      state.limit = 1;
      state.isGentle = true;
    }
  }

  function answered(): void {
    rate.succeeded();
    state.inARow = 0;
    state.restsInARow = 0;
    state.isGentle = false;
    state.limit = Math.min(concurrency, state.limit * 2);
  }

  return {
    turn() {
      const now = clock.now();
      if (waiting.length === 0 && waitOf(now) === 0) {
        start(now);
        return undefined;
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) wake();
      });
    },
    rests: () => state.rests,
    report(how, rests) {
      const now = clock.now();
      state.underWay -= 1;
      if (how === 'answered') answered();
      if (rests !== state.rests) {
        if (how !== 'troubled') rate.ended(how === 'throttled');
      } else if (how !== 'answered') {
        state.inARow += 1;
        // A request that started before the last pause says nothing new.
        if (how === 'throttled' || state.inARow >= alarming || state.isGentle) rest(now, how);
      }
      wake();
    },
    hold(milliseconds) {
      state.heldUntil = Math.max(state.heldUntil, clock.now() + milliseconds);
    },
    release() {
      state.isOpen = true;
      wake();
    },
  };
}
