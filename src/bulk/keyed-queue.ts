/** A row to be worked on. Rows of one key are worked on one after the other, in the order in which they came. */
export type Task<T> = {
  /** Counted from 1, over all rows of the input. */
  readonly row: number;
  readonly line: number;
  readonly key: string;
  /** Made when its turn has come. */
  readonly value: () => T;
  readonly text: () => string;
};

export type KeyedQueue<T> = {
  /** The next row whose key nobody works on, at once where it has been read; undefined at the end. Rejects with what the reading fails with. */
  readonly take: () => Task<T> | Promise<Task<T> | undefined>;
  /** The work on a row has ended: gives the next row of the same key, which is then worked on, if one has come by meanwhile. */
  readonly release: (task: Task<T>) => Task<T> | undefined;
  /** From now on nothing more is taken. */
  readonly close: () => void;
  /** What was never taken, once nobody works any more. */
  readonly rest: () => AsyncGenerator<Task<T>, void>;
};

/** Who waits for a key that only one row has: most have. */
const nobody: never[] = [];

/** Rows that wait for another of their key, beyond which nothing is read on. */
const mostParked = 1000;

export function openKeyedQueue<T>(batches: AsyncIterable<readonly Task<T>[]>): KeyedQueue<T> {
  const iterator = batches[Symbol.asyncIterator]();
  const busy = new Map<string, Task<T>[]>();
  let batch: readonly Task<T>[] = [];
  let at = 0;
  let parked = 0;
  let reading: Promise<boolean> | undefined;
  const roomy: (() => void)[] = [];
  let isClosed = false;

  function letOn(): void {
    if (roomy.length > 0) for (const go of roomy.splice(0)) go();
  }

  /** Reads on, once for all who wait. False at the end. */
  async function readOn(): Promise<boolean> {
    const { value, done } = await iterator.next();
    reading = undefined;
    if (done) return false;
    [batch, at] = [value, 0];
    return true;
  }

  /** The next row of those that have been read; the others of busy keys are put aside. */
  function ready(): Task<T> | undefined {
    while (parked < mostParked && !isClosed) {
      const task = batch[at];
      if (!task) return undefined;
      at += 1;
      const others = busy.get(task.key);
      if (!others) {
        busy.set(task.key, nobody);
        return task;
      }
      if (others === nobody) busy.set(task.key, [task]);
      else others.push(task);
      parked += 1;
    }
    return undefined;
  }

  async function wait(): Promise<Task<T> | undefined> {
    for (;;) {
      const task = ready();
      if (task || isClosed) return task;
      if (parked >= mostParked) await new Promise<void>((resolve) => roomy.push(resolve));
      else {
        reading ??= readOn();
        if (!(await reading)) return undefined;
      }
    }
  }

  return {
    take: () => ready() ?? wait(),
    release({ key }) {
      const following = busy.get(key)?.shift();
      if (!following) busy.delete(key);
      else parked -= 1;
      letOn();
      return following;
    },
    close() {
      isClosed = true;
      letOn();
    },
    async *rest() {
      for (const tasks of busy.values()) yield* tasks;
      busy.clear();
      do {
        while (at < batch.length) yield batch[at++] as Task<T>; // the line before has looked
        reading ??= readOn();
      } while (await reading);
    },
  };
}
