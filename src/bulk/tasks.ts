import type { Bitset } from './bitset.ts';
import type { RowContent } from './first-pass.ts';
import type { Task } from './keyed-queue.ts';
import type { Row, Rows } from './row.ts';

type TaskSource<T> = {
  readonly meaningOf: (row: Row) => RowContent<T>;
  /** The rows done in earlier runs. */
  readonly done: Bitset;
  readonly onSkipped: (row: Row, key: string) => void;
  readonly onBad: (row: Row, problem: string, key: string | undefined) => void;
};

/** The remaining rows of an input, in its order. */
export async function* remainingTasks<T>(
  rows: Rows,
  { meaningOf, done, onSkipped, onBad }: TaskSource<T>,
): AsyncGenerator<readonly Task<T>[], void> {
  let number = 0;
  for await (const handful of rows) {
    const tasks: Task<T>[] = [];
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) continue;
      number += 1;
      if ('problem' in meaning) {
        onBad(row, meaning.problem, meaning.key);
        continue;
      }
      const { key, value } = meaning;
      if (done.has(number)) onSkipped(row, key);
      else tasks.push({ line: row.line, key, value, text: row.text });
    }
    if (tasks.length > 0) yield tasks;
  }
}
