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
  otherInputFailure,
  readHead,
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
import { createBitset, type KnownRows, type MarkedRow, markLength, openComparison, type RowRecords } from './marks.ts';

/** An open journal: the records of earlier runs that apply to this run, and functions that record this one. */
export type Journal = Omit<Continuation, 'failedRowFiles' | 'isKept'> & {
  readonly path: string;
  /** Whether a row is recorded before it is sent. */
  readonly hasSteps: boolean;
  /** Whether an earlier run has recorded the file with `keep`. */
  readonly keeps: (file: string) => boolean;
  /** Writes the journal for the input as it is now, with what is known of the place by now. @throws Failure io */
  readonly start: (place: Place) => void;
  /** Records that the following lines are of a run, by its ID in the history. */
  readonly begin: (run: string) => void;
  /** Records a step of a row. Resolves once it is on disk, or with the failure if it cannot be written. */
  readonly record: (step: RowStep, row: MarkedRow, status?: number) => Promise<Failure | undefined>;
  /** Records that the file with these numbers ("device:inode") has this run's failed rows. */
  readonly keep: (file: string) => void;
  /** Records that only refused rows are left, so that the next run may send all rows that can be sent again. */
  readonly markEnded: () => void;
  /** The number of lines that are not on disk yet. */
  readonly waiting: () => number;
  /** Resolves when the lines so far are on disk, or with the failure. */
  readonly flush: () => Promise<Failure | undefined>;
  /** Writes the waiting lines and closes the file. Removes it if the run is `finished`, so that nothing is left to do. */
  readonly close: (finished: boolean) => Promise<void>;
};

/** How an edited input compares with the journal: the number of done rows that it has and lacks, and the first of those it lacks that added something. */
export type Changed = { readonly done: number; readonly lost: number; readonly made: readonly MarkedRow[] };

type JournalOptions = JournalNames & {
  readonly head: JournalHead;
  /** The input's name, for messages. */
  readonly input: string;
  /** Calls `see` for each row of the input, in its order: with its mark, or without if it cannot be sent. */
  readonly eachMark: (see: (mark: string | undefined) => void) => Promise<unknown>;
  /** Whether to continue an existing journal. */
  readonly resume: boolean;
  /** With `resume`, whether to forget rows of unknown outcome that are not in the input any more. */
  readonly repeatUnknown?: boolean | undefined;
  /** Set unless rows are sent by PUT: every step of a row is recorded, and the journal is kept. `adds`: a row sent twice would add two records. */
  readonly steps?: { readonly adds: boolean } | undefined;
  /** Whether to read the journal without locking it. */
  readonly isRehearsal?: boolean | undefined;
  readonly clock: Clock;
  /** The user whose journals are trusted. */
  readonly world: FileUser;
  readonly waiter: Waiter;
};

/**
 * Opens the journal of a run: a head line, then a line for each step of a row, appended and synced. A process that is killed at any point leaves
 * complete lines and at most one incomplete one. Writes nothing before `start`.
 * @throws usage if another process uses it, if an unfinished one exists without `resume`, and if it belongs to another run
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, resume, steps, isRehearsal } = options;
  const lock = isRehearsal ? undefined : await lockJournal(path, options.waiter);
  try {
    const read = readJournal(options);
    const found = resume ? await continueRun(read, options) : startAnew(read, options);
    const { failedRowFiles, isKept: _lines, ...known } = found;
    // With steps, lines are not collected, because a row is sent only after its line is on disk.
    const lines = openAppender(path, steps ? 0 : gathering, options.clock, lock?.isHeld);
    return {
      ...{ path, ...known },
      hasSteps: steps !== undefined,
      keeps: (file) => failedRowFiles.has(file),
      start(place) {
        lines.checkFile();
        const kept = linesKept(found, { ...options, head: { ...options.head, place } });
        lines.open(openPrivately(path, kept));
      },
      begin: (run) => lines.appendNow(runLine(run)),
      record: (step, row, status) => lines.append(stepLine(step, row, status)),
      keep: (file) => lines.appendNow(failedRowsLine(file)),
      markEnded: () => lines.appendNow(endedLine),
      ...{ waiting: lines.waiting, flush: lines.flush },
      close: (finished) => lines.close(finished).finally(lock?.release),
    };
  } catch (error) {
    lock?.release();
    if (!(error instanceof Failure) || error.kind !== 'io') throw error;
    throw error.with({ hint: 'Name another place with --journal FILE' });
  }
}

/** How long lines are collected before they are synced together, in milliseconds, because syncing slows down sending. Rows lost in a crash are sent again. */
const gathering = 100;

/** The records of earlier runs that apply to this run. */
type Continuation = KnownRows & {
  /** The number of bytes dropped from an incomplete last line. */
  readonly dropped: number;
  /** The number of rows done by an ended run of the same input, which this run replaces. */
  readonly replaced: number;
  /** The place of an ended run with other work or in another place, which this run replaces. */
  readonly elsewhere?: Place | undefined;
  /** Set if the input was edited since the run that this one continues. */
  readonly changed: Changed | undefined;
  /** The place of the earlier run, if nothing proves that it is the same. */
  readonly unproven: Place | undefined;
  readonly failedRowFiles: ReadonlySet<string>;
  /** Whether a line stays in the journal. */
  readonly isKept: (line: JournalLine) => boolean;
  /** The rows of unknown outcome whose lines are written anew. */
  readonly open: readonly (MarkedRow & { readonly status?: number })[];
};

/** Reads a whole journal; undefined if there is none. `count`: the rows that are done or of unknown outcome. `hasEnded`: only refused rows are left. */
function readJournal({ path, world }: JournalOptions) {
  const file = openExisting(path, world);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    const marks = Buffer.allocUnsafe(size);
    const unknown: RowRecords['unknown'] = new Map();
    const failedRowFiles = new Set<string>();
    let [head, hasEnded] = ['', false];
    const counts = { bytes: 0, done: 0 };
    for (const text of linesIn(file)) {
      const line = head === '' ? undefined : readJournalLine(text);
      if (head === '') readHead(text, path);
      else if (!line) break;
      counts.bytes += Buffer.byteLength(text);
      head ||= text;
      if (!line) continue;
      hasEnded = line.step === 'ended';
      if (line.step === 'failed-to') failedRowFiles.add(line.file);
      if (line.step === 'done') marks.write(line.mark, markLength * counts.done++, 'latin1');
      if ('mark' in line) countStep(line, unknown);
    }
    if (head === '') readHead('', path);
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
  unknown: RowRecords['unknown'],
): void {
  const [first, ...others] = unknown.get(mark) ?? [];
  if (step === 'sent') unknown.set(mark, [...(unknown.get(mark) ?? []), { mark, number, key }]);
  else if (step === 'unknown') unknown.set(mark, first ? [{ ...first, status }, ...others] : []);
  else if (others.length > 0) unknown.set(mark, others);
  else unknown.delete(mark);
}

const freshStart: Continuation = {
  ...{ done: createBitset(0), unknown: createBitset(0), statuses: new Map(), dropped: 0, replaced: 0 },
  ...{ changed: undefined, unproven: undefined, failedRowFiles: new Set(), isKept: () => false, open: [] },
};

/** Compares the journal with the input for --resume. @throws usage if it cannot tell which rows were sent */
async function continueRun(read: ReturnType<typeof readJournal>, options: JournalOptions): Promise<Continuation> {
  const { path, head, input, steps, eachMark, repeatUnknown } = options;
  if (!read && steps)
    throw usage(
      `No journal at ${path}, so iiot cannot tell which rows were sent.`,
      'If none was sent, leave out --resume; otherwise name the journal with --journal FILE',
    );
  if (!read) return freshStart;
  const { isSame, unproven } = checkHead(read.head, head, options);
  const comparison = openComparison(read, steps?.adds === true);
  await eachMark(comparison.see);
  const found = comparison.found();
  const { done, unknown, statuses, lost, gone } = found;
  // An input with the same IDs may have other values, if its rows only overwrite, or if the run has ended.
  const isLater = found.hasKeyOfDone && (!steps || read.hasEnded) && head.input.files === undefined;
  if (lost > 0 && lost * markLength === read.marks.length && unknown.size === 0 && !steps?.adds && !isLater)
    throw otherInputFailure(path, input, head.input.files !== undefined);
  if (!repeatUnknown && gone.size > 0) throw missingRowsFailure(input, [...gone.values()].flat());
  const made = steps?.adds && lost > 0 ? readSentRows(found.lostMarks, options) : [];
  return {
    ...{ done, unknown, statuses, dropped: read.dropped, replaced: 0, failedRowFiles: read.failedRowFiles },
    changed: (!isSame || lost > 0) && read.count > 0 ? { done: done.size, lost, made } : undefined,
    unproven,
    // Drops rows that do not count any more, so that the journal is true for the input as it is now.
    isKept(line) {
      if (line.step === 'ended') return false;
      if (!('mark' in line)) return true;
      return !found.isVoid(line.mark) && (line.step === 'done' || !gone.has(line.mark));
    },
    open: found.open.filter(({ mark }) => found.isVoid(mark)),
  };
}

const mostNamed = 5;

function missingRowsFailure(input: string, gone: readonly MarkedRow[]): Failure {
  const named = gone.slice(0, mostNamed).map(({ number, key }) => `row ${number} (${key})`);
  const more = gone.length > mostNamed ? ` and ${gone.length - mostNamed} more` : '';
  const verb = gone.length === 1 ? 'was sent, and its outcome is' : 'were sent, and their outcome is';
  const pronoun = gone.length === 1 ? 'it' : 'them';
  const sentence = `${named.join(', ')}${more} ${verb} unknown, but ${input} does not have ${pronoun} any more.`;
  const hint = `Put ${pronoun} back as before; or check what happened, and go on without ${pronoun} with --repeat-unknown`;
  return usage(capitalized(sentence), hint);
}

/** Reads the rows of these marks as they were when they were sent. */
function readSentRows(marks: readonly string[], { path, world }: JournalOptions): readonly MarkedRow[] {
  const wanted = new Set(marks);
  const names = new Map<string, MarkedRow>();
  for (const text of linesAt(path, world)) {
    const line = text.startsWith('sent ') ? readJournalLine(text) : undefined;
    if (line?.step === 'sent' && wanted.has(line.mark)) names.set(line.mark, line);
  }
  return [...names.values()];
}

/** Reads the lines of a journal; none if the file does not exist. */
function* linesAt(path: string, world: FileUser): Generator<string> {
  const file = openExisting(path, world);
  if (file === undefined) return;
  try {
    yield* linesIn(file);
  } finally {
    closeSync(file);
  }
}

/** Counts the rows of a run in its journal, by their outcome; undefined if the journal is gone or does not name the run. @throws if it cannot be read */
export function countRecorded(
  run: string,
  path: string,
  world: FileUser,
): { readonly done: number; readonly unknown: number } | undefined {
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

/** Starts from the first row. @throws usage for a journal with done rows, unless its run has ended and its rows can be sent again */
function startAnew(read: ReturnType<typeof readJournal>, options: JournalOptions): Continuation {
  const { head, path, steps } = options;
  if (!read) return freshStart;
  const { count, hasEnded, failedRowFiles } = read;
  const isKept = (line: JournalLine) => line.step === 'failed-to';
  if (count === 0) return { ...freshStart, failedRowFiles, isKept };
  const ended = readHead(read.head, path);
  if (hasEnded && isReplaceable(ended, head)) return { ...freshStart, elsewhere: readPlace(ended.place) };
  checkPlace(read.head, head, options);
  // The records of another input, or with other options, do not apply to these rows.
  const isSame = isSameInput(ended, head);
  if (hasEnded && steps && !isSame) return freshStart;
  if (hasEnded && steps?.adds)
    throw usage(
      `${path} says that the rows of this file were sent. Done: ${countedRows(count)}.`,
      `To send what is left, add --resume; to send all rows again, remove it first: ${removeCommand(path)}`,
    );
  if (hasEnded) return { ...freshStart, replaced: count };
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

/** Gives the journal for this run, in pieces: its head, the lines that stay, and the rows of unknown outcome. */
function* linesKept({ isKept, open }: Continuation, { path, head, world }: JournalOptions): Generator<string> {
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
