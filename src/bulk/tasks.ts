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

/**
 * The remaining rows of an input, in its order. A row that is done is repeated if an earlier row with the same key is not: the last row with
 * a key decides its value, in the file and on the platform.
 */
export async function* remainingTasks<T>(
  rows: Rows,
  { meaningOf, done, onSkipped, onBad }: TaskSource<T>,
): AsyncGenerator<readonly Task<T>[], void> {
  const again = new Set<string>();
  let number = 0;
  for await (const handful of rows) {
    const tasks: Task<T>[] = [];
    for (const row of handful) {
      number += 1;
      const meaning = meaningOf(row);
      if ('problem' in meaning) {
        onBad(row, meaning.problem, meaning.key);
        continue;
      }
      const { key, value } = meaning;
      if (done.has(number) && !again.has(key)) {
        onSkipped(row, key);
        continue;
      }
      if (number < done.last) again.add(key);
      tasks.push({ row: number, line: row.line, key, value, text: row.text });
    }
    if (tasks.length > 0) yield tasks;
  }
}
