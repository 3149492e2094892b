import { describe, expect, it, onTestFinished } from 'vitest';
import { helpText } from '../../src/shell/find-help.ts';
import { manualPages } from '../../src/shell/man.ts';
import { configFolder, type StoreWorld } from '../../src/store/folder.ts';
import { openStore } from '../../src/store/store.ts';

const world = (platform: NodeJS.Platform, env: StoreWorld['env'], homedir = () => '/home/ada'): StoreWorld => ({
  env,
  platform,
  homedir,
  now: () => 0,
  warn: () => {},
});

const noHome = () => {
  throw new Error('no entry in the user database');
};

describe('the folder of settings and logins', () => {
  it.each<[NodeJS.Platform, StoreWorld['env'], string]>([
    ['linux', { HOME: '/home/bob' }, '/home/bob/.config/iiot'],
    ['linux', {}, '/home/ada/.config/iiot'],
    ['linux', { HOME: '/home/bob', XDG_CONFIG_HOME: '/etc/xdg' }, '/etc/xdg/iiot'],
    ['linux', { HOME: '/home/bob', XDG_CONFIG_HOME: 'relative' }, '/home/bob/.config/iiot'],
    ['linux', { HOME: '/home/bob', XDG_CONFIG_HOME: '/etc/xdg', IIOT_CONFIG_DIR: '/srv/iiot' }, '/srv/iiot'],
    ['linux', { HOME: '/home/bob', IIOT_CONFIG_DIR: 'here' }, `${process.cwd()}/here`],
    ['linux', { HOME: '/home/bob', IIOT_CONFIG_DIR: '~/ci' }, '/home/bob/ci'],
    ['linux', { HOME: '/home/bob', IIOT_CONFIG_DIR: '~' }, '/home/bob'],
    ['linux', { HOME: '/home/bob', IIOT_CONFIG_DIR: '~ci' }, `${process.cwd()}/~ci`],
    ['win32', { USERPROFILE: 'C:\\Users\\bob', IIOT_CONFIG_DIR: '~\\ci' }, 'C:\\Users\\bob\\ci'],
    ['linux', { HOME: '/home/bob', IIOT_CONFIG_DIR: '' }, '/home/bob/.config/iiot'],
    ['darwin', { HOME: '/Users/bob', XDG_CONFIG_HOME: '/etc/xdg' }, '/Users/bob/Library/Preferences/iiot'],
    ['win32', { APPDATA: 'C:\\Users\\bob\\AppData\\Roaming' }, 'C:\\Users\\bob\\AppData\\Roaming\\iiot\\Config'],
    ['win32', { USERPROFILE: 'C:\\Users\\bob' }, 'C:\\Users\\bob\\AppData\\Roaming\\iiot\\Config'],
  ])('is found on %s with %j', (platform, env, folder) => {
    expect(configFolder(world(platform, env))).toBe(folder);
  });

  // Those of the table above, as people write them.
  it.each(['$XDG_CONFIG_HOME/iiot, otherwise ~/.config/iiot', '~/Library/Preferences/iiot', '%APPDATA%\\iiot\\Config'])(
    'is named in help and the manual: %s',
    async (told) => {
      expect(await helpText([], ['environment'], 80)).toContain(told);
      const manual = manualPages([], '1')[0]?.text.replaceAll('\\-', '-') ?? '';
      expect(manual.replaceAll('\\e', '\\').replaceAll('\\(ti', '~')).toContain(told);
    },
  );

  it('does not change with the current folder', () => {
    const store = openStore(world('linux', { IIOT_CONFIG_DIR: 'here' }));
    const before = process.cwd();
    expect(store.folder).toBe(`${before}/here`);
    onTestFinished(() => process.chdir(before));
    process.chdir('/');
    expect(store.folder).toBe(`${before}/here`);
  });

  it.each([
    ['a missing home', {}],
    ['an empty HOME', { HOME: '' }],
  ])('is an error when it is first needed with %s', (_name, env) => {
    const store = openStore(world('linux', env, noHome));
    expect(() => store.readConfig()).toThrow(
      expect.objectContaining({
        kind: 'io',
        message: 'The folder for settings and logins could not be found: this account has no home folder.',
        facts: { hint: 'Set HOME, or set IIOT_CONFIG_DIR to a folder of your own.' },
      }),
    );
  });

  it('is not needed for tokens of a machine with credentials in variables', async () => {
    const warnings: string[] = [];
    const store = openStore({ ...world('linux', {}, noHome), warn: (line) => warnings.push(line) });
    expect(store.readToken('key')).toBeUndefined();
    await store.writeToken('key', { accessToken: 'token' });
    expect(await store.withLock('key', async () => 'done', { wait: 1000, quiet: true })).toBe('done');
    expect(warnings).toEqual([]);
  });
});
