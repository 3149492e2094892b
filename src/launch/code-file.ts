/** A file of compiled code: read where it is ours and whole, written whole or not at all. */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

/** The code of each file of the bundle by its name. */
type Codes = ReadonlyMap<string, Uint8Array>;

const largest = 64 * 1024 * 1024;

/** The checksum as hexadecimal digits, and a blank. */
const checksumLength = 9;

/**
 * The codes that a file holds; undefined where it is somebody else's, where others may write to it, where it is no file, and where it is not what was
 * written. V8 runs what it is given unchecked.
 * @throws what the file system says
 */
export function readCodes(path: string, process: NodeJS.Process): Codes | undefined {
  // What is judged is what is read: the path may lead elsewhere in the next moment.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > largest || !isOurs(found, process)) return undefined;
    return unpacked(readFileSync(file), process);
  } finally {
    closeSync(file);
  }
}

/**
 * Puts the codes in place of what is there, whoever else writes it and whatever happens meanwhile.
 * @returns when, in epoch milliseconds by the clock of the file system
 */
export function writeCodes(path: string, codes: Codes, process: NodeJS.Process): number {
  const making = `${path}.${process.pid}`;
  const file = openSync(making, 'wx', 0o600);
  let now: number;
  try {
    writeFileSync(file, packed(codes, process));
    fdatasyncSync(file);
    now = fstatSync(file).mtimeMs;
  } catch (error) {
    unlinkSync(making);
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(making, path);
  return now;
}

/** Whether it belongs to the user of this process, and nobody else may write to it. */
export function isOurs({ uid, mode }: Stats, { getuid }: NodeJS.Process): boolean {
  return !getuid || (uid === getuid() && (mode & 0o022) === 0);
}

/** A line with the checksum of what follows it and the size of each file's code, in JSON; then the code itself. */
function packed(codes: Codes, process: NodeJS.Process): Buffer {
  const sizes = Object.fromEntries([...codes].map(([name, { length }]) => [name, length]));
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...codes.values()]);
  return Buffer.concat([Buffer.from(`${checksumOf(content, process)} `), content]);
}

function unpacked(bytes: Buffer, process: NodeJS.Process): Codes | undefined {
  const content = bytes.subarray(checksumLength);
  if (bytes.toString('latin1', 0, checksumLength) !== `${checksumOf(content, process)} `) return undefined;
  const codes = new Map<string, Uint8Array>();
  let at = content.indexOf(10) + 1;
  const sizes = JSON.parse(content.toString('latin1', 0, at)) as Record<string, number>; // written by `packed`
  for (const [name, size] of Object.entries(sizes)) {
    codes.set(name, content.subarray(at, at + size));
    at += size;
  }
  return codes;
}

/** The module is loaded here: what is answered from text has no use for it. */
function checksumOf(content: Buffer, { getBuiltinModule }: NodeJS.Process): string {
  return getBuiltinModule('node:zlib').crc32(content).toString(16).padStart(8, '0');
}
