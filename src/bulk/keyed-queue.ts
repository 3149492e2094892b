import type { Place } from './row.ts';

/** A row to be worked on. Rows with the same key are worked on one after the other, in the order of the input. */
export type Task<T> = Place & {
  /** Its number among the rows that are not empty, from 1. */
  readonly number: number;
  /** An earlier run may have sent it. */
  readonly isAgain: boolean;
  readonly key: string;
  /** Why it cannot be sent. */
  readonly problem: string | undefined;
  /** Called when it is the row's turn. */
  readonly value: () => T;
  readonly text: () => string;
};

export type KeyedQueue<T> = {
  /** The next row whose key is not in use, without a promise if it has been read; undefined at the end. Rejects if reading fails. */
  readonly take: () => Task<T> | Promise<Task<T> | undefined>;
  /** Ends the work on a row; returns the next row with the same key, to be worked on now, if one has been read meanwhile. */
  readonly release: (task: Task<T>) => Task<T> | undefined;
  /** After this, `take` gives no more rows. */
  readonly close: () => void;
  /** The rows that were never taken; to be called after all work has ended. */
  readonly rest: () => AsyncGenerator<Task<T>, void>;
};

/** Shared empty list for a key with only one row, as most keys have. */
const noneWaiting: never[] = [];

/** How many rows may wait for another row with their key before reading pauses. */
const mostParked = 1000;

export function openKeyedQueue<T>(batches: AsyncIterable<readonly Task<T>[]>): KeyedQueue<T> {
  const iterator = batches[Symbol.asyncIterator]();
  const busy = new Map<string, Task<T>[]>();
  const read = { batch: [] as readonly Task<T>[], at: 0 };
  let parked = 0;
  let reading: Promise<boolean> | undefined;
  const roomy: (() => void)[] = [];
  let isClosed = false;

  function resumeReader(): void {
    if (roomy.length > 0) for (const go of roomy.splice(0)) go();
  }

  /** Reads the next rows, once for all waiting workers. False at the end. */
  async function readOn(): Promise<boolean> {
    const { value, done } = await iterator.next();
    reading = undefined;
    if (done) return false;
    [read.batch, read.at] = [value, 0];
    return true;
  }

  /** The next row among those read; rows whose key is in use are put aside. */
  function ready(): Task<T> | undefined {
    while (parked < mostParked && !isClosed) {
      const task = read.batch[read.at];
      if (!task) return undefined;
      read.at += 1;
      const others = busy.get(task.key);
      if (!others) {
        busy.set(task.key, noneWaiting);
        return task;
      }
      if (others === noneWaiting) busy.set(task.key, [task]);
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
      resumeReader();
      return following;
    },
    close() {
      isClosed = true;
      resumeReader();
    },
    async *rest() {
      for (const tasks of busy.values()) yield* tasks;
      busy.clear();
      do {
        while (read.at < read.batch.length) yield read.batch[read.at++] as Task<T>; // `at` was just checked
        reading ??= readOn();
      } while (await reading);
    },
  };
}
