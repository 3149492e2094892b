import { onAbort } from '../text/abort.ts';

/** The time for bulk work, which tests replace. */
export type Clock = {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Runs a function later. @returns a function that cancels it */
  readonly after: (milliseconds: number, run: () => void) => () => void;
};

/** The clock of this machine. `monotonic` is in milliseconds. */
export function realClock(monotonic: () => number): Clock {
  return {
    now: monotonic,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** Resolves after some milliseconds, or as soon as the signal is aborted. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = onAbort(signal, () => {
      cancel();
      resolve();
    });
    const cancel = clock.after(milliseconds, () => {
      unsubscribe();
      resolve();
    });
  });
}
