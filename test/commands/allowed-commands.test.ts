/** A secretCommand runs only as its user has set it on this machine, for this settings folder, base URL and tenant. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { quoteForShell } from '../../src/text/shell-lines.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { failed, worked } from '../support/seen.ts';

const base = 'http://127.0.0.1:1';
const variables = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, PATH: process.env.PATH };
const someone = personForEach({ env: variables });
const at = (...names: readonly string[]) => join(someone.folder, ...names);

/** A program that leaves a file in the folder of the settings, where it is run. */
const script = `require('fs').writeFileSync('ran', ''); console.log('${ids.clientSecret}')`;
const words = [process.execPath, '-e', script];
const pairOf = (command: readonly string[]) => `secretCommand=${JSON.stringify(command)}`;
const set = (...pairs: readonly string[]) => someone.iiot(['profiles', 'set', 'default', ...pairs]);
const login = (more: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}) =>
  someone.iiot(['login', 'm2m', '--client-id', ids.clientId, ...more], { env });
const loggedIn = (profile = 'default') => worked('', `Logged in to ${base} as ${ids.clientId} (profile ${profile})`);
const edit = (more: object) => {
  const { profiles } = JSON.parse(readFileSync(at('config.json'), 'utf8'));
  someone.file('config.json', JSON.stringify({ profiles: { default: { ...profiles.default, ...more } } }));
};
const hasRun = (...folders: readonly string[]) => folders.some((folder) => existsSync(join(folder, 'ran')));

const refusal = (place = base, command = words, folder = someone.folder) =>
  failed(
    3,
    `error: The secretCommand of profile default in ${folder} was not set by you on this machine for ${place}, so it is not run.`,
    `hint: If you trust its words, set it: iiot profiles set default ${quoteForShell(pairOf(command))}`,
  );

/** Brings settings into a folder, and beside it and above it everything that was remembered with them. */
function bring(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(at('config.json'), join(folder, 'config.json'));
  for (const name of ['.', '.local/state/iiot', '../.local/state/iiot', '../../.local/state/iiot'])
    cpSync(at('account/.local/state/iiot'), join(folder, name), { recursive: true });
}

const cases: readonly (readonly [string, string, (folder: string) => Readonly<Record<string, string>>])[] = [
  ['IIOT_CONFIG_DIR is an unpacked archive', 'archive/.iiot', (folder) => ({ IIOT_CONFIG_DIR: folder })],
  [
    'IIOT_CONFIG_DIR is a link to an unpacked archive',
    'archive/.iiot',
    (folder) => {
      symlinkSync(folder, at('link'));
      return { IIOT_CONFIG_DIR: at('link') };
    },
  ],
  ['XDG_CONFIG_HOME is a checkout', 'checkout/iiot', (folder) => ({ XDG_CONFIG_HOME: dirname(folder) })],
  ['HOME is a checkout', 'checkout/.config/iiot', () => ({ HOME: at('checkout') })],
  [
    'HOME is a checkout and XDG_STATE_HOME lies in it',
    'checkout/.config/iiot',
    () => ({ HOME: at('checkout'), XDG_STATE_HOME: at('checkout/.local/state') }),
  ],
];

describe('settings from elsewhere', () => {
  it.each(cases)('run no secretCommand if %s', async (_, name, variablesOf) => {
    await set(`baseUrl=${base}`, pairOf(words));
    const folder = at(name);
    bring(folder);
    mkdirSync(at('checkout/.git'), { recursive: true });
    const env = { ...variablesOf(folder) };
    const seen = await login([], { IIOT_CONFIG_DIR: undefined, ...env });
    expect(seen).toEqual(refusal(base, words, env.IIOT_CONFIG_DIR ?? folder));
    expect(hasRun(someone.folder, folder)).toBe(false);
  });

  it('run their secretCommand after the line of the hint was run', async () => {
    const config = { profiles: { default: { baseUrl: base, secretCommand: words, secretCommandPlace: { base } } } };
    someone.file('config.json', JSON.stringify(config));
    expect(await login()).toEqual(refusal());
    expect(await set(pairOf(words))).toMatchObject({ exit: 0 });
    expect(await login()).toEqual(loggedIn());
  });
});

describe('settings of the same user', () => {
  const [other, globex] = [`${base}/b`, 'globex'];
  it.each([
    ['words', { secretCommand: [process.execPath, '-e', `${script} `] }, {}, base, 'factory'],
    ['base URL', { baseUrl: other, secretCommandPlace: { base: other } }, { IIOT_BASE_URL: other }, other, 'factory'],
    ['tenant', { tenant: globex, secretCommandPlace: { base, tenant: globex } }, { IIOT_TENANT: globex }, base, globex],
    [
      'base URL that removes the place of the words',
      { baseUrl: other, secretCommandPlace: undefined, secretCommandOrigin: undefined },
      {},
      other,
      'factory',
    ],
  ])('run no secretCommand after an edit of its %s', async (_, values, env, place, tenant) => {
    await set(`baseUrl=${base}`, 'tenant=factory', pairOf(words));
    edit(values);
    // Another key does not allow words that others wrote.
    expect((await set('output=table')).exit).toBe(0);
    const { secretCommand } = { secretCommand: words, ...values };
    const seen = await login([], env);
    expect(seen).toEqual(refusal(`${place}, tenant ${tenant}`, secretCommand));
    expect(hasRun(someone.folder)).toBe(false);
  });

  it('run their secretCommand after a rename, through a link and for a tenant set later', async () => {
    await set(`baseUrl=${base}`, pairOf(words));
    await set('tenant=factory');
    symlinkSync(someone.folder, at('link'));
    expect(await login([], { IIOT_CONFIG_DIR: at('link') })).toEqual(loggedIn());
    await someone.iiot(['profiles', 'rename', 'default', 'plant']);
    expect(await login(['--profile', 'plant'])).toEqual(loggedIn('plant'));
  });

  it('run no secretCommand once the remembered words are lost, and doctor warns', async () => {
    const doctor = ['doctor', '--jq', '.[] | select(.check == "secret_command") | .status, .message'];
    await set(`baseUrl=${base}`, pairOf(words));
    expect((await someone.iiot(doctor)).stdout).toBe(`ok\n${process.execPath} (profile default)\n`);
    rmSync(at('account'), { recursive: true });
    expect(await login()).toEqual(refusal());
    const [error = ''] = refusal().stderr.split('\n');
    expect((await someone.iiot(doctor)).stdout).toBe(`warning\n${error.replace('error: ', '')}\n`);
  });

  it.skipIf(process.platform === 'win32')('keep the remembered words readable by their user only', async () => {
    await set(`baseUrl=${base}`, pairOf(words));
    const modes = ['account/.local/state/iiot', 'account/.local/state/iiot/allowed-commands.json'].map(
      (name) => statSync(at(name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600]);
  });
});

const newPerson = personsForEach();
const noHome = () => {
  throw new Error('ENOENT');
};
it.each<[string, () => string, string]>([
  [
    'without a home folder in the user database',
    noHome,
    'The user database of this machine has no home folder for this account.',
  ],
  [
    'whose home folder cannot be made',
    () => '/dev/null',
    'Could not create the folder /dev/null/.local/state/iiot: a part of its path is not a folder.',
  ],
])('iiot profiles set sets no secretCommand for an account %s', async (_, accountHome, sentence) => {
  const one = newPerson({ env: variables, accountHome });
  const hint =
    'hint: Without it no secretCommand is run. Give the secret with IIOT_CLIENT_SECRET, IIOT_CLIENT_SECRET_FILE or IIOT_PASSWORD';
  const { exit, stderr } = await one.iiot(['profiles', 'set', 'default', `baseUrl=${base}`, pairOf(words)]);
  expect([exit, stderr]).toEqual([1, `error: ${sentence}\n${hint}\n`]);
  expect(existsSync(join(one.folder, 'config.json'))).toBe(false);
});
