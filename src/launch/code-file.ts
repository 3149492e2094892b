/** A file of compiled code: written atomically, and read only if it is complete and the user's own. */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { openNew, readRegular } from '../files/open-regular.ts';

type CompiledCode = ReadonlyMap<string, Uint8Array>;

const largest = 64 * 1024 * 1024;

/** Eight hexadecimal digits and a space. */
const checksumLength = 9;

/** Reads code, which V8 runs unverified: undefined if the file is not the user's own and complete. @throws the file system's error */
export function readCodes(path: string, process: NodeJS.Process): CompiledCode | undefined {
  const read = readRegular(path, { largest, flags: constants.O_NOFOLLOW ?? 0 });
  return 'bytes' in read && isOurs(read.stats, process) ? parseCodes(read.bytes, process) : undefined;
}

/** Replaces the file atomically, even if other processes write it too. @returns the time, in epoch milliseconds by the clock of the file system */
export function writeCodes(path: string, codes: CompiledCode, process: NodeJS.Process): number {
  const temporary = `${path}.${process.pid}`;
  const file = openNew(temporary);
  let writtenAt: number;
  try {
    writeFileSync(file, serializeCodes(codes, process));
    fdatasyncSync(file);
    writtenAt = fstatSync(file).mtimeMs;
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  return writtenAt;
}

/** Whether the file belongs to the user of this process, and nobody else can write to it. */
export function isOurs({ uid, mode }: Stats, { getuid }: NodeJS.Process): boolean {
  return !getuid || (uid === getuid() && (mode & 0o022) === 0);
}

/** The checksum of all that follows, a line of JSON with the size of each file's code, and the code itself. */
function serializeCodes(codes: CompiledCode, process: NodeJS.Process): Buffer {
  const sizes = Object.fromEntries([...codes].map(([name, { length }]) => [name, length]));
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...codes.values()]);
  return Buffer.concat([Buffer.from(`${checksumOf(content, process)} `), content]);
}

function parseCodes(bytes: Buffer, process: NodeJS.Process): CompiledCode | undefined {
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

/** Loads the module only now, because a run that is answered from a text does not need it. */
function checksumOf(content: Buffer, { getBuiltinModule }: NodeJS.Process): string {
  return getBuiltinModule('node:zlib').crc32(content).toString(16).padStart(8, '0');
}
