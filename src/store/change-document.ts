import { existsSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../failure.ts';
import { attemptTo, codeOf } from '../files/file-failure.ts';
import { type LockWait, takeLock } from '../files/lock.ts';
import { copyPathOf } from '../files/open-regular.ts';
import { followLinks, reserveSpace, tryToRemove, writeInto, writePrivately } from '../files/private-file.ts';
import { prepareFolder, refuseUnsafe } from '../files/trust.ts';
import type { StoreWorld } from './folder.ts';
import {
  type DocumentState,
  type JsonDocument,
  largestDocument,
  readContent,
  readDocument,
  readDocumentState,
  type Writer,
} from './json-document.ts';

/** In milliseconds. A change takes a few; a process that holds the file for this long is suspended. */
const longestLockWait = 20_000;

/** How a change treats a broken file: as an error, by renaming it to `<name>.broken-<epoch ms>` with a message, or by overwriting it. */
export type OnBroken = 'fail' | 'set aside' | 'discard';

/** Changes the content of a file under its lock, and returns the new one. @throws Failure 'io', also for a file of a newer version, which is never overwritten */
export async function changeDocument<T extends object>(
  file: JsonDocument<T>,
  world: StoreWorld,
  change: (content: T) => T,
  onBroken: OnBroken,
): Promise<T> {
  const folder = dirname(file.path);
  prepareFolder(folder, file.secret, world);
  const contentOrSetAside = (found: DocumentState<T>) => {
    if ('value' in found) return found.value;
    if (onBroken === 'fail') throw found.broken;
    if (onBroken === 'discard') return file.empty;
    const aside = `${followLinks(file.path)}.broken-${world.now()}`;
    attemptTo('set aside', file.path, () => renameSync(followLinks(file.path), aside));
    tryToRemove(copyPathOf(file.path));
    world.warn(`${found.broken.message} Kept it as ${aside} and created a new one.`);
    return file.empty;
  };
  // Loaded before the lock is taken, because others would wait for it.
  const writer = (await file.loadWriter?.()) ?? jsonWriter;
  return runUnderLock(file.path, world, () => {
    // Synchronous from reading to renaming: if the process is killed, no thread is still in the middle of a write.
    const found = readDocumentState(file, world);
    refuseNewer(file, found);
    const before = contentOrSetAside(found);
    const after = { ...before, ...change(before), version: 1 };
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    refuseUnsafe(dirname(followLinks(file.path)), file.secret, world); // a link may lead into a folder with another owner and mode
    // The 1024 bytes are for fields that conf adds.
    if (Buffer.byteLength(JSON.stringify(after, undefined, 2)) >= largestDocument - 1024) {
      const sentence = `Could not write ${file.path}: it would be larger than 16 MiB, and could not be read any more.`;
      throw new Failure('io', sentence, { hint: 'Remove what is not needed: iiot profiles delete, or iiot logout' });
    }
    writer.replace(file.path, after);
    return readDocument(file, world);
  });
}

/**
 * Checks that a file of the store can be written, by writing its present content, and reserves disk space for a later change.
 * @returns frees the space, right before the change
 * @throws Failure 'io' as `changeDocument` would
 */
export async function reserveSpaceFor<T>(file: JsonDocument<T>, world: StoreWorld): Promise<() => void> {
  prepareFolder(dirname(file.path), file.secret, world);
  refuseUnsafe(dirname(followLinks(file.path)), file.secret, world);
  return runUnderLock(file.path, world, () => {
    refuseNewer(file, readDocumentState(file, world));
    const content = readContent(file.path);
    if (content) writePrivately(file.path, content, true);
    return reserveSpace(file.path);
  });
}

/** Changes a file in place and without a lock, to remove a secret although the folder cannot be written. @throws Failure 'io' */
export function changeInPlace<T>(file: JsonDocument<T>, world: StoreWorld, change: (content: T) => T): void {
  refuseNewer(file, readDocumentState(file, world));
  const content = `${JSON.stringify(change(readDocument(file, world)), undefined, 2)}\n`;
  attemptTo('write', file.path, () => writeInto(followLinks(file.path), content));
  tryToRemove(copyPathOf(file.path));
}

/** Removes a file of the store under its lock, and returns whether there was one. Of a link it removes the target. A file that cannot be removed is emptied. */
export async function removeDocument<T>(file: JsonDocument<T>, world: StoreWorld): Promise<boolean> {
  const target = followLinks(file.path);
  tryToRemove(copyPathOf(file.path));
  if (!existsSync(target)) return false;
  return runUnderLock(file.path, world, () => {
    try {
      unlinkSync(target);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      attemptTo('remove', file.path, () => writeInto(target, `${JSON.stringify(file.empty)}\n`));
    }
    return true;
  });
}

/**
 * Takes a lock of the store in `folder`, and returns the function that releases it. If the lock cannot be written, warns and continues without a lock:
 * after any error of the file system, or with `strictly` only for a lack of permission.
 */
export async function lockOrContinue(
  folder: () => string,
  key: string,
  resource: string,
  world: StoreWorld,
  waiting: LockWait & { readonly strictly?: boolean },
): Promise<() => void> {
  try {
    const locks = join(folder(), 'locks');
    prepareFolder(folder(), false, world);
    prepareFolder(locks, false, world);
    // A caller with `onWait` shows its own message.
    const end = waiting.onWait ? undefined : world.wait?.(`Waiting for another iiot process: ${basename(resource)}`);
    const { release } = await takeLock(locks, key, resource, { ...waiting, sparesStopped: true }).finally(end);
    return release;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'io') throw error;
    const code = codeOf(error.cause);
    if (waiting.strictly && code !== undefined && !['EROFS', 'EACCES', 'EPERM'].includes(code)) throw error;
    world.warn(
      `${error.message} Continuing without a lock: commands that run at the same time may interfere with each other.`,
    );
    return () => {};
  }
}

async function runUnderLock<T>(path: string, world: StoreWorld, work: () => T): Promise<T> {
  const waiting = { wait: longestLockWait, strictly: true };
  const release = await lockOrContinue(() => dirname(path), `file-${basename(path)}`, path, world, waiting);
  try {
    return work();
  } finally {
    release();
  }
}

function refuseNewer<T>({ path }: JsonDocument<T>, { version }: DocumentState<T>): void {
  if (version <= 1) return;
  const sentence = `Could not write ${path}: a newer iiot wrote it (version ${version}, this one knows 1), and some of its data would be lost.`;
  throw new Failure('io', sentence, { hint: 'Update iiot, or set IIOT_CONFIG_DIR to another folder.' });
}

const jsonWriter: Writer<object> = {
  replace: (path, content) => writePrivately(path, `${JSON.stringify(content, undefined, 2)}\n`, true),
};
