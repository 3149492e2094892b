import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The content of a journal's lines after the first. */
type JournalLines = {
  /** The marks of the rows that are done, a line each; rows of one key are in the order in which they were done. */
  readonly marks: Buffer;
  /** Files of failed rows, each as it was passed to `failedRowsLine`. */
  readonly failedRowFiles: ReadonlySet<string>;
  /** Whether the run ended, and left only rows that were refused: `endedLine` is the last line. */
  readonly hasEnded: boolean;
  /** The number of bytes that are not a complete, valid line, and those after them. */
  readonly dropped: number;
};

/** The length of a mark with its line end, in bytes. */
export const markLine = 21;

/** Tells a row from all others, wherever it is in its file: 8 digits for its key, then 12 characters (72 bits) for key and content. */
export function markOf(key: string, content: string): string {
  return crc32(key).toString(16).padStart(8, '0') + hash('sha256', `${key}\0${content}`, 'base64url').slice(0, 12);
}

/** @param bytes are overwritten: the marks are moved together */
export function readLines(bytes: Buffer): JournalLines {
  const failedRowFiles = new Set<string>();
  let [at, marks, hasEnded] = [0, 0, false];
  for (;;) {
    const end = bytes.indexOf(10, at) + 1;
    const line = end === 0 ? '' : bytes.toString('latin1', at, end);
    const file = keptFile.exec(line)?.[1];
    if (mark.test(line)) marks += bytes.copy(bytes, marks, at, end);
    else if (file !== undefined) failedRowFiles.add(file);
    else if (line !== endedLine && !voided.test(line))
      return { marks: bytes.subarray(0, marks), failedRowFiles, hasEnded, dropped: bytes.length - at };
    hasEnded = line === endedLine;
    at = end;
  }
}

const mark = /^[\da-f]{8}[\w-]{12}\n$/;
const voided = /^-[\w-]{19}\n$/;
const keptFile = /^failed-to (\d{1,20}:\d{1,20})\n$/;

/** The line that records which file, by device and inode number, has the failed rows of this import. */
export function failedRowsLine(file: string): string {
  return `failed-to ${file}\n`;
}

/** The line at the end of a run that left only rows that were refused. */
export const endedLine = 'ended\n';
