import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  readFileSync,
  unlinkSync,
  writeFile,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure, usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { openRegular } from '../files/open-regular.ts';
import { writePrivately } from '../files/private-file.ts';
import { countedRows } from '../text/group-digits.ts';
import { removeCommand } from '../text/shell-lines.ts';
import type { Clock } from './clock.ts';
import {
  type Bitset,
  createBitset,
  endedLine,
  failedRowsLine,
  openDoneRows,
  readMarks,
  readSteps,
  sentLine,
} from './done-rows.ts';
import { checkHead, checkWork, headLine, type JournalHead, otherInput, refuseOtherFile } from './journal-head.ts';
import { lockJournal } from './journal-lock.ts';

/** Records on disk which rows are done. A row that is not in it is repeated, whatever its result was. */
export type Journal = {
  readonly path: string;
  /** The rows done in earlier runs, by their number in this input. */
  readonly done: Bitset;
  /** The rows that an earlier run sent, and whose end it did not record. Only with `steps`. */
  readonly begun?: Bitset;
  /** To be awaited before a row is sent; resolves with the reason if that could not be recorded. Only with `steps`. */
  readonly begin?: (row: number) => Promise<Failure | undefined>;
  /** The number of bytes dropped from an incomplete last line. */
  readonly dropped: number;
  /** The number of rows done in an earlier import, which has ended, and whose journal this one replaces. */
  readonly replaced: number;
  /** Tells `waiting` once the row with that mark, or that line of `steps`, is on disk as done, or why it is not. Rows of about the same time are written together. */
  readonly record: (mark: string, waiting: Recording) => void;
  /** Whether an earlier run has recorded the file with `keep`. */
  readonly keeps: (file: string) => boolean;
  /** Records that the file with these numbers ("device:inode") has this import's failed rows; synced when it returns. */
  readonly keep: (file: string) => void;
  /** Records that only refused rows are left, so that the next import may replace the journal; synced when it returns. */
  readonly markEnded: () => void;
  /** The number of rows that are not on disk yet. */
  readonly waiting: () => number;
  /** Resolves when the rows waiting now are on disk, or have failed. */
  readonly settled: () => Promise<void>;
  /** Waits for rows that are not on disk yet, and closes the file. `finished`: nothing is left to do, so the file is removed. */
  readonly close: (finished: boolean) => Promise<void>;
};

/** Waits for a row to be on disk. An object and not a function, because thousands of rows wait at a time. */
export type Recording = { readonly recorded: (failure?: Failure) => void };

type JournalOptions = {
  readonly path: string;
  readonly head: JournalHead;
  /** The input's name, for messages. */
  readonly input: string;
  /** Whether to continue an existing journal; without one, it begins a new one. */
  readonly resume: boolean;
  /** Calls `see` for each row of the input, in its order: with its mark, or without if it cannot be sent. */
  readonly eachMark: (see: (mark: string | undefined) => void) => Promise<unknown>;
  /** Called before the journal of another edition of the input is changed; if it throws, nothing is. */
  readonly onChanged: (found: Changed) => Promise<void>;
  /**
   * For what is not safe to repeat: records each row by its number before it is sent too, and stays after the last one. Such a journal is for
   * one file as it is. `adds`: without `resume`, a finished one refuses the same file, whose rows would be there twice.
   */
  readonly steps?: { readonly adds: boolean } | undefined;
  readonly clock: Clock;
};

/** What an edited input has of the rows that are done. `lost`: rows that are not in it any more. */
export type Changed = { readonly done: number; readonly lost: number };

/**
 * Opens the journal of an import: the head line, then one line with the mark of each done row, appended and synced. A process that is
 * killed at any point leaves complete lines and at most one incomplete one. On resuming, it is replaced by one for the input as it is now.
 * @throws usage if another process uses it, if an unfinished one exists without `resume`, and if it belongs to another import
 * @throws Failure io if it cannot be written
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const release = await lockJournal(options.path);
  try {
    const { file, failedRowFiles, ...found } = await openFile(options);
    return {
      path: options.path,
      ...found,
      ...appending(file, options, release),
      ...keeping(file, failedRowFiles, options),
    };
  } catch (error) {
    release();
    throw elsewhere(error);
  }
}

type OpenJournal = Pick<Journal, 'done' | 'begun' | 'dropped' | 'replaced'> & {
  readonly file: number;
  /** The files of failed rows of this import. */
  readonly failedRowFiles: ReadonlySet<string>;
};

async function openFile(options: JournalOptions): Promise<OpenJournal> {
  const bytes = readExisting(options.path);
  if (bytes && options.resume) return options.steps ? resumeSteps(bytes, options) : resumeJournal(bytes, options);
  if (options.resume && options.steps) throw nothingToResume(options);
  const { failedRowFiles, replaced } = bytes ? refuseUnfinished(bytes, options) : nothing;
  return { file: startJournal(options, failedRowFiles), failedRowFiles, done: createBitset(0), dropped: 0, replaced };
}

const nothing = { failedRowFiles: new Set<string>(), replaced: 0 };

function startJournal(
  { path, head }: JournalOptions,
  failedRowFiles: ReadonlySet<string>,
  marks: string | Buffer = '',
): number {
  writePrivately(path, [headLine(head), ...[...failedRowFiles].map(failedRowsLine), marks]);
  const file = openExisting(path);
  if (file === undefined) throw new Failure('io', `${path} was removed while it was opened.`);
  return file;
}

async function resumeJournal(bytes: Buffer, options: JournalOptions): Promise<OpenJournal> {
  const { head, path, input } = options;
  const first = bytes.indexOf(10) + 1;
  const isSame = checkHead(bytes.toString('utf8', 0, first), head, path);
  const { failedRowFiles, dropped, marks, count } = readMarks(bytes.subarray(first));
  const rows = openDoneRows(marks);
  await options.eachMark(rows.see);
  const { done, lost } = rows.found();
  if (lost > 0 && lost === count) throw otherInput(path, input);
  if (!isSame && count > 0) await options.onChanged({ done: done.size, lost });
  const file = startJournal(options, failedRowFiles, marks);
  return { file, done, failedRowFiles, dropped, replaced: 0 };
}

/** Continues with the rows of a file that has not changed since. */
function resumeSteps(bytes: Buffer, options: JournalOptions): OpenJournal {
  const { head, path, input } = options;
  const first = bytes.indexOf(10) + 1;
  if (!checkHead(bytes.toString('utf8', 0, first), head, path))
    throw usage(
      `${input} is not the file of ${path}, or has changed since: which of its rows were sent is not known.`,
      `Give the file as it was; to send other rows, put them into a file of their own`,
    );
  const steps = readSteps(bytes.subarray(first), head.input.rows);
  const file = startJournal(options, nothing.failedRowFiles, bytes.subarray(first, bytes.length - steps.dropped));
  return { ...steps, file, replaced: 0 };
}

function nothingToResume({ path }: JournalOptions): Failure {
  return usage(
    `No journal at ${path}, so iiot cannot tell which rows were sent.`,
    'Leave out --resume if none was; else name the journal with --journal FILE',
  );
}

/** Refuses a journal with done rows, unless its import has ended. One without any is useless except for its files of failed rows. */
function refuseUnfinished(
  bytes: Buffer,
  { head, path, steps }: JournalOptions,
): Pick<OpenJournal, 'failedRowFiles' | 'replaced'> {
  const first = bytes.indexOf(10) + 1;
  const line = bytes.toString('utf8', 0, first);
  refuseOtherFile(line, path);
  const lines = bytes.subarray(first);
  const { failedRowFiles, hasEnded, count: rows } = steps ? readSteps(lines, 0) : readMarks(lines);
  if (rows === 0) return { failedRowFiles, replaced: 0 };
  const found = checkWork(line, head, path);
  // Another file, or other options: what was sent then says nothing of these rows.
  const isSame = found.reading === head.reading && JSON.stringify(found.input) === JSON.stringify(head.input);
  if (hasEnded && steps && !isSame) return { failedRowFiles: new Set(), replaced: 0 };
  if (hasEnded && steps?.adds)
    throw usage(
      `${path} says that the rows of this file were sent. Done: ${countedRows(rows)}.`,
      `To send what is left, --resume; to send all rows once more, remove it first: ${removeCommand(path)}`,
    );
  if (hasEnded) return { failedRowFiles: new Set(), replaced: rows };
  throw usage(
    `${path} is the journal of an unfinished ${steps ? 'run. Sent' : 'import. Done'} so far: ${countedRows(rows)}.`,
    `Continue with --resume; to start over, remove it first: ${removeCommand(path)}`,
  );
}

function readExisting(path: string): Buffer | undefined {
  const file = openExisting(path);
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileFailure('read', path, error);
  } finally {
    closeSync(file);
  }
}

function openExisting(path: string): number | undefined {
  try {
    const opened = openRegular(path, constants.O_RDWR | constants.O_APPEND);
    if ('file' in opened) return opened.file;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('open', path, error);
  }
  throw usage(`${path} is not a regular file.`, 'Choose another file with --journal FILE');
}

function elsewhere(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'io') return error;
  return error.with({ hint: 'Name another place with --journal FILE' });
}

const append = promisify(writeFile);
const sync = promisify(fdatasync);

/**
 * How long lines are collected before they are synced together, in milliseconds. Syncing slows down sending; rows lost in a crash are sent
 * again.
 */
const gathering = 100;

function appending(file: number, { path, clock, steps }: JournalOptions, release: () => void) {
  let marks: string[] = [];
  let waiting: Recording[] = [];
  let writing: Promise<void> | undefined;
  let failure: Failure | undefined;
  let flushNow: () => void = () => undefined;

  async function write(text: string): Promise<void> {
    if (failure || text === '') return;
    try {
      await append(file, text);
      await sync(file);
    } catch (error) {
      failure = fileFailure('write', path, error);
    }
  }

  function gathered(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(steps ? 0 : gathering, resolve); // a row that waits to be sent waits for this
      flushNow = () => {
        cancel();
        resolve();
      };
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      const [lines, written] = [marks, waiting];
      [marks, waiting] = [[], []];
      await write(lines.map((mark) => `${mark}\n`).join(''));
      for (const each of written) each.recorded(failure);
    }
    writing = undefined;
  }

  function record(mark: string, recording: Recording): void {
    marks.push(mark);
    waiting.push(recording);
    writing ??= writeAll();
  }

  const begin = (row: number) =>
    new Promise<Failure | undefined>((resolve) => record(sentLine(row), { recorded: resolve }));
  return {
    record,
    ...(steps && { begin }),
    waiting: () => waiting.length,
    // Waits only for rows recorded before the call, even if more follow.
    settled() {
      if (!writing) return Promise.resolve();
      flushNow();
      return new Promise<void>((resolve) => waiting.push({ recorded: () => resolve() }));
    },
    async close(finished: boolean): Promise<void> {
      try {
        flushNow();
        await writing;
        if (failure) throw failure;
        if (finished) unlinkSync(path);
      } catch (error) {
        throw fileFailure('write', path, error);
      } finally {
        closeSync(file);
        release();
      }
    },
  };
}

function keeping(file: number, failedRowFiles: ReadonlySet<string>, { path }: JournalOptions) {
  function appendNow(line: string): void {
    try {
      writeSync(file, line);
      fdatasyncSync(file);
    } catch (error) {
      throw fileFailure('write', path, error);
    }
  }
  return {
    keeps: (other: string) => failedRowFiles.has(other),
    keep: (other: string) => appendNow(failedRowsLine(other)),
    markEnded: () => appendNow(endedLine),
  };
}
