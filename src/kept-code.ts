/** What V8 has compiled of the program, kept for the next run of the same command: compiling takes longer than most commands do. */
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Script } from 'node:vm';
import type { ProgramFiles } from './program-files.ts';
import { version } from './version.ts';

/**
 * The bundle's files, with what V8 has compiled of them kept in the person's own folder for caches. Nothing is kept where there is no such
 * folder, where others may write to it, where it cannot be written, and with NODE_DISABLE_COMPILE_CACHE.
 * @param folder of the bundle
 */
export function filesWithKeptCode(folder: string, process: NodeJS.Process): ProgramFiles {
  const source = (name: string) => readFileSync(`${folder}/${name}`);
  const cache = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFolder(process.env, process.platform);
  const place = cache && `${cache}/${version}-${process.version}-${process.arch}`;
  if (place === undefined || !mayBeTrusted(place, process)) return { source, compiled: () => undefined };
  const file = `${place}/${commandOf(process.argv)}`;
  const kept = orNothing(() => unpacked(readFileSync(file))) ?? new Map<string, Uint8Array>();
  const scripts = new Map<string, Script>();
  process.once('exit', () => orNothing(() => keep(file, kept, scripts)));
  return {
    source,
    compiled: (name) => kept.get(name),
    // V8 compares no more of a text than its length.
    onScript: (name, script) => void (/-[\w-]{8}\.cjs$/.test(name) && scripts.set(name, script)),
  };
}

/** V8 trusts what it is given: nobody else may have written there. */
function mayBeTrusted(place: string, { getuid }: NodeJS.Process): boolean {
  const found = orNothing(() => statSync(place));
  return !found || !getuid || (found.uid === getuid() && (found.mode & 0o022) === 0);
}

/** The first words of a line: it depends on them which functions a run calls, and only those are compiled. */
function commandOf([, , ...words]: readonly string[]): string {
  const end = words.findIndex((word) => !/^[a-z_-]{1,20}$/i.test(word) || word.startsWith('-'));
  return ['iiot', ...words.slice(0, Math.min(2, end < 0 ? words.length : end))].join('.');
}

function keep(file: string, kept: ReadonlyMap<string, Uint8Array>, scripts: ReadonlyMap<string, Script>): void {
  // Undefined where nothing was kept of it, true where another V8 or other options have compiled it.
  const fresh = [...scripts].filter(([, { cachedDataRejected }]) => cachedDataRejected !== false);
  if (fresh.length === 0) return;
  const compiled = fresh.map(([name, script]) => [name, script.createCachedData()] as const);
  mkdirSync(posix.dirname(file), { recursive: true, mode: 0o700 });
  replace(file, packed(new Map([...kept, ...compiled])));
}

/** Whole or not at all, whoever else writes it and whatever happens meanwhile. */
function replace(path: string, parts: readonly Uint8Array[]): void {
  const making = `${path}.${process.pid}`;
  const file = openSync(making, 'wx', 0o600);
  try {
    for (const part of parts) writeFileSync(file, part);
    fdatasyncSync(file);
  } catch (error) {
    unlinkSync(making);
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(making, path);
}

/** A line of JSON with the size of each file's code, then the code itself. */
function packed(codes: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const sizes = Object.fromEntries([...codes].map(([name, { length }]) => [name, length]));
  return [Buffer.from(`${JSON.stringify(sizes)}\n`), ...codes.values()];
}

function unpacked(bytes: Buffer): Map<string, Uint8Array> {
  const codes = new Map<string, Uint8Array>();
  let at = bytes.indexOf(10) + 1;
  const sizes = JSON.parse(bytes.toString('latin1', 0, at)) as Record<string, number>; // written by `packed`
  for (const [name, size] of Object.entries(sizes)) {
    codes.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return codes;
}

function orNothing<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Where a platform keeps what may be thrown away; undefined for an account without a home. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const below = (start: string | undefined, ...names: string[]) =>
    start && path.isAbsolute(start) ? path.join(start, ...names) : undefined;
  if (platform === 'win32') return below(env.LOCALAPPDATA, 'iiot', 'Cache');
  if (platform === 'darwin') return below(env.HOME, 'Library', 'Caches', 'iiot');
  return below(env.XDG_CACHE_HOME, 'iiot') ?? below(env.HOME, '.cache', 'iiot');
}
