/** Opens files for writing, the only place to do so: a file that is made is new, and a link that somebody else may have put there is never followed. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { ignoreError } from '../text/ignore-error.ts';

export type RegularFile = { readonly file: number; readonly stats: Stats };

export type IrregularFile = { readonly irregular: 'folder' | 'device or a pipe' };

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** Opens a regular file, and closes anything else. Non-blocking: opening a named pipe without another end would hang. @throws the system's error */
export function openRegular(path: string, flags = O_RDONLY): RegularFile | IrregularFile {
  const file = openSync(path, flags | O_NONBLOCK);
  const stats = fstatSync(file);
  if (stats.isFile()) return { file, stats };
  closeSync(file);
  return { irregular: stats.isDirectory() ? 'folder' : 'device or a pipe' };
}

/** Opens an existing regular file for reading and writing. @param flags in addition @throws the system's error: ELOOP for a link */
export function openToChange(path: string, flags = 0): number {
  const opened = openRegular(path, O_RDWR | O_NOFOLLOW | flags);
  if ('file' in opened) return opened.file;
  throw Object.assign(new Error(opened.irregular), { code: opened.irregular === 'folder' ? 'EISDIR' : 'ENXIO' });
}

/** Creates a file for reading and writing. @param flags in addition @throws the system's error: EEXIST if anything has that name, even a broken link */
export function openNew(path: string, mode = 0o600, flags = 0): number {
  return openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | flags, mode);
}

/** Whether an open file still has this name. */
export function hasName(file: number, path: string): boolean {
  // Windows gives two numbers for one device.
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === fstatSync(file, { bigint: true }).ino;
}

/** The status of the file or folder at a path; undefined if it is missing, or if this user may not look into its folder. */
export function statusAt(path: string): Stats | undefined {
  return ignoreError(() => statSync(path, { throwIfNoEntry: false }));
}

/** The kind of a stream, which can be read only once: standard input, by any of its names, or a pipe such as the shell's <(…). Undefined for a file. */
export function streamAt(path: string): 'standard input' | 'pipe' | undefined {
  if (/^(-|\/dev\/(stdin|fd\/0))$/.test(path)) return 'standard input';
  return statusAt(path)?.isFIFO() ? 'pipe' : undefined;
}

type ReadLimits = {
  /** The maximum size in bytes. */
  readonly largest: number;
  /** Flags for opening instead of O_RDONLY. */
  readonly flags?: number;
  readonly onOpen?: (opened: RegularFile) => void;
};

/** Reads a whole regular file. @throws the system's error, and what `onOpen` throws */
export function readRegular(
  path: string,
  { largest, flags, onOpen }: ReadLimits,
): { readonly bytes: Buffer; readonly stats: Stats } | IrregularFile | { readonly irregular: 'too large' } {
  const opened = openRegular(path, flags);
  if ('irregular' in opened) return opened;
  const { file, stats } = opened;
  try {
    if (stats.size > largest) return { irregular: 'too large' };
    onOpen?.(opened);
    return { bytes: readFileSync(file), stats };
  } finally {
    closeSync(file);
  }
}

/** The path of the copy with the new content of a file that is written in place. Readers take the copy until the file is complete. */
export function copyPathOf(path: string): string {
  return `${path}.iiot-new`;
}

/** The names in a folder; empty if it cannot be listed: a folder may be writable but not readable. */
export function fileNamesIn(folder: string): string[] {
  return ignoreError(() => readdirSync(folder)) ?? [];
}
