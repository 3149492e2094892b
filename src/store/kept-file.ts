import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { Failure } from '../failure.ts';
import { codeOf, fileFailure, modeText, quoted } from './file-failure.ts';
import type { StoreWorld } from './folder.ts';
import { isObject, type JsonObject, parseJson } from './safe-json.ts';

export type Shaped<T> = { readonly value: T } | { readonly wrong: string };

/** One file of the store: a JSON object with a `version`. */
export type KeptFile<T> = {
  readonly path: string;
  readonly secret: boolean;
  /** What stands for a file that is not there. */
  readonly empty: T;
  readonly shape: (whole: JsonObject, version: number) => Shaped<T>;
  /** What the person does about a broken one. */
  readonly mend: string;
};

/** A file's meaning, or meaning, or the failure that says why there is none. */
export type Found<T> = {
  readonly version: number;
  readonly content: { readonly value: T } | { readonly broken: Failure };
};

const largest = 16 * 1024 * 1024;

/** The file's content; `empty` where there is no file. Fails as `internal` where it cannot be read or understood. Takes no lock. */
export function readKept<T>(file: KeptFile<T>, world: StoreWorld): T {
  const { content } = findKept(file, world);
  if ('broken' in content) throw content.broken;
  return content.value;
}

/** The same for those who replace it. A file of others that can look into a secret one are shut out, which is said. */
export function findKept<T>(file: KeptFile<T>, world: StoreWorld): Found<T> {
  const bytes = readBytes(
    file.path,
    (descriptor, found) => file.secret && makePrivate(file.path, descriptor, found, world),
  );
  if (!bytes) return { version: 1, content: { value: file.empty } };
  const parsed = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : { wrong: 'it is not UTF-8 text' };
  if ('wrong' in parsed) return { version: 1, content: { broken: broken(file, parsed.wrong) } };
  if (!isObject(parsed.value)) return { version: 1, content: { broken: broken(file, 'it holds no JSON object') } };
  return understood(file, parsed.value);
}

function understood<T>(file: KeptFile<T>, whole: JsonObject): Found<T> {
  const { version = 1 } = whole;
  if (typeof version !== 'number')
    return { version: 1, content: { broken: broken(file, '"version" is not a number') } };
  const shaped = file.shape(whole, version);
  return { version, content: 'wrong' in shaped ? { broken: broken(file, shaped.wrong) } : shaped };
}

function broken<T>({ path, mend }: KeptFile<T>, wrong: string): Failure {
  return new Failure('internal', `Could not use ${path}: ${wrong}.`, { hint: mend });
}

function readBytes(path: string, onOpen: (descriptor: number, found: Stats) => void): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a FIFO waits for its writer.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    refuseOddities(path, found);
    onOpen(descriptor, found);
    return readFileSync(descriptor);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw fileFailure('read', path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function refuseOddities(path: string, found: Stats): void {
  const wrong = found.isDirectory() ? 'it is a folder' : !found.isFile() ? 'it is a device or a pipe' : undefined;
  const why = wrong ?? (found.size > largest ? 'it is larger than 16 MiB' : undefined);
  if (why)
    throw new Failure('internal', `Could not read ${path}: ${why}.`, {
      hint: `Move it away: mv ${quoted(path)} ${quoted(`${path}.aside`)}`,
    });
}

function makePrivate(path: string, descriptor: number, found: Stats, { platform, warn }: StoreWorld): void {
  if (platform === 'win32' || (found.mode & 0o077) === 0) return;
  try {
    fchmodSync(descriptor, 0o600);
    warn(`Made ${path} private: its mode was ${modeText(found.mode)}, now it is 0600.`);
  } catch {
    warn(`Others can read ${path} (mode ${modeText(found.mode)}). Run: chmod 600 ${quoted(path)}`);
  }
}
