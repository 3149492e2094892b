import { posix, win32 } from 'node:path';

/**
 * Lets Node keep what it has compiled for the next run, from version 22 on, in the person's own folder for caches: Node's default is
 * shared with everybody on the machine. Where there is no such folder, or it cannot be written, nothing is kept.
 */
export function keepCompiled(process: NodeJS.Process): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  }; // newer than the types of Node 20
  const folder = cacheFolder(process.env, process.platform);
  // Never throws: what came of it is its result.
  if (folder) enableCompileCache?.(folder);
}

/** Where a platform keeps what may be thrown away; undefined for an account without a home. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const below = (start: string | undefined, ...names: string[]) =>
    start && path.isAbsolute(start) ? path.join(start, ...names) : undefined;
  if (platform === 'win32') return below(env.LOCALAPPDATA, 'iiot', 'Cache');
  if (platform === 'darwin') return below(env.HOME, 'Library', 'Caches', 'iiot');
  return below(env.XDG_CACHE_HOME, 'iiot') ?? below(env.HOME, '.cache', 'iiot');
}
