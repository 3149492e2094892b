import { basename, dirname, join } from 'node:path';
import { Failure, usage } from '../failure.ts';
import { takeLock } from '../files/lock.ts';
import { namesIn } from '../files/open-regular.ts';
import { ownerOf } from '../files/owner.ts';
import { removeFolderCommand } from '../text/shell-lines.ts';

/**
 * Locks the journal at `path`, or another file of a run, for this process; returns the release.
 * @param option the command-line option for the file
 * @throws usage, with the process id, if another process uses it
 */
export async function lockJournal(path: string, option = '--journal'): Promise<() => void> {
  const [folder, key] = [dirname(path), `${basename(path)}.lock`];
  try {
    return await takeLock(folder, key, `the file ${path}`, { wait: 0 });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind !== 'unavailable') throw error.with({ hint: `Name another place with ${option} FILE` });
    throw usage(
      `${holder(join(folder, key))} is using ${path}.`,
      `Wait for it to end, then continue with --resume, or use another ${option} FILE`,
    );
  }
}

/** @throws usage if it is none: iiot has not put there what is in it, and never removes it */
function holder(lock: string): string {
  // Without a folder, it has just ended.
  const found = namesIn(lock);
  const pid = found.map((name) => ownerOf(name)?.pid).find((number) => number !== undefined);
  if (pid !== undefined) return `Another run, process ${pid},`;
  const [strange] = found;
  if (strange === undefined) return 'Another run';
  const hint = `If it is no longer needed: ${removeFolderCommand(lock)}`;
  throw usage(`${lock} is not the lock of a run: ${JSON.stringify(strange)} is in it.`, hint);
}
