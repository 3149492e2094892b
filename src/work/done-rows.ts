import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

type DoneRows = {
  /** To be called with every row of the file, in its order; without a mark if it cannot be sent. */
  readonly see: (mark: string | undefined) => void;
  /**
   * The rows, by their number, that need not be sent again, and how many done rows the file has no more, at least not in this order. The
   * marks of a device that is sent whole are voided.
   */
  readonly found: () => { readonly done: Bitset; readonly lost: number };
};

/**
 * Looks for the rows that are done in a file that may have been edited since. A device has what its done rows say, in the order in which they
 * were sent. So they count only if the file has them all in that order, else one that was moved or removed would have the last word; and only
 * up to the first row of the device that has to be sent. Devices with the same CRC-32 are taken for one, which at worst sends a row again.
 * @param marks as `readMarks` returns them
 */
export function openDoneRows(marks: Buffer): DoneRows {
  const count = marks.length / markLine;
  const markAt = (index: number) => marks.toString('latin1', index * markLine, (index + 1) * markLine - 1);
  const keyOf = (mark: string) => BigInt(`0x${mark.slice(0, 8)}`);
  // The key of each mark and its index, sorted: 8 bytes for a row.
  const sorted = new BigUint64Array(count);
  for (let index = 0; index < count; index += 1) sorted[index] = (keyOf(markAt(index)) << 32n) | BigInt(index);
  sorted.sort();
  const hasKey = (at: number, key: bigint) => at < count && (sorted[at] ?? 0n) >> 32n === key;
  const indexAt = (at: number) => Number((sorted[at] ?? 0n) & 0xffffffffn);
  // For each done row, the row that can be skipped for it; and by the first of a key, how many were seen, and whether one has to be sent.
  const [rows, seen, isLeft] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
  let row = 0;

  function firstOf(key: bigint): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0n) < key << 32n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    see(mark) {
      row += 1;
      if (mark === undefined) return;
      const key = keyOf(mark);
      const first = firstOf(key);
      if (!hasKey(first, key)) return;
      const next = first + (seen[first] ?? 0);
      if (hasKey(next, key) && markAt(indexAt(next)) === mark) {
        seen[first] = next - first + 1;
        if (isLeft[first] === 0) rows[next] = row;
      } else isLeft[first] = 1;
    },
    found() {
      const done = createBitset(row);
      let lost = 0;
      for (let first = 0, end = 0; first < count; first = end) {
        const key = (sorted[first] ?? 0n) >> 32n;
        while (hasKey(end, key)) end += 1;
        const missing = end - first - (seen[first] ?? 0);
        lost += missing;
        for (let at = first; at < end; at += 1) {
          const number = rows[at] ?? 0;
          if (missing > 0 || rows[first] === 0) marks.write('-', indexAt(at) * markLine);
          else if (number > 0) done.add(number);
        }
      }
      return { done, lost };
    },
  };
}

/** The content of a journal's lines after the first. */
type JournalLines = {
  /** Files of failed rows, each as it was passed to `failedRowsLine`. */
  readonly failedRowFiles: ReadonlySet<string>;
  /** Whether the run ended, and left only rows that were refused: `endedLine` is the last line. */
  readonly hasEnded: boolean;
  /** The number of bytes that are not a complete, valid line, and those after them. */
  readonly dropped: number;
};

/** The length of a mark with its line end, in bytes. */
const markLine = 21;

/** Tells a row from all others, wherever it is in its file: 8 digits for its key, then 12 characters (72 bits) for key and content. */
export function markOf(key: string, content: string): string {
  return crc32(key).toString(16).padStart(8, '0') + hash('sha256', `${key}\0${content}`, 'base64url').slice(0, 12);
}

/** @param see is called with each line of a row, as the pattern finds it, and its place */
function readLines(
  bytes: Buffer,
  pattern: RegExp,
  see: (found: string[], at: number, end: number) => void,
): JournalLines {
  const failedRowFiles = new Set<string>();
  let [at, hasEnded] = [0, false];
  for (;;) {
    const end = bytes.indexOf(10, at) + 1;
    const line = end === 0 ? '' : bytes.toString('latin1', at, end);
    const found = pattern.exec(line);
    const file = keptFile.exec(line)?.[1];
    if (found) see(found, at, end);
    else if (file !== undefined) failedRowFiles.add(file);
    else if (line !== endedLine) return { failedRowFiles, hasEnded, dropped: bytes.length - at };
    hasEnded = line === endedLine;
    at = end;
  }
}

/**
 * The marks of the rows that are done, a line each; rows of one key are in the order in which they were done.
 * @param bytes are overwritten: the marks are moved together
 */
export function readMarks(bytes: Buffer) {
  let length = 0;
  const lines = readLines(bytes, mark, ([line = ''], at, end) => {
    if (!line.startsWith('-')) length += bytes.copy(bytes, length, at, end);
  });
  return { ...lines, marks: bytes.subarray(0, length), count: length / markLine };
}

/** The lines of a row that is about to be sent, is done, or was not applied and may be sent again. */
export const sentLine = (row: number) => `sent ${row}`;
export const doneLine = (row: number) => `done ${row}`;
export const openLine = (row: number) => `open ${row}`;
/** The line of a row whose end is not known, with the status that came for it. */
export const unknownLine = (row: number, status: number) => `unknown ${row} ${status}`;

/** The rows that are done, those that were sent and whose end is not known, and the last of all. @param rows how many rows the input has */
export function readSteps(bytes: Buffer, rows: number) {
  const [done, begun] = [createBitset(rows), createBitset(rows)];
  const statuses = new Map<number, number>();
  let last = 0;
  const lines = readLines(bytes, step, ([, what, digits, status]) => {
    const row = Number(digits);
    last = Math.max(last, row);
    if (what === 'unknown') {
      statuses.set(row, Number(status));
      return;
    }
    if (what === 'done') done.add(row);
    if (what === 'sent') begun.add(row);
    else begun.remove(row);
  });
  // One whose end is not known is reason enough not to begin anew.
  return { ...lines, done, begun, statuses, last, count: done.size + begun.size };
}

const step = /^(sent|done|open|unknown(?= \d+ \d)) (\d{1,8})(?: (\d{3}))?\n$/;
// A hyphen has voided it.
const mark = /^(?:[\da-f]{8}[\w-]{12}|-[\w-]{19})\n$/;
const keptFile = /^failed-to (\d{1,20}:\d{1,20})\n$/;

/** The line that records which file, by device and inode number, has the failed rows of this import. */
export function failedRowsLine(file: string): string {
  return `failed-to ${file}\n`;
}

/** The line at the end of a run that left only rows that were refused. */
export const endedLine = 'ended\n';

/** A set of row numbers from 1 to a known maximum, one bit each. */
export type Bitset = {
  readonly has: (row: number) => boolean;
  readonly add: (row: number) => void;
  readonly remove: (row: number) => void;
  readonly size: number;
};

/** @param rows how many there are at least */
export function createBitset(rows: number): Bitset {
  let bits = new Uint8Array((rows >> 3) + 1);
  let size = 0;
  const has = (row: number) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  const flip = (row: number) => {
    if (row >> 3 >= bits.length) {
      const larger = new Uint8Array((row >> 2) + 1);
      larger.set(bits);
      bits = larger;
    }
    bits[row >> 3] = (bits[row >> 3] ?? 0) ^ (1 << (row & 7));
  };
  return {
    has,
    add(row) {
      if (has(row)) return;
      flip(row);
      size += 1;
    },
    remove(row) {
      if (!has(row)) return;
      flip(row);
      size -= 1;
    },
    get size() {
      return size;
    },
  };
}
