import { crc32 } from 'node:zlib';

/** A row as the reader found it, or what is wrong with it. `line` is where it begins in the file, counted from 1. */
export type Row = {
  readonly line: number;
  /** The row as text for a file of the same format. */
  readonly text: () => string;
} & ({ readonly value: unknown } | { readonly problem: string });

/** Rows come in groups: a promise per row would cost more than the row. */
export type Rows = AsyncIterable<readonly Row[]>;

export const rowFormats = ['csv', 'ndjson', 'json', 'xlsx', 'ods'] as const;

export type RowFormat = (typeof rowFormats)[number];

/** The maximum length of a row or line, in UTF-16 units. */
export const longestRow = 1024 * 1024;

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

/**
 * Reads all rows without keeping them, so that every problem is known before work starts on the first.
 * @param inspect returns what else is wrong with the value of a row
 */
export async function checkRows<T>(
  rows: Rows,
  meaningOf: (row: Row) => RowContent<T>,
  signal: AbortSignal,
  inspect?: (value: T, line: number) => Promise<string | undefined>,
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
      let problem = 'problem' in meaning ? meaning.problem : undefined;
      if ('value' in meaning && (inspect || first === undefined)) {
        const value = meaning.value();
        problem = await inspect?.(value, row.line);
        if (problem === undefined) first ??= value;
      }
      if (problem === undefined) continue;
      bad += 1;
      if (problems.length < mostProblems) problems.push({ line: row.line, problem });
    }
  }
  return { rows: count, empty, bad, problems, first };
}

/** One of `parts` parts of the keys, counted from 1. */
export type Shard = { readonly part: number; readonly parts: number };

/**
 * The part that a key belongs to: the CRC-32 of its UTF-8 bytes (as in zlib, gzip and PNG), modulo the number of parts, plus 1. Scripts may
 * rely on it, so it never changes.
 */
export function shardOf(key: string, parts: number): number {
  return (crc32(key) % parts) + 1;
}

/** The rows whose key belongs to the part, in order. A row without a readable key counts as one with an empty key, in part 1. */
export async function* rowsOfShard(
  rows: Rows,
  { part, parts }: Shard,
  keyOf: (row: Row) => string | undefined,
): AsyncGenerator<readonly Row[], void> {
  for await (const handful of rows) {
    const own = handful.filter((row) => shardOf(keyOf(row) ?? '', parts) === part);
    // Also if empty: the reader handles signals between groups.
    yield own;
  }
}
