/** The shells and manual tools that tests need. Missing ones are installed if possible. */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package of each program on Debian and its derivatives. */
const packages = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  man: 'man-db',
  groff: 'groff-base',
  busybox: 'busybox',
  minisign: 'minisign',
  shellcheck: 'shellcheck',
} as const;
type Wanted = keyof typeof packages;

/**
 * Makes sure that programs are installed: as root, installs missing ones with apt-get.
 * @throws if one is missing and cannot be installed: a test that did not run must not look like one that passed
 */
export async function installed(...wanted: readonly Wanted[]): Promise<void> {
  const missing = () => wanted.filter((program) => !isThere(program));
  if (missing().length === 0) return;
  const names = missing().map((program) => packages[program]);
  if (process.getuid?.() !== 0) throw lacking(missing(), names, 'these tests do not run as root');
  await oneAtATime(async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...names], { env });
  }).catch((error: unknown) => {
    throw lacking(missing(), names, String(error));
  });
  if (missing().length > 0) throw lacking(missing(), names, 'apt-get did not bring them');
}

function isThere(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Test files run in parallel, and apt-get does not wait for its lock. */
async function oneAtATime(work: () => Promise<void>): Promise<void> {
  const lock = join(tmpdir(), 'iiot-tests-apt');
  for (let tries = 0; ; tries += 1) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (tries > 240) throw new Error(`${lock} is in the way`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  try {
    await work();
  } finally {
    rmdirSync(lock);
  }
}

function lacking(programs: readonly string[], names: readonly string[], why: string): Error {
  return new Error(
    `Not on this machine: ${programs.join(', ')}. Install them: apt-get install ${names.join(' ')} (${why})`,
  );
}
