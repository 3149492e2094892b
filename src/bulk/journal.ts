import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  readFileSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure, usage } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { openRegular } from '../files/open-regular.ts';
import { writePrivately } from '../files/private-file.ts';
import { removeCommand } from '../text/shell-lines.ts';
import { type Bitset, createBitset } from './bitset.ts';
import type { Clock } from './clock.ts';
import { checkHead, headLine, type JournalHead, refuseOtherFile } from './journal-head.ts';
import { failedRowsLine, readLines } from './journal-lines.ts';
import { lockJournal } from './journal-lock.ts';

/** Records on disk which rows are done. A row that is not in it is repeated, whatever its result was. */
export type Journal = {
  readonly path: string;
  /** The rows done in earlier runs. */
  readonly done: Bitset;
  /** The number of bytes dropped from an incomplete last line. */
  readonly dropped: number;
  /** Tells `waiting` once the row is on disk as done, or why it is not. Rows of about the same time are written together. */
  readonly record: (row: number, waiting: Recording) => void;
  /** Whether an earlier run has recorded the file with `keep`. */
  readonly keeps: (file: string) => boolean;
  /** Records that the file with these numbers ("device:inode") has this import's failed rows; synced when it returns. */
  readonly keep: (file: string) => void;
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
  readonly clock: Clock;
};

/**
 * Opens the journal of an import: the head line, then one line with the number of each done row, appended and synced. A process that is
 * killed at any point leaves complete lines and at most one incomplete one.
 * @throws usage if another process uses it, if an unfinished one exists without `resume`, and if it belongs to another import
 * @throws Failure internal if it cannot be written
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const release = await lockJournal(options.path);
  try {
    const { file, done, dropped, failedRowFiles } = openFile(options);
    return {
      path: options.path,
      done,
      dropped,
      ...appending(file, options, release),
      ...keeping(file, failedRowFiles, options),
    };
  } catch (error) {
    release();
    throw elsewhere(error);
  }
}

type OpenJournal = {
  readonly file: number;
  readonly done: Bitset;
  readonly dropped: number;
  /** The files of failed rows of this import. */
  readonly failedRowFiles: ReadonlySet<string>;
};

function openFile(options: JournalOptions): OpenJournal {
  const { path, head, resume } = options;
  const existing = openExisting(path);
  if (existing === undefined) return startJournal(path, head, new Set());
  let failedRowFiles: ReadonlySet<string>;
  try {
    const bytes = readFileSync(existing);
    if (resume) return resumeJournal(existing, bytes, options);
    failedRowFiles = refuseUnfinished(bytes, options);
  } catch (error) {
    closeSync(existing);
    throw fileFailure('read', path, error);
  }
  closeSync(existing);
  return startJournal(path, head, failedRowFiles);
}

function startJournal(path: string, head: JournalHead, failedRowFiles: ReadonlySet<string>): OpenJournal {
  return {
    file: openNew(path, headLine(head) + [...failedRowFiles].map(failedRowsLine).join('')),
    done: createBitset(0),
    failedRowFiles,
    dropped: 0,
  };
}

function resumeJournal(file: number, bytes: Buffer, { head, path, input }: JournalOptions): OpenJournal {
  const first = bytes.indexOf(10) + 1;
  checkHead(bytes.toString('utf8', 0, first), head, path, input);
  const done = createBitset(head.input.rows);
  const { failedRowFiles, end } = readLines(bytes, first, head.input.rows, done.add);
  if (end < bytes.length) ftruncateSync(file, end);
  return { file, done, failedRowFiles, dropped: bytes.length - end };
}

/** Refuses a journal with done rows. One without any is useless except for its files of failed rows, which this returns. */
function refuseUnfinished(bytes: Buffer, { head, path, input }: JournalOptions): ReadonlySet<string> {
  const first = bytes.indexOf(10) + 1;
  const line = bytes.toString('utf8', 0, first);
  refuseOtherFile(line, path);
  let rows = 0;
  const { failedRowFiles } = readLines(bytes, first, Number.POSITIVE_INFINITY, () => {
    rows += 1;
  });
  if (rows === 0) return failedRowFiles;
  checkHead(line, head, path, input);
  throw usage(
    `${path} is the journal of an unfinished import. Done so far: ${rows === 1 ? '1 row' : `${rows} rows`}.`,
    `Continue with --resume; to start over, remove it first: ${removeCommand(path)}`,
  );
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

function openNew(path: string, text: string): number {
  writePrivately(path, text);
  const file = openExisting(path);
  if (file === undefined) throw new Failure('internal', `${path} was removed while it was opened.`);
  return file;
}

function elsewhere(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'internal') return error;
  return error.with({ hint: 'Name another place with --journal FILE' });
}

const appendTo = promisify(write);
const sync = promisify(fdatasync);

/**
 * How long lines are collected before they are synced together, in milliseconds. Syncing slows down sending; rows lost in a crash are sent
 * again.
 */
const gathering = 100;

function appending(file: number, { path, clock }: JournalOptions, release: () => void) {
  let rows: number[] = [];
  let waiting: Recording[] = [];
  let writing: Promise<void> | undefined;
  let failure: Failure | undefined;
  let flushNow: () => void = () => undefined;

  async function write(text: string): Promise<void> {
    if (failure || text === '') return;
    try {
      await writeWhole(file, Buffer.from(text));
      await sync(file);
    } catch (error) {
      failure = fileFailure('write', path, error);
    }
  }

  function gathered(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(gathering, resolve);
      flushNow = () => {
        cancel();
        resolve();
      };
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      const [lines, written] = [rows, waiting];
      [rows, waiting] = [[], []];
      await write(lines.map((row) => `${row}\n`).join(''));
      for (const each of written) each.recorded(failure);
    }
    writing = undefined;
  }

  return {
    record(row: number, recording: Recording): void {
      rows.push(row);
      waiting.push(recording);
      writing ??= writeAll();
    },
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
  return {
    keeps: (other: string) => failedRowFiles.has(other),
    keep(other: string): void {
      try {
        writeSync(file, failedRowsLine(other));
        fdatasyncSync(file);
      } catch (error) {
        throw fileFailure('write', path, error);
      }
    },
  };
}

async function writeWhole(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await appendTo(file, bytes, at, bytes.length - at, null);
    at += bytesWritten;
  }
}
