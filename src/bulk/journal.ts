import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  unlinkSync,
  write,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure, usage } from '../failure.ts';
import { codeOf, fileFailure, quoted } from '../store/file-failure.ts';
import { writePrivately } from '../store/private-file.ts';
import type { Clock } from './clock.ts';
import { checkHead, headLine, type JournalHead, refuseForeign } from './journal-head.ts';
import { lockJournal } from './journal-lock.ts';
import { type RowSet, rowSet } from './row-set.ts';

/** Which rows are done, on disk. A row that is not in it is to be done again, whatever became of it. */
export type Journal = {
  readonly path: string;
  /** The rows that earlier runs have done. */
  readonly done: RowSet;
  /** Bytes of a last line that was cut short, and was dropped. */
  readonly dropped: number;
  /** Calls `recorded` once the row is on disk as done, together with those that came at about the same time, or with why it is not. */
  readonly record: (row: number, recorded: (failure?: Failure) => void) => void;
  /** Rows that are not on disk yet. */
  readonly waiting: () => number;
  /** Resolves when those that wait now are, or cannot be. */
  readonly settled: () => Promise<void>;
  /** Waits for what is not on disk yet, and lets go of the file. `finished`: nothing is left to do, and the file is removed. */
  readonly close: (finished: boolean) => Promise<void>;
};

export type JournalOptions = {
  readonly path: string;
  readonly head: JournalHead;
  /** The input's name, for sentences. */
  readonly input: string;
  /** Go on with what is there; where nothing is there, begin. */
  readonly resume: boolean;
  readonly clock: Clock;
};

/**
 * Opens the journal of an import: the head line, then the number of each row that is done, a line each, appended and synced. A process that
 * is killed at any point leaves whole lines and at most one cut one.
 * @throws usage where another process works with it, where an unfinished one is there and `resume` is not set, and where it is of other work
 * @throws Failure internal where it cannot be written
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const release = await lockJournal(options.path);
  try {
    const { file, done, dropped } = openFile(options);
    return { path: options.path, done, dropped, ...appending(file, options, release) };
  } catch (error) {
    release();
    throw elsewhere(error);
  }
}

function openFile(options: JournalOptions) {
  const { path, head, resume } = options;
  const existing = openExisting(path);
  if (existing === undefined) return { file: openNew(path, head), done: rowSet(0), dropped: 0 };
  try {
    if (!fstatSync(existing).isFile())
      throw usage(`${path} is no regular file.`, 'Name another one with --journal FILE');
    const bytes = readFileSync(existing);
    if (resume) return { file: existing, ...goOn(existing, bytes, options) };
    refuseUnfinished(bytes, path);
  } catch (error) {
    closeSync(existing);
    throw fileFailure('read', path, error);
  }
  closeSync(existing);
  return { file: openNew(path, head), done: rowSet(0), dropped: 0 };
}

function goOn(file: number, bytes: Buffer, options: JournalOptions): { done: RowSet; dropped: number } {
  const { done, end } = readDone(bytes, options);
  if (end < bytes.length) ftruncateSync(file, end);
  return { done, dropped: bytes.length - end };
}

/** A journal without a done row is as good as none. */
function refuseUnfinished(bytes: Buffer, path: string): void {
  const first = bytes.indexOf(10) + 1;
  refuseForeign(bytes.toString('utf8', 0, first), path);
  const rows = bytes.toString('latin1', first).split('\n').length - 1;
  if (rows === 0) return;
  throw usage(
    `${path} is there already: the journal of an import that has done ${rows === 1 ? '1 row' : `${rows} rows`} and is not finished.`,
    `Go on where it stopped with --resume; to begin anew, remove it first: rm ${quoted(path)}`,
  );
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('open', path, error);
  }
}

function openNew(path: string, head: JournalHead): number {
  writePrivately(path, headLine(head));
  const file = openExisting(path);
  if (file === undefined) throw new Failure('internal', `${path} was removed while it was opened.`);
  return file;
}

/** The rows of a journal's bytes, and where its last whole and sensible line ends: what is behind that was cut short. */
function readDone(bytes: Buffer, { head, path, input }: JournalOptions): { done: RowSet; end: number } {
  const first = bytes.indexOf(10) + 1;
  checkHead(bytes.toString('utf8', 0, first), head, path, input);
  const done = rowSet(head.input.rows);
  let end = first;
  for (;;) {
    const next = bytes.indexOf(10, end);
    const row = next < 0 ? undefined : rowNumber(bytes.toString('latin1', end, next), head.input.rows);
    if (row === undefined) return { done, end };
    done.add(row);
    end = next + 1;
  }
}

function rowNumber(line: string, rows: number): number | undefined {
  const row = /^[1-9]\d{0,14}$/.test(line) ? Number(line) : 0;
  return row >= 1 && row <= rows ? row : undefined;
}

function elsewhere(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'internal') return error;
  return error.with({ hint: 'Name another place with --journal FILE' });
}

const appendTo = promisify(write);
const sync = promisify(fdatasync);

/**
 * How long lines are gathered before they are synced together, in milliseconds. Syncing takes time from sending; what is lost in a crash is
 * sent again.
 */
const gathering = 100;

function appending(file: number, { path, clock }: JournalOptions, release: () => void) {
  let lines = '';
  let waiting: ((failure?: Failure) => void)[] = [];
  let writing: Promise<void> | undefined;
  let failure: Failure | undefined;
  let hurry: () => void = () => undefined;

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
      hurry = () => {
        cancel();
        resolve();
      };
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      const [text, written] = [lines, waiting];
      [lines, waiting] = ['', []];
      await write(text);
      for (const recorded of written) recorded(failure);
    }
    writing = undefined;
  }

  return {
    record(row: number, recorded: (failure?: Failure) => void): void {
      lines += `${row}\n`;
      waiting.push(recorded);
      writing ??= writeAll();
    },
    waiting: () => waiting.length,
    // Answered with what was recorded before it, however much is recorded afterwards.
    settled() {
      if (!writing) return Promise.resolve();
      hurry();
      return new Promise<void>((resolve) => waiting.push(() => resolve()));
    },
    async close(finished: boolean): Promise<void> {
      try {
        hurry();
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

async function writeWhole(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await appendTo(file, bytes, at, bytes.length - at, null);
    at += bytesWritten;
  }
}
