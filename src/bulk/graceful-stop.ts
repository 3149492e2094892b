import { onAbort } from '../text/abort.ts';
import type { Clock } from './clock.ts';

/** How long requests under way may take after the first signal, in milliseconds. */
const lastWait = 5000;

type GracefulStop = {
  /** Aborted when nothing new may start. */
  readonly stop: AbortController;
  /** Aborted when requests under way have to end. */
  readonly abandon: AbortSignal;
  /** Removes the listeners. */
  readonly dispose: () => void;
};

/** Stops in two steps on an interrupt: immediately starts nothing new, and after five seconds ends the requests under way. */
export function openGracefulStop(interrupt: AbortSignal, clock: Clock, onStop: () => void): GracefulStop {
  const stop = new AbortController();
  const abandon = new AbortController();
  let cancel: () => void = () => undefined;
  const unsubscribe = onAbort(interrupt, () => {
    onStop();
    stop.abort(interrupt.reason);
    cancel = clock.after(lastWait, () => abandon.abort(interrupt.reason));
  });
  return {
    stop,
    abandon: abandon.signal,
    dispose() {
      cancel();
      unsubscribe();
    },
  };
}
