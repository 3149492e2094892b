import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { type Failure, usage } from '../failure.ts';
import { attemptTo, temporaryFailure } from '../files/file-failure.ts';
import { setMode } from '../files/file-system.ts';
import { type IrregularFile, openNew, openRegular, type RegularFile, statusAt } from '../files/open-regular.ts';
import { unreadableFailure } from '../text/failure-sentence.ts';

/** A file that rows are read from, as it was when it was opened. */
export type Source = {
  /** For messages: its path, or "standard input". */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** All bytes from the beginning, as often as needed, without what was appended after opening. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** SHA-256 of the bytes when they were last read to the end; undefined before that. */
  readonly digest: () => string | undefined;
  readonly file: () => number;
  /** Whether the path leads to this very file. */
  readonly isAt: (path: string) => boolean;
  readonly close: () => void;
};

/** In bytes. All rows of a piece are in memory at once, so larger pieces take memory and garbage collection. */
const pieceLength = 8 * 1024;

/** Opens a regular file. Reading throws usage if the file changes meanwhile. @throws usage if it is missing, not readable or not a regular file */
export function openSource(path: string): Source {
  let opened: RegularFile | IrregularFile;
  try {
    opened = openRegular(path);
  } catch (error) {
    throw unreadableFailure(path, error);
  }
  if ('file' in opened) return sourceOf(opened.file, path);
  throw usage(`${path} is not a regular file.`, 'Give a file, or - to read rows from standard input');
}

/** Copies a stream into a temporary file without a name, to read it twice. @throws the signal's reason, and io if the disk is full */
export async function spool(stream: Readable, name: string, signal: AbortSignal): Promise<Source> {
  const path = join(tmpdir(), `iiot-${randomBytes(16).toString('hex')}`);
  try {
    const file = openNew(path);
    unlinkSync(path);
    setMode(file, 0o600);
    for await (const chunk of addAbortSignal(signal, stream)) writeFileSync(file, chunk);
    return sourceOf(file, name);
  } catch (error) {
    throw signal.aborted ? signal.reason : temporaryFailure(`keep ${name} in`, path, error);
  }
}

function sourceOf(file: number, name: string): Source {
  const opened = fstatSync(file);
  let digest: string | undefined;
  let isOpen = true;
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    const hash = createHash('sha256');
    for (let at = 0; at < opened.size; ) {
      const buffer = Buffer.allocUnsafe(Math.min(pieceLength, opened.size - at));
      // Synchronous, without a stream: the file is local, and the rows of one piece keep us busy for a while.
      const length = attemptTo('read', name, () => readSync(file, buffer, 0, buffer.length, at));
      const chunk = buffer.subarray(0, length);
      const now = fstatSync(file);
      if (chunk.length === 0 || now.size !== opened.size || now.mtimeMs !== opened.mtimeMs) throw changedFailure(name);
      hash.update(chunk);
      at += chunk.length;
      yield chunk;
    }
    const found = hash.digest('hex');
    if (digest !== undefined && digest !== found) throw changedFailure(name);
    digest = found;
  }
  return {
    name,
    size: opened.size,
    bytes,
    digest: () => digest,
    file: () => file,
    isAt: (path) => {
      const found = statusAt(path);
      return found !== undefined && found.ino === opened.ino && found.dev === opened.dev;
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

function changedFailure(name: string): Failure {
  return usage(`${name} changed while it was being read.`, 'Try again when nothing is writing to it');
}
