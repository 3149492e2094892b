import { readSync } from 'node:fs';
import { valueIn } from '../text/json.ts';
import type { MarkedRow } from './marks.ts';

/** A step of a row: it is about to be sent, done, not applied, or of unknown outcome. */
export type RowStep = 'sent' | 'done' | 'open' | 'unknown';

/**
 * A line of a journal after its first: the begin of a run, a step of a row with the status that came for it, a file of failed rows ("device:inode"), or
 * the end of a run of which only refused rows are left.
 */
export type JournalLine =
  | { readonly step: 'run'; readonly run: string }
  | (MarkedRow & { readonly step: RowStep; readonly status: number })
  | { readonly step: 'failed-to'; readonly file: string }
  | { readonly step: 'ended' };

/** The most characters of a key in a line, by which a person can tell the row. */
const longestKey = 200;

/** The line of a step. Only that of a row which is about to be sent has its number and key. */
export function stepLine(step: RowStep, { mark, number, key }: MarkedRow, status = 0): string {
  if (step === 'done') return `${mark}\n`;
  if (step === 'sent') return `sent ${mark} ${number} ${JSON.stringify(key.slice(0, longestKey))}\n`;
  return step === 'open' ? `open ${mark}\n` : `unknown ${mark} ${status}\n`;
}

/** The line that records which file has the failed rows of this run. */
export function failedRowsLine(file: string): string {
  return `failed-to ${file}\n`;
}

export const endedLine = 'ended\n';

/** @param run its ID in the history, seven hexadecimal digits */
export function runLine(run: string): string {
  return `run ${run}\n`;
}

/** The lines as `stepLine`, `runLine` and `failedRowsLine` write them: marks, the numbers and keys of rows, statuses, IDs of runs, and files. */
const doneRow = /^[\da-f]{8}[\w-]{12}\n$/;
const sentRow = /^sent ([\da-f]{8}[\w-]{12}) (\d{1,8}) ("[^\n]*")\n$/;
const otherRow = /^(open|unknown) ([\da-f]{8}[\w-]{12})(?: (\d{1,3}))?\n$/;
const begunRun = /^run ([\da-f]{7})\n$/;
const keptFile = /^failed-to (\d{1,20}:\d{1,20})\n$/;

/** Reads a line with its end; undefined if the line is damaged, or not one of a journal. */
export function readJournalLine(line: string): JournalLine | undefined {
  if (doneRow.test(line)) return { step: 'done', mark: line.slice(0, -1), number: 0, key: '', status: 0 };
  const [, sentMark, number, text] = sentRow.exec(line) ?? [];
  const key = text === undefined ? undefined : valueIn(text);
  if (sentMark !== undefined && typeof key === 'string')
    return { step: 'sent', mark: sentMark, number: Number(number), key, status: 0 };
  const [, step, otherMark, status = 0] = otherRow.exec(line) ?? [];
  if (step !== undefined && otherMark !== undefined)
    return { step: step as 'open' | 'unknown', mark: otherMark, number: 0, key: '', status: Number(status) }; // the pattern has no other
  const run = begunRun.exec(line)?.[1];
  if (run !== undefined) return { step: 'run', run };
  const file = keptFile.exec(line)?.[1];
  if (file !== undefined) return { step: 'failed-to', file };
  return line === endedLine ? { step: 'ended' } : undefined;
}

/** How many bytes are read at a time. */
const piece = 64 * 1024;

/** The most bytes of a line. Even the first one, with all options that were typed, is shorter. */
const longestLine = 4 * 1024 * 1024;

/** Reads the lines of an open file with their ends, without ever having the whole file in memory. Ends after a line that is too long for a journal. */
export function* linesIn(file: number): Generator<string, void> {
  const buffer = Buffer.allocUnsafe(piece);
  let [rest, at] = [Buffer.alloc(0), 0];
  for (;;) {
    const length = readSync(file, buffer, 0, piece, at);
    at += length;
    const bytes = Buffer.concat([rest, buffer.subarray(0, length)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.toString('utf8', from, end + 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (length > 0 && rest.length < longestLine) continue;
    if (rest.length > 0) yield rest.toString('utf8');
    return;
  }
}
