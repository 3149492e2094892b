/** Keeps V8's compiled code for the next run of the same command, because compiling takes longer than most commands do. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Script } from 'node:vm';
import { makeFolder } from '../files/make-folder.ts';
import { isLost } from '../text/environment.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { version } from '../version.ts';
import { isOurs, readCodes, writeCodes } from './code-file.ts';
import type { ProgramFiles } from './program-files.ts';

/** The files of the bundle in a folder, with their compiled code cached in the user's cache folder, unless that is unsafe or cannot be written. */
export function filesWithCodeCache(folder: string, process: NodeJS.Process): ProgramFiles {
  const sources = new Map<string, Buffer>();
  const read = (name: string) => sources.get(name) ?? readFileSync(`${folder}/${name}`);
  const source = (name: string) => read(name).toString();
  const keep = () => {
    for (const name of readdirSync(folder)) if (name.endsWith('.cjs')) sources.set(name, read(name));
  };
  const cache = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFolder(process.env, process.platform);
  const codeFolder = cache && `${cache}/${version}-${process.version}-${process.arch}`;
  if (codeFolder === undefined || !mayBeUsed(codeFolder, process)) return { source, keep, compiled: () => undefined };
  const file = `${codeFolder}/${commandOf(process.argv, folder)}`;
  const cachedCodes = ignoreError(() => readCodes(file, process)) ?? new Map<string, Uint8Array>();
  const scripts = new Map<string, Script>();
  const saveCodes = () => {
    // Undefined if nothing was cached, true if the cache was made by another V8 or with other options.
    const fresh = [...scripts].filter(([, { cachedDataRejected }]) => cachedDataRejected !== false);
    if (fresh.length === 0) return;
    const compiled = fresh.map(([name, script]) => [name, script.createCachedData()] as const);
    makeFolder(codeFolder, 0o700);
    const writtenAt = writeCodes(file, new Map([...cachedCodes, ...compiled]), process);
    removeStaleCode(codeFolder, writtenAt, process);
  };
  process.once('exit', () => ignoreError(saveCodes));
  return {
    ...{ source, keep },
    compiled: (name) => cachedCodes.get(name),
    // Only files with a hash in their name, because V8 compares nothing but the length of a source.
    onScript: (name, script) => void (/-[\w-]{8}\.cjs$/.test(name) && scripts.set(name, script)),
  };
}

/** Whether code may be cached in a folder: it must be the user's. A missing folder may be created in one of the user or of the system. */
function mayBeUsed(folder: string, process: NodeJS.Process): boolean {
  const found = ignoreError(() => statSync(folder));
  if (found) return isOurs(found, process);
  // Root with a user's HOME would create folders that the user cannot use.
  return !process.getuid || mayHoldFolder(posix.dirname(folder), process.getuid());
}

function mayHoldFolder(folder: string, uid: number): boolean {
  const found = ignoreError(() => statSync(folder));
  if (found) return found.uid === uid || found.uid === 0;
  return folder === posix.dirname(folder) || mayHoldFolder(posix.dirname(folder), uid);
}

/** Names the cache file after the command, because each command compiles other functions. Never after other words, which may be misplaced secrets. */
function commandOf([, , ...words]: readonly string[], folder: string): string {
  const isCommand = (name: string) =>
    /^[a-z-]{1,20}(\.[a-z-]{1,20})?$/.test(name) && existsSync(`${folder}/help/${name}.txt`);
  const found = [words.slice(0, 2).join('.'), words[0] ?? ''].find(isCommand);
  return found === undefined ? 'iiot' : `iiot.${found}`;
}

/** The platform's folder for caches; undefined for an account without a home. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const below = (start: string | undefined, ...names: string[]) =>
    start && path.isAbsolute(start) && !isLost(start) ? path.join(start, ...names) : undefined;
  if (platform === 'win32') return below(env.LOCALAPPDATA, 'iiot', 'Cache');
  if (platform === 'darwin') return below(env.HOME, 'Library', 'Caches', 'iiot');
  return below(env.XDG_CACHE_HOME, 'iiot') ?? below(env.HOME, '.cache', 'iiot');
}

const dayInMilliseconds = 86_400_000;
const monthInMilliseconds = 30 * dayInMilliseconds;

/** A folder name such as "0.1.0-v20.18.1-x64". */
const folderName = /^\d+\.\d+\.\d+[\w.+-]*-v\d+\.\d+\.\d+[\w.+-]*-\w+$/;

/** A file name such as "iiot.orgs.users", with the number of the process that is writing it appended. */
const fileName = /^iiot(?:\.[a-z_-]+){0,2}(\.\d+)?$/i;

/** Removes files that are older than a month, or than a day if a killed run left them. @param inUse this version's folder @param now epoch milliseconds */
function removeStaleCode(inUse: string, now: number, process: NodeJS.Process): void {
  const parent = posix.dirname(inUse);
  // Anybody who can write there could replace a folder with a link. Files of other owners or other names are cachedCodes.
  if (!isOurs(lstatSync(parent), process)) return;
  for (const name of readdirSync(parent)) {
    const folder = `${parent}/${name}`;
    if (!folderName.test(name)) continue;
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isOurs(found, process)) continue;
    const isOld = folder !== inUse && now - found.mtimeMs > monthInMilliseconds;
    for (const file of readdirSync(folder)) {
      const [ours, writer] = fileName.exec(file) ?? [];
      const longest = writer === undefined ? monthInMilliseconds : dayInMilliseconds;
      const isStale = () => now - lstatSync(`${folder}/${file}`).mtimeMs > longest;
      if (ours !== undefined && (isOld || isStale())) unlinkSync(`${folder}/${file}`);
    }
    if (isOld) rmdirSync(folder);
  }
}
