import { crc32 } from 'node:zlib';
import type { Row, Rows } from './row.ts';

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
