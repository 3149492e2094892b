/** Runs before the tests: makes a folder of temporary files for this run. If a test leaves anything in it, the run fails at the end with a list. */
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAll } from './remove.ts';

/** Linux keeps this folder in memory: the program syncs every file it writes, which takes longer on a disk than everything else. */
const inMemory = '/dev/shm';
const enough = 512 * 1024 * 1024;

/** The projects of a run share the folder; the last one to end removes it. */
const run = { folder: '', projects: 0 };

export default function ownTemporaryFolder(): () => void {
  if (run.projects === 0) {
    run.folder = mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), 'iiot-run-'));
    chmodSync(run.folder, 0o1777); // some tests run as another user
    process.env.TMPDIR = run.folder;
  }
  run.projects += 1;
  return () => {
    run.projects -= 1;
    if (run.projects > 0) return;
    const left = readdirSync(run.folder);
    removeAll(run.folder);
    if (left.length === 0) return;
    console.error(`Tests left ${left.length} files or folders behind: ${left.join(' ')}`);
    // In CI a test that was killed by its time limit is retried, and may have left files behind.
    if (!process.env.CI) process.exitCode = 1;
  };
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    // Tests also run programs that they write there.
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === folder);
    if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > enough;
  } catch {
    return false; // not on this system
  }
}
