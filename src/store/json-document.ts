import { fchmodSync, type Stats, statSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { codeOf, fileFailure, modeText } from '../files/file-failure.ts';
import { type RegularFile, readRegular } from '../files/open-regular.ts';
import { refuseForeign, warnIfWritable } from '../files/trust.ts';
import { parseSafely } from '../text/json.ts';
import { isRecord, type JsonRecord } from '../text/record.ts';
import { changeModeCommand, moveAsideCommand } from '../text/shell-lines.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import type { StoreWorld } from './folder.ts';

export type ShapeResult<T> = { readonly value: T } | { readonly wrong: string };

/** Replaces a file atomically. */
export type Writer<T> = { replace(path: string, content: T): void };

/** One file of the store: a JSON object with a `version`. */
export type JsonDocument<T> = {
  readonly path: string;
  readonly secret: boolean;
  /** The content of a missing file. */
  readonly empty: T;
  readonly shape: (whole: JsonRecord, version: number) => ShapeResult<T>;
  /** How the user can fix a broken file. */
  readonly fix: string;
  /** Loads the writer of the file; `writePrivately` by default. */
  loadWriter?(): Promise<Writer<T>>;
};

/** The state of a file: its version, and its value or the failure that says why there is none. */
export type DocumentState<T> = {
  readonly version: number;
  readonly content: { readonly value: T } | { readonly broken: Failure };
};

const largest = 16 * 1024 * 1024;

/**
 * The file's content; `empty` if there is no file. Fails as `io` if it cannot be read, parsed or trusted. Takes no lock.
 * @param quietly suppresses messages and leaves modes alone
 */
export function readDocument<T>(file: JsonDocument<T>, world: StoreWorld, quietly = false): T {
  const { content } = findDocument(file, world, quietly);
  if ('broken' in content) throw content.broken;
  return content.value;
}

/**
 * The same for callers that will replace the file. Refuses another user's file. Makes our own secret file private if others can read it, and warns
 * about that, as well as about a file that others can write to.
 * @param quietly suppresses messages and leaves modes alone
 */
export function findDocument<T>(file: JsonDocument<T>, world: StoreWorld, quietly = false): DocumentState<T> {
  const bytes = readBytes(file.path, ({ file: descriptor, stats }) => {
    refuseForeign(file.path, stats, world);
    if (quietly) return;
    if (file.secret) makePrivate(file.path, descriptor, stats, world);
    else warnIfWritable(file.path, stats, world);
  });
  if (!bytes) return { version: 1, content: { value: file.empty } };
  // A byte order mark is kept, because it is not valid JSON (RFC 8259 8.1).
  const text = decodeUtf8(bytes, 'keep');
  const parsed = text === undefined ? { wrong: 'it is not UTF-8 text' } : parseSafely(text);
  if ('wrong' in parsed) return { version: 1, content: { broken: broken(file, parsed.wrong) } };
  if (!isRecord(parsed.value)) return { version: 1, content: { broken: broken(file, 'it holds no JSON object') } };
  return understood(file, parsed.value);
}

function understood<T>(file: JsonDocument<T>, whole: JsonRecord): DocumentState<T> {
  const { version = 1 } = whole;
  if (typeof version !== 'number')
    return { version: 1, content: { broken: broken(file, '"version" is not a number') } };
  const shaped = file.shape(whole, version);
  return { version, content: 'wrong' in shaped ? { broken: broken(file, shaped.wrong) } : shaped };
}

function broken<T>({ path, fix }: JsonDocument<T>, wrong: string): Failure {
  return new Failure('io', `Could not use ${path}: ${wrong}.`, { hint: fix });
}

function readBytes(path: string, onOpen: (opened: RegularFile) => void): Buffer | undefined {
  try {
    // Checking for a missing file is faster than an error from opening it.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    const read = readRegular(path, { largest, onOpen });
    if ('bytes' in read) return read.bytes;
    const why = read.irregular === 'too large' ? 'it is larger than 16 MiB' : `it is a ${read.irregular}`;
    throw new Failure('io', `Could not read ${path}: ${why}.`, {
      hint: `Move it away: ${moveAsideCommand(path)}`,
    });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw fileFailure('read', path, error);
  }
}

function makePrivate(path: string, descriptor: number, found: Stats, { platform, warn }: StoreWorld): void {
  if (platform === 'win32' || (found.mode & 0o077) === 0) return;
  try {
    fchmodSync(descriptor, 0o600);
    warn(`Made ${path} private: its mode was ${modeText(found.mode)}, now it is 0600.`);
  } catch {
    warn(`Others can read ${path} (mode ${modeText(found.mode)}). Run: ${changeModeCommand('600', path)}`);
  }
}
