/** Files that only their owner may read, written whole or not at all. */
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

/**
 * Makes a file that was not there (mode 0600, on disk with its folder entry when this returns) and puts `text` into it. What stands
 * at `path`, a link included, is never written over: that is a `usage` failure. Other obstacles are `internal`.
 */
export function createPrivate(path: string, text = ''): void {
  try {
    writeNew(path, text);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw fileFailure('create', path, error);
    throw new Failure('usage', `${path} exists already, and is not written over.`, {
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

function refuseWhatIsNoFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : 'a device or a pipe';
  throw new Failure('internal', `Could not write ${path}: it is ${what}, not a file.`, {
    hint: 'Choose another path.',
  });
}

// Gives the time of the write by the file system's own clock, in epoch milliseconds.
function writeNew(path: string, text: string): number {
  const file = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600); // whatever the umask took away
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it can be written, though not listed
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already; and a failure of this must not hide the one that led here.
  }
}

function syncFolder(folder: string): void {
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
