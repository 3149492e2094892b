import type { Clock } from './clock.ts';

/** How long what is under way may take after the first signal, in milliseconds. */
const lastWait = 5000;

export type Stopping = {
  /** Aborted when nothing new may begin. */
  readonly stop: AbortController;
  /** Aborted when what is under way has to end. */
  readonly abandon: AbortSignal;
  /** Listens no more. */
  readonly letGo: () => void;
};

/** Stops in two steps when the person interrupts: nothing new at once, and what is under way after five seconds. */
export function stopWhen(interrupt: AbortSignal, clock: Clock, onStop: () => void): Stopping {
  const stop = new AbortController();
  const abandon = new AbortController();
  let cancel: () => void = () => undefined;
  const interrupted = () => {
    onStop();
    stop.abort(interrupt.reason);
    cancel = clock.after(lastWait, () => abandon.abort(interrupt.reason));
  };
  if (interrupt.aborted) interrupted();
  interrupt.addEventListener('abort', interrupted, { once: true });
  return {
    stop,
    abandon: abandon.signal,
    letGo() {
      cancel();
      interrupt.removeEventListener('abort', interrupted);
    },
  };
}
