import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newOwnerName } from '../../src/files/owner.ts';
import { crowdHome } from '../process/crowd.ts';
import { call, good, rotatingPlatform } from '../process/rotating.ts';
import { madeForEach } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { worked } from '../support/seen.ts';

const home = madeForEach(crowdHome);
const platform = madeForEach(() => rotatingPlatform());

/** What the clock says here. */
const noon = Date.UTC(2026, 0, 1, 12);
const run = (args: readonly string[], env = {}) => runHere(args, { env: { ...env, IIOT_CONFIG_DIR: home.folder } });
const read = (name: string) => JSON.parse(readFileSync(join(home.folder, name), 'utf8'));

const keep = (profiles: object, logins: Readonly<Record<string, object>>) => home.keep(platform.base, profiles, logins);

const robot = { flow: 'm2m', clientId: 'robot', clientSecret: 'robot-secret' };
const person = { flow: 'user', tenant: 'acme', app: 'console', account: 'ada@example.com', accessToken: 'access-0' };
const renewable = { ...person, refreshToken: 'refresh-0' };

describe('iiot login token', () => {
  const given = { accessToken: 'access-0', tokenType: 'Bearer', expiresAt: new Date(noon + 3_600_000).toISOString() };

  it.each([
    ['bare', [], {}, 'access-0\n'],
    ['bare even with IIOT_OUTPUT=json', [], { IIOT_OUTPUT: 'json' }, 'access-0\n'],
    ['with its expiry with -o json', ['-o', 'json'], {}, `${JSON.stringify(given, null, 2)}\n`],
    ['to jq', ['--jq', '.expiresAt'], {}, `${given.expiresAt}\n`],
    ['as its ID', ['-o', 'id'], {}, 'access-0\n'],
    ['bare as a table', ['-o', 'table'], {}, 'access-0\n'],
  ])('prints the token %s', async (_, words, env, stdout) => {
    keep(
      { default: { baseUrl: platform.base } },
      { default: { ...renewable, expiresAt: Date.parse(given.expiresAt) } },
    );
    expect(await run(['login', 'token', ...words], env)).toEqual(worked(stdout));
  });

  it.each(['completion bash -o json', 'completion bash --jq .', 'sandbox tour -o json'])(
    'has formats, unlike iiot %s',
    async (line) => {
      const { exit, stdout, stderr } = await run(line.split(' '));
      expect({ exit, stdout, stderr }).toMatchObject({
        exit: 2,
        stdout: '',
        stderr: expect.stringContaining('has one output'),
      });
    },
  );
});

describe('iiot login status', () => {
  const later = noon + 3_600_000;
  const status = async (login: object | undefined, ...words: string[]) => {
    keep({ default: { baseUrl: platform.base } }, login ? { default: login } : {});
    const { stdout, stderr, exit } = await run(['login', 'status', '-o', 'json', ...words]);
    const { loggedIn, renewable: renews, expiresAt, accepted } = JSON.parse(stdout);
    return { loggedIn, renews, expiresAt, accepted, exit, stderr };
  };
  const iso = (time: number) => new Date(time).toISOString();

  it.each([
    ['good and renewable', { ...renewable, expiresAt: later }, true, true, iso(later), 0],
    ['good, and not renewable', { ...person, expiresAt: later }, true, false, iso(later), 0],
    ['expired and renewable', { ...renewable, expiresAt: 1 }, true, true, iso(1), 0],
    ['expired, and not renewable', { ...person, expiresAt: 1 }, false, false, iso(1), 3],
    ['good until refused', person, true, false, null, 0],
    ['of a machine that has no token yet', robot, true, true, null, 0],
    ['of a machine whose secret is gone', { flow: 'm2m', clientId: 'robot' }, false, false, null, 3],
    ['of nobody', undefined, false, false, null, 3],
  ])('shows expiry and renewal of a login that is %s', async (_name, login, loggedIn, renews, expiresAt, exit) => {
    expect(await status(login)).toMatchObject({ loggedIn, renews, expiresAt, accepted: null, exit });
    expect(platform.renewals).toEqual([]);
  });

  it('reports an expired IIOT_TOKEN, except in the first minutes', async () => {
    const tokenUntil = (time: number) =>
      ['e30', Buffer.from(JSON.stringify({ exp: time / 1000 })).toString('base64url'), 'x'].join('.');
    const of = (time: number) =>
      run(['login', 'status'], { IIOT_BASE_URL: platform.base, IIOT_TOKEN: tokenUntil(time) });
    expect(await of(noon - 3_600_000)).toMatchObject({
      exit: 3,
      stderr:
        'error: The token in IIOT_TOKEN has expired.\n' +
        'hint: Set another one, or unset IIOT_TOKEN to use the login of the profile\n',
    });
    expect((await of(noon - 60_000)).exit).toBe(0);
  });

  it('tells why an expired login cannot be used', async () => {
    const { stderr } = await status({ ...person, expiresAt: 1 });
    const message = expect.stringContaining('profile default has expired');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unauthenticated', message });
  });

  it('asks the platform with --check, and shows the expiry of the renewed token', async () => {
    const { expiresAt, ...told } = await status({ ...renewable, expiresAt: 1 }, '--check');
    expect(told).toEqual({ loggedIn: true, renews: true, accepted: true, exit: 0, stderr: '' });
    expect(Date.parse(expiresAt)).toBeGreaterThan(noon + 7_000_000);
    expect(platform.renewals).toEqual(['refresh-0']);
  });

  it('exits with 3 with --check if the platform has ended the login', async () => {
    keep({ default: { baseUrl: platform.base } }, { default: { ...person, expiresAt: later } });
    const { stdout, exit } = await run(['login', 'status', '--check']);
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 3 });
  });
});

describe('iiot logout', () => {
  const credential = { IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: 'robot-secret' };
  const variables = () => ({ IIOT_BASE_URL: platform.base, ...credential });
  /** As a command of this machine would have named its half-written file, had it been killed. */
  const halfWritten = () => `.iiot-${newOwnerName().replace(/^\d+/, '4194399')}`;
  const secrets = /access-|refresh-|robot-secret|machine-/;

  /** Every text below the folder that holds a secret. */
  const leaking = () =>
    readdirSync(home.folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && secrets.test(readFileSync(join(home.folder, entry.name), 'utf8')))
      .map(({ name }) => name);

  it("forgets the profile's login, the cached tokens of machines, and what a killed command left", async () => {
    keep({ default: { baseUrl: platform.base } }, { default: renewable, other: robot });
    expect(await run(call, variables())).toEqual(good);
    writeFileSync(join(home.folder, halfWritten()), 'refresh-0', { mode: 0o600 });
    expect(await run(['logout'])).toEqual({ stdout: '', stderr: 'Logged out (profile default)\n', exit: 0 });
    expect(leaking()).toEqual(['credentials.json']);
    const other = { origin: platform.base, base: platform.base, ...robot };
    expect(read('credentials.json').logins).toEqual({ other });
    expect(read('config.json').profiles).toEqual({ default: { baseUrl: platform.base } });
    expect(await run(['logout'])).toEqual(worked('', 'Nobody was logged in (profile default)'));
  });

  it('leaves no secret with --all', async () => {
    keep({}, { default: renewable, other: robot });
    expect(await run(call, variables())).toEqual(good);
    expect(await run(['logout', '--all'])).toEqual({ stdout: '', stderr: 'Logged out of every profile\n', exit: 0 });
    expect(leaking()).toEqual([]);
    expect(await run(['logout', '--all'])).toEqual({ stdout: '', stderr: 'Nobody was logged in\n', exit: 0 });
  });

  it('notes credentials in the environment', async () => {
    const stays = 'Nobody was logged in (profile default); commands keep using IIOT_CLIENT_ID, which is set';
    expect(await run(['logout'], variables())).toEqual(worked('', stays));
    expect(existsSync(home.folder)).toBe(false);
  });
});
