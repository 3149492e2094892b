/** The changes that this machine has made on platforms: a file of lines beside config.json, limited in size. */

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  lstatSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { attemptTo, codeOf, fileFailure } from '../files/file-failure.ts';
import { setMode, syncFile } from '../files/file-system.ts';
import { fileNamesIn, openNew, openRegular, openToChange } from '../files/open-regular.ts';
import { prepareFolder } from '../files/trust.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import type { StoreWorld } from './folder.ts';
import type { HistoryEntry } from './history-entry.ts';

/** A file is full with this many changes, or at this size in bytes, and the previous one is kept. The lines of a smaller file are not counted. */
const mostChanges = 5000;
const [smallestCounted, largestFile] = [1024 * 1024, 32 * 1024 * 1024];
/** A run with more IDs has them in a file of its own, which is kept as long as the run is one of the latest. */
const mostInLine = 20;
const mostIdFiles = 1000;
const historyFiles = { now: 'history.ndjson', before: 'history.1.ndjson', ids: 'history.ids' } as const;

/** Appends an entry in a single write, so that lines of concurrent commands do not mix. @param folder of config.json @throws Failure 'io' if that fails */
export async function appendHistory(folder: string, entry: NewHistoryEntry, world: StoreWorld): Promise<void> {
  prepareFolder(folder, false, world);
  const path = join(folder, historyFiles.now);
  try {
    if (isFull(path)) await moveFullFileAway(path, world);
    const isLong = entry.id !== undefined && (entry.ids?.length ?? 0) > mostInLine;
    appendLine(await followOwnLink(path), JSON.stringify({ version: 1, ...entry, ids: isLong ? null : entry.ids }));
    if (isLong) await writeIds(folder, entry, world);
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}

type NewHistoryEntry = HistoryEntry & { readonly id?: string };

export async function readMachine({ env, uid }: Pick<StoreWorld, 'env' | 'uid'>) {
  const { hostname, userInfo } = await import('node:os');
  // A container's user need not have a name.
  const osUser = ignoreError(() => userInfo().username) ?? String(uid);
  return { osUser, sudoUser: env.SUDO_USER || null, host: hostname() };
}

/** The entry with its IDs, read from the file of their own if they are in one. */
export function loadIds<T extends NewHistoryEntry>(folder: string, entry: T): T {
  if (entry.ids !== null || entry.rows === null) return entry;
  const ids = ignoreError(() => JSON.parse(readFileSync(idsPath(folder, entry), 'utf8')));
  return { ...entry, ids: Array.isArray(ids) ? ids.map(String) : null };
}

/** The path of an entry's file of IDs. The name begins with the time, so that the oldest file comes first. */
function idsPath(folder: string, { at, id = '' }: NewHistoryEntry): string {
  return join(folder, historyFiles.ids, `${at}.${id}`.replaceAll(/[^\w.]/g, ''));
}

async function writeIds(folder: string, entry: NewHistoryEntry, world: StoreWorld): Promise<void> {
  const { writePrivately } = await import('../files/private-file.ts');
  prepareFolder(join(folder, historyFiles.ids), false, world);
  writePrivately(idsPath(folder, entry), JSON.stringify(entry.ids));
  const files = fileNamesIn(join(folder, historyFiles.ids))
    .filter((name) => /^\d/.test(name))
    .sort();
  for (const name of files.slice(0, -mostIdFiles)) ignoreError(() => unlinkSync(join(folder, historyFiles.ids, name)));
}

/** Reads all entries, newest first, and counts the unreadable lines. @throws Failure 'io' for a file that cannot be read */
export async function readHistory(folder: string): Promise<{
  readonly entries: readonly (HistoryEntry & { readonly id: string })[];
  readonly unreadable: number;
}> {
  // Loaded only here: a change writes the history without reading it.
  const { createHash } = await import('node:crypto');
  const lines = [historyFiles.before, historyFiles.now].flatMap((name) => readLastLines(join(folder, name)));
  const entries = lines.flatMap((line) => {
    const parsed = parseSafely(line);
    if ('wrong' in parsed || !isRecord(parsed.value)) return [];
    const { at, operation } = parsed.value;
    // Checks the two fields that are always needed; the rest is our own format.
    if (typeof at !== 'string' || typeof operation !== 'string') return [];
    // An entry without an ID gets one made from its line, which stays the same when others are added.
    const id = createHash('sha256').update(line).digest('hex').slice(0, 7);
    const { version: _version, as, about = '', ...entry } = parsed.value as unknown as WrittenEntry;
    const rows = entry.rows ? { ...unknownRows, ...entry.rows } : null;
    const error = typeof entry.error === 'string' ? { code: entry.error, status: entry.status ?? null } : entry.error;
    // "template template_001"
    const [, type = '', of = ''] = /^(?:(.*) )?(.*)$/s.exec(about) ?? [];
    const { account = as ?? null, subject = { type, id: of } } = entry;
    return { id, ...absentFields, ...entry, account, subject, rows, error: error ?? null };
  });
  return { entries: entries.reverse(), unreadable: lines.length - entries.length };
}

/** Checks that an existing history can be written. @throws Failure 'io' as `appendHistory` would */
export async function checkHistory(folder: string): Promise<void> {
  const path = await followOwnLink(join(folder, historyFiles.now));
  if (lstatSync(path, { throwIfNoEntry: false })) attemptTo('write', path, () => closeSync(openToAppend(path)));
}

/** Follows the user's own link. Loads the code for that only if there is a link. */
async function followOwnLink(path: string): Promise<string> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  const { followLinks } = await import('../files/private-file.ts');
  return followLinks(path);
}

function openToAppend(path: string): number {
  const { O_APPEND } = constants;
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return openNew(path, 0o600, O_APPEND);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error; // another command has just created it
  }
  return openToChange(path, O_APPEND);
}

function appendLine(path: string, line: string): void {
  const file = openToAppend(path);
  const stats = fstatSync(file);
  try {
    if ((stats.mode & 0o777) !== 0o600) setMode(file, 0o600);
    const last = Buffer.alloc(1);
    // A line that was cut by a full disk gets a line break, so that the next one starts on a line of its own.
    const isTorn = stats.size > 0 && readSync(file, last, 0, 1, stats.size - 1) === 1 && last[0] !== 0x0a;
    writeSync(file, `${isTorn ? '\n' : ''}${line}\n`);
    syncFile(file, fdatasyncSync);
  } finally {
    closeSync(file);
  }
}

/** Moves a full file away, under a lock, so that only one of several commands does. If others keep the lock, the file just grows. */
async function moveFullFileAway(path: string, world: StoreWorld): Promise<void> {
  const folder = dirname(path);
  try {
    // Rarely needed, and slow to load.
    const { lockOrContinue } = await import('./change-document.ts');
    const release = await lockOrContinue(() => folder, `file-${historyFiles.now}`, path, world, { wait: 2000 });
    try {
      if (isFull(path)) renameSync(path, join(folder, historyFiles.before));
    } finally {
      release();
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error;
  }
}

function isFull(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > largestFile || (size > smallestCounted && readLastLines(path).length >= mostChanges);
}

/** Reads the lines of a file, of a large one the last ones. */
function readLastLines(path: string): string[] {
  try {
    const opened = openRegular(path);
    if ('irregular' in opened) throw new Failure('io', `Could not read ${path}: it is a ${opened.irregular}.`);
    const { file, stats } = opened;
    try {
      const bytes = Buffer.alloc(Math.min(stats.size, 2 * largestFile));
      readSync(file, bytes, 0, bytes.length, stats.size - bytes.length);
      const lines = bytes.toString('utf8').split('\n');
      // The first line of a part may be cut.
      return lines.slice(bytes.length < stats.size ? 1 : 0).filter((line) => line.trim() !== '');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw fileFailure('read', path, error);
  }
}

/** The fields that lines of earlier versions lack. */
const unknownRows = { done: null, failed: null, skipped: null, notSent: null, unknown: null };
const absentFields = {
  ...{ tenant: null, tenantId: null, flow: null, looked: null, osUser: null, sudoUser: null, host: null },
  ...{ orgId: null, fields: [], rows: null, sha256: null, ids: null, status: null, error: null, requestId: null },
};

/** A line of the file. Early versions wrote `as` and `about` instead of `account` and `subject`. */
type WrittenEntry = HistoryEntry & { readonly version?: number; readonly as?: string; readonly about?: string };
