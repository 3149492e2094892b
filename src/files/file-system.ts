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

/** Whether an error says that the file system has no modes, or no sync to disk. Changing the mode of a file of this user fails for no other reason. */
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
