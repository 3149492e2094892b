import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it that are missing. Not with Node's `recursive`, which loops forever if a file system answers ENOENT
 * inside an existing folder, as /proc does.
 */
export function makeFolder(folder: string, mode?: number): void {
  const parent = dirname(folder);
  if (parent !== folder && !isFolder(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // It may be there already, and another process may have just created it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
