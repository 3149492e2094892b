import { crc32 } from 'node:zlib';
import { capitalized } from '../text/capitalized.ts';

/** Where a row begins in the file, counted from 1; `row` is its number among the elements of a JSON array, which may all be on one line. */
export type RowPosition = { readonly line: number; readonly row?: number | undefined };

/** "line 618", or "row 618" of JSON. */
export function positionText({ line, row }: RowPosition): string {
  return row === undefined ? `line ${line}` : `row ${row}`;
}

/** "Line 150, press-0001", or "Row 150 (press-0001)" of JSON. */
export function positionAndKey(place: RowPosition, key = ''): string {
  const shown = place.row === undefined ? `, ${key}` : ` (${key})`;
  return capitalized(positionText(place)) + (key === '' ? '' : shown);
}

/** The name of a column in a sheet: A for 0, AA for 26. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

export function positionFields({ line, row }: RowPosition): RowPosition {
  return row === undefined ? { line } : { line, row };
}

export type Row = RowPosition & {
  /** The row as text for a file of the same format. */
  readonly text: () => string;
} & ({ readonly value: unknown } | { readonly problem: string; readonly key?: string });

/** Rows come in groups: a promise per row would cost more than the row. */
export type Rows = AsyncIterable<readonly Row[]>;

export const rowFormats = ['csv', 'ndjson', 'json', 'xlsx', 'ods'] as const;

export type RowFormat = (typeof rowFormats)[number];

/** The maximum length of a row or line, in UTF-16 units. */
export const longestRow = 1024 * 1024;

export type RowProblem = { readonly problem: string; readonly field?: string | undefined };

/** One part of the rows, by their keys: number `part`, counted from 1, of `parts`. */
export type Shard = { readonly part: number; readonly parts: number };

/** The part that a key belongs to: the CRC-32 of its UTF-8 bytes (as in zlib), modulo the number of parts, plus 1. Never changes, for scripts. */
export function shardOf(key: string, parts: number): number {
  return (crc32(key) % parts) + 1;
}
