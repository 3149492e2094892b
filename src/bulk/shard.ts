import { crc32 } from 'node:zlib';
import type { Row, Rows } from './row.ts';

/** One of `parts` parts of the keys, counted from 1. */
export type Shard = { readonly part: number; readonly parts: number };

/**
 * Into which part a key falls: the CRC-32 of its UTF-8 bytes (that of zlib, gzip and PNG), modulo the number of parts, plus 1. Scripts may
 * count on it, so it never changes.
 */
export function partOf(key: string, parts: number): number {
  return (crc32(key) % parts) + 1;
}

/** The rows whose key falls into the part, in their order. A row without a readable key counts as one with an empty key: part 1 has it. */
export async function* rowsOfShard(
  rows: Rows,
  { part, parts }: Shard,
  keyOf: (row: Row) => string | undefined,
): AsyncGenerator<readonly Row[], void> {
  for await (const handful of rows) {
    const own = handful.filter((row) => partOf(keyOf(row) ?? '', parts) === part);
    // An empty handful too: whoever reads gives signals their turn between handfuls.
    yield own;
  }
}
