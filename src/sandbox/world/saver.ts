import { setTimeout } from 'node:timers/promises';

type Saver = {
  /** Reports a change, which will be saved soon. */
  changed(): void;
  /** Saves what has not been saved yet. Rejects with the last error, unless a later write succeeded. */
  flush(): Promise<void>;
};

/**
 * Saves a state after changes: several changes share one write, and writes never overlap. `write` replaces the whole file atomically.
 * Pauses after each write for ten times its duration, so that a large world under load is not saved all the time.
 */
export function createSaver(text: () => string, write: (text: string) => Promise<void>): Saver {
  let dirty = false;
  let failure: unknown;
  let writing = Promise.resolve();
  let resting = false;
  const writeOnce = async () => {
    if (!dirty) return;
    dirty = false;
    try {
      await write(text());
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };
  const save = () => {
    writing = writing.then(writeOnce);
    return writing;
  };
  const saveSoon = async (): Promise<void> => {
    await setTimeout(50, undefined, { ref: false });
    const startedAt = performance.now();
    await save();
    const took = performance.now() - startedAt;
    // Pauses even if nothing has changed meanwhile, because a slow write may have kept the changes waiting.
    await setTimeout(took * 10, undefined, { ref: false });
    if (dirty) return saveSoon();
    resting = false;
  };
  return {
    changed: () => {
      dirty = true;
      if (resting) return;
      resting = true;
      void saveSoon();
    },
    flush: async () => {
      await save();
      if (failure !== undefined) throw failure;
    },
  };
}
