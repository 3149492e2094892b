/** Profiles and logins on Windows, alone and many at once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { put } from '../process/crowd.ts';
import { org, rotatingPlatform } from '../process/rotating.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { until } from '../support/waiting.ts';
import { openComputer } from '../support/windows.ts';

const here = madeForEach(openComputer);
const start = closedAfterEach();

const list = ['orgs', 'users', 'list', '--org', org, '--limit', '1', '-o', 'id', '-q'];
const kept = (name: string) => JSON.parse(here.read(join('iiot', name)));

it('on Windows a person logs in at a terminal with a hidden password, and out again', async () => {
  const sandbox = await start(startServer({ users: 5, devices: 3 }));
  const words = ['--base-url', sandbox.url, '--tenant', 'factory', '--app', 'console'];
  const terminal = here.sit(['login', ...words, '--account', 'ada@factory.example']);
  await terminal.waitFor('Password');
  // wine's console applies a new mode a moment after the program has set it.
  await new Promise((resolve) => setTimeout(resolve, 500));
  terminal.type('correct horse\r');
  await terminal.waitFor('Logged in to');
  await terminal.waitFor('Organization ID');
  await new Promise((resolve) => setTimeout(resolve, 500));
  terminal.type('\r');
  expect(await terminal.exit).toEqual({ code: 0, signal: 0 });
  expect(terminal.written()).not.toContain('horse');
  expect(await here.iiot(list)).toEqual({ exit: 0, stdout: 'ada\n', stderr: '' });
  expect((await here.iiot(['logout', '-q'])).exit).toBe(0);
  expect((await here.iiot(list)).exit).toBe(3);
  expect(kept('credentials.json').logins).toEqual({});
});

it('on Windows a machine logs in to its own profile with a secret on standard input', async () => {
  const sandbox = await start(startServer({ users: 5, devices: 3 }));
  const words = ['login', 'm2m', '--profile', 'plant', '--client-id', 'sandbox-machine', '--client-secret-stdin'];
  const login = await here.iiot([...words, '--base-url', sandbox.url, '-q'], {}, 'sandbox-secret\r\n');
  expect(login).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect((await here.iiot(['profiles', 'set', 'plant', `org=${org}`, '-q'])).exit).toBe(0);
  expect((await here.iiot(['profiles', 'set', 'other', 'baseUrl=https://plant.example', '-q'])).exit).toBe(0);
  expect((await here.iiot(['profiles', 'use', 'plant', '-q'])).exit).toBe(0);
  expect(await here.iiot(list)).toEqual({ exit: 0, stdout: 'ada\n', stderr: '' });
  expect((await here.iiot(['profiles', 'delete', 'other', '--yes', '-q'])).exit).toBe(0);
  const shown = await here.iiot(['profiles', 'list', '-o', 'id']);
  expect(shown).toEqual({ exit: 0, stdout: 'plant\n', stderr: '' });
  expect(kept('config.json')).toMatchObject({ current: 'plant', profiles: { plant: { baseUrl: sandbox.url, org } } });
});

it('on Windows eight processes with an expired token renew it once', async () => {
  const platform = await start(rotatingPlatform());
  const { base } = platform;
  const login = { flow: 'user', tenant: 'acme', app: 'console', accessToken: 'access-0', refreshToken: 'refresh-0' };
  put(join(here.folder, 'iiot'), 'config.json', {
    version: 1,
    current: 'default',
    profiles: { default: { baseUrl: base } },
  });
  put(join(here.folder, 'iiot'), 'credentials.json', {
    version: 1,
    logins: { default: { origin: base, base, ...login, expiresAt: 1 } },
  });
  let go = () => {};
  platform.hold(new Promise((proceed) => (go = proceed)), () => undefined);
  const words = ['orgs', 'users', 'list', '--org', org, '-o', 'id'];
  const members = Array.from({ length: 8 }, () => here.begin(words));
  const waiting = () => members.filter(({ stderr }) => stderr().startsWith('Waiting for process')).length;
  await until('one renews and seven wait', () => waiting() === 7);
  go();
  const ended = await Promise.all(members.map(async (member) => [(await member.ended).exit, member.stdout()]));
  expect(ended).toEqual(members.map(() => [0, 'user-1\n']));
  expect({ renewals: platform.renewals, revoked: platform.revoked() }).toEqual({
    renewals: ['refresh-0'],
    revoked: false,
  });
  expect(kept('credentials.json').logins.default).toMatchObject({ refreshToken: 'refresh-1' });
  expect(readdirSync(join(here.folder, 'iiot', 'locks'))).toEqual([]);
});
