/** Files that only their owner may read, written whole or not at all. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.ts';
import { codeOf, fileFailure } from './file-failure.ts';
import { isDead, ownerOf, ownersName } from './owner.ts';

const temporaryPrefix = '.iiot-';

/**
 * Writes a text (UTF-8, mode 0600) in place of what is at `path`: at any moment, a power cut included, the old or the new whole file
 * is there. A link is followed and kept, its target is replaced. Fails as `internal` with a sentence for every obstacle of the file
 * system; a FIFO, a device or a folder is refused at once.
 */
export function writePrivately(path: string, text: string): void {
  const target = followLinks(path);
  const folder = dirname(target);
  refuseWhatIsNoFile(target);
  const temporary = join(folder, temporaryPrefix + ownersName());
  try {
    const now = writeNew(temporary, text);
    replace(temporary, target);
    sweep(folder, now);
  } catch (error) {
    throw fileFailure('write', target === path ? path : `${path} (a link to ${target})`, error);
  }
  syncFolder(folder);
}

/** More than a login grows by: a long token, and another one. */
const spare = 16_384;

/**
 * Takes the room on disk that writing `path` anew will need, and gives what lets it go, right before the writing. A full disk, a quota, a
 * folder that cannot be written: all of them fail here, as `internal`, before something is done that has to be kept.
 */
export function takeRoom(path: string): () => void {
  const target = followLinks(path);
  refuseWhatIsNoFile(target);
  const temporary = join(dirname(target), temporaryPrefix + ownersName());
  try {
    const size = lstatSync(target, { throwIfNoEntry: false })?.size ?? 0;
    // Bytes that no file system leaves out.
    writeNew(temporary, randomBytes(size + spare));
  } catch (error) {
    throw fileFailure('write', path, error);
  }
  return () => remove(temporary);
}

/**
 * The same for a file that others may read: its mode stays, and a new one has what the umask leaves. A link is not followed: what
 * leads elsewhere is replaced by the file.
 */
export function writeWhole(path: string, text: string): void {
  const temporary = join(dirname(path), temporaryPrefix + ownersName());
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isSymbolicLink()) refuseWhatIsNoFile(path);
    writeNew(temporary, text, found?.isFile() ? found.mode & 0o777 : 'umask');
    replace(temporary, path);
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}

/** Puts a folder on disk whose files were written with {@link writeWhole}, and removes what killed writers left there. */
export function settleFolder(folder: string, now: number): void {
  sweep(folder, now);
  syncFolder(folder);
}

/**
 * Makes a file that was not there (mode 0600, on disk with its folder entry when this returns) and puts `text` into it. What stands
 * at `path`, a link included, is never written over: that is a `usage` failure. Other obstacles are `internal`.
 */
export function createPrivate(path: string, text = ''): void {
  try {
    writeNew(path, text);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fileFailure('create', path, error);
    throw new Failure('usage', `${path} already exists and is not overwritten.`, {
      hint: 'Choose another name, or remove it first.',
    });
  }
  syncFolder(dirname(path));
}

/** Where a path leads when its last part is a link, or a link to a link; the end need not exist. */
export function followLinks(path: string): string {
  let target = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const next = nextOf(target);
    if (next === undefined) return target;
    target = next;
  }
  throw fileFailure('reach', path, Object.assign(new Error('too many links'), { code: 'ELOOP' }));
}

function nextOf(path: string): string | undefined {
  try {
    // The folder's true path first: `..` in a link counts from there.
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch (error) {
    // EINVAL (UNKNOWN on Windows): no link. ENOENT: nothing there yet.
    if (['EINVAL', 'UNKNOWN', 'ENOENT'].includes(codeOf(error) ?? '')) return undefined;
    throw fileFailure('reach', path, error);
  }
}

/** Refuses a folder, a device or a pipe where a file is to be written; what is not there yet is fine. */
export function refuseWhatIsNoFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : 'a device or a pipe';
  throw new Failure('internal', `Could not write ${path}: it is ${what}, not a file.`, {
    hint: 'Choose another path.',
  });
}

// Gives the time of the write by the file system's own clock, in epoch milliseconds.
function writeNew(path: string, text: string | Buffer, mode: number | 'umask' = 0o600): number {
  const file = openSync(path, 'wx', mode === 'umask' ? 0o666 : mode);
  try {
    if (mode !== 'umask') fchmodSync(file, mode); // whatever the umask took away
    writeFileSync(file, text);
    fsyncSync(file);
    return fstatSync(file).mtimeMs;
  } catch (error) {
    remove(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function replace(temporary: string, target: string): void {
  try {
    renamePatiently(temporary, target);
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

// Windows refuses to replace a file in the moment in which somebody has it open.
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

/** Removes from a folder what writers left that were killed in the middle. `now` is epoch milliseconds by the file system's clock. */
export function sweep(folder: string, now: number): void {
  for (const name of namesIn(folder)) {
    const owner = name.startsWith(temporaryPrefix) ? name.slice(temporaryPrefix.length) : '';
    if (!ownerOf(owner)) continue;
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && isDead(owner, found.mtimeMs, now)) remove(path);
  }
}

/** The names in a folder; none where it cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it can be written, though not listed
  }
}

/** Removes a file, if it is there and can be removed. */
export function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already; and a failure of this must not hide the one that led here.
  }
}

/** Brings the entries of a folder to the disk. */
export function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Some systems cannot sync a folder; the file itself is on disk.
  }
}

/**
 * Proves that a file can be written where a path leads, and leaves nothing behind.
 * @throws Failure 'internal'
 */
export function probeFile(path: string): void {
  const probe = join(dirname(followLinks(path)), `.iiot-${ownersName()}`);
  try {
    const file = openSync(probe, 'wx', 0o600);
    try {
      writeSync(file, Buffer.alloc(4096));
      fsyncSync(file);
    } finally {
      closeSync(file);
      unlinkSync(probe);
    }
  } catch (error) {
    throw fileFailure('write', path, error);
  }
}
