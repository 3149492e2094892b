import { Failure } from '../failure.ts';
import { showRightsCommand } from '../text/shell-lines.ts';

const checkOwner = 'Check who owns it and its folders';

const obstacles: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space there, then run the command again.'],
  EDQUOT: ['your disk quota is used up', 'Free some space there, then run the command again.'],
  EFBIG: ['the file size limit is reached', 'Raise the limit: ulimit -f unlimited'],
  EROFS: ['the file system is read-only', 'Choose a writable place, for example with IIOT_CONFIG_DIR.'],
  EACCES: ['permission denied', checkOwner],
  EPERM: ['the system does not permit it', 'Check who owns it, and whether it is immutable (lsattr)'],
  ENOENT: ['its folder does not exist', 'Create the folder first, or choose another place.'],
  ENOTDIR: ['a part of its path is not a folder', 'Choose another place, for example with IIOT_CONFIG_DIR.'],
  EEXIST: ['something else has that name', 'Choose another name, or remove what is there.'],
  EISDIR: ['it is a folder', 'Choose another name, or remove the folder.'],
  ENAMETOOLONG: ['its path is too long', 'Choose a shorter one; IIOT_CONFIG_DIR names the folder.'],
  ELOOP: ['it is a link, or its links form a loop', 'Remove the link.'],
  ENXIO: ['it is a device or a pipe', 'Choose another name.'],
  EBUSY: ['it is in use or a mount', 'If it is a mount, mount its folder instead.'],
  EIO: ['the disk reports an error', 'Check the disk; IIOT_CONFIG_DIR names another place.'],
  EMFILE: ['too many files are open', 'Raise the limit: ulimit -n 1024'],
  ENFILE: ['too many files are open on this machine', 'Run the command again later.'],
};

/** The `io` failure for an error of the file system: "Could not <action> <path>: <why>." @throws any other error, which is a bug, as it is */
export function fileFailure(action: string, path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (code === undefined) throw error;
  const [why, hint] = obstacles[code] ?? [`the system answered ${code}`, 'Run: iiot doctor'];
  const fullHint = hint.startsWith('Check who') ? `${hint}: ${showRightsCommand(path)}` : hint;
  return new Failure('io', `Could not ${action} ${path}: ${why}.`, { hint: fullHint, cause: error });
}

/** The `io` failure for a file or folder in the system's folder for temporary files. */
export function temporaryFailure(action: string, path: string, error: unknown): Failure {
  return fileFailure(action, path, error).with({ hint: 'Set TMPDIR to a folder that is writable and has free space.' });
}

/** Runs a step that reads or writes files, and returns its result. @throws its error as `fileFailure` puts it */
export function attemptTo<T>(action: string, path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw fileFailure(action, path, error);
  }
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A mode in octal: 0644. */
export function modeText(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`;
}
