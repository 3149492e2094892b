import { fixFolderMode } from '../files/private-folder.ts';
import type { OnBroken } from './change-document.ts';
import type { Credentials, Login } from './credentials.ts';
import type { StoreWorld } from './folder.ts';
import { setAsideIn } from './inspect.ts';
import { readDocument } from './json-document.ts';
import type { Files } from './paths.ts';
import { checkProfileName } from './profile-name.ts';

export type LoginPart = {
  readLogin(name: string): Login | undefined;
  /** Stores a new login. Renames a broken credentials.json, with a message. */
  writeLogin(name: string, login: Login): Promise<void>;
  /** Changes a login based on its current state on disk; undefined for none. Returns the new state. */
  changeLogin(name: string, change: (current: Login | undefined) => Login | undefined): Promise<Login | undefined>;
  /**
   * Checks that a later change can be stored, before something irreversible is done, and reserves disk space for it.
   * @returns frees the space, right before the change
   * @throws Failure 'io' if it could not be stored
   */
  reserveSpace(): Promise<() => void>;
  /** Also removes cached machine tokens and files of killed writers. Returns whether there was a login. */
  forgetLogin(name: string): Promise<boolean>;
  /** Removes credentials.json and the cache of machine tokens, readable or not. Returns whether there was anything. */
  forgetAllLogins(): Promise<boolean>;
};

/** The logins of the store, by profile name. */
export function loginPart(files: () => Files, world: StoreWorld): LoginPart {
  const readLogin: LoginPart['readLogin'] = (name) => {
    checkProfileName(name);
    fixFolderMode(files().folder, world);
    return readDocument(files().credentials, world).logins[name];
  };
  const change = async (name: string, next: (current: Login | undefined) => Login | undefined, onBroken: OnBroken) => {
    checkProfileName(name);
    const { changeDocument } = await import('./change-document.ts');
    const file = files().credentials;
    const after = await changeDocument(file, world, (all) => withLogin(all, name, next(all.logins[name])), onBroken);
    return after.logins[name];
  };
  return {
    readLogin,
    writeLogin: async (name, login) => void (await change(name, () => login, 'set aside')),
    changeLogin: (name, next) => change(name, next, 'fail'),
    async reserveSpace() {
      const { reserveSpaceFor } = await import('./change-document.ts');
      return reserveSpaceFor(files().credentials, world);
    },
    async forgetLogin(name) {
      const isThere = readLogin(name) !== undefined;
      if (isThere) await change(name, () => undefined, 'fail');
      await forgetTraces(files(), world);
      return isThere;
    },
    forgetAllLogins: () => forgetAllLogins(files(), world),
  };
}

function withLogin(all: Credentials, name: string, login: Login | undefined): Credentials {
  const { [name]: _replaced, ...others } = all.logins;
  return { ...all, logins: login ? { ...others, [name]: login } : others };
}

async function forgetAllLogins(files: Files, world: StoreWorld): Promise<boolean> {
  const { removeDocument } = await import('./change-document.ts');
  const removed = await removeDocument(files.credentials, world);
  return (await forgetTraces(files, world)) || removed;
}

/** Removes other files that contain secrets and can be replaced at no cost, and lists the rest. Returns whether there were cached tokens. */
async function forgetTraces({ folder, tokens }: Files, world: StoreWorld): Promise<boolean> {
  const [{ removeDocument }, { removeLeftovers }, { leftoverRecoveries }] = await Promise.all([
    import('./change-document.ts'),
    import('../files/private-file.ts'),
    import('./recovery.ts'),
  ]);
  const removed = await removeDocument(tokens, world);
  removeLeftovers(folder, world.now());
  const broken = setAsideIn(folder).filter((path) => path.includes('credentials.json.broken-'));
  const left = [...broken, ...leftoverRecoveries(folder, world.now()).map(({ path }) => path)];
  if (left.length > 0) world.warn(`Files that were kept may still hold secrets: ${left.join(', ')}`);
  return removed;
}
