/** Profiles and secrets on disk. Reading needs no lock and no package; the code for writing is loaded on the first write. */
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { asFailure, ignoreFailure } from '../failure.ts';
import type { LockWait } from '../files/lock.ts';
import { fixFolderMode, refuseShared } from '../files/trust.ts';
import { originOf } from '../network/base-url.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { once, onceEach } from '../text/once.ts';
import type { OnBroken } from './change-document.ts';
import { type Config, checkProfileName, emptyConfig, type Profile, shapeConfig } from './config.ts';
import {
  type Credentials,
  emptyCredentials,
  emptyTokens,
  type Login,
  type MachineToken,
  shapeCredentials,
  shapeTokens,
  type TokenCache,
  withToken,
} from './credentials.ts';
import { configFolder, type StoreWorld } from './folder.ts';
import { type Inspection, inspectStore, listSetAside } from './inspect.ts';
import { type JsonDocument, readDocument } from './json-document.ts';

export type LockOptions = LockWait & {
  /** Suppresses the warning that the lock cannot be written and the work continues without it. */
  readonly quiet?: boolean;
};

type LoginStore = {
  readLogin(name: string): Login | undefined;
  readLogins(): Credentials['logins'];
  /** Stores a new login. A broken credentials.json is renamed, with a message. */
  writeLogin(name: string, login: Login): Promise<void>;
  /** Changes a login by its current state on disk, undefined for none, and returns the new state. */
  changeLogin(name: string, change: (current: Login | undefined) => Login | undefined): Promise<Login | undefined>;
  /** Gives a login another name, which must be free. */
  renameLogin(from: string, to: string): Promise<void>;
  /**
   * Checks that a later change can be stored, before something irreversible is done, and reserves disk space for it.
   * @returns frees the space, right before the change
   * @throws Failure 'io' if it could not be stored
   */
  reserveSpace(): Promise<() => void>;
  /** Removes a login, the cached machine tokens, and files of killed writers. Returns whether there was a login. */
  forgetLogin(name: string): Promise<boolean>;
  /** Removes credentials.json and the cache of machine tokens, readable or not. Returns whether there was anything. */
  forgetAllLogins(): Promise<boolean>;
};

export type Store = LoginStore & {
  /** The folder of the files. Fails as `io` if the account has no home; so does everything else that needs it. */
  readonly folder: string;
  readConfig(): Config;
  /** @throws Failure 'io' if anybody but this user and root can change config.json, and with it the programs that it names */
  refuseShared(): void;
  /** Changes the profiles by their current state on disk. `setAside` renames a broken file and begins a new one. */
  changeConfig(change: (config: Config) => Config, options?: { readonly setAside?: boolean }): Promise<Config>;
  /** Remembers that this user has set the `secretCommand` of a profile on this machine. @throws Failure 'io' */
  allowCommand(profile: Profile): Promise<void>;
  /** Whether `allowCommand` was called for the `secretCommand` on this machine. @throws Failure 'io' */
  isAllowed(profile: Profile): Promise<boolean>;
  /** A cached machine token, expired or not; undefined on any problem with the cache. */
  readToken(key: string): MachineToken | undefined;
  /** Caches a token if possible, and never throws. */
  writeToken(key: string, token: MachineToken): Promise<void>;
  /** Runs `work` while no other process works under the same name (of a profile, or the key of a machine token). */
  withLock<T>(name: string, work: () => Promise<T>, options: LockOptions): Promise<T>;
  inspect(): Inspection;
};

type StoreFiles = {
  readonly folder: string;
  readonly config: JsonDocument<Config>;
  readonly credentials: JsonDocument<Credentials>;
  readonly tokens: JsonDocument<TokenCache>;
};

/** Profiles, logins and tokens of this user (docs/contract.md, "Files"). Touches no file until one of its functions is called. */
export function openStore(outside: StoreWorld): Store {
  const world = { ...outside, warn: onceEach(outside.warn) };
  const locate = once(() => filesOf(world));
  return {
    get folder() {
      return locate().folder;
    },
    readConfig: () => readDocument(locate().config, world),
    refuseShared: () => refuseShared(locate().config.path, world),
    async changeConfig(next, { setAside = false } = {}) {
      const onBroken = setAside ? 'set aside' : 'fail';
      return change(locate().config, world, (config) => checkNewNames(config, next(config)), onBroken);
    },
    ...openLogins(locate, world),
    allowCommand: async (profile) =>
      (await import('./allowed-commands.ts')).allowCommand(locate().folder, profile, world),
    isAllowed: async (profile) => (await import('./allowed-commands.ts')).isAllowed(locate().folder, profile, world),
    readToken: (key) => ignoreError(() => readDocument(locate().tokens, world).tokens[key]),
    async writeToken(key, token) {
      const silent = { ...world, warn: () => {} };
      const file = ignoreFailure(() => locate().tokens);
      const next = (cache: TokenCache) => withToken(cache, key, token, world.now());
      if (file) await change(file, silent, next, 'discard').catch(asFailure);
    },
    async withLock(name, work, { quiet = false, ...waiting }) {
      const [{ lockOrContinue }, { loginLockKey }] = await Promise.all([
        import('./change-document.ts'),
        import('./keys.ts'),
      ]);
      const lockWorld = quiet ? { ...world, warn: () => {} } : world;
      const release = await lockOrContinue(() => locate().folder, loginLockKey(name), 'the login', lockWorld, waiting);
      return work().finally(release);
    },
    inspect() {
      const { folder, config, credentials, tokens } = locate();
      return inspectStore(folder, [config, credentials, tokens], world);
    },
  };
}

function filesOf(world: StoreWorld): StoreFiles {
  const folder = configFolder(world);
  const { join } = world.platform === 'win32' ? win32 : posix;
  return {
    folder,
    config: {
      path: join(folder, 'config.json'),
      secret: false,
      empty: emptyConfig,
      shape: shapeConfig,
      fix: 'Fix it with an editor, or move it away: iiot login then creates a new one.',
      loadWriter: async () => (await import('./config-writer.ts')).loadConfigWriter(),
    },
    credentials: {
      path: join(folder, 'credentials.json'),
      secret: true,
      empty: emptyCredentials,
      shape: shapeCredentials,
      fix: 'Run: iiot login (it sets this file aside and creates a new one), or iiot logout --all (it removes it)',
    },
    tokens: {
      path: join(folder, 'tokens.json'),
      secret: true,
      empty: emptyTokens,
      shape: shapeTokens,
      fix: 'Remove it: it is a cache.',
    },
  };
}

async function change<T extends object>(
  file: JsonDocument<T>,
  world: StoreWorld,
  next: (content: T) => T,
  onBroken: OnBroken,
): Promise<T> {
  const { changeDocument } = await import('./change-document.ts');
  return changeDocument(file, world, next, onBroken);
}

/** Refuses new names of profiles that are not valid. Existing ones may have been written by hand. @throws usage */
function checkNewNames(before: Config, after: Config): Config {
  for (const name of [...Object.keys(after.profiles), after.current]) {
    if (!Object.hasOwn(before.profiles, name) && name !== before.current) checkProfileName(name);
  }
  return after;
}

function openLogins(locate: () => StoreFiles, world: StoreWorld): LoginStore {
  const readLogins = () => {
    const { folder, credentials } = locate();
    // Others may look into a folder without secrets.
    if (existsSync(credentials.path)) fixFolderMode(folder, world);
    return readDocument(credentials, world).logins;
  };
  const readLogin = (name: string) => {
    checkProfileName(name);
    return readLogins()[name];
  };
  const changeLogin = async (
    name: string,
    next: (current?: Login) => Login | undefined,
    onBroken: OnBroken = 'fail',
  ) => {
    checkProfileName(name);
    const file = locate().credentials;
    const after = await change(file, world, (all) => withLogin(all, name, next(all.logins[name])), onBroken);
    return after.logins[name];
  };
  // If the folder cannot be written, the file itself often can.
  const forgetInPlace = async (name: string, error: unknown) => {
    if (asFailure(error).kind !== 'io') throw error;
    const { changeInPlace } = await import('./change-document.ts');
    changeInPlace(locate().credentials, world, (all) => withLogin(all, name, undefined));
  };
  return {
    readLogin,
    readLogins,
    writeLogin: async (name, login) =>
      void (await changeLogin(name, () => ({ origin: originOf(login.base), ...login }), 'set aside')),
    changeLogin: (name, next) => changeLogin(name, next),
    async renameLogin(from, to) {
      checkProfileName(to);
      await change(
        locate().credentials,
        world,
        (all) => {
          const { [from]: login } = all.logins;
          if (!login) return all;
          const renamed = { ...login, renamedFrom: from, renamedAt: world.now() };
          return withLogin(withLogin(all, to, renamed), from, undefined);
        },
        'fail',
      );
    },
    async reserveSpace() {
      const { reserveSpaceFor } = await import('./change-document.ts');
      return reserveSpaceFor(locate().credentials, world);
    },
    async forgetLogin(name) {
      const isThere = readLogin(name) !== undefined;
      if (isThere) await changeLogin(name, () => undefined).catch((error) => forgetInPlace(name, error));
      await removeTraces(locate(), world);
      return isThere;
    },
    async forgetAllLogins() {
      const { removeDocument } = await import('./change-document.ts');
      const isRemoved = await removeDocument(locate().credentials, world);
      return (await removeTraces(locate(), world)) || isRemoved;
    },
  };
}

function withLogin(all: Credentials, name: string, login: Login | undefined): Credentials {
  const { [name]: _replaced, ...others } = all.logins;
  return { ...all, logins: login ? { ...others, [name]: login } : others };
}

/** Removes cached tokens and files of killed writers, and names the other files that may hold secrets. Returns whether there were cached tokens. */
async function removeTraces({ folder, tokens }: StoreFiles, world: StoreWorld): Promise<boolean> {
  const [{ removeDocument }, { removeLeftovers }, { listLeftoverRecoveries }] = await Promise.all([
    import('./change-document.ts'),
    import('../files/private-file.ts'),
    import('./recovery.ts'),
  ]);
  const removed = await removeDocument(tokens, world);
  removeLeftovers(folder, world.now());
  const broken = listSetAside(folder).filter((path) => path.includes('credentials.json.broken-'));
  const left = [...broken, ...listLeftoverRecoveries(folder, world.now()).map(({ path }) => path)];
  if (left.length > 0) world.warn(`Files that were kept may still hold secrets: ${left.join(', ')}`);
  return removed;
}
