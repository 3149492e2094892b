import type { Row, Rows } from './row.ts';

/** The content of a row, or what is wrong with it. The value is made when it is needed. An empty row is not sent, and counts as none. */
export type RowContent<T> =
  | { readonly key: string; readonly value: () => T; readonly isEmpty?: boolean }
  | { readonly problem: string; readonly key?: string };

type Problem = { readonly line: number; readonly problem: string };

/** The result of checking all rows. */
export type FirstPassResult<T> = {
  readonly rows: number;
  readonly empty: number;
  /** The number of rows that cannot be used. */
  readonly bad: number;
  /** What is wrong with the first of them. */
  readonly problems: readonly Problem[];
  readonly first: T | undefined;
};

/** How many problems are listed. */
const mostProblems = 100;

/** Reads all rows without keeping them, so that every problem is known before work starts on the first. */
export async function checkRows<T>(
  rows: Rows,
  meaningOf: (row: Row) => RowContent<T>,
  signal: AbortSignal,
): Promise<FirstPassResult<T>> {
  const problems: Problem[] = [];
  let [count, empty, bad] = [0, 0, 0];
  let first: T | undefined;
  for await (const handful of rows) {
    // Reading a file never yields to the event loop, so let signals be handled here.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) {
        empty += 1;
        continue;
      }
      count += 1;
      if (!('problem' in meaning)) {
        first ??= meaning.value();
        continue;
      }
      bad += 1;
      if (problems.length < mostProblems) problems.push({ line: row.line, problem: meaning.problem });
    }
  }
  return { rows: count, empty, bad, problems, first };
}
