/** Whether a file can be trusted: whoever can write it decides where commands and secrets go. */
import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { changeModeCommand, quoteForShell } from '../text/shell-lines.ts';
import { modeText } from './file-failure.ts';

/** What decides whose files count as ours, and where to report changes. */
export type FileWorld = {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our user id, if the system has them. */
  readonly uid?: number | undefined;
  /** Shows a line to the user; it has no line end. */
  readonly warn: (line: string) => void;
};

type FileStatus = Pick<Stats, 'uid' | 'mode'>;

/**
 * Refuses an open file that belongs to another user, or is in another user's folder. Those of root are trusted if nobody else can write to
 * them.
 * @throws Failure 'io' with the command that fixes it
 */
export function refuseForeign(
  path: string,
  status: FileStatus,
  world: Pick<FileWorld, 'platform' | 'uid' | 'env'>,
): void {
  const { platform, uid } = world;
  if (platform === 'win32' || uid === undefined) return; // owners and modes mean nothing there
  const folder = dirname(path);
  refuse(path, status, uid, world);
  refuse(folder, statSync(folder), uid, world);
}

/** Warns if others can write to a file of ours or to its folder. */
export function warnIfWritable(path: string, status: FileStatus, { platform, uid, warn }: FileWorld): void {
  if (platform === 'win32') return;
  const folder = dirname(path);
  const places = [
    { path, status, mode: '600' },
    { path: folder, status: statSync(folder), mode: '700' },
  ];
  for (const place of places) {
    if (place.status.uid !== uid || !isOpen(place.status)) continue;
    const wide = `Others can write to ${place.path} (mode ${modeText(place.status.mode)}), and change where commands go.`;
    warn(`${wide} Run: ${changeModeCommand(place.mode, place.path)}`);
  }
}

/** Whether it belongs to the user who runs this as root with sudo. */
export function isOfSudoUser(status: Pick<Stats, 'uid'>, { uid, env }: Pick<FileWorld, 'uid' | 'env'>): boolean {
  return uid === 0 && status.uid !== 0 && env.SUDO_UID === String(status.uid);
}

function refuse(path: string, status: FileStatus, uid: number, { env }: Pick<FileWorld, 'env'>): void {
  if (status.uid === uid) return;
  if (status.uid !== 0 && !isOfSudoUser(status, { uid, env })) {
    throw new Failure(
      'io',
      `${path} belongs to another user (uid ${status.uid}, and this is ${uid}), so it is ignored.`,
      { hint: `If you trust it, run: sudo chown -R ${uid} ${quoteForShell(path)}` },
    );
  }
  if (!isOpen(status)) return;
  throw new Failure('io', `Others can write to ${path} (mode ${modeText(status.mode)}), so it is ignored.`, {
    hint: `If you trust it, run: sudo ${changeModeCommand('go-w', path)}`,
  });
}

/** In a folder with the sticky bit, users cannot replace each other's files. */
function isOpen({ mode }: FileStatus): boolean {
  return (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
}
