import { setMaxListeners } from 'node:events';

export type Calls = {
  /** Aborted when the client is gone and answers no question any more. */
  readonly gone: AbortSignal;
  readonly run: <T>(call: () => Promise<T>) => Promise<T>;
  /** Resolves when every call has ended and its response is handed over. */
  readonly end: () => Promise<void>;
};

/** Knows the calls in progress, so that one whose input has ended is still answered, and a change that was sent is still recorded. */
export function openCalls(): Calls {
  const running = new Set<Promise<unknown>>();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return {
    gone: ending.signal,
    run(call) {
      const result = call().finally(() => running.delete(result));
      running.add(result);
      return result;
    },
    async end() {
      await new Promise(setImmediate); // the last requests of the input have begun
      ending.abort('The client is gone.');
      while (running.size > 0) await Promise.allSettled(running);
      await new Promise(setImmediate); // the SDK has written their responses
    },
  };
}
