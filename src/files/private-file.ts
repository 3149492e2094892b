/** Files that only their owner may read, written whole or not at all. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, isAbsolute, sep } from 'node:path';
import { getuid } from 'node:process';
import { Failure } from '../failure.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { attemptTo, codeOf, fileFailure, modeText } from './file-failure.ts';
import { setMode, syncFile } from './file-system.ts';
import { copyPathOf, fileNamesIn, openNew, openToChange } from './open-regular.ts';
import { isAbandoned, newOwnerName, ownerOf } from './owner.ts';

const temporaryPrefix = '.iiot-';

/** A text or its parts, which are written one after the other: a long text need not be in memory at once. */
type Text = string | Uint8Array | Iterable<string>;

/**
 * Replaces the file at `path` with a text (UTF-8, mode 0600): at any moment, even after a power failure, either the old or the new file is
 * complete. A link is kept, and its target replaced, as `followLinks` allows.
 * @param inPlace writes a mount, which cannot be replaced, in place: for JSON documents whose readers look for a copy
 * @throws Failure 'io' for every error of the file system, and for a FIFO, a device or a folder
 */
export function writePrivately(path: string, text: Text, inPlace = false): void {
  closeSync(openPrivately(path, text, inPlace));
}

/** Replaces a file as `writePrivately` does, and returns its open descriptor, so that the caller can write more to it. */
export function openPrivately(path: string, text: Text, inPlace = false): number {
  const target = followLinks(path);
  const folder = dirname(target);
  refuseNonFile(target);
  const named = target === path ? path : `${path} (a link to ${target})`;
  const file = attemptTo('write', named, () => {
    const written = replace(target, text, 0o600, inPlace ? copyPathOf(path) : undefined);
    removeLeftovers(folder, fstatSync(written).mtimeMs);
    return written;
  });
  syncFolder(folder);
  return file;
}

/** More than a login can grow by, in bytes: two long tokens. */
const spareBytes = 16_384;

/** Reserves disk space to rewrite a file. Returns a function that frees it, right before writing. @throws Failure 'io' for a full disk or a read-only folder */
export function reserveSpace(path: string): () => void {
  const target = followLinks(path);
  refuseNonFile(target);
  const temporary = newTemporaryPath(dirname(target));
  attemptTo('write', path, () => {
    const size = lstatSync(target, { throwIfNoEntry: false })?.size ?? 0;
    // Random bytes, which no file system can compress.
    closeSync(writeNew(temporary, randomBytes(size + spareBytes)));
  });
  return () => tryToRemove(temporary);
}

/** Replaces a file that others may read, whole or not at all. It keeps its mode, and a new one gets `mode`. A link is replaced by the file. */
export function writeWhole(path: string, text: string, mode: number | 'umask' = 'umask'): void {
  attemptTo('write', path, () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isSymbolicLink()) refuseNonFile(path);
    closeSync(replace(path, text, found?.isFile() ? found.mode & 0o777 : mode));
  });
}

/** Creates a new file (mode 0600, synced with its folder). What is at `path`, even a link, is never overwritten: a `usage` failure. Other errors are `io`. */
export function createPrivate(path: string, text: Text = ''): void {
  try {
    closeSync(writeNew(path, text));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fileFailure('create', path, error);
    const hint = 'Choose another name, or remove it first.';
    throw new Failure('usage', `${path} already exists and is not overwritten.`, { hint });
  }
  syncFolder(dirname(path));
}

/** The last target of links, which need not exist. @throws Failure 'io' for a link in a folder that others can write to: they may have made it */
export function followLinks(path: string): string {
  let target = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const next = linkTarget(target);
    if (next === undefined) return target;
    refuseSharedFolder(target);
    target = next;
  }
  throw fileFailure('reach', path, Object.assign(new Error('too many links'), { code: 'ELOOP' }));
}

function linkTarget(path: string): string | undefined {
  try {
    const link = readlinkSync(path);
    return isAbsolute(link) ? link : pathIn(dirname(path), link);
  } catch (error) {
    // EINVAL (UNKNOWN on Windows): not a link. ENOENT: nothing there yet.
    if (['EINVAL', 'UNKNOWN', 'ENOENT'].includes(codeOf(error) ?? '')) return undefined;
    throw fileFailure('reach', path, error);
  }
}

function refuseSharedFolder(link: string): void {
  const { uid, mode } = statSync(dirname(link));
  const isOurs = uid === 0 || uid === getuid?.();
  if (platform() === 'win32' || (isOurs && (mode & 0o022) === 0)) return;
  const sentence = `${link} is a link in a folder that others can write to (mode ${modeText(mode)}), so it is not followed.`;
  throw new Failure('io', sentence, { hint: 'Remove the link, or use a folder that only you can write to' });
}

/** Refuses to write to a folder, a device or a pipe. A missing file is fine. @throws Failure 'io' */
export function refuseNonFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : found.isSymbolicLink() ? 'a link' : 'a device or a pipe';
  const hint = 'Choose another path.';
  throw new Failure('io', `Could not write ${path}: it is ${what}, not a file.`, { hint });
}

/** Writes a file that does not exist yet, syncs it, and returns it open. */
function writeNew(path: string, text: Text, mode: number | 'umask' = 0o600): number {
  const file = openNew(path, mode === 'umask' ? 0o666 : mode);
  try {
    if (mode !== 'umask') setMode(file, mode); // regardless of the umask
    const isWhole = typeof text === 'string' || text instanceof Uint8Array;
    for (const part of isWhole ? [text] : text) writeFileSync(file, part);
    syncFile(file);
    return file;
  } catch (error) {
    closeSync(file);
    tryToRemove(path);
    throw error;
  }
}

/** Replaces a file, and returns the new one open. @param copy path of a copy: if given, a file that cannot be replaced is written in place */
function replace(target: string, text: Text, mode: number | 'umask', copy?: string): number {
  const temporary = newTemporaryPath(dirname(target));
  const file = writeNew(temporary, text, mode);
  try {
    // While there is a copy, readers take it, so the file is written in place until the copy is removed.
    if (copy !== undefined && existsSync(copy) && existsSync(target)) writeOver(target, readFileSync(temporary), copy);
    else renamePatiently(temporary, target);
    if (copy !== undefined) tryToRemove(copy);
  } catch (error) {
    if (copy === undefined || codeOf(error) !== 'EBUSY') {
      closeSync(file);
      throw error;
    }
    writeOver(target, readFileSync(temporary), copy);
  } finally {
    tryToRemove(temporary);
  }
  return file;
}

/** Writes a file in place, after a copy: if the process is killed, one of the two is complete, and readers take the copy first. */
function writeOver(target: string, content: Uint8Array, copy: string): void {
  closeSync(openToChange(target)); // fails before a copy is made that readers would take
  growFile(target, content.length);
  closeSync(replace(copy, content, 0o600));
  syncFolder(dirname(copy));
  writeInto(target, content);
  tryToRemove(copy);
}

/** Makes a JSON document at least this long with line ends, so that a full disk is noticed before its content is changed. @throws the system's error */
function growFile(target: string, length: number): void {
  const file = openToChange(target, constants.O_APPEND);
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, '\n'.repeat(Math.max(0, length - size)));
    syncFile(file);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Writes a file in place, for a file that cannot be replaced. @throws the system's error */
export function writeInto(target: string, content: string | Uint8Array): void {
  const file = openToChange(target);
  try {
    setMode(file, 0o600);
    writeFileSync(file, content);
    ftruncateSync(file, Buffer.byteLength(content));
    syncFile(file);
  } finally {
    closeSync(file);
  }
}

// Windows refuses to replace a file while another process has it open.
function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const busy = platform() === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (!busy || attempt === 10) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Removes the temporary files of killed processes from a folder. @param now epoch milliseconds by the file system's clock */
export function removeLeftovers(folder: string, now: number): void {
  for (const name of fileNamesIn(folder)) {
    const owner = name.startsWith(temporaryPrefix) ? name.slice(temporaryPrefix.length) : '';
    if (!ownerOf(owner)) continue;
    const path = pathIn(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && isAbandoned(owner, found.mtimeMs, now)) tryToRemove(path);
  }
}

/** The path of a file in a folder. Not `join`, which shortens "link/..", although that is the parent of the link's target. */
function pathIn(folder: string, path: string): string {
  return `${folder}${sep}${path}`;
}

function newTemporaryPath(folder: string): string {
  return pathIn(folder, temporaryPrefix + newOwnerName());
}

/** Removes a file, and ignores any error, which must not hide an earlier one. */
export function tryToRemove(path: string): void {
  ignoreError(() => unlinkSync(path));
}

export function removeIfEmpty(folder: string): void {
  ignoreError(() => rmdirSync(folder));
}

/** Syncs the entries of a folder to disk, if the system can; its files are on disk already. */
export function syncFolder(folder: string): void {
  const opened = ignoreError(() => openSync(folder, 'r'));
  if (opened === undefined) return;
  ignoreError(() => fsyncSync(opened));
  closeSync(opened);
}
