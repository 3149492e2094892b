import type { Clock } from './clock.ts';
import { openRate } from './rate.ts';

/**
 * How one request ended, as far as the pace is concerned: the platform answered ('answered': whatever it thinks of the row), it asked for
 * fewer requests ('throttled'), or it is in trouble or out of reach ('troubled').
 */
export type ResponseClass = 'answered' | 'throttled' | 'troubled';

/** When requests may start: one pace for all workers. */
export type Pace = {
  /** Undefined where a request may start at once, else a promise of the moment when it may; it has started then. */
  readonly turn: () => Promise<void> | undefined;
  /** How often nothing was let start so far. */
  readonly rests: () => number;
  /** Each turn ends with this. `rests` is how many there had been when it started. */
  readonly went: (how: ResponseClass, rests: number) => void;
  /** Nothing starts for that many milliseconds: the platform asked for it. */
  readonly hold: (milliseconds: number) => void;
  /** Lets everybody go who waits, and from now on. */
  readonly release: () => void;
};

export type PaceOptions = {
  /** The most that are under way at a time. */
  readonly concurrency: number;
  /** The most that start in a second; Infinity for no limit. */
  readonly rate: number;
  /** How often a platform in trouble is left alone, and tried again, without a single answer before it is given up. */
  readonly patience: number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told of every time in which nothing starts. */
  readonly onRest?: (milliseconds: number, why: Exclude<ResponseClass, 'answered'>) => void;
  /** Called when patience is at its end. */
  readonly onGivenUp: () => void;
};

const firstRest = 1000;
const longestRest = 60_000;

/**
 * Full speed at first. A refusal (429) holds everybody back, and may be what a rate is learnt from. Failures in a row leave the
 * platform alone, for 1 s, 2 s, 4 s …; then one request at a time is tried, and each answer doubles how many may be under way.
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
    /** Since the last answer. */
    restsInARow: 0,
    rests: 0,
    isGentle: false,
    isOpen: false,
  };
  let cancelWake: (() => void) | undefined;

  /** Milliseconds until one more may start; 0 for now, Infinity for when one has ended. */
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
        // A timer may come a little early; the loop looks again.
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
    // Half of it is certain, so that the platform has its peace.
    const own = Math.min(longestRest, firstRest * 2 ** (state.restsInARow - 1)) * (0.5 + options.random() / 2);
    const until = Math.max(state.heldUntil, why === 'troubled' || state.heldUntil <= now ? now + own : 0);
    state.heldUntil = until;
    options.onRest?.(until - now, why);
    // This one has ended already.
    if (why === 'throttled') rate.refused(now, until, state.underWay + 1);
    else {
      state.limit = 1;
      state.isGentle = true;
    }
  }

  function answered(now: number): void {
    rate.succeeded(now);
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
    went(how, rests) {
      const now = clock.now();
      state.underWay -= 1;
      if (how === 'answered') answered(now);
      if (rests !== state.rests) {
        if (how !== 'troubled') rate.ended(how === 'throttled');
      } else if (how !== 'answered') {
        state.inARow += 1;
        // What began before the last rest tells nothing new.
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
