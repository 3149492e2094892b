import { crc32 } from 'node:zlib';

/** Where a row begins in the file, counted from 1; `row` is its number among the elements of a JSON array, which may all be on one line. */
export type Place = { readonly line: number; readonly row?: number | undefined };

/** "line 618", or "row 618" of JSON. */
export function placeText({ line, row }: Place): string {
  return row === undefined ? `line ${line}` : `row ${row}`;
}

/** The same as fields of a result. */
export function placeFields({ line, row }: Place): Place {
  return row === undefined ? { line } : { line, row };
}

/** A row as the reader found it, or what is wrong with it. */
export type Row = Place & {
  /** The row as text for a file of the same format. */
  readonly text: () => string;
} & ({ readonly value: unknown } | { readonly problem: string; readonly key?: string });

/** Rows come in groups: a promise per row would cost more than the row. */
export type Rows = AsyncIterable<readonly Row[]>;

export const rowFormats = ['csv', 'ndjson', 'json', 'xlsx', 'ods'] as const;

export type RowFormat = (typeof rowFormats)[number];

/** The maximum length of a row or line, in UTF-16 units. */
export const longestRow = 1024 * 1024;

/** The content of a row, or what is wrong with it. The value is made when it is needed. An empty row is not sent, and counts as none. */
export type RowContent<T> =
  | { readonly key: string; readonly value: () => T; readonly isEmpty?: boolean }
  | (Problem & { readonly key?: string });

/** What is wrong with a row, and the field that it is wrong in, if it is one. */
export type Problem = { readonly problem: string; readonly field?: string | undefined };

type PlacedProblem = Place & Problem & { readonly key?: string | undefined };

/** The result of checking all rows. */
export type FirstPassResult = {
  readonly rows: number;
  readonly empty: number;
  /** The number of rows that cannot be used. */
  readonly bad: number;
  /** What is wrong with the first of them. */
  readonly problems: readonly PlacedProblem[];
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
  inspect?: (value: T, place: Place) => Promise<Problem | undefined>,
): Promise<FirstPassResult> {
  const problems: PlacedProblem[] = [];
  const counts = { rows: 0, empty: 0, bad: 0 };
  for await (const handful of rows) {
    // Reading a file never yields to the event loop, so let signals be handled here.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) {
        counts.empty += 1;
        continue;
      }
      counts.rows += 1;
      const wrong = 'problem' in meaning ? meaning : await inspect?.(meaning.value(), row);
      if (wrong === undefined) continue;
      counts.bad += 1;
      const { problem, field } = wrong;
      if (problems.length < mostProblems) problems.push({ ...placeFields(row), problem, field, key: meaning.key });
    }
  }
  return { ...counts, problems };
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
