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
