import { readSync } from 'node:fs';
import { valueIn } from '../text/json.ts';
import type { MarkedRow } from './marks.ts';

/** What becomes of a row: about to be sent, done, not applied, or of unknown outcome with the status that came. */
export type RowStep = 'sent' | 'done' | 'open' | 'unknown';

/** A line of a journal after its first: the begin of a run, a step of a row, a file of failed rows ("device:inode"), or the end of a run that left nothing but rows that were refused. */
export type JournalLine =
  | { readonly step: 'run'; readonly run: string }
  | (MarkedRow & { readonly step: RowStep; readonly status: number })
  | { readonly step: 'failed-to'; readonly file: string }
  | { readonly step: 'ended' };

/** The longest key that a line has, so that a person can tell the row. */
const longestKey = 200;

/** The line of a step. Only a row that is about to be sent is named. */
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

const done = /^[\da-f]{8}[\w-]{12}\n$/;
const sent = /^sent ([\da-f]{8}[\w-]{12}) (\d{1,8}) ("[^\n]*")\n$/;
const other = /^(open|unknown) ([\da-f]{8}[\w-]{12})(?: (\d{1,3}))?\n$/;
const begun = /^run ([\da-f]{7})\n$/;
const keptFile = /^failed-to (\d{1,20}:\d{1,20})\n$/;

/** Reads a line with its end; undefined if no journal has such a line. */
export function readJournalLine(line: string): JournalLine | undefined {
  if (done.test(line)) return { step: 'done', mark: line.slice(0, -1), number: 0, key: '', status: 0 };
  const [, ofSent, number, text] = sent.exec(line) ?? [];
  // A line that was damaged ends what is read.
  const key = text === undefined ? undefined : valueIn(text);
  if (ofSent !== undefined && typeof key === 'string')
    return { step: 'sent', mark: ofSent, number: Number(number), key, status: 0 };
  const [, step, ofOther, status = 0] = other.exec(line) ?? [];
  if (step !== undefined && ofOther !== undefined)
    return { step: step as 'open' | 'unknown', mark: ofOther, number: 0, key: '', status: Number(status) }; // the pattern has no other
  const run = begun.exec(line)?.[1];
  if (run !== undefined) return { step: 'run', run };
  const file = keptFile.exec(line)?.[1];
  if (file !== undefined) return { step: 'failed-to', file };
  return line === endedLine ? { step: 'ended' } : undefined;
}

const piece = 64 * 1024;

/** No line is longer, not even the first with all that was typed. */
const longestLine = 4 * 1024 * 1024;

/** The lines of an open file with their ends, the last one maybe without; never all of it in memory. One that is too long for a journal is cut, and the last. */
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
