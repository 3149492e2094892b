import { fchmodSync, statSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { codeOf, fileFailure } from '../files/file-failure.ts';
import { copyPathOf, type RegularFile, readRegular } from '../files/open-regular.ts';
import { makePrivate, refuseForeign, warnIfWritable } from '../files/trust.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord, type JsonRecord } from '../text/record.ts';
import { moveAsideCommand } from '../text/shell-lines.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { StoreWorld } from './folder.ts';

export type ShapeResult<T> = { readonly value: T } | { readonly wrong: string };

/** Replaces a file atomically. */
export type Writer<T> = { replace(path: string, content: T): void };

/** One file of the store: a JSON object with a `version`. */
export type JsonDocument<T> = {
  readonly path: string;
  readonly secret: boolean;
  readonly empty: T;
  readonly shape: (whole: JsonRecord, version: number) => ShapeResult<T>;
  readonly fix: string;
  /** Loads the writer of the file; `writePrivately` by default. */
  loadWriter?(): Promise<Writer<T>>;
};

/** The state of a file: its version, and its value or the failure that says why it cannot be used. */
export type DocumentState<T> = { readonly version: number } & ({ readonly value: T } | { readonly broken: Failure });

/** The maximum size, in bytes: a larger file is neither read nor written. */
export const largestDocument = 16 * 1024 * 1024;

/** Reads a file without a lock; `empty` if it is missing. @param quietly without messages and changes of modes @throws Failure 'io' if it cannot be used */
export function readDocument<T>(file: JsonDocument<T>, world: StoreWorld, quietly = false): T {
  const found = readDocumentState(file, world, quietly);
  if ('broken' in found) throw found.broken;
  return found.value;
}

/**
 * Reads a file as `readDocument` does, for callers that will replace it: a broken one is returned, not thrown. Makes a secret file private if others can
 * read it, and warns about that, as well as about a file that others can write to.
 */
export function readDocumentState<T>(file: JsonDocument<T>, world: StoreWorld, quietly = false): DocumentState<T> {
  const found = loadState(file, world, quietly);
  // A file that was being written in place has a copy by now, or is complete.
  return 'broken' in found ? loadState(file, world, quietly) : found;
}

function loadState<T>(file: JsonDocument<T>, world: StoreWorld, quietly: boolean): DocumentState<T> {
  const bytes = readContent(file.path, ({ file: descriptor, stats }) => {
    refuseForeign(file.path, stats, world);
    if (quietly) return;
    if (!file.secret) return warnIfWritable(file.path, stats, world);
    if (world.platform === 'win32' || (stats.mode & 0o077) === 0) return;
    world.warn(makePrivate(file.path, stats, '600', (mode) => fchmodSync(descriptor, mode)));
  });
  const broken = (wrong: string, version = 1) => ({
    version,
    broken: new Failure('io', `Could not use ${file.path}: ${wrong}.`, { hint: file.fix }),
  });
  if (!bytes) return { version: 1, value: file.empty };
  // A byte order mark is kept, because it is not valid JSON (RFC 8259 8.1).
  const text = decodeUtf8(bytes, 'keep');
  if (text === undefined) return broken('it is not UTF-8 text');
  const parsed = parseSafely(text);
  if ('wrong' in parsed) return broken(parsed.wrong);
  if (!isRecord(parsed.value)) return broken('it is not a JSON object');
  const { version = 1 } = parsed.value;
  if (typeof version !== 'number') return broken('"version" is not a number');
  const shaped = file.shape(parsed.value, version);
  return 'wrong' in shaped ? broken(shaped.wrong, version) : { version, ...shaped };
}

/** Reads the bytes of the copy that counts instead of the file, else of the file. Undefined if there is neither. */
export function readContent(path: string, onOpen?: (opened: RegularFile) => void): Buffer | undefined {
  return readBytesAt(copyPathOf(path), onOpen) ?? readBytesAt(path, onOpen);
}

function readBytesAt(path: string, onOpen?: (opened: RegularFile) => void): Buffer | undefined {
  try {
    // Checking for a missing file is faster than an error from opening it.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    const read = readRegular(path, { largest: largestDocument, ...(onOpen && { onOpen }) });
    if ('bytes' in read) return read.bytes;
    const why = read.irregular === 'too large' ? 'it is larger than 16 MiB' : `it is a ${read.irregular}`;
    const hint = `Move it away: ${moveAsideCommand(path)}`;
    throw new Failure('io', `Could not read ${path}: ${why}.`, { hint });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw fileFailure('read', path, error);
  }
}
