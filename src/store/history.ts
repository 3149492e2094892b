/** The changes that this machine has made on platforms: a file of lines beside config.json, limited in size. */

import { closeSync, constants, fchmodSync, fdatasyncSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, type FailureKind } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { openRegular } from '../files/open-regular.ts';
import { prepareFolder } from '../files/trust.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord } from '../text/record.ts';
import type { StoreWorld } from './folder.ts';

/** One change: what was changed and with which outcome; names of fields, but no values and no secrets. */
export type HistoryEntry = {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly profile: string;
  /** Account or client ID, if known. */
  readonly account: string | null;
  readonly baseUrl: string;
  /** Path and ID of the tenant as far as they are known, and how the command was logged in: null in what an earlier version has written. */
  readonly tenant: string | null;
  readonly tenantId: string | null;
  readonly flow: string | null;
  readonly orgId: string | null;
  /** "templates.update" */
  readonly operation: string;
  readonly subject: Subject;
  /** "delay", "notification.channelIds". */
  readonly fields: readonly string[];
  /** Of a run of rows: how many, the SHA-256 of their file, and the IDs of those that were changed or may have been, the first thousand. */
  readonly rows: RowsOfRun | null;
  readonly sha256: string | null;
  readonly ids: readonly string[] | null;
  readonly outcome: (typeof outcomes)[number];
  /** The status of the platform's response. */
  readonly status: number | null;
  readonly error: { readonly code: FailureKind; readonly status: number | null } | null;
  readonly requestId: string | null;
};

/**
 * 'unknown': it may have been applied, but no response confirms it. Of runs of rows: 'partial' if not all are done, 'running' before their end, and
 * 'interrupted' for one whose process was killed.
 */
export const outcomes = ['done', 'failed', 'unknown', 'partial', 'running', 'interrupted'] as const;

/** The rows of a run: `unknown` may have been applied. Null where nothing tells, as for a killed run without a journal. */
type RowsOfRun = { readonly [K in 'done' | 'failed' | 'unknown']: number | null } & { readonly total: number };

/** How many IDs an entry has of a run of rows. */
export const mostIds = 1000;

/** What was changed: `{type: 'template', id: 'template_001'}`. What has no ID yet has its name. */
export type Subject = { readonly type: string; readonly id: string };

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
  const entries = lines.map((line) => entryOf(line, createHash)).filter((entry) => entry !== undefined);
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
const unknownRows = { done: null, failed: null, unknown: null };
const unknownPlace = { tenant: null, tenantId: null, flow: null };

/** Its ID is its own, or made from its line, so that it stays the same as others are added. */
function entryOf(
  line: string,
  createHash: typeof import('node:crypto').createHash,
): (HistoryEntry & { readonly id: string }) | undefined {
  const parsed = parseSafely(line);
  if ('wrong' in parsed || !isRecord(parsed.value)) return undefined;
  const { at, operation } = parsed.value;
  // Checks the two fields that are always needed; the rest is our own format.
  const isEntry = typeof at === 'string' && typeof operation === 'string';
  const id = createHash('sha256').update(line).digest('hex').slice(0, 7);
  if (!isEntry) return undefined;
  const entry = parsed.value as unknown as HistoryEntry;
  return { id, ...unknownPlace, ...entry, rows: entry.rows && { ...unknownRows, ...entry.rows } };
}
