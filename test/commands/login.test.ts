import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { worked } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const base = 'http://127.0.0.1:1';
const steps = [
  `GET /factory/portal/external-login?returnUrl=${encodeURIComponent(`${base}/factory/console`)}`,
  'POST /identity/api/v1.0/account/login',
  `GET /factory/portal/external-login?returnUrl=${encodeURIComponent(`${base}/factory/console`)}`,
  'POST /signin-oidc',
  'POST /factory/console/api/v1/auth/tokens',
];
const newPerson = personsForEach();
const someone = personForEach({ env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });

const missing = (what: string) => `error: ${what} is missing, and iiot cannot prompt: not a terminal.`;
const login = (words: readonly string[] = [], given: Given = {}) => someone.iiot(['login', ...words], given);
const ada = ['--account', 'ada@factory.example', '--password-stdin'];
const logIn = (...words: string[]) => login([...ada, ...words], { stdin: 'correct horse\n' });

describe('iiot login', () => {
  it('logs in with five requests', async () => {
    expect(await logIn()).toEqual(worked('', `Logged in to ${base} as ada@factory.example (profile default)`));
    expect(someone.requests).toEqual(steps);
  });

  it('prints the login and its expiry as JSON', async () => {
    expect(JSON.parse((await logIn('-o', 'json')).stdout)).toEqual({
      profile: 'default',
      baseUrl: base,
      flow: 'user',
      account: 'ada@factory.example',
      expiresAt: '2026-01-01T14:00:00.000Z',
      loggedIn: true,
    });
  });

  it('saves the address and private files, but not the password', async () => {
    await logIn();
    const files = readdirSync(someone.folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) {
      expect([name, statSync(join(someone.folder, name)).mode & 0o077]).toEqual([name, 0]);
      expect(readFileSync(join(someone.folder, name), 'utf8')).not.toContain('correct horse');
    }
    const { profiles } = JSON.parse(readFileSync(join(someone.folder, 'config.json'), 'utf8'));
    const place = { baseUrl: base, tenant: 'factory', app: 'console', account: 'ada@factory.example' };
    expect(profiles.default).toEqual(place);
  });

  it('saves the organization of --org, but not that of IIOT_ORG', async () => {
    const org = async () => JSON.parse((await someone.iiot(['profiles', 'show', '-o', 'json'])).stdout).org;
    await logIn();
    expect(await org()).toBe(someone.env.IIOT_ORG);
    someone.env.IIOT_ORG = undefined;
    expect(await org()).toBeFalsy();
    await logIn('--org', 'the-plant');
    expect(await org()).toBe('the-plant');
    await logIn();
    expect(await org()).toBe('the-plant');
  });

  it.each([
    [{}, [], undefined],
    [{ IIOT_PROFILE: 'default' }, ['--profile', 'default', '--base-url', base, '--tenant', 'factory'], undefined],
    [{ IIOT_TOKEN: 'x', IIOT_CLIENT_ID: 'robot' }, [], 'IIOT_TOKEN, IIOT_CLIENT_ID'],
    [{ IIOT_PROFILE: 'test' }, ['--profile', 'prod'], 'IIOT_PROFILE'],
    [
      { IIOT_BASE_URL: 'https://other.example', IIOT_TENANT: 'acme' },
      ['--base-url', base, '--tenant', 'factory'],
      'IIOT_BASE_URL, IIOT_TENANT',
    ],
  ])('names variables that take precedence over the login: %j %j', async (env, words, names) => {
    const { stderr } = await login([...ada, ...words], { env, stdin: 'correct horse\n' });
    const notice = `Commands do not use this login because of ${names}. See iiot login status`;
    expect(stderr.trim().split('\n').slice(1)).toEqual(names === undefined ? [] : [notice]);
  });

  it('notes that the organization of another tenant is kept', async () => {
    await someone.iiot(['profiles', 'set', 'default', 'tenant=acme', 'org=the-plant']);
    expect((await logIn()).stderr).toContain(
      'Profile default was for tenant acme, is now for factory, and keeps organization the-plant. ' +
        'To set another: iiot profiles set default org=ID\n',
    );
    expect((await logIn()).stderr).not.toContain('the-plant');
  });

  it('saves the file of --ca-file as an absolute path', async () => {
    const { stderr } = await logIn('--ca-file', 'ca.pem');
    expect(stderr).toContain(`trusts the certificate authorities in ${resolve('ca.pem')} from now on.`);
    const { caFile } = JSON.parse((await someone.iiot(['profiles', 'show', '-o', 'json'])).stdout);
    expect(caFile).toBe(resolve('ca.pem'));
  });

  it('reads missing options from variables, and later from the profile', async () => {
    const bare = { IIOT_BASE_URL: undefined, IIOT_TENANT: undefined, IIOT_APP: undefined };
    const words = ['--base-url', base, '--tenant', 'factory', '--app', 'console'];
    const env = { ...bare, IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: 'correct horse' };
    expect((await login(words, { env })).exit).toBe(0);
    expect((await login([], { env: { ...bare, IIOT_PASSWORD: 'correct horse' } })).exit).toBe(0);
    expect(someone.requests).toEqual([...steps, ...steps]);
  });

  it.each([
    [[], { IIOT_TENANT: undefined }, missing('--tenant')],
    [[], { IIOT_APP: '' }, missing('--app')],
    [[], {}, missing('--account')],
    [['--account', 'ada'], {}, missing('The password')],
    [['--account', 'ada', '--password-stdin'], {}, 'error: --password-stdin: there is no password on standard input.'],
    [[], { IIOT_BASE_URL: undefined }, 'error: Which platform? --base-url is missing.'],
  ])('refuses %j with %j, and sends nothing', async (words, env, sentence) => {
    const { exit, stdout, stderr } = await login(words, { env });
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(stderr).toMatch(/^[^\n]+\n[^\n]+\n$/);
    expect(someone.requests).toEqual([]);
  });

  it('exits with 3 for a wrong password, and saves nothing', async () => {
    const { exit, stdout } = await login(ada, { stdin: 'wrong horse' });
    expect([exit, stdout, someone.requests]).toEqual([3, '', steps.slice(0, 2)]);
    expect((await someone.iiot(['profiles', 'list', '-o', 'id'])).stdout).toBe('');
  });

  it('names tenant and application if the platform does not know them', async () => {
    const hint =
      'hint: Check the tenant path and the application: --tenant and --app, IIOT_TENANT and IIOT_APP, or the profile; also check the base URL';
    const { exit, stderr } = await logIn('--app', 'no-such-app');
    expect([exit, stderr.split('\n')]).toEqual([
      3,
      [expect.stringMatching(/ of tenant path factory, application no-such-app, .*returnUrl/), hint, 'HTTP 400', ''],
    ]);
  });
});

describe('iiot login m2m', () => {
  const m2m = (words: readonly string[], given: Given = {}) => login(['m2m', ...words], given);

  it('saves a credential that gets a token', async () => {
    const words = ['--client-id', 'sandbox-machine', '--client-secret-stdin'];
    const seen = await m2m(words, { stdin: 'sandbox-secret\n' });
    expect(seen).toEqual(worked('', `Logged in to ${base} as sandbox-machine (profile default)`));
    expect((await someone.iiot(['orgs', 'users', 'list'])).exit).toBe(0);
    expect(someone.requests.filter((request) => request.endsWith('/connect/token'))).toHaveLength(1);
  });

  const noSecret = 'error: --client-secret-stdin: there is no client secret on standard input.';
  const inFile = (IIOT_CLIENT_SECRET_FILE: string) => ({ IIOT_CLIENT_SECRET_FILE });

  it('saves nothing of a refused credential', async () => {
    const { exit, stderr } = await m2m(['--client-id', 'sandbox-machine', '--client-secret-stdin'], { stdin: 'wrong' });
    expect([exit, stderr.includes('wrong\n')]).toEqual([3, false]);
    expect((await someone.iiot(['profiles', 'list', '-o', 'id'])).stdout).toBe('');
  });

  it.each([
    [[], {}, missing('--client-id')],
    [['--client-id', 'x'], {}, missing('The client secret')],
    [['--client-id', 'x', '--client-secret-stdin'], {}, noSecret],
    [['--client-secret', 'x'], {}, 'error: Unknown option "--client-secret".'],
    [['--client-id', 'x'], inFile('/nowhere'), 'error: IIOT_CLIENT_SECRET_FILE /nowhere does not exist.'],
    [['--client-id', 'x'], inFile('/dev/null'), 'error: IIOT_CLIENT_SECRET_FILE /dev/null is empty.'],
  ])('refuses %j with %j, and sends nothing', async (words, env, sentence) => {
    const { exit, stderr } = await m2m(words, { env });
    expect([exit, stderr.split('\n')[0]]).toEqual([2, sentence]);
    expect(someone.requests).toEqual([]);
  });
});

describe('a login', () => {
  it('is shown by login status, which sends nothing', async () => {
    await logIn();
    const before = someone.requests.length;
    const { exit, stdout } = await login(['status', '-o', 'json']);
    expect([exit, JSON.parse(stdout)]).toEqual([
      0,
      {
        baseUrl: base,
        loggedIn: true,
        source: 'profile',
        profile: 'default',
        flow: 'user',
        account: 'ada@factory.example',
        tenant: 'factory',
        app: 'console',
        issuer: `${base}/identity`,
        renewable: true,
        expiresAt: '2026-01-01T14:00:00.000Z',
        ...{ message: null, clientId: null, readOnly: false, label: null, accepted: null },
      },
    ]);
    expect(someone.requests).toHaveLength(before);
  });

  it.each<[number, object | undefined, number]>([
    [200, [], 0],
    [200, { status: 'ok' }, 8],
    [403, undefined, 0],
    [403, { error: { message: 'Only admins may do this.' } }, 0],
    [403, { message: 'no' }, 4],
    [404, undefined, 5],
    [404, { message: 'no Route matched with those values' }, 5],
  ])(
    'is accepted for login status --check after %i %j only if the platform knows the caller',
    async (status, body, end) => {
      const other = newPerson({ fetch: respondingWith(status, body) });
      const { exit, stdout } = await other.iiot(['login', 'status', '--check', '--jq', '.accepted']);
      expect([exit, stdout]).toEqual([end, end === 0 ? 'true\n' : '']);
    },
  );

  it('is renewed by login token if it has expired', async () => {
    await logIn();
    const { stdout: old } = await login(['token']);
    someone.advance(7_300_000);
    const { stdout: fresh } = await login(['token']);
    expect(fresh).not.toBe(old);
    expect(someone.requests.at(-1)).toBe('POST /factory/console/api/v1/auth/tokens?grant_type=refresh_token');
  });

  it('is renewed by login refresh', async () => {
    await logIn();
    someone.advance(60_000);
    expect(await login(['refresh'])).toEqual(worked('', 'Renewed the login until 2026-01-01T14:01:00.000Z'));
  });
});
