import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import type { Person } from '../support/world.ts';

const newPerson = personsForEach();
const here = 'http://127.0.0.1:1';
const elsewhere = 'https://platform.example';
let someone: Person;

const at = (name: string) => join(someone.folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const write = (name: string, content: object) => {
  mkdirSync(someone.folder, { recursive: true, mode: 0o700 });
  writeFileSync(at(name), JSON.stringify({ version: 1, ...content }), { mode: 0o600 });
};
const robot = { flow: 'm2m', origin: elsewhere, base: elsewhere, clientId: 'other', clientSecret: 'other-secret' };
const run = (line: string, env: Record<string, string | undefined> = {}, stdin = 'sandbox-secret') =>
  someone.iiot(line.split(' '), { env, stdin });

beforeEach(() => {
  someone = newPerson();
  write('config.json', { profiles: { prod: { baseUrl: elsewhere, readOnly: true, label: 'PRODUCTION' } } });
});

// Each would replace the platform, the account or the guard of the profile.
const replacing = [
  'credentials create --name q --save-profile prod',
  'credentials create --name q --save-profile prod --force',
  'credentials rotate credential_001 --save-profile prod --force',
  `login m2m --profile prod --base-url ${here} --client-id sandbox-machine --client-secret-stdin`,
  `login --profile prod --base-url ${here} --tenant factory --app console --account a@b.example --password-stdin`,
  `profiles set prod baseUrl=${here}`,
  'profiles set prod label=TEST',
  'profiles set prod org=O2',
  'profiles set prod caFile=/etc/other.pem',
  'profiles set prod allowHttp=true',
  'profiles set prod readOnly=',
  'profiles delete prod',
  'profiles rename prod other',
];

describe.each([{ protected: true }, { readOnly: true }])('a profile with %j', (held) => {
  it.each(replacing)('is not replaced without confirmation by: %s', async (line) => {
    write('config.json', { profiles: { prod: { baseUrl: elsewhere, label: 'PRODUCTION', org: 'O1', ...held } } });
    write('credentials.json', { logins: line.endsWith('--save-profile prod') ? {} : { prod: robot } });
    const before = [read('config.json'), read('credentials.json')];
    const { exit, stderr } = await run(`${line} --yes -o json`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Confirm with --confirm-profile prod')]);
    expect([read('config.json'), read('credentials.json')]).toEqual(before);
    expect(someone.sent.filter(({ request }) => !request.startsWith('GET '))).toEqual([]);
  });
});

it('a login for a new address is confirmed with --confirm-profile, and both addresses are shown', async () => {
  const login = 'login m2m --profile prod --client-id sandbox-machine --client-secret-stdin --confirm-profile prod';
  const { exit, stderr } = await run(`${login} --base-url ${here}`);
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining(`Profile prod was for ${elsewhere}, and is now for ${here}.\n`),
  ]);
});

it('a protected profile takes a first login, and its repetition, without confirmation', async () => {
  write('config.json', { profiles: { prod: { baseUrl: here, protected: true } } });
  const line = 'login m2m --profile prod --client-id sandbox-machine --client-secret-stdin';
  for (const _ of [1, 2]) expect((await run(line)).exit).toBe(0);
});

it('a login after a logout is compared with the login before it', async () => {
  write('config.json', { profiles: { prod: { baseUrl: here, protected: true } } });
  write('credentials.json', { logins: { prod: { ...robot, origin: here, base: here } } });
  for (const line of ['logout --profile prod', 'logout --all']) expect((await run(line)).exit).toBe(0);
  const login = 'login m2m --profile prod --client-secret-stdin --client-id';
  expect((await run(`${login} sandbox-machine`)).stderr).toContain('Confirm with --confirm-profile prod');
  expect((await run(`${login} sandbox-machine --confirm-profile prod`)).exit).toBe(0);
  expect((await run('logout --profile prod')).exit).toBe(0);
  expect((await run(`${login} sandbox-machine`)).exit).toBe(0);
});

it('a login that sets the organization or a CA file needs confirmation', async () => {
  write('config.json', { profiles: { prod: { baseUrl: here, protected: true, org: 'O1' } } });
  const login = 'login m2m --profile prod --client-id sandbox-machine --client-secret-stdin';
  for (const more of ['--org O2', '--ca-file package.json'])
    expect((await run(`${login} ${more}`)).stderr).toContain('Confirm with --confirm-profile prod');
  expect((await run(`${login} --org O1`)).exit).toBe(0);
});

describe('a secretCommand', () => {
  const script = "require('node:fs').writeFileSync('ran', ''); console.log('sandbox-secret')";
  const command = [process.execPath, '-e', script];
  const line = 'login m2m --profile prod --client-id sandbox-machine';
  const start = (more: object) => write('config.json', { profiles: { prod: { secretCommand: command, ...more } } });
  const noSecret = { IIOT_CLIENT_SECRET: undefined, IIOT_CLIENT_ID: undefined };
  const hasRun = () => existsSync(at('ran'));

  it.each([
    [{ baseUrl: here, secretCommandOrigin: here }, [], 0],
    [{ baseUrl: `${here}/platform`, secretCommandOrigin: here }, ['--base-url', here], 3],
    [{ baseUrl: here, secretCommandOrigin: here, secretCommandPlace: { base: `${here}/prod` } }, [], 3],
    [{ baseUrl: here, secretCommandOrigin: elsewhere }, [], 3],
    [{ baseUrl: here }, [], 3],
    [{ baseUrl: elsewhere, secretCommandOrigin: elsewhere }, ['--base-url', here], 3],
  ])('runs only for the base URL that it was set for: %j %j', async (values, words, exit) => {
    await run('profiles delete prod --confirm-profile prod');
    await someone.iiot(['profiles', 'set', 'prod', `baseUrl=${here}`, `secretCommand=${JSON.stringify(command)}`]);
    start(values);
    const ended = await someone.iiot([...line.split(' '), ...words], { env: noSecret });
    expect([ended.exit, hasRun()]).toEqual([exit, exit === 0]);
  });

  it('ends a command with 3 if it belongs to another base URL', async () => {
    start({ baseUrl: here, secretCommandOrigin: elsewhere });
    write('credentials.json', { logins: { prod: { ...robot, origin: here, base: here, clientSecret: undefined } } });
    const { exit, stderr } = await run('orgs users list --profile prod', noSecret);
    expect([exit, stderr]).toEqual([3, expect.stringMatching(`belongs to ${elsewhere}, .* ${here}`)]);
    expect(hasRun()).toBe(false);
  });
});

it('changes with a profile whose guard is misspelt are refused', async () => {
  write('config.json', { profiles: { prod: { baseUrl: here, readonly: true, Protected: true } } });
  const { exit, stderr } = await run('devices custom-info set d a=1 --profile prod');
  expect([exit, stderr]).toEqual([
    4,
    expect.stringContaining('"readonly" of profile prod in config.json, which is written readOnly'),
  ]);
  const before = read('config.json');
  for (const line of ['delete prod', 'rename prod other', `set prod baseUrl=${elsewhere}`]) {
    const refused = await run(`profiles ${line}`);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('which is written readOnly')]);
  }
  expect(read('config.json')).toEqual(before);
});

it('a command ends if the profile that was named cannot be read', async () => {
  write('config.json', { profiles: { prod: { baseUrl: here, readOnly: 'true' } } });
  const { exit } = await run('devices custom-info set d a=1 --profile prod', { IIOT_BASE_URL: here, IIOT_TOKEN: 't' });
  expect([exit, someone.requests]).toEqual([1, []]);
});

it('every writer of config.json and credentials.json is known', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const outside = files.filter((name) => !name.startsWith('store/'));
  const calls = outside.flatMap((name) => {
    const text = readFileSync(join('src', name), 'utf8');
    const found = text.match(
      /\b(changeConfig|writeLogin|changeLogin|renameLogin|forgetLogin|forgetAllLogins|guardProfile)(?=\()/g,
    );
    return found ? [[name.replaceAll('\\', '/'), found.toSorted().join(' ')] as const] : [];
  });
  expect(Object.fromEntries(calls)).toEqual({
    // Renews the tokens of the login that is there.
    'auth/profile-session.ts': 'changeLogin changeLogin',
    'command/confirm.ts': 'guardProfile',
    // The first two change nothing, to see whether it can be written.
    'commands/credentials/secret-places.ts': 'changeConfig changeConfig changeLogin guardProfile writeLogin',
    // Adds an organization to the profile that login has just guarded.
    'commands/login-questions.ts': 'changeConfig',
    'commands/login.ts': 'changeConfig guardProfile writeLogin',
    // Keeps who was logged in.
    'commands/logout.ts': 'changeConfig forgetAllLogins forgetLogin',
    // set, delete and rename; use changes only which one is in use.
    'commands/profiles.ts':
      'changeConfig changeConfig changeConfig changeConfig forgetLogin guardProfile guardProfile guardProfile renameLogin',
    'commands/sandbox/index.ts': 'changeConfig guardProfile writeLogin',
  });
  const naming = files.filter((name) =>
    /join\([^)]*'(config|credentials)\.json'/.test(readFileSync(join('src', name), 'utf8')),
  );
  expect(naming).toEqual(['store/store.ts']);
});
