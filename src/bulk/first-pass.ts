import type { Row, Rows } from './row.ts';

/** What a row means to the work at hand, or why it means nothing. The value is made when it is needed. */
export type RowContent<T> =
  | { readonly key: string; readonly value: () => T }
  | { readonly problem: string; readonly key?: string };

type Problem = { readonly line: number; readonly problem: string };

/** What a first look at all rows found. */
export type FirstPassResult<T> = {
  readonly rows: number;
  /** How many of them cannot be used. */
  readonly bad: number;
  /** The first of those. */
  readonly problems: readonly Problem[];
  readonly first: T | undefined;
};

/** How many problems are named one by one. */
const mostProblems = 100;

/** Reads all rows and keeps none: everything that is wrong with them is known before the first is worked on. */
export async function checkRows<T>(
  rows: Rows,
  meaningOf: (row: Row) => RowContent<T>,
  signal: AbortSignal,
): Promise<FirstPassResult<T>> {
  const problems: Problem[] = [];
  let [count, bad] = [0, 0];
  let first: T | undefined;
  for await (const handful of rows) {
    // Reading a file never waits for anything, so signals get their turn here.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    for (const row of handful) {
      const meaning = meaningOf(row);
      count += 1;
      if (!('problem' in meaning)) {
        first ??= meaning.value();
        continue;
      }
      bad += 1;
      if (problems.length < mostProblems) problems.push({ line: row.line, problem: meaning.problem });
    }
  }
  return { rows: count, bad, problems, first };
}
