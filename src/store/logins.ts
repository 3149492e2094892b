import type { OnBroken } from './change-file.ts';
import type { Credentials, Login } from './credentials.ts';
import type { Files } from './files.ts';
import type { StoreWorld } from './folder.ts';
import { setAsideIn } from './inspect.ts';
import { readKept } from './kept-file.ts';
import { mendFolder } from './private-folder.ts';
import { checkProfileName } from './profile-name.ts';

export type LoginPart = {
  readLogin(name: string): Login | undefined;
  /** Keeps a new login. A broken credentials.json is kept aside, which is said. */
  writeLogin(name: string, login: Login): Promise<void>;
  /** Changes a login as it is on disk in that moment; undefined: none. Gives what is there afterwards. */
  changeLogin(name: string, change: (current: Login | undefined) => Login | undefined): Promise<Login | undefined>;
  /** And the cache of machine tokens, and what a killed writer left. Whether there was a login. */
  forgetLogin(name: string): Promise<boolean>;
  /** Removes credentials.json and the cache of machine tokens, readable or not. Whether there was anything. */
  forgetAllLogins(): Promise<boolean>;
};

/** The logins of the store, each under its profile's name. */
export function loginPart(files: () => Files, world: StoreWorld): LoginPart {
  const readLogin: LoginPart['readLogin'] = (name) => {
    checkProfileName(name);
    mendFolder(files().folder, world);
    return readKept(files().credentials, world).logins[name];
  };
  const change = async (name: string, next: (current: Login | undefined) => Login | undefined, onBroken: OnBroken) => {
    checkProfileName(name);
    const { changeKept } = await import('./change-file.ts');
    const file = files().credentials;
    const after = await changeKept(file, world, (all) => withLogin(all, name, next(all.logins[name])), onBroken);
    return after.logins[name];
  };
  return {
    readLogin,
    writeLogin: async (name, login) => void (await change(name, () => login, 'set aside')),
    changeLogin: (name, next) => change(name, next, 'fail'),
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
  const { removeKept } = await import('./change-file.ts');
  const removed = await removeKept(files.credentials, world);
  return (await forgetTraces(files, world)) || removed;
}

/** Removes what holds secrets beside the logins and costs nothing to lose, and names the rest. Whether there were cached tokens. */
async function forgetTraces({ folder, tokens }: Files, world: StoreWorld): Promise<boolean> {
  const [{ removeKept }, { sweep }, { leftRecoveries }] = await Promise.all([
    import('./change-file.ts'),
    import('./private-file.ts'),
    import('./recovery.ts'),
  ]);
  const removed = await removeKept(tokens, world);
  sweep(folder, world.now());
  const broken = setAsideIn(folder).filter((path) => path.includes('credentials.json.broken-'));
  const left = [...broken, ...leftRecoveries(folder, world.now()).map(({ path }) => path)];
  if (left.length > 0) world.warn(`Files that were kept may still hold secrets: ${left.join(', ')}`);
  return removed;
}
