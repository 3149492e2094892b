import { setTimeout } from 'node:timers/promises';

type Saver = {
  /** Something has changed; it will be written soon. */
  changed(): void;
  /** Writes what is not yet written. Rejects with the last failure to write, where there was one and no later success. */
  flush(): Promise<void>;
};

/**
 * Writes a state after changes: many changes at once are one writing, and two writings never overlap. `write` replaces the whole file atomically.
 * Between writings it rests ten times as long as the last one took, so that a large world under load is not only saved.
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
    const begun = performance.now();
    await save();
    const took = performance.now() - begun;
    // A writing that keeps everything else waiting leaves nothing changed behind: it rests all the same.
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
