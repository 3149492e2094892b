/** Reads files of certificates and keys, and names them in messages. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { unreadableFailure } from '../text/failure-sentence.ts';

/** The path of a file, and its source: "--ca-file", "IIOT_CA_FILE", "profile default". */
export type NamedFile = { readonly value: string; readonly from: string };

/** The file's name for the beginning of a sentence. */
export function nameOf({ value, from }: NamedFile): string {
  return from.startsWith('--') ? `${from} ${value}` : `The file ${value} (from ${from})`;
}

/** The file's name for the middle of a sentence. */
export function nameWithin(file: NamedFile): string {
  return nameOf(file).replace(/^The/, 'the');
}

/** Reads a file as Latin-1. @throws usage with the name of the file */
export function readNamed(file: NamedFile, hint: string): string {
  try {
    return readLatin1(file.value);
  } catch (error) {
    throw unreadableFailure(nameOf(file), error, hint);
  }
}

const mostBytes = 8 * 1024 * 1024;

/** Reads a file as Latin-1, up to 8 MiB, because a device may never end. @throws the system's error */
export function readLatin1(path: string): string {
  // Non-blocking: a named pipe without a writer would block for ever, and signals with it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(file).isFIFO()) throw Object.assign(new Error('a pipe'), { code: 'it is a pipe' });
    const chunks: Buffer[] = [];
    for (let size = 0; size < mostBytes; ) {
      const chunk = Buffer.alloc(65_536);
      const count = readSync(file, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    return Buffer.concat(chunks).toString('latin1');
  } finally {
    closeSync(file);
  }
}

export function certificatesOf(text: string): string[] {
  return (
    text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g) ?? []
  );
}

/** The first private key of a text, encrypted or not. */
export function privateKeyOf(text: string): string | undefined {
  return /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:(?!-----)[\s\S])+?-----END (?:[A-Z]+ )?PRIVATE KEY-----/.exec(
    text,
  )?.[0];
}
