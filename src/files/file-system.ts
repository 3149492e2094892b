/** What some file systems lack, such as those of SMB, FAT and FUSE: modes of files, and a sync to disk. */
import { fchmodSync, fsyncSync } from 'node:fs';
import { codeOf } from './file-failure.ts';

/** Sets the mode of an open file of ours, where its file system keeps modes. */
export function setMode(file: number, mode: number): void {
  ifSupported(() => fchmodSync(file, mode));
}

export function syncFile(file: number, sync = fsyncSync): void {
  ifSupported(() => sync(file));
}

/** Whether a sync, or a change of the mode of what is ours, has failed because the file system has none. */
export function isUnsupported(error: unknown): boolean {
  return ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '');
}

/** Takes a step that the file system may lack. */
export function ifSupported(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}
