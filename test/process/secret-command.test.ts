/** A secret from a program at a terminal and in a pipe, as the built program starts it. */
import { chmodSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { lacks } from '../support/lacking.ts';

const server = madeForEach(() => startServer());
const home = homeForEach(() => ({
  IIOT_ORG: ids.root,
  NODE_OPTIONS: `--require ${resolve('test/support/account-home.cjs')}`,
}));
const login = ['login', 'm2m', '--client-id', ids.clientId];
const use = (...words: readonly string[]) =>
  home.iiot(['profiles', 'set', 'default', `baseUrl=${server.url}`, `secretCommand=${JSON.stringify(words)}`]);
const printing = `console.error('Unlocking'); console.log('${ids.clientSecret}')`;
beforeEach(() => use('node', '-e', printing));

function expire(): void {
  const credentials = JSON.parse(home.read('iiot/credentials.json'));
  credentials.logins.default.expiresAt = 1;
  home.file('iiot/credentials.json', JSON.stringify(credentials));
}

it('a secretCommand shows its messages at a terminal alone, and its secret nowhere', async () => {
  const sentence = `Logged in to ${server.url} as ${ids.clientId} (profile default)`;
  expect(await home.iiot(login)).toEqual({ exit: 0, stdout: '', stderr: `${sentence}\n` });
  const { stderr } = await home.iiot([...login, '--debug'], { env: { NODE_DEBUG: 'execa,child_process' } });
  expect(stderr.replace(printing, '')).not.toContain(ids.clientSecret);
  const session = home.terminal([...login, '--no-input'], { columns: 120 });
  expect(await session.exit).toMatchObject({ code: 0 });
  expect(await session.screen()).toBe(`Unlocking\n✓ ${sentence}`);
});

it('a secretCommand can ask at a terminal, without a spinner over its question', async () => {
  const asking =
    `process.stderr.write('PIN: '); process.stdin.once('data', (pin) => ` +
    `{ console.log(String(pin) === '42\\n' ? '${ids.clientSecret}' : ''); process.exit() })`;
  await home.iiot(login);
  await use('node', '-e', asking);
  expire();
  const session = home.terminal(['orgs', 'users', 'list', '--limit', '1', '-o', 'id'], { env: { CI: '' } });
  await session.waitFor('PIN:');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  session.type('42\r');
  expect(await session.exit).toMatchObject({ code: 0 });
  expect(session.written()).not.toContain('Reading');
  expect((await session.screen()).split('\n').slice(0, 2)).toEqual(['PIN: 42', 'ada']);
});

it('a secretCommand leaves standard input to iiot', async () => {
  await home.iiot(login);
  await use('node', '-e', `process.stdin.resume().on('end', () => console.log('${ids.clientSecret}'))`);
  expire();
  const set = ['devices', 'custom-info', 'set', 'press-0001', '--body-file', '-'];
  expect(await home.iiot(set, { input: '{"line":"3"}' })).toMatchObject({ exit: 0 });
});

it.skipIf(process.platform === 'win32')(
  'iiot starts nothing of the current folder as a secretCommand, even with it in PATH',
  async () => {
    chmodSync(home.file('get-secret', '#!/bin/sh\ntouch planted\n'), 0o755);
    await use('get-secret');
    const { exit, stderr } = await home.iiot(login, { env: { PATH: `.:${home.env.PATH}` } });
    const sentence = 'The secretCommand of profile default gave no secret: get-secret was not found.';
    expect([exit, stderr.split('\n')[0]]).toEqual([3, `error: ${sentence}`]);
    expect(() => home.read('planted')).toThrow('ENOENT');
  },
);

it('a secretCommand is not run where a checkout is HOME', async () => {
  const env = { IIOT_CONFIG_DIR: '', HOME: home.at('checkout') };
  const words = JSON.stringify(['node', '-e', printing]);
  const set = ['profiles', 'set', 'default', `baseUrl=${server.url}`, `secretCommand=${words}`];
  expect(await home.iiot(set, { env })).toMatchObject({ exit: 0 });
  expect(await home.iiot(login, { env })).toMatchObject({ exit: 0 });
  // With the home folder of the real user database, in which nothing is written.
  const { exit, stderr } = await home.iiot([...login, '--no-input'], { env: { ...env, NODE_OPTIONS: '' } });
  expect([exit, stderr]).toEqual([3, expect.stringContaining('was not set by you')]);
});

it('a secretCommand gets no secret of ours in its variables', async () => {
  await use('node', '-e', `require('fs').writeFileSync('names', String(Object.keys(process.env))); ${printing}`);
  const env = { IIOT_PASSWORD: 'a', IIOT_TOKEN: 'b', IIOT_CLIENT_ID: 'c', IIOT_CLIENT_KEY_PASSPHRASE: 'd' };
  expect((await home.iiot(login, { env })).exit).toBe(0);
  expect(
    home
      .read('iiot/names')
      .split(',')
      .filter((name) => /^IIOT_.*(SECRET|TOKEN|PASS)/.test(name)),
  ).toEqual([]);
  expect(home.read('iiot/names').split(',')).toEqual(expect.arrayContaining(['PATH', 'IIOT_CLIENT_ID']));
});

it.each(["process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 60_000)", 'process.exit(130)'])(
  'a login ends with 130 when Ctrl-C has ended its secretCommand: %s',
  async (script) => {
    await use('node', '-e', script);
    expect((await home.iiot(login)).exit).toBe(130);
  },
);

describe('docs/secrets.md', () => {
  const text = readFileSync('docs/secrets.md', 'utf8');
  const wordsIn = (row: RegExp) =>
    Object.fromEntries([...text.matchAll(row)].map(([, name = '', words = '']) => [name.toLowerCase(), words]));
  const commands = wordsIn(/^\| \[?(\w+).*`([^`|]+)` \|$/gm);
  const storing = wordsIn(/^\| \[?(\w+)[^`]*`([^`|]+)` \|/gm);

  it('has a line for each program, which profiles set takes', async () => {
    expect(Object.keys(commands)).toEqual(['pass', 'secret', '1password', 'hashicorp', 'macos']);
    const windows = /"secretCommand=(.*)"/.exec(text)?.[1] ?? '';
    for (const words of [...Object.values(commands), windows]) {
      expect((await home.iiot(['profiles', 'set', 'default', `secretCommand=${words}`])).exit).toBe(0);
      expect(JSON.parse(home.read('iiot/config.json')).profiles.default.secretCommand).toEqual(words.split(' '));
    }
  });

  it.skipIf(lacks('pass', 'gpg'))('works with pass, and with a shell for an entry of several lines', async () => {
    const gpg = `gpg --batch --quiet --passphrase '' --quick-gen-key me@plant.example default default never && pass init me@plant.example`;
    expect((await home.run(['sh', '-c', gpg])).exit).toBe(0);
    const insert = [...(storing.pass ?? '').split(' '), '--echo'];
    expect((await home.run(insert, { input: `${ids.clientSecret}\n` })).exit).toBe(0);
    await home.iiot(['profiles', 'set', 'default', `secretCommand=${commands.pass}`]);
    expect((await home.iiot(login)).exit).toBe(0);
    const replace = /^pass insert --multiline --force \S+/m.exec(text)?.[0].split(' ') ?? [];
    expect((await home.run(replace, { input: `${ids.clientSecret}\nid: 1\n` })).exit).toBe(0);
    expect((await home.iiot(login)).stderr).toContain('gave no secret: pass printed ');
    const first = /secretCommand='(\["sh".*\])'/.exec(text)?.[1];
    await home.iiot(['profiles', 'set', 'default', `secretCommand=${first}`]);
    expect((await home.iiot(login)).exit).toBe(0);
    await home.run(['gpgconf', '--kill', 'gpg-agent']);
  });

  it.skipIf(lacks('secret-tool', 'gnome-keyring-daemon', 'dbus-run-session'))('works with secret-tool', async () => {
    await home.iiot(['profiles', 'set', 'default', `secretCommand=${commands.secret}`]);
    const script = `printf '\\n' | gnome-keyring-daemon --foreground --unlock --components=secrets > daemon &
      daemon=$!
      until dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep true; do sleep 0.1; done
      printf ${ids.clientSecret} | ${storing.secret}
      iiot ${login.join(' ')}; code=$?
      kill $daemon; exit $code`;
    expect(await home.run(['dbus-run-session', '--', 'sh', '-c', script])).toMatchObject({ exit: 0 });
  });
});
