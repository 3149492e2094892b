/** Operations that some file systems lack, such as those of SMB, FAT and FUSE: setting a file's mode, and a sync to disk. */
import { fchmodSync, fsyncSync } from 'node:fs';
import { codeOf } from './file-failure.ts';

/** Sets the mode of an open file of this user, if its file system keeps modes. */
export function setMode(file: number, mode: number): void {
  ifSupported(() => fchmodSync(file, mode));
}

export function syncFile(file: number, sync = fsyncSync): void {
  ifSupported(() => sync(file));
}

/** Whether a sync, or a change of the mode of this user's own file, has failed because the file system does not support it. */
export function isUnsupported(error: unknown): boolean {
  return ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error) ?? '');
}

/** Runs a step, and ignores that the file system does not support it. */
export function ifSupported(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}
