import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attemptTo } from './file-failure.ts';

/**
 * Creates a folder and those above it that are missing. Not with Node's `recursive`, which loops forever if a file system answers ENOENT
 * inside an existing folder, as /proc does.
 * @param mode of each new folder, regardless of the umask
 * @param check called before a folder is made in an existing one
 */
export function makeFolder(folder: string, mode?: number, check?: (folder: string, parent: string) => void): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent, mode, check);
  check?.(folder, parent);
  try {
    mkdirSync(folder, mode);
    if (mode !== undefined) chmodSync(folder, mode);
  } catch (error) {
    // Another process may have just created it.
    if (!isFolder(folder)) throw error;
  }
}

/** Creates a folder as `makeFolder` does. @throws Failure 'io' that says why it cannot be created */
export function createFolder(folder: string, mode?: number): void {
  attemptTo('create', folder, () => makeFolder(folder, mode));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
