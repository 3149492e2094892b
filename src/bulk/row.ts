/** A row as a reader found it, or why it is none. `line` is where it begins in the file, counted from 1. */
export type Row = {
  readonly line: number;
  /** The row as it can be written into a file of the same format. */
  readonly text: () => string;
} & ({ readonly value: unknown } | { readonly problem: string });

/** Rows come in handfuls: one promise for each row would cost more than the row. */
export type Rows = AsyncIterable<readonly Row[]>;

export const rowFormats = ['csv', 'ndjson', 'json', 'xlsx', 'ods'] as const;

export type RowFormat = (typeof rowFormats)[number];

/** The longest that a row, or a line, may be: in UTF-16 units. */
export const longestRow = 1024 * 1024;
