import { accessSync, chmodSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { changeModeCommand, quoteForShell } from '../text/shell-lines.ts';
import { codeOf, fileFailure, modeText } from './file-failure.ts';
import { type FileWorld, isOfSudoUser } from './trust.ts';

const withoutSudo = 'Run it without sudo, or with: sudo -H';

/**
 * Creates the folder (mode 0700) if it is missing, and tests that it can be written. One that others can only read is made private, with a
 * message. Refuses another user's folder, and, for a secret, one that others can write to: `io`, with the command that fixes it
 * (docs/contract.md, "Files").
 */
export function prepareFolder(folder: string, secret: boolean, world: FileWorld): void {
  try {
    makeFolder(folder, world);
  } catch (error) {
    throw cannotCreate(folder, error);
  }
  refuseUnsafe(folder, secret, world);
  fixFolderMode(folder, world);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFailure('write into', folder, error);
  }
}

// The home directory may be missing or read-only: find out which.
function cannotCreate(folder: string, error: unknown): Failure {
  const failure = fileFailure('create the folder', folder, error);
  if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return failure;
  let missing = folder;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  const reason = `${missing} does not exist, and ${dirname(missing)} cannot be written.`;
  return failure.with({ hint: `${reason} You can set another folder with IIOT_CONFIG_DIR.` });
}

// Not with `recursive`: Node then loops forever if a file system answers ENOENT inside an existing folder, as /proc does.
function makeFolder(folder: string, world: FileWorld): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent, world);
  if (isOfSudoUser(statSync(parent), world)) {
    const sentence = `${folder} was not created: it would belong to root, in a folder of the person who ran sudo.`;
    throw new Failure('io', sentence, { hint: withoutSudo });
  }
  try {
    mkdirSync(folder, 0o700);
    chmodSync(folder, 0o700); // regardless of the umask
  } catch (error) {
    // Another process may have just created it.
    if (codeOf(error) !== 'EEXIST' || !lookAt(folder)?.isDirectory()) throw error;
  }
}

/** Refuses another user's folder, and, for a secret, one that others can write to. */
export function refuseUnsafe(
  folder: string,
  secret: boolean,
  world: Pick<FileWorld, 'platform' | 'uid' | 'env'>,
): void {
  const stats = lookAt(folder);
  const unsafe = stats && dangerOf(folder, stats, world);
  if (unsafe && (unsafe.foreign || secret)) throw unsafe.failure;
}

/** Makes a folder private if others can read it, and says so; ignores a missing one. */
export function fixFolderMode(folder: string, world: FileWorld): void {
  const stats = lookAt(folder);
  if (!stats?.isDirectory() || world.platform === 'win32' || (stats.mode & 0o077) === 0) return;
  const unsafe = dangerOf(folder, stats, world);
  world.warn(
    unsafe ? `${unsafe.failure.message} ${unsafe.failure.facts.hint}` : narrowed(folder, modeText(stats.mode)),
  );
}

function narrowed(folder: string, mode: string): string {
  try {
    chmodSync(folder, 0o700);
    return `Made ${folder} private: its mode was ${mode}, now it is 0700.`;
  } catch {
    return `Others can look into ${folder} (mode ${mode}). Run: ${changeModeCommand('700', folder)}`;
  }
}

/** Why secrets are not safe in a folder, or undefined: `foreign` if it belongs to another user. */
export function dangerOf(
  folder: string,
  stats: Stats,
  { platform, uid, env }: Pick<FileWorld, 'platform' | 'uid' | 'env'>,
): { readonly foreign: boolean; readonly failure: Failure } | undefined {
  if (platform === 'win32') return undefined; // modes and owners mean nothing there
  if (uid !== undefined && stats.uid !== uid) {
    const sentence = `${folder} belongs to another user (uid ${stats.uid}, and this is ${uid}), so nothing is written there.`;
    const hint = isOfSudoUser(stats, { uid, env }) ? withoutSudo : `Run: sudo chown -R ${uid} ${quoteForShell(folder)}`;
    return { foreign: true, failure: new Failure('io', sentence, { hint }) };
  }
  if ((stats.mode & 0o022) === 0) return undefined;
  const sentence = `Others can write into ${folder} (mode ${modeText(stats.mode)}), so no secret is kept there.`;
  const hint = `Run: ${changeModeCommand('700', folder)}`;
  return { foreign: false, failure: new Failure('io', sentence, { hint }) };
}

// Undefined if it is not accessible: then opening the file in it fails too, and reports why.
function lookAt(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
