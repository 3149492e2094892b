import { onAbort } from '../text/abort.ts';
import type { Clock } from './clock.ts';

/** How long what is under way may take after the first signal, in milliseconds. */
const lastWait = 5000;

type GracefulStop = {
  /** Aborted when nothing new may begin. */
  readonly stop: AbortController;
  /** Aborted when what is under way has to end. */
  readonly abandon: AbortSignal;
  /** Listens no more. */
  readonly dispose: () => void;
};

/** Stops in two steps when the person interrupts: nothing new at once, and what is under way after five seconds. */
export function openGracefulStop(interrupt: AbortSignal, clock: Clock, onStop: () => void): GracefulStop {
  const stop = new AbortController();
  const abandon = new AbortController();
  let cancel: () => void = () => undefined;
  const letGo = onAbort(interrupt, () => {
    onStop();
    stop.abort(interrupt.reason);
    cancel = clock.after(lastWait, () => abandon.abort(interrupt.reason));
  });
  return {
    stop,
    abandon: abandon.signal,
    dispose() {
      cancel();
      letGo();
    },
  };
}
