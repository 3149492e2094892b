import { accessSync, chmodSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { quoted } from '../text/shell-lines.ts';
import { codeOf, fileFailure, modeText } from './file-failure.ts';
import { type FileWorld, isCallers } from './trust.ts';

const withoutSudo = 'Run it without sudo, or with: sudo -H';

/**
 * Makes the folder (mode 0700) where it is missing, and proves that it can be written. One that others can only read is made private,
 * which is said. Nothing is written into another user's folder, and no secret into one that others can write: `internal`, with the
 * command that helps (docs/contract.md, "Files").
 */
export function prepareFolder(folder: string, secret: boolean, world: FileWorld): void {
  try {
    makeFolder(folder, world);
  } catch (error) {
    throw cannotCreate(folder, error);
  }
  refuseUnsafe(folder, secret, world);
  mendFolder(folder, world);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFailure('write into', folder, error);
  }
}

// A home that is missing or read-only is met here: what is there, and what is not, tells which.
function cannotCreate(folder: string, error: unknown): Failure {
  const failure = fileFailure('create the folder', folder, error);
  if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return failure;
  let missing = folder;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  const reason = `${missing} does not exist, and ${dirname(missing)} cannot be written.`;
  return failure.with({ hint: `${reason} You can set another folder with IIOT_CONFIG_DIR.` });
}

// Not with `recursive`: Node then tries for ever where a file system answers ENOENT inside a folder that exists, as /proc does.
function makeFolder(folder: string, world: FileWorld): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent, world);
  if (isCallers(statSync(parent), world)) {
    const sentence = `${folder} was not created: it would belong to root, in a folder of the person who ran sudo.`;
    throw new Failure('internal', sentence, { hint: withoutSudo });
  }
  try {
    mkdirSync(folder, 0o700);
    chmodSync(folder, 0o700); // whatever the umask took away
  } catch (error) {
    // Made by another process in this moment.
    if (codeOf(error) !== 'EEXIST' || !lookAt(folder)?.isDirectory()) throw error;
  }
}

/** Fails for a folder that is another user's, or that others can write into where a secret is to be kept. */
export function refuseUnsafe(
  folder: string,
  secret: boolean,
  world: Pick<FileWorld, 'platform' | 'uid' | 'env'>,
): void {
  const found = lookAt(folder);
  const unsafe = found && dangerOf(folder, found, world);
  if (unsafe && (unsafe.foreign || secret)) throw unsafe.failure;
}

/** Makes a folder private that others can look into, and says so; one that is missing is let be. */
export function mendFolder(folder: string, world: FileWorld): void {
  const found = lookAt(folder);
  if (!found?.isDirectory() || world.platform === 'win32' || (found.mode & 0o077) === 0) return;
  const unsafe = dangerOf(folder, found, world);
  world.warn(
    unsafe ? `${unsafe.failure.message} ${unsafe.failure.facts.hint}` : narrowed(folder, modeText(found.mode)),
  );
}

function narrowed(folder: string, mode: string): string {
  try {
    chmodSync(folder, 0o700);
    return `Made ${folder} private: its mode was ${mode}, now it is 0700.`;
  } catch {
    return `Others can look into ${folder} (mode ${mode}). Run: chmod 700 ${quoted(folder)}`;
  }
}

/** Why secrets are not safe in a folder, or undefined: `foreign` where it is another user's. */
export function dangerOf(
  folder: string,
  found: Stats,
  { platform, uid, env }: Pick<FileWorld, 'platform' | 'uid' | 'env'>,
): { readonly foreign: boolean; readonly failure: Failure } | undefined {
  if (platform === 'win32') return undefined; // modes and owners say nothing there
  if (uid !== undefined && found.uid !== uid) {
    const sentence = `${folder} belongs to another user (uid ${found.uid}, and this is ${uid}), so nothing is written there.`;
    const hint = isCallers(found, { uid, env }) ? withoutSudo : `Run: sudo chown -R ${uid} ${quoted(folder)}`;
    return { foreign: true, failure: new Failure('internal', sentence, { hint }) };
  }
  if ((found.mode & 0o022) === 0) return undefined;
  const sentence = `Others can write into ${folder} (mode ${modeText(found.mode)}), so no secret is kept there.`;
  const hint = `Run: chmod 700 ${quoted(folder)}`;
  return { foreign: false, failure: new Failure('internal', sentence, { hint }) };
}

// Undefined where it cannot be seen: then the file in it cannot either, and whoever opens that says why.
function lookAt(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
