import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, usage } from '../failure.ts';
import { takeLock } from '../files/lock.ts';
import { ownerOf } from '../files/owner.ts';

/**
 * Locks the journal at `path`, or another file of an import, for this process; returns the release.
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

function holder(lock: string): string {
  const pid = names(lock)
    .map((name) => ownerOf(name)?.pid)
    .find((number) => number !== undefined);
  return pid === undefined ? 'Another import' : `Another import, process ${pid},`;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has just ended
  }
}
