/** The interface does not show what most answers look like: every reasonable one has to be understood. */
import { afterEach, describe, expect, it } from 'vitest';
import { answering } from '../support/answers.ts';
import { type Given, type Person, person } from '../support/world.ts';

const policy = '22222222-2222-4222-8222-222222222222';
let someone: Person | undefined;

afterEach(() => someone?.leave());

function iiot(words: readonly string[], status: number, body?: unknown, env: Given['env'] = {}) {
  someone?.leave();
  someone = person({ fetch: answering(status, body), env });
  return someone.iiot(words);
}

const wrapped = (result: unknown) => ({ result, targetUrl: null, success: true, error: null, __abp: true });

describe('a list', () => {
  const users = ['orgs', 'users', 'list'];
  const pascal = { Items: [{ UserId: 'u1', Name: 'Ada', OrgRole: 'admin' }], TotalCount: 1 };
  const templates = { items: [{ id: 't1', name: 'Hot', tags: ['a'] }], totalCount: 1 };

  it.each([
    ['table', users, pascal, 'u1\tAda\tadmin\n'],
    ['id', users, pascal, 'u1\n'],
    ['csv', users, pascal, 'userId,name,orgRole\r\nu1,Ada,admin\r\n'],
    ['ndjson', users, pascal, '{"UserId":"u1","Name":"Ada","OrgRole":"admin"}\n'],
    ['table', ['templates', 'list'], templates, 't1\tHot\t\ta\t\n'],
    ['id', ['templates', 'list'], templates, 't1\n'],
  ])('is shown as %s by the names that the platform gives its fields: %j', async (format, words, body, stdout) => {
    expect(await iiot([...words, '-o', format], 200, body)).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('without ids says so, where ids are asked for', async () => {
    const { exit, stdout, stderr } = await iiot([...users, '-o', 'id'], 200, { items: [{ n: 1 }], totalCount: 1 });
    expect([exit, stdout, stderr]).toEqual([0, '', 'The platform gave no ids of these users\n']);
  });

  it('of credentials is searched for those that expire', async () => {
    const items = [
      { ClientCredentialId: 'c1', ExpiredAt: '2026-01-02T00:00:00Z' },
      { ClientCredentialId: 'c2', ExpiredAt: null },
    ];
    const { stdout } = await iiot(['credentials', 'list', '--expiring-within', '30d', '-o', 'id'], 200, items);
    expect(stdout).toBe('c1\n');
  });
});

describe('an update', () => {
  const update = ['policies', 'update', policy, '--delay', '1'];

  it.each([
    ['nothing', undefined],
    ['a line end', '\r\n'],
    ['a word that is no JSON', 'OK'],
    ['nothing in a wrapper', wrapped(null)],
    ['nothing in another', { code: 0, message: 'ok', data: null }],
    ['an empty record in a wrapper', wrapped({})],
    ['yes in a wrapper', wrapped(true)],
  ])('answered with %s says what it did', async (_, body) => {
    const { exit, stdout } = await iiot([...update, '-o', 'ndjson'], 200, body);
    expect([exit, stdout]).toEqual([0, `{"alertPolicyId":"${policy}","updated":["delay"]}\n`]);
  });

  it.each([
    ['in a wrapper', wrapped({ PolicyName: 'Hot', Delay: 1 }), '{"PolicyName":"Hot","Delay":1}\n'],
    ['with its id among others', { policy: { id: policy, delay: 1 } }, `{"id":"${policy}","delay":1}\n`],
  ])('answered with the record %s shows the record', async (_, body, stdout) => {
    expect((await iiot([...update, '-o', 'ndjson'], 200, body)).stdout).toBe(stdout);
    expect((await iiot([...update, '-o', 'id'], 200, body)).stdout).toBe(`${policy}\n`);
  });

  it('is refused where the wrapper says so, whatever the status', async () => {
    const error = { message: 'The line is running.', validationErrors: [{ message: 'too short', members: ['delay'] }] };
    const body = { result: null, success: false, error, __abp: true };
    expect(await iiot(update, 200, body)).toEqual({
      exit: 7,
      stdout: '',
      stderr: 'The line is running. (200) --delay: too short\nSee: iiot policies update --help\n',
    });
  });
});

describe('a word', () => {
  const set = ['devices', 'custom-info', 'set', 'd', 'a=b'];

  it.each([
    [set, 'OK', 0],
    [set, '{"deviceId":"d","cus', 8],
    [['templates', 'list'], 'OK', 8],
  ])('is an answer to a change, and half a record is none: %j, answered %s', async (words, body, exit) => {
    expect((await iiot(words, 200, body)).exit).toBe(exit);
  });
});

describe('what is created', () => {
  const batch = ['batches', 'create', '--name', 'n', '--cron', '0 0 12 * * ?', '--enabled', '--no-run-on-startup'];

  it.each([{ batchId: 7 }, { id: 7 }, wrapped({ Id: 7, Name: 'n' }), { data: { BatchId: 7 } }, { batch: { id: 7 } }])(
    'is known by its id: %j',
    async (body) => {
      expect((await iiot([...batch, '-o', 'id'], 201, body)).stdout).toBe('7\n');
    },
  );

  it.each([
    { data: { id: 'c1', client_id: 'x', client_secret: 's3cret' } },
    wrapped({ ClientCredentialId: 'c1', ClientId: 'x', ClientSecret: 's3cret' }),
  ])('keeps its secret in a wrapper: %j', async (body) => {
    const { exit, stdout } = await iiot(['credentials', 'create', '--name', 'ci', '-o', 'json'], 200, body);
    expect([exit, stdout.includes('"s3cret"'), stdout.includes('"c1"')]).toEqual([0, true, true]);
  });
});

describe('a refused token', () => {
  it.each([
    [
      'IIOT_TOKEN',
      { IIOT_TOKEN: 'old' },
      'The token is that of IIOT_TOKEN: set it to another, or unset it to use the login of the profile',
    ],
    [
      'a client credential',
      {},
      'The token is that of IIOT_CLIENT_ID: see whether its client credential is good for this platform',
    ],
  ])('of %s is told where it came from, and no login that would not be used', async (_, env, hint) => {
    const { exit, stderr } = await iiot(['templates', 'list'], 401, undefined, env);
    expect([exit, stderr.trim().split('\n')[1]]).toEqual([3, hint]);
  });

  it('of a profile is told the command that logs this profile in', async () => {
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    someone = person({ fetch: answering(401) });
    const login = ['login', 'm2m', '--client-id', 'x', '--client-secret-stdin', '--profile', 'robot'];
    await someone.iiot(login, { env, stdin: 'a secret' });
    const { exit, stderr } = await someone.iiot(['templates', 'list', '--profile', 'robot'], { env });
    expect([exit, stderr.trim().split('\n')[1]]).toEqual([3, 'Log in again: iiot login m2m --profile robot']);
  });
});
