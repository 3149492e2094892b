import { basename, dirname, join } from 'node:path';
import { Failure, usage } from '../failure.ts';
import { type Lock, takeLock } from '../files/lock.ts';
import { fileNamesIn } from '../files/open-regular.ts';
import { ownerOf } from '../files/owner.ts';
import { removeFolderCommand } from '../text/shell-lines.ts';

/** How to tell the user that the command waits, and the signal by which the user stops that. */
export type Waiter = { readonly notice: (line: string) => void; readonly signal: AbortSignal };

/**
 * Locks the journal at `path`, or another file of a run, for this process. Watches the lock of another machine for up to 100 s to find out whether its
 * run still lives. @param option the option for the file @throws usage if another process uses it, with the process ID if that is known
 */
export async function lockJournal(path: string, { notice, signal }: Waiter, option = '--journal'): Promise<Lock> {
  const [folder, key] = [dirname(path), `${basename(path)}.lock`];
  let hasWaited = false;
  const onWait = (holder: string) => {
    hasWaited = true;
    notice(`${path} is locked by ${holder}. Waiting up to 100 s to find out whether it still runs.`);
  };
  try {
    return await takeLock(folder, key, `the file ${path}`, { wait: 0, onWait, signal });
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    if (error.kind !== 'unavailable') throw error.with({ hint: `Name another place with ${option} FILE` });
    const hint = `Wait for it to end, then continue with --resume, or use another ${option} FILE`;
    if (hasWaited) throw usage(`Another run is using ${path}: it was active meanwhile.`, hint);
    throw usage(`${describeHolder(join(folder, key))} is using ${path}.`, hint);
  }
}

/** Describes the run that has a lock. @throws usage for a folder that is not a lock, because iiot never removes what it has not written */
function describeHolder(lock: string): string {
  // Without the folder, the run has just ended.
  const found = fileNamesIn(lock);
  const pid = found.map((name) => ownerOf(name)?.pid).find((number) => number !== undefined);
  if (pid !== undefined) return `Another run, process ${pid},`;
  const [strange] = found;
  if (strange === undefined) return 'Another run';
  const hint = `If it is no longer needed: ${removeFolderCommand(lock)}`;
  throw usage(`${lock} is not the lock of a run: ${JSON.stringify(strange)} is in it.`, hint);
}
