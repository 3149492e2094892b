import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The length of a mark, in bytes. */
export const markLength = 20;

/** The mark of a row, which only equal rows share: 8 digits for its key, then 12 characters (72 bits) for key and content. */
export function markOf(key: string, content: string): string {
  return crc32(key).toString(16).padStart(8, '0') + hash('sha256', `${key}\0${content}`, 'base64url').slice(0, 12);
}

/** A row as a journal has it: its mark, its number in the file of then, and the key of the object that it is about. */
export type MarkedRow = { readonly mark: string; readonly number: number; readonly key: string };

export type RowRecords = {
  /** The marks of the rows that are done, one after the other, in the order in which they were done. */
  readonly marks: Buffer;
  /** By mark: the rows that were sent and have no known outcome, each with the status that came for it. */
  readonly unknown: Map<string, (MarkedRow & { readonly status?: number })[]>;
};

/** The recorded rows that a file still has, by their number in it, from 1. */
export type KnownRows = {
  /** The rows that need not be sent again. */
  readonly done: Bitset;
  /** The rows that an earlier run sent, and whose outcome is not known. */
  readonly unknown: Bitset;
  /** The statuses that came for rows of unknown outcome. */
  readonly statuses: ReadonlyMap<number, number>;
};

const mostLost = 20;

/**
 * Compares a file with the recorded rows. Rows of one key overwrite each other, so the done ones count only if the file still has all of them in their
 * order, and only up to the first row of the key that has to be sent. Otherwise a row that was moved or removed would have the last word. Rows that add
 * something count in any order. Keys with the same CRC-32 count as one, so that at worst a row that only overwrites is sent again.
 * @returns `see`, to be called with the mark of every row in order, or undefined for one that cannot be sent, and `found`
 */
export function openComparison({ marks, unknown: sent }: RowRecords, adds: boolean) {
  const { count, markAt, firstOf, hasKey, indexAt } = openIndex(marks);
  // For each done row, the row of the file that is skipped for it. By the first row of a key: how many were seen, and whether one has to be sent.
  const [rowOfDone, seenOfKey, isKeyOpen] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
  const isVoid = new Uint8Array(count);
  const [unknown, statuses] = [createBitset(0), new Map<number, number>()];
  const open: (MarkedRow & { readonly status?: number })[] = [];
  let hasKeyOfDone = false;
  let row = 0;

  /** Whether the row is one of those that are done. */
  function isDone(mark: string): boolean {
    const key = keyOf(mark);
    const first = firstOf(key);
    if (!hasKey(first, key)) return false;
    hasKeyOfDone = true;
    const isNext = (at: number) => hasKey(at, key) && markAt(indexAt(at)) === mark;
    let next = first + (seenOfKey[first] ?? 0);
    if (adds) while (hasKey(next, key) && (rowOfDone[next] !== 0 || !isNext(next))) next += 1;
    if (!isNext(next)) {
      isKeyOpen[first] = 1;
      return false;
    }
    if (adds || isKeyOpen[first] === 0) rowOfDone[next] = row;
    while (adds ? rowOfDone[first + (seenOfKey[first] ?? 0)] : first + (seenOfKey[first] ?? 0) <= next)
      seenOfKey[first] = (seenOfKey[first] ?? 0) + 1;
    return true;
  }

  return {
    see(mark: string | undefined): void {
      row += 1;
      if (mark === undefined || isDone(mark)) return;
      const record = sent.get(mark)?.shift();
      if (!record) return;
      unknown.add(row);
      open.push(record);
      if (record.status !== undefined) statuses.set(row, record.status);
    },
    /** Call it at the end. Gives the recorded rows that the file still has in their order, those that it lacks, and those of unknown outcome. */
    found() {
      const done = createBitset(row);
      const lostMarks: string[] = [];
      let lost = 0;
      for (let first = 0, end = 0; first < count; first = end) {
        const key = keyOf(markAt(indexAt(first)));
        while (hasKey(end, key)) end += 1;
        const isWhole = adds || end - first === seenOfKey[first];
        for (let at = first; at < end; at += 1) {
          const number = rowOfDone[at] ?? 0;
          if (adds ? number === 0 : at - first >= (seenOfKey[first] ?? 0)) {
            lost += 1;
            if (lostMarks.length < mostLost) lostMarks.push(markAt(indexAt(at)));
          }
          if (!adds && (!isWhole || rowOfDone[first] === 0)) isVoid[indexAt(at)] = 1;
          else if (number > 0) done.add(number);
        }
      }
      const gone = new Map([...sent].filter(([, rowsOfMark]) => rowsOfMark.length > 0));
      const isVoidMark = (mark: string) => {
        const first = firstOf(keyOf(mark));
        return hasKey(first, keyOf(mark)) && isVoid[indexAt(first)] === 1; // all of a key, or none
      };
      return { done, unknown, open, hasKeyOfDone, statuses, lost, lostMarks, isVoid: isVoidMark, gone };
    },
  };
}

/** The CRC-32 of a row's key, from the first 8 digits of its mark. */
const keyOf = (mark: string) => BigInt(`0x${mark.slice(0, 8)}`);

/** Sorts marks by key, so that those of one key stand together from `firstOf` on. `indexAt` gives the index of one among all marks. */
function openIndex(marks: Buffer) {
  const count = marks.length / markLength;
  const markAt = (index: number) => marks.toString('latin1', index * markLength, (index + 1) * markLength);
  // The key of each mark and its index, sorted: 8 bytes for a row.
  const sorted = new BigUint64Array(count);
  for (let index = 0; index < count; index += 1) sorted[index] = (keyOf(markAt(index)) << 32n) | BigInt(index);
  sorted.sort();
  const hasKey = (at: number, key: bigint) => at < count && (sorted[at] ?? 0n) >> 32n === key;
  const indexAt = (at: number) => Number((sorted[at] ?? 0n) & 0xffffffffn);

  function firstOf(key: bigint): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0n) < key << 32n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return { count, markAt, firstOf, hasKey, indexAt };
}

type Bitset = ReturnType<typeof createBitset>;

/** A set of row numbers from 1, one bit each. @param rows how many there are at least */
export function createBitset(rows: number) {
  let bits = new Uint8Array((rows >> 3) + 1);
  let size = 0;
  const has = (row: number) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  return {
    has,
    add(row: number) {
      if (has(row)) return;
      if (row >> 3 >= bits.length) {
        const larger = new Uint8Array((row >> 2) + 1);
        larger.set(bits);
        bits = larger;
      }
      bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
      size += 1;
    },
    get size() {
      return size;
    },
  };
}
