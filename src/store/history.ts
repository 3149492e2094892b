/** The changes that this machine has made on platforms: a file of lines beside config.json, limited in size. */

import { closeSync, constants, fchmodSync, fdatasyncSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { openRegular } from '../files/open-regular.ts';
import { prepareFolder } from '../files/trust.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import type { StoreWorld } from './folder.ts';
import type { HistoryEntry } from './history-entry.ts';

/** Some five thousand changes; the previous file is kept as well. */
const largest = 1024 * 1024;
const names = { now: 'history.ndjson', before: 'history.1.ndjson' } as const;

/**
 * Appends a line in a single write, so that concurrent commands do not mix their lines.
 * @param folder of config.json
 * @throws Failure 'io' if it cannot be written
 */
export async function appendHistory(folder: string, entry: HistoryEntry, world: StoreWorld): Promise<void> {
  prepareFolder(folder, false, world);
  const path = join(folder, names.now);
  try {
    if (sizeOf(path) > largest) await makeRoom(path, world);
    append(path, JSON.stringify(entry));
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}

/** All entries, newest first, and the number of unreadable lines. @throws Failure 'io' for a file that cannot be read */
export async function readHistory(folder: string): Promise<{
  readonly entries: readonly (HistoryEntry & { readonly id: string })[];
  readonly unreadable: number;
}> {
  // Loaded here alone: a change writes the history, and reads none of it.
  const { createHash } = await import('node:crypto');
  const lines = [names.before, names.now].flatMap((name) => linesOf(join(folder, name)));
  const entries = lines.flatMap((line) => {
    const parsed = parseSafely(line);
    if ('wrong' in parsed || !isRecord(parsed.value)) return [];
    const { at, operation } = parsed.value;
    // Checks the two fields that are always needed; the rest is our own format.
    if (typeof at !== 'string' || typeof operation !== 'string') return [];
    // Its ID is its own, or made from its line, so that it stays the same as others are added.
    const id = createHash('sha256').update(line).digest('hex').slice(0, 7);
    const entry = parsed.value as unknown as HistoryEntry;
    return { id, ...missing, ...entry, rows: entry.rows && { ...unknownRows, ...entry.rows } };
  });
  return { entries: entries.reverse(), unreadable: lines.length - entries.length };
}

function append(path: string, line: string): void {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const opened = openRegular(path, O_RDWR | O_APPEND | O_CREAT);
  if ('irregular' in opened) throw new Failure('io', `Could not write ${path}: it is a device or a pipe.`);
  const { file, stats } = opened;
  try {
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(file, 0o600);
    const last = Buffer.alloc(1);
    // A line that was cut by a full disk gets a line break, so that the next one starts on a line of its own.
    const isTorn = stats.size > 0 && readSync(file, last, 0, 1, stats.size - 1) === 1 && last[0] !== 0x0a;
    writeSync(file, `${isTorn ? '\n' : ''}${line}\n`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Takes a lock, so that only one of several commands moves a full file away. Without the lock, it just writes on. */
async function makeRoom(path: string, world: StoreWorld): Promise<void> {
  const folder = dirname(path);
  try {
    // Rarely needed, and slow to load.
    const { lockOrContinue } = await import('./change-document.ts');
    const release = await lockOrContinue(() => folder, `file-${names.now}`, path, world, { wait: 2000 });
    try {
      if (sizeOf(path) > largest) renameSync(path, join(folder, names.before));
    } finally {
      release();
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The lines of a file, of a large one those at its end. */
function linesOf(path: string): string[] {
  try {
    const opened = openRegular(path);
    if ('irregular' in opened) throw new Failure('io', `Could not read ${path}: it is a ${opened.irregular}.`);
    const { file, stats } = opened;
    try {
      const bytes = Buffer.alloc(Math.min(stats.size, 4 * largest));
      readSync(file, bytes, 0, bytes.length, stats.size - bytes.length);
      const lines = bytes.toString('utf8').split('\n');
      // The first of a part may be cut.
      return lines.slice(bytes.length < stats.size ? 1 : 0).filter((line) => line.trim() !== '');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw fileFailure('read', path, error);
  }
}

/** What lines of an earlier version do not have. */
const unknownRows = { done: null, failed: null, skipped: null, notSent: null, unknown: null };
const missing = { tenant: null, tenantId: null, flow: null, looked: null };
