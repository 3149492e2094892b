/** Profiles and secrets on disk. Reading needs no lock and no package; what is needed for writing is loaded on the first write. */
import { Failure } from '../failure.ts';
import type { Config } from './config.ts';
import type { StoreWorld } from './folder.ts';
import { type Inspection, inspectStore } from './inspect.ts';
import { readDocument } from './json-document.ts';
import { type LoginPart, loginPart } from './logins.ts';
import { type Files, filesOf, type StorePaths } from './paths.ts';
import { checkProfileName } from './profile-name.ts';
import { type MachineToken, withToken } from './token-cache.ts';

export type LockOptions = {
  /** How long to wait for a running process that holds the lock, in milliseconds; then it fails as `unavailable`. */
  readonly wait: number;
  /** Called once, after a second of waiting, with the holder's process ID (0 if unknown). */
  readonly onWait?: ((pid: number) => void) | undefined;
  /** Stops waiting; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Suppresses the message if the lock cannot be written and the work continues without it. */
  readonly quiet?: boolean;
};

export type Store = LoginPart & {
  /** The folder of the files below. Fails as `io` if the account has no home; so does everything else that needs it. */
  readonly folder: string;
  readonly paths: StorePaths;
  readConfig(): Config;
  /** Changes the profiles based on their current state on disk. `setAside`: renames a broken file and starts a new one. */
  changeConfig(change: (config: Config) => Config, options?: { readonly setAside?: boolean }): Promise<Config>;
  /** A cached machine token, expired or not; undefined on any problem with the cache. */
  readToken(key: string): MachineToken | undefined;
  /** Caches a token if possible; never fails. */
  writeToken(key: string, token: MachineToken): Promise<void>;
  /** Runs `work` while no other process works under the same name (of a profile, or the key of a machine token). */
  withLock<T>(name: string, work: () => Promise<T>, options: LockOptions): Promise<T>;
  /** As `writePrivately` of private-file.ts. */
  writePrivately(path: string, text: string): Promise<void>;
  /** As `createPrivate` of private-file.ts. */
  createPrivate(path: string, text?: string): Promise<void>;
  inspect(): Inspection;
};

/** Profiles, logins and tokens of this user (docs/contract.md, "Files"). Touches no file until one of its functions is called. */
export function openStore(outside: StoreWorld): Store {
  const world = { ...outside, warn: once(outside.warn) };
  const files = filesOf(world);
  return {
    get folder() {
      return files().folder;
    },
    get paths() {
      return files().paths;
    },
    ...configPart(files, world),
    ...loginPart(files, world),
    ...tokenPart(files, world),
    withLock: (name, work, options) => withLock(files, world, name, work, options),
    writePrivately: async (path, text) => (await import('../files/private-file.ts')).writePrivately(path, text),
    createPrivate: async (path, text) => (await import('../files/private-file.ts')).createPrivate(path, text),
    inspect() {
      const { folder, config, credentials, tokens } = files();
      return inspectStore(folder, [config, credentials, tokens], world);
    },
  };
}

function configPart(files: () => Files, world: StoreWorld): Pick<Store, 'readConfig' | 'changeConfig'> {
  return {
    readConfig: () => readDocument(files().config, world),
    async changeConfig(change, { setAside = false } = {}) {
      const { changeDocument } = await import('./change-document.ts');
      return changeDocument(
        files().config,
        world,
        (config) => checked(config, change(config)),
        setAside ? 'set aside' : 'fail',
      );
    },
  };
}

// Existing names are not checked: somebody may have written them by hand.
function checked(before: Config, after: Config): Config {
  for (const name of [...Object.keys(after.profiles), after.current]) {
    if (!Object.hasOwn(before.profiles, name) && name !== before.current) checkProfileName(name);
  }
  return after;
}

function tokenPart(files: () => Files, world: StoreWorld): Pick<Store, 'readToken' | 'writeToken'> {
  return {
    readToken(key) {
      try {
        return readDocument(files().tokens, world).tokens[key];
      } catch {
        return undefined;
      }
    },
    async writeToken(key, token) {
      const silent = { ...world, warn: () => {} };
      try {
        const { changeDocument } = await import('./change-document.ts');
        await changeDocument(files().tokens, silent, (cache) => withToken(cache, key, token, world.now()), 'discard');
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    },
  };
}

async function withLock<T>(
  files: () => Files,
  world: StoreWorld,
  name: string,
  work: () => Promise<T>,
  { quiet = false, ...waiting }: LockOptions,
): Promise<T> {
  const [{ lockOrContinue }, { loginLockKey }] = await Promise.all([
    import('./change-document.ts'),
    import('./keys.ts'),
  ]);
  const listener = quiet ? { ...world, warn: () => {} } : world;
  const release = await lockOrContinue(() => files().folder, loginLockKey(name), 'the login', listener, waiting);
  try {
    return await work();
  } finally {
    release();
  }
}

function once(warn: (line: string) => void): (line: string) => void {
  const shown = new Set<string>();
  return (line) => {
    if (shown.has(line)) return;
    shown.add(line);
    warn(line);
  };
}
