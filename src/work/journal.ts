import { closeSync, constants, fstatSync } from 'node:fs';
import { Failure, usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { openPrivately } from '../files/private-file.ts';
import { type FileUser, openTrusted } from '../files/trust.ts';
import { type Place, readPlace } from '../place.ts';
import { capitalized } from '../text/capitalized.ts';
import { countedRows } from '../text/group-digits.ts';
import { removeCommand } from '../text/shell-lines.ts';
import { openAppender } from './appender.ts';
import type { Clock } from './clock.ts';
import {
  checkHead,
  checkPlace,
  headLine,
  isReplaceable,
  isSameInput,
  type JournalHead,
  type JournalNames,
  otherInput,
  refuseOtherFile,
  sendAgain,
} from './journal-head.ts';
import {
  endedLine,
  failedRowsLine,
  type JournalLine,
  linesIn,
  type RowStep,
  readJournalLine,
  runLine,
  stepLine,
} from './journal-lines.ts';
import { lockJournal, type Waiter } from './journal-lock.ts';
import {
  createBitset,
  type KnownRows,
  type MarkedRow,
  markLength,
  openComparison,
  type RecordedRows,
} from './marks.ts';

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** What an edited input has of the rows that are done, how many it does not have any more, and the first of those that have added something. */
export type Changed = { readonly done: number; readonly lost: number; readonly made: readonly MarkedRow[] };

type JournalOptions = JournalNames & {
  readonly head: JournalHead;
  /** The input's name, for messages. */
  readonly input: string;
  /** Calls `see` for each row of the input, in its order: with its mark, or without if it cannot be sent. */
  readonly eachMark: (see: (mark: string | undefined) => void) => Promise<unknown>;
  /** Whether to continue an existing journal. */
  readonly resume: boolean;
  /** With `resume`: rows of unknown outcome that are not in the input any more are forgotten. */
  readonly repeatUnknown?: boolean | undefined;
  /** Set for all but PUT: every step of a row is recorded, and the journal stays. `adds`: a second time would add a second one. */
  readonly steps?: { readonly adds: boolean } | undefined;
  /** Reads it only, whoever else uses it. */
  readonly isRehearsal?: boolean | undefined;
  readonly clock: Clock;
  /** Whose journal counts. */
  readonly world: FileUser;
  readonly waiter: Waiter;
};

/**
 * Reads the journal of a run, if there is one: the head line, then a line for each step of a row, appended and synced. A process that is killed at any
 * point leaves complete lines and at most one incomplete one. Returns what earlier runs have recorded of the rows of an input, and what records this
 * one. Nothing is written before `start`.
 * @throws usage if another process uses it, if an unfinished one exists without `resume`, and if it belongs to another run
 */
export async function openJournal(options: JournalOptions) {
  const { path, resume, steps, isRehearsal } = options;
  const lock = isRehearsal ? undefined : await lockJournal(path, options.waiter);
  try {
    const read = readJournal(options);
    const found = resume ? await continueRun(read, options) : beginRun(read, options);
    const { failedRowFiles, isKept: _lines, ...known } = found;
    // A row that waits to be sent waits for its line.
    const lines = openAppender(path, steps ? 0 : gathering, options.clock, lock?.isHeld);
    return {
      ...{ path, ...known },
      /** Whether a row is recorded before it is sent. */
      hasSteps: steps !== undefined,
      /** Whether an earlier run has recorded the file with `keep`. */
      keeps: (file: string) => failedRowFiles.has(file),
      /** Writes the journal for the input as it is now, with what is known of the place by now. @throws Failure io */
      start(place: Place) {
        lines.check();
        const kept = linesKept(found, { ...options, head: { ...options.head, place } });
        lines.open(openPrivately(path, kept));
      },
      /** Records that what follows is of this run, by its ID in the history. */
      begin: (run: string) => lines.appendNow(runLine(run)),
      /** Resolves once it is on disk, with the reason if it is not. Rows of about the same time are written together. */
      record: (step: RowStep, row: MarkedRow, status?: number) => lines.append(stepLine(step, row, status)),
      /** Records that the file with these numbers ("device:inode") has this run's failed rows. */
      keep: (file: string) => lines.appendNow(failedRowsLine(file)),
      /** Records that nothing is left but rows that were refused, so that the next run may replace what can be sent again; synced when it returns. */
      markEnded: () => lines.appendNow(endedLine),
      ...{ waiting: lines.waiting, settled: lines.settled },
      /** Waits for rows that are not on disk yet, and closes the file. `finished`: nothing is left to do, so the file is removed. */
      async close(finished: boolean) {
        await lines.close(finished).finally(lock?.release);
      },
    };
  } catch (error) {
    lock?.release();
    if (!(error instanceof Failure) || error.kind !== 'io') throw error;
    throw error.with({ hint: 'Name another place with --journal FILE' });
  }
}

/** How long lines are collected before they are synced together, in milliseconds. Syncing slows down sending; rows lost in a crash are sent again. */
const gathering = 100;

/** The part of the journal that applies to this run. */
type Found = KnownRows & {
  /** The number of bytes dropped from an incomplete last line. */
  readonly dropped: number;
  /** The rows done in the last run of this input, which this one replaces. */
  readonly replaced: number;
  /** Where the rows of the run went that this one replaces, if it was another one. */
  readonly elsewhere?: Place | undefined;
  /** Set if the input was edited since the run that this one continues. */
  readonly changed: Changed | undefined;
  /** Where the rows went, if nothing tells whether that is this place. */
  readonly unproven: Place | undefined;
  readonly failedRowFiles: ReadonlySet<string>;
  /** Whether the journal goes on with a line. */
  readonly isKept: (line: JournalLine) => boolean;
  /** The rows of unknown outcome whose lines are not kept. */
  readonly open: readonly (MarkedRow & { readonly status?: number })[];
};

/** All that a journal has: of its rows, how many are done or of unknown outcome, and whether the run ended and left only rows that were refused. */
function readJournal({ path, world }: JournalOptions) {
  const file = openExisting(path, world);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    const marks = Buffer.allocUnsafe(size);
    const unknown: RecordedRows['unknown'] = new Map();
    const failedRowFiles = new Set<string>();
    let [head, hasEnded] = ['', false];
    const counts = { bytes: 0, done: 0 };
    for (const text of linesIn(file)) {
      const line = head === '' ? undefined : readJournalLine(text);
      if (head === '') refuseOtherFile(text, path);
      else if (!line) break;
      counts.bytes += Buffer.byteLength(text);
      head ||= text;
      if (!line) continue;
      hasEnded = line.step === 'ended';
      if (line.step === 'failed-to') failedRowFiles.add(line.file);
      if (line.step === 'done') marks.write(line.mark, markLength * counts.done++, 'latin1');
      if ('mark' in line) countStep(line, unknown);
    }
    if (head === '') refuseOtherFile('', path);
    const sent = [...unknown.values()].reduce((sum, { length }) => sum + length, 0);
    return {
      ...{ head, marks: marks.subarray(0, markLength * counts.done), unknown, failedRowFiles, hasEnded },
      ...{ count: counts.done + sent, dropped: size - counts.bytes },
    };
  } catch (error) {
    throw fileFailure('read', path, error);
  } finally {
    closeSync(file);
  }
}

function countStep(
  { step, mark, number, key, status }: JournalLine & MarkedRow & { status: number },
  unknown: RecordedRows['unknown'],
): void {
  const sent = unknown.get(mark) ?? [];
  if (step === 'sent') unknown.set(mark, [...sent, { mark, number, key }]);
  else if (step === 'unknown')
    unknown.set(
      mark,
      sent.map((each, at) => (at === 0 ? { ...each, status } : each)),
    );
  else if (sent.length > 1) unknown.set(mark, sent.slice(1));
  else unknown.delete(mark);
}

const nothing: Found = {
  ...{ done: createBitset(0), unknown: createBitset(0), statuses: new Map(), dropped: 0, replaced: 0 },
  ...{ changed: undefined, unproven: undefined, failedRowFiles: new Set(), isKept: () => false, open: [] },
};

/** What --resume goes on with. @throws usage if that cannot be known */
async function continueRun(read: ReturnType<typeof readJournal>, options: JournalOptions): Promise<Found> {
  const { path, head, input, steps, eachMark, repeatUnknown } = options;
  if (!read && steps)
    throw usage(
      `No journal at ${path}, so iiot cannot tell which rows were sent.`,
      'If none was sent, leave out --resume; otherwise name the journal with --journal FILE',
    );
  if (!read) return nothing;
  const { isSame, unproven } = checkHead(read.head, head, options);
  const comparison = openComparison(read, steps?.adds === true);
  await eachMark(comparison.see);
  const found = comparison.found();
  const { done, unknown, statuses, lost, gone } = found;
  // Of the same IDs, what overwrites, or has ended, may be sent with other values.
  const isLater = found.hasKeyOfDone && (!steps || read.hasEnded) && head.input.files === undefined;
  if (lost > 0 && lost * markLength === read.marks.length && unknown.size === 0 && !steps?.adds && !isLater)
    throw otherInput(path, input, head.input.files !== undefined);
  if (!repeatUnknown && gone.size > 0) throw missingRows(input, [...gone.values()].flat());
  const made = steps?.adds && lost > 0 ? sentRowsOf(found.lostMarks, options) : [];
  return {
    ...{ done, unknown, statuses, dropped: read.dropped, replaced: 0, failedRowFiles: read.failedRowFiles },
    changed: (!isSame || lost > 0) && read.count > 0 ? { done: done.size, lost, made } : undefined,
    unproven,
    // Without the rows that count no more, so that the last lines say what is true of the input as it is now.
    isKept(line) {
      if (line.step === 'ended') return false;
      if (!('mark' in line)) return true;
      return !found.isVoid(line.mark) && (line.step === 'done' || !gone.has(line.mark));
    },
    open: found.open.filter(({ mark }) => found.isVoid(mark)),
  };
}

const mostNamed = 5;

function missingRows(input: string, gone: readonly MarkedRow[]): Failure {
  const named = gone.slice(0, mostNamed).map(({ number, key }) => `row ${number} (${key})`);
  const more = gone.length > mostNamed ? ` and ${gone.length - mostNamed} more` : '';
  const was = gone.length === 1 ? 'was sent, and its outcome is' : 'were sent, and their outcome is';
  const sentence = `${named.join(', ')}${more} ${was} unknown, but ${input} does not have ${gone.length === 1 ? 'it' : 'them'} any more.`;
  const them = gone.length === 1 ? 'it' : 'them';
  const hint = `Put ${them} back as before; or check what happened, and go on without ${them} with --repeat-unknown`;
  return usage(capitalized(sentence), hint);
}

/** The rows of these marks as they were when they were sent. */
function sentRowsOf(marks: readonly string[], { path, world }: JournalOptions): readonly MarkedRow[] {
  const wanted = new Set(marks);
  const names = new Map<string, MarkedRow>();
  for (const text of linesAt(path, world)) {
    const line = text.startsWith('sent ') ? readJournalLine(text) : undefined;
    if (line?.step === 'sent' && wanted.has(line.mark)) names.set(line.mark, line);
  }
  return [...names.values()];
}

/** The lines of a journal; none if the file does not exist. */
function* linesAt(path: string, world: FileUser): Generator<string> {
  const file = openExisting(path, world);
  if (file === undefined) return;
  try {
    yield* linesIn(file);
  } finally {
    closeSync(file);
  }
}

/** How many rows of a run a journal has as done, and as maybe applied; undefined if it is gone or does not name the run. @throws if it cannot be read */
export function recordedOf(run: string, path: string, world: FileUser) {
  let [isOfRun, isNamed] = [false, false];
  const counts = { done: 0, sent: 0, ended: 0 };
  for (const text of linesAt(path, world)) {
    const line = readJournalLine(text);
    if (line?.step === 'run') isOfRun = line.run === run;
    if (!isOfRun || !line) continue;
    isNamed = true;
    if (line.step === 'done') counts.done += 1;
    if (line.step === 'sent') counts.sent += 1;
    if (line.step === 'done' || line.step === 'open') counts.ended += 1;
  }
  return isNamed ? { done: counts.done, unknown: Math.max(0, counts.sent - counts.ended) } : undefined;
}

/** A run that starts from the first row. Refuses a journal with done rows, unless its run has ended and its rows can be sent again. */
function beginRun(read: ReturnType<typeof readJournal>, options: JournalOptions): Found {
  const { head, path, steps } = options;
  if (!read) return nothing;
  const { count, hasEnded, failedRowFiles } = read;
  const isKept = (line: JournalLine) => line.step === 'failed-to';
  if (count === 0) return { ...nothing, failedRowFiles, isKept };
  const found = refuseOtherFile(read.head, path);
  if (hasEnded && isReplaceable(found, head)) return { ...nothing, elsewhere: readPlace(found.place) };
  checkPlace(read.head, head, options);
  // Another file, or other options: what was sent then says nothing of these rows.
  const isSame = isSameInput(found, head);
  if (hasEnded && steps && !isSame) return nothing;
  if (hasEnded && steps?.adds)
    throw usage(
      `${path} says that the rows of this file were sent. Done: ${countedRows(count)}.`,
      `To send what is left, add --resume; to send all rows again, remove it first: ${removeCommand(path)}`,
    );
  if (hasEnded) return { ...nothing, replaced: count };
  throw usage(
    `${path} is the journal of an unfinished run. ${steps ? 'Sent' : 'Done'} so far: ${countedRows(count)}.`,
    `Continue with --resume; ${sendAgain(path)}`,
  );
}

function openExisting(path: string, world: FileUser): number | undefined {
  try {
    return openTrusted(path, constants.O_RDWR, world);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('open', path, error);
  }
}

/** The journal as it goes on, in pieces. */
function* linesKept({ isKept, open }: Found, { path, head, world }: JournalOptions): Generator<string> {
  yield headLine(head);
  let [isHead, lines] = [true, ''];
  for (const text of linesAt(path, world)) {
    const line = isHead ? undefined : readJournalLine(text);
    if (!isHead && !line) break;
    isHead = false;
    if (line && isKept(line)) lines += text;
    if (lines.length < piece) continue;
    yield lines;
    lines = '';
  }
  for (const row of open)
    lines += stepLine('sent', row) + (row.status === undefined ? '' : stepLine('unknown', row, row.status));
  yield lines;
}

const piece = 64 * 1024;
