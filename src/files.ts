import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Context } from './context.ts';
import { Failure, usage } from './failure.ts';

/** The most that a file of values may hold: .NET's servers take bodies of 30,000,000 bytes. */
const largest = 28 * 1024 * 1024;

/**
 * The text of a file that an option names; `-` is standard input.
 * @param option as the person typed it, for the sentence
 * @throws a usage failure for what is missing, no file, too large or not UTF-8
 */
export async function readText(
  path: string,
  option: string,
  context: Pick<Context, 'world' | 'input'>,
): Promise<string> {
  const bytes = path === '-' ? await context.input.take(option) : readBytes(path, option);
  return decode(bytes, path === '-' ? 'standard input' : path, option);
}

function readBytes(path: string, option: string): Buffer {
  try {
    // Not blocking: a named pipe without a writer would keep us waiting for ever.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = fstatSync(file);
      if (!status.isFile())
        throw usage(`${option} ${path} is no regular file.`, 'Give a file, or - for standard input');
      if (status.size > largest) throw usage(`${option} ${path} is larger than 28 MiB, which no platform takes.`);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Failure('usage', `${option} ${path} cannot be read: ${reasons[code] ?? code}.`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  ENOTDIR: 'there is no such folder',
  ELOOP: 'its links go round in circles',
};

/** UTF-8 without its byte order mark. Wrong bytes are refused, never replaced. */
export function decode(bytes: Uint8Array, name: string, option: string): string {
  refuseOtherKinds(bytes, `${option}: ${name}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('usage', `${option}: ${name} is not UTF-8, from byte ${firstWrongByte(bytes)} on.`, {
      hint: 'Convert it with iconv -t UTF-8',
      cause,
    });
  }
}

/**
 * Knows by their first bytes the kinds of files that people take for texts in UTF-8.
 * @param name begins the sentence
 * @throws usage with the command that makes a text of it
 */
export function refuseOtherKinds([first, second]: Uint8Array, name: string): void {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw usage(`${name} is UTF-16; it has to be UTF-8.`, 'Convert it with: iconv -f UTF-16 -t UTF-8');
  }
  if (first === 0x1f && second === 0x8b) {
    throw usage(`${name} is compressed with gzip.`, 'Read it with: gunzip -c FILE | iiot … -');
  }
}

function firstWrongByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  const decodes = (length: number) => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false; // what we look for
    }
  };
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodes(middle)) good = middle;
    else bad = middle;
  }
  // A sequence that was cut by the wrong byte is wrong from its own first byte on.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return Buffer.byteLength(decoder.decode(bytes.subarray(0, good), { stream: true }));
}
