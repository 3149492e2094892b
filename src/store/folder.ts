import { posix, win32 } from 'node:path';
import { Failure } from '../failure.ts';
import type { FileWorld } from '../files/trust.ts';
import { ignoreError } from '../text/ignore-error.ts';

export type StoreWorld = FileWorld & {
  /** `os.homedir`, which may throw if the account has no home. */
  readonly homedir: () => string;
  /** The home folder in the user database, which no variable changes. Throws if the account has none. */
  readonly accountHome?: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Shows what is waited for, until the returned function is called. */
  readonly wait?: (text: string) => () => void;
};

/**
 * The absolute path of the folder for config.json and credentials.json: IIOT_CONFIG_DIR, otherwise the platform's usual place for configuration
 * (docs/contract.md, "Files"). Touches no file. Fails as `io` if there is no home.
 */
export function configFolder(world: StoreWorld): string {
  const { env, platform } = world;
  const path = platform === 'win32' ? win32 : posix;
  if (env.IIOT_CONFIG_DIR) {
    // A variable from a file, such as that of a service, has gone through no shell, which would have replaced the ~.
    const isInHome = /^~($|[/\\])/.test(env.IIOT_CONFIG_DIR);
    return path.resolve(isInHome ? homeFolder(world) + env.IIOT_CONFIG_DIR.slice(1) : env.IIOT_CONFIG_DIR);
  }
  if (platform === 'win32') {
    return path.join(env.APPDATA || path.join(homeFolder(world), 'AppData', 'Roaming'), 'iiot', 'Config');
  }
  if (platform === 'darwin') return path.join(homeFolder(world), 'Library', 'Preferences', 'iiot');
  // The XDG base directory specification: a relative path is invalid and must be ignored.
  const xdg = env.XDG_CONFIG_HOME;
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(homeFolder(world), '.config'), 'iiot');
}

function homeFolder({ env, platform, homedir }: StoreWorld): string {
  const path = platform === 'win32' ? win32 : posix;
  // An account need not have an entry in the user database.
  const found = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? ignoreError(homedir);
  if (found && path.isAbsolute(found)) return found;
  throw new Failure('io', 'The folder for settings and logins could not be found: this account has no home folder.', {
    hint: 'Set HOME, or set IIOT_CONFIG_DIR to a folder of your own.',
  });
}

/**
 * The absolute path of the folder for files that no variable can move, so that no repository, archive or image with settings contains them.
 * @throws Failure 'io' if the user database has no home for this account
 */
export function accountFolder({ platform, accountHome }: StoreWorld): string {
  const path = platform === 'win32' ? win32 : posix;
  const found = accountHome && ignoreError(accountHome);
  if (!found || !path.isAbsolute(found))
    throw new Failure('io', 'The user database of this machine has no home folder for this account.');
  if (platform === 'win32') return path.join(found, 'AppData', 'Local', 'iiot');
  const below = platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'state'];
  return path.join(found, ...below, 'iiot');
}
