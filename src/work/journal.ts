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
import { writePrivately } from '../files/private-file.ts';
import { type FileUser, openTrusted } from '../files/trust.ts';
import { countedRows } from '../text/group-digits.ts';
import { removeCommand } from '../text/shell-lines.ts';
import type { Clock } from './clock.ts';
import { createBitset, endedLine, failedRowsLine, readMarks, readSteps, sentLine } from './done-rows.ts';
import { checkPlace, headLine, isReplaceable, refuseOtherFile, sendAgain } from './journal-head.ts';
import type { Changed, JournalInput, KnownRows } from './journal-kind.ts';
import { lockJournal } from './journal-lock.ts';
import { byMarks } from './journal-marks.ts';
import { bySteps } from './journal-steps.ts';

/** Records on disk which rows are done. A row that is not in it is repeated, whatever its result was. */
export type Journal = Pick<KnownRows, 'done' | 'begun' | 'statuses' | 'dropped'> & {
  readonly path: string;
  /** To be awaited before a row is sent; resolves with the reason if that could not be recorded. Only with `steps`. */
  readonly begin?: (row: number) => Promise<Failure | undefined>;
  /** Resolves once the mark of a row that is done, or that line of `steps`, is on disk, with the reason if it is not. Rows of about the same time are written together. */
  readonly record: (mark: string) => Promise<Failure | undefined>;
  /** Whether an earlier run has recorded the file with `keep`. */
  readonly keeps: (file: string) => boolean;
  /** Records that the file with these numbers ("device:inode") has this run's failed rows; synced when it returns. */
  readonly keep: (file: string) => void;
  /** Records that only refused rows are left, so that the next run may replace the journal; synced when it returns. */
  readonly markEnded: () => void;
  /** Writes back what an earlier run has recorded, where this run has sent nothing. */
  readonly restore: () => void;
  /** The number of rows that are not on disk yet. */
  readonly waiting: () => number;
  /** Resolves when the rows waiting now are on disk, or have failed. */
  readonly settled: () => Promise<void>;
  /** Waits for rows that are not on disk yet, and closes the file. `finished`: nothing is left to do, so the file is removed. */
  readonly close: (finished: boolean) => Promise<void>;
};

type JournalOptions = JournalInput & {
  /** Whether to continue an existing journal; without one, it begins a new one. */
  readonly resume: boolean;
  /** Called before the journal of another edition of the input is changed; if it throws, nothing is. */
  readonly onChanged: (found: Changed) => Promise<void>;
  /**
   * For what is not safe to repeat: records each row by its number before it is sent too, and stays after the last one. Such a journal is for
   * one file as it is. `adds`: without `resume`, a finished one refuses the same file, whose rows would be there twice.
   */
  readonly steps?: { readonly adds: boolean } | undefined;
  readonly clock: Clock;
  /** Whose journal counts. */
  readonly world: FileUser;
};

/**
 * Opens the journal of a run: the head line, then one line with the mark of each done row, appended and synced. A process that is
 * killed at any point leaves complete lines and at most one incomplete one. On resuming, it is replaced by one for the input as it is now.
 * @throws usage if another process uses it, if an unfinished one exists without `resume`, and if it belongs to another run
 * @throws Failure io if it cannot be written
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const release = await lockJournal(options.path);
  try {
    const { file, failedRowFiles, replaced, ...found } = await openFile(options);
    return {
      path: options.path,
      ...found,
      restore: () => replaced && writePrivately(options.path, [replaced]),
      ...appending(file, options, release),
      ...keeping(file, failedRowFiles, options),
    };
  } catch (error) {
    release();
    throw elsewhere(error);
  }
}

type OpenJournal = Omit<KnownRows, 'lines' | 'changed'> & { readonly file: number; readonly replaced?: Buffer };

async function openFile(options: JournalOptions): Promise<OpenJournal> {
  const bytes = readExisting(options);
  if (!options.resume) {
    const { failedRowFiles } = bytes ? refuseUnfinished(bytes, options) : nothing;
    const file = startJournal(options, [...failedRowFiles].map(failedRowsLine));
    return { file, failedRowFiles, done: createBitset(0), dropped: 0, ...(bytes && { replaced: bytes }) };
  }
  const { lines, changed, ...found } = await rowsIn(bytes, options);
  if (changed) await options.onChanged(changed);
  return { ...found, file: startJournal(options, lines) };
}

async function rowsIn(bytes: Buffer | undefined, options: JournalInput & Pick<JournalOptions, 'steps'>) {
  const kind = options.steps ? bySteps : byMarks;
  return bytes ? kind.read(bytes, options) : kind.none(options.path);
}

const nothing = { failedRowFiles: new Set<string>() };

/**
 * The number of rows done in the last run of this input, whose journal a new one replaces.
 * @throws usage as `openJournal`, before anybody is asked
 */
export async function rowsOfLastRun(
  options: Pick<JournalOptions, 'path' | 'head' | 'world' | 'steps'>,
): Promise<number> {
  const release = await lockJournal(options.path);
  try {
    const bytes = readExisting(options);
    return bytes ? refuseUnfinished(bytes, options).replaced : 0;
  } catch (error) {
    throw elsewhere(error);
  } finally {
    release();
  }
}

function startJournal({ path, head, world }: JournalOptions, lines: KnownRows['lines']): number {
  writePrivately(path, [headLine(head), ...lines]);
  const file = openExisting({ path, world });
  if (file === undefined) throw new Failure('io', `${path} was removed while it was being opened.`);
  return file;
}

/** What the journal knows of the rows; reads it only. @throws usage as `openJournal` does for --resume */
export async function knownRows(
  options: JournalInput & Pick<JournalOptions, 'world' | 'steps'>,
): Promise<Pick<Journal, 'done' | 'begun'>> {
  return rowsIn(readExisting(options), options);
}

/** Refuses a journal with done rows, unless its run has ended. One without any is useless except for its files of failed rows. */
function refuseUnfinished(
  bytes: Buffer,
  { head, path, steps }: Pick<JournalOptions, 'head' | 'path' | 'steps'>,
): Pick<OpenJournal, 'failedRowFiles'> & { readonly replaced: number } {
  const first = bytes.indexOf(10) + 1;
  const line = bytes.toString('utf8', 0, first);
  const found = refuseOtherFile(line, path);
  const lines = bytes.subarray(first);
  // It may be of a command that keeps the other kind.
  const both = [readMarks(Buffer.from(lines)), readSteps(lines, 0)] as const;
  const { failedRowFiles, hasEnded, count: rows } = both[1].dropped < both[0].dropped ? both[1] : both[0];
  if (rows === 0) return { failedRowFiles, replaced: 0 };
  if (hasEnded && isReplaceable(found, head)) return { failedRowFiles: new Set(), replaced: 0 };
  checkPlace(line, head, path);
  // Another file, or other options: what was sent then says nothing of these rows.
  const isSame = line === headLine(head);
  if (hasEnded && steps && !isSame) return { failedRowFiles: new Set(), replaced: 0 };
  if (hasEnded && steps?.adds)
    throw usage(
      `${path} says that the rows of this file were sent. Done: ${countedRows(rows)}.`,
      `To send what is left, add --resume; to send all rows again, remove it first: ${removeCommand(path)}`,
    );
  if (hasEnded) return { failedRowFiles: new Set(), replaced: rows };
  throw usage(
    `${path} is the journal of an unfinished run. ${steps ? 'Sent' : 'Done'} so far: ${countedRows(rows)}.`,
    `Continue with --resume; ${sendAgain(path)}`,
  );
}

type Located = Pick<JournalOptions, 'path' | 'world'>;

function readExisting({ path, world }: Located): Buffer | undefined {
  const file = openExisting({ path, world });
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileFailure('read', path, error);
  } finally {
    closeSync(file);
  }
}

function openExisting({ path, world }: Located): number | undefined {
  try {
    return openTrusted(path, constants.O_RDWR | constants.O_APPEND, world);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw fileFailure('open', path, error);
  }
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
  const queue = { marks: [] as string[], waiting: [] as ((failure?: Failure) => void)[] };
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
    while (queue.waiting.length > 0) {
      await gathered();
      const [lines, written] = [queue.marks, queue.waiting];
      [queue.marks, queue.waiting] = [[], []];
      await write(lines.map((mark) => `${mark}\n`).join(''));
      for (const recorded of written) recorded(failure);
    }
    writing = undefined;
  }

  function record(mark: string): Promise<Failure | undefined> {
    const recorded = new Promise<Failure | undefined>((resolve) => queue.waiting.push(resolve));
    queue.marks.push(mark);
    writing ??= writeAll();
    return recorded;
  }

  return {
    record,
    ...(steps && { begin: (row: number) => record(sentLine(row)) }),
    waiting: () => queue.waiting.length,
    // Waits only for rows recorded before the call, even if more follow.
    settled() {
      if (!writing) return Promise.resolve();
      flushNow();
      return new Promise<void>((resolve) => queue.waiting.push(() => resolve()));
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
