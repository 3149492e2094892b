/** Whether files and folders can be trusted: whoever can write them decides where commands and secrets go. */
import { accessSync, chmodSync, closeSync, constants, existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { Failure, usage } from '../failure.ts';
import { changeModeCommand } from '../text/shell-lines.ts';
import { attemptTo, codeOf, fileFailure, modeText } from './file-failure.ts';
import { isUnsupported } from './file-system.ts';
import { makeFolder } from './make-folder.ts';
import { openRegular, statusAt } from './open-regular.ts';

/** The facts that decide whose files are trusted, and where to report changes. */
export type FileWorld = {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our user id, if the system has them. */
  readonly uid?: number | undefined;
  /** Shows a line to the user; it has no line end. */
  readonly warn: (line: string) => void;
};

type FileStatus = Pick<Stats, 'uid' | 'mode'>;

type TrustWorld = Pick<FileWorld, 'platform' | 'uid' | 'env'>;

export type FileUser = Omit<TrustWorld, 'env'>;

/** Refuses a file of another user, or in a folder of one, but not of root if nobody else can write to it. @throws Failure 'io' with the command that fixes it */
export function refuseForeign(path: string, status: FileStatus, world: TrustWorld): void {
  if (world.platform === 'win32') return; // owners and modes mean nothing there
  refuseForeignOwner(path, status, world);
  refuseForeignOwner(dirname(path), statSync(dirname(path)), world);
}

/** Refuses a file that names a program if anybody but this user and root can change or replace it. @throws Failure 'io' with the command that fixes it */
export function refuseShared(path: string, { platform, uid }: FileUser): void {
  if (platform === 'win32') return;
  const target = realpathSync(path);
  for (const checkedPath of new Set([path, dirname(path), target, dirname(target)])) {
    const status = statSync(checkedPath);
    const isForeign = status.uid !== 0 && status.uid !== uid;
    if (!isForeign && !isWritableByOthers(status)) continue;
    const why = isForeign
      ? `${checkedPath} belongs to another user (uid ${status.uid}, and you are ${uid})`
      : `Others can write to ${checkedPath} (mode ${modeText(status.mode)})`;
    const hint = isForeign ? withoutSudoHint : `Run: ${changeModeCommand('go-w', checkedPath)}`;
    throw new Failure('io', `${why}, so no program that it names is run.`, { hint });
  }
}

/**
 * Opens the journal of a run, or the file of its failed rows. In a folder that others can write to, another user may have put it there.
 * @throws usage for a link, and for what is not a regular file, belongs to another user, or can be written by others; the system's error
 */
export function openTrusted(path: string, flags: number, { platform, uid }: FileUser): number {
  const opened = openUnlinked(path, flags);
  const hint = 'Name another file, or remove it first';
  if ('irregular' in opened) throw usage(`${path} is a ${opened.irregular}, so it is not used.`, hint);
  const { file, stats } = opened;
  const isForeign = uid !== undefined && stats.uid !== uid && stats.uid !== 0;
  if (platform === 'win32' || (!isForeign && (stats.mode & 0o022) === 0)) return file;
  closeSync(file);
  if (isForeign)
    throw usage(`${path} belongs to another user (uid ${stats.uid}, and you are ${uid}), so it is not used.`, hint);
  const sentence = `Others can write to ${path} (mode ${modeText(stats.mode)}), so it is not used.`;
  throw usage(sentence, `${hint}; if you trust it, run: ${changeModeCommand('go-w', path)}`);
}

function openUnlinked(path: string, flags: number) {
  try {
    return openRegular(path, flags | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return { irregular: 'link' };
    throw error;
  }
}

export function warnIfWritable(path: string, status: FileStatus, { platform, uid, warn }: FileWorld): void {
  if (platform === 'win32') return;
  const folder = dirname(path);
  const checked = [
    { path, status, mode: '600' },
    { path: folder, status: statSync(folder), mode: '700' },
  ];
  for (const each of checked) {
    if (each.status.uid !== uid || !isWritableByOthers(each.status)) continue;
    const wide = `Others can write to ${each.path} (mode ${modeText(each.status.mode)}), and change where commands go.`;
    warn(`${wide} Run: ${changeModeCommand(each.mode, each.path)}`);
  }
}

/** Whether a file belongs to the user who runs this command as root with sudo. */
function isOfSudoUser(status: Pick<Stats, 'uid'>, { uid, env }: Omit<TrustWorld, 'platform'>): boolean {
  return uid === 0 && status.uid !== 0 && env.SUDO_UID === String(status.uid);
}

function refuseForeignOwner(path: string, status: FileStatus, { uid, env }: Omit<TrustWorld, 'platform'>): void {
  if (uid === undefined || status.uid === uid) return;
  if (status.uid !== 0 && !isOfSudoUser(status, { uid, env })) {
    const sentence = `${path} belongs to another user (uid ${status.uid}, and you are ${uid}), so it is ignored.`;
    throw new Failure('io', sentence, { hint: ownFolderHint(status, uid) });
  }
  if (!isWritableByOthers(status)) return;
  throw new Failure('io', `Others can write to ${path} (mode ${modeText(status.mode)}), so it is ignored.`, {
    hint: `If you trust it, run: sudo ${changeModeCommand('go-w', path)}`,
  });
}

/** In a folder with the sticky bit, users cannot replace each other's files. */
function isWritableByOthers({ mode }: FileStatus): boolean {
  return (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
}

/** The hint for a folder of another user, which stays theirs: use a folder of your own. */
function ownFolderHint(status: Pick<Stats, 'uid'>, uid: number): string {
  const own = 'Set IIOT_CONFIG_DIR to a folder of your own';
  if (status.uid === 0) return `${own}, and link config.json there to the shared one`;
  return uid === 0 ? `${own}, or run it as that user, in a container with: docker run --user ${status.uid}` : own;
}

const withoutSudoHint = 'Run it without sudo, or with: sudo -H';

/**
 * Creates the folder (mode 0700) if it is missing, and tests that it can be written (docs/contract.md, "Files"). A folder that others can only read
 * is made private, with a message.
 * @throws Failure 'io' with the command that fixes it for another user's folder, and, for a secret, for a folder that others can write to
 */
export function prepareFolder(folder: string, secret: boolean, world: FileWorld): void {
  try {
    makeFolder(folder, 0o700, (each, parent) => {
      if (!isOfSudoUser(statSync(parent), world)) return;
      const sentence = `${each} was not created: it would belong to root, in a folder of the person who ran sudo.`;
      throw new Failure('io', sentence, { hint: withoutSudoHint });
    });
  } catch (error) {
    throw createFolderFailure(folder, error);
  }
  refuseUnsafe(folder, secret, world);
  fixFolderMode(folder, world);
  attemptTo('write into', folder, () => accessSync(folder, constants.W_OK | constants.X_OK));
}

// The home directory may be missing or read-only: find out which.
function createFolderFailure(folder: string, error: unknown): Failure {
  const failure = fileFailure('create the folder', folder, error);
  if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return failure;
  let missing = folder;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  const reason = `${missing} does not exist, and ${dirname(missing)} is not writable.`;
  return failure.with({ hint: `${reason} You can set another folder with IIOT_CONFIG_DIR.` });
}

/** Refuses another user's folder, and, for a secret, one that others can write to. */
export function refuseUnsafe(folder: string, secret: boolean, world: TrustWorld): void {
  // If the folder is not accessible, opening the file in it says why.
  const stats = statusAt(folder);
  const unsafe = stats && dangerOf(folder, stats, world);
  if (unsafe && (unsafe.foreign || secret)) throw unsafe.failure;
}

/** Makes a folder private if others can read it, and says so; ignores a missing one. */
export function fixFolderMode(folder: string, world: FileWorld): void {
  const stats = statusAt(folder);
  if (!stats?.isDirectory() || world.platform === 'win32' || (stats.mode & 0o077) === 0) return;
  const unsafe = dangerOf(folder, stats, world);
  if (unsafe) world.warn(`${unsafe.failure.message} ${unsafe.failure.facts.hint}`);
  else world.warn(makePrivate(folder, stats, '700', (mode) => chmodSync(folder, mode)));
}

/** Makes a file or folder accessible to its owner alone, and returns a sentence that says so, or how to do it if that fails. */
export function makePrivate(
  path: string,
  { mode: found }: FileStatus,
  wanted: '600' | '700',
  change: (mode: number) => void,
): string {
  try {
    change(Number.parseInt(wanted, 8));
    return `Made ${path} private: its mode was ${modeText(found)}, now it is 0${wanted}.`;
  } catch (error) {
    const sentence = `Others can ${wanted === '700' ? 'look into' : 'read'} ${path} (mode ${modeText(found)})`;
    if (isUnsupported(error))
      return `${sentence}, and its file system keeps no modes. Mount it for yourself alone, or use another.`;
    return `${sentence}. Run: ${changeModeCommand(wanted, path)}`;
  }
}

/** Why secrets are not safe in a folder; undefined if they are. `foreign`: the folder belongs to another user. */
export function dangerOf(
  folder: string,
  stats: Stats,
  { platform, uid, env }: TrustWorld,
): { readonly foreign: boolean; readonly failure: Failure } | undefined {
  if (platform === 'win32') return undefined; // modes and owners mean nothing there
  if (uid !== undefined && stats.uid !== uid) {
    const sentence = `${folder} belongs to another user (uid ${stats.uid}, and you are ${uid}), so nothing is written there.`;
    const hint = isOfSudoUser(stats, { uid, env }) ? withoutSudoHint : ownFolderHint(stats, uid);
    return { foreign: true, failure: new Failure('io', sentence, { hint }) };
  }
  if ((stats.mode & 0o022) === 0) return undefined;
  const sentence = `Others can write into ${folder} (mode ${modeText(stats.mode)}), so no secret is kept there.`;
  const hint = `Run: ${changeModeCommand('700', folder)}`;
  return { foreign: false, failure: new Failure('io', sentence, { hint }) };
}

/** Whether a path, with all of its links followed, is a folder or in it. A path that does not exist counts as its last folder that does. */
export function isBelow(folder: string, path: string): boolean {
  // For the system "link/.." is the parent of the link's target; Node's functions for paths leave both out.
  return [path, resolve(path)].every((each) => {
    const way = relative(realpathSync.native(folder), existingPart(each));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}

function existingPart(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
    // A path that cannot be looked at counts as outside.
    return isMissing && dirname(path) !== path ? existingPart(dirname(path)) : sep;
  }
}
