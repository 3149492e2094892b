/** Responses that the interface does not describe. */
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import type { Given, Person } from '../support/world.ts';

const policy = '22222222-2222-4222-8222-222222222222';
const newPerson = personsForEach();
let someone: Person;

function iiot(words: readonly string[], status: number, body?: unknown, env: Given['env'] = {}) {
  someone = newPerson({ fetch: respondingWith(status, body), env });
  return someone.iiot(words);
}

const wrapped = (result: unknown) => ({ result, targetUrl: null, success: true, error: null, __abp: true });

describe('a list', () => {
  const users = ['orgs', 'users', 'list'];
  const pascal = { Items: [{ user_id: 'u1', Name: 'Ada', OrgRole: 'admin', e_mail: null }], TotalCount: 1 };
  const templates = { items: [{ id: 't1', name: 'Hot', tags: ['a'] }], totalCount: 1 };

  it.each([
    ['table', users, pascal, 'u1\tAda\tadmin\n'],
    ['id', users, pascal, 'u1\n'],
    ['csv', users, pascal, 'userId,name,orgRole,e_mail\r\nu1,Ada,admin,\r\n'],
    ['ndjson', users, pascal, '{"user_id":"u1","Name":"Ada","OrgRole":"admin","e_mail":null}\n'],
    ['table', ['templates', 'list'], templates, 't1\tHot\t\ta\t\n'],
    ['id', ['templates', 'list'], templates, 't1\n'],
  ])('is shown as %s with the field names of the platform: %j', async (format, words, body, stdout) => {
    expect(await iiot([...words, '-o', format], 200, body)).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('without IDs leads to a message with -o id', async () => {
    const { exit, stdout, stderr } = await iiot([...users, '-o', 'id'], 200, { items: [{ n: 1 }], totalCount: 1 });
    expect([exit, stdout, stderr]).toEqual([0, '', expect.stringContaining('no IDs of these users')]);
  });

  it('of credentials is filtered by --expiring-within', async () => {
    const items = [
      { client_credential_id: 'c1', expired_at: '2026-01-02T00:00:00Z' },
      { ClientCredentialId: 'c2', ExpiredAt: null },
    ];
    const { stdout } = await iiot(['credentials', 'list', '--expiring-within', '30d', '-o', 'id'], 200, items);
    expect(stdout).toBe('c1\n');
  });
});

const error = { message: 'The line is running.' };

describe('a refusal with a status of success', () => {
  it('fails an update in the words of its wrapper', async () => {
    const validationErrors = [{ message: 'too short', members: ['delay'] }];
    const body = { result: null, success: false, error: { ...error, validationErrors }, __abp: true };
    expect(await iiot(['policies', 'update', policy, '--delay', '1'], 200, body)).toEqual({
      exit: 7,
      stdout: '',
      stderr: 'error: The line is running. --delay: too short\nhint: See iiot policies update --help\nHTTP 200\n',
    });
  });

  it.each([
    [{ success: false, error }],
    [{ Success: false, Error: 'error: The line is running.' }],
    [{ succeeded: false, errors: ['error: The line is running.'] }],
    [{ isSuccess: false, message: 'The line is running.', data: null }],
  ])('is recognized: %j', async (body) => {
    const { exit, stderr } = await iiot(['policies', 'update', policy, '--delay', '1'], 200, body);
    expect([exit, stderr.split('\n')[0]?.includes('error: The line is running')]).toEqual([7, true]);
    expect((await iiot(['templates', 'list'], 200, body)).exit).toBe(7);
    expect((await iiot(['orgs', 'delete', policy, '--org-name', 'x'], 200, body)).exit).toBe(7);
  });

  it('is reported as not logged in if the wrapper says so', async () => {
    const body = { success: false, error, unAuthorizedRequest: true, __abp: true };
    expect((await iiot(['templates', 'list'], 200, body)).exit).toBe(3);
  });

  it.each([
    [{ alertPolicyId: policy, success: false }],
    [{ alertPolicyId: policy, success: false, error: null, message: 'never run' }],
    [{ success: true, error: null }],
  ])('is not seen in a record: %j', async (body) => {
    expect((await iiot(['policies', 'update', policy, '--delay', '1'], 200, body)).exit).toBe(0);
  });

  it('leaves no credential in doubt', async () => {
    const { exit, stderr } = await iiot(['credentials', 'create', '--name', 'ci', '-o', 'json'], 200, {
      success: false,
      error,
    });
    expect([exit, stderr.includes('may exist')]).toEqual([7, false]);
  });

  it('fails its row of an import, once', async () => {
    const answer = respondingWith(200, { success: false, error });
    someone = newPerson({ fetch: answer });
    const file = someone.file('fleet.csv', 'deviceId,line\npress-1,3\npress-2,4\n');
    const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', '--yes', file, '-o', 'json']);
    const { done, failures } = JSON.parse(stdout);
    expect([exit, done, failures.map((row: { error: object }) => row.error)]).toEqual([
      9,
      0,
      Array(2).fill({ code: 'rejected', message: 'The line is running.', status: 200, requestId: null }),
    ]);
    expect(someone.requests.filter((request) => request.startsWith('PUT')).length).toBe(2);
  });
});

it('a field that the platform refuses is named by its option if that was typed', async () => {
  const body = { message: 'The level is odd.', errors: { alertLevel: ['The level is odd.'] } };
  const update = ['policies', 'update', policy];
  const { stderr } = await iiot([...update, '--alert-level=> 5'], 400, body);
  expect(stderr.split('\n')[0]).toBe('error: The level is odd. (--alert-level)');
  const { stderr: other } = await iiot([...update, '--delay', '5'], 400, body);
  expect(other.split('\n')[0]).toBe('error: The level is odd.');
  const { stderr: json } = await iiot([...update, '--delay', '5', '-o', 'json'], 400, body);
  expect(JSON.parse(json).error.details).toEqual([
    { field: 'alertLevel', option: '--alert-level', message: 'The level is odd.' },
  ]);
});

it('a response that names another ID is noted once in an import', async () => {
  someone = newPerson({ fetch: respondingWith(200, { deviceId: 'press-0' }) });
  const file = someone.file('fleet.csv', 'deviceId,line\npress-1,3\npress-2,4\n');
  const { exit, stderr } = await someone.iiot(['devices', 'custom-info', 'import', '--yes', file, '-o', 'json']);
  expect([exit, stderr.match(/press-0, not/g)?.length]).toEqual([0, 1]);
});

it('an import continues if each token is valid for few requests', async () => {
  let tokens = 0;
  const uses = new Map<string, number>();
  const fetch: Fetch = async (url, { headers }) => {
    if (url.endsWith('/connect/token')) {
      tokens += 1;
      return Response.json({ access_token: `ticket-${tokens}`, expires_in: 3600 });
    }
    const { authorization = '' } = headers;
    const used = (uses.get(authorization) ?? 0) + 1;
    uses.set(authorization, used);
    return new Response(null, { status: used > 30 ? 401 : 204 });
  };
  someone = newPerson({ fetch });
  const rows = Array.from({ length: 200 }, (_, index) => `press-${index},1\n`);
  const file = someone.file('fleet.csv', `deviceId,line\n${rows.join('')}`);
  const { exit, stdout } = await someone.iiot(['devices', 'custom-info', 'import', '--yes', file, '-o', 'json']);
  expect([exit, JSON.parse(stdout).done]).toEqual([0, 200]);
  expect(tokens).toBeLessThan(12);
});

/** A page as nginx writes it. */
const nginx = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.22.1</center>`;
const isPage = { 'content-type': 'text/html' };

describe('a page of another web server', () => {
  it.each([
    [['templates', 'list'], 404, 5],
    [['login', 'status', '--check'], 403, 4],
    [['templates', 'list'], 200, 8],
  ])('is reported with its title, and a hint at a gateway: %j, %i', async (words, status, exit) => {
    someone = newPerson({ fetch: respondingWith(status, nginx('Gate 7'), isPage) });
    const seen = await someone.iiot([...words, '-o', 'json']);
    const { error } = JSON.parse(seen.stderr);
    expect([seen.exit, error.message, error.hint]).toEqual([
      exit,
      expect.stringContaining('"Gate 7".'),
      expect.stringContaining('whether a gateway or proxy answers'),
    ]);
  });

  it('does not count as a refused client credential', async () => {
    const title = '400 The plain HTTP request was sent to HTTPS port';
    someone = newPerson({ fetch: async () => new Response(nginx(title), { status: 400, headers: isPage }) });
    const { exit, stderr } = await someone.iiot(['templates', 'list']);
    const hint = `"${title}".\nhint: The server expects https: use https://127.0.0.1:1 as the base URL\nHTTP 400\n`;
    expect([exit, stderr]).toEqual([8, expect.stringContaining(hint)]);
  });

  it.each([
    ['600', [], 'and asks to wait 10 min', 'Try again then'],
    ['30', ['--retries', '0'], 'and asks to wait 30 s', 'A gateway in front of the platform may be unable to reach it'],
  ])('with 503 and Retry-After: %s is reported with its title and the wait', async (wait, options, asks, hint) => {
    const headers = { ...isPage, 'retry-after': wait };
    someone = newPerson({ fetch: respondingWith(503, nginx('Maintenance'), headers) });
    expect(await someone.iiot(['templates', 'list', ...options])).toEqual({
      ...{ exit: 8, stdout: '' },
      stderr: expect.stringContaining(`"Maintenance", ${asks}.\nhint: ${hint}`),
    });
    // The token is asked for, and a login begins, at the same gateway.
    someone = newPerson({ fetch: async () => new Response(nginx('Maintenance'), { status: 503, headers }) });
    const { exit, stderr } = await someone.iiot(['credentials', 'list', ...options]);
    expect([exit, stderr]).toEqual([8, expect.stringContaining(`"Maintenance", ${asks}.`)]);
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, IIOT_PASSWORD: 'a password' };
    const login = await someone.iiot(['login', '--account', 'ada', ...options], { env });
    expect([login.exit, login.stderr]).toEqual([8, expect.stringMatching(/^error: A web page came instead/)]);
    expect(login.stderr).toContain(`"Maintenance", ${asks}.`);
  });

  it('differs from a 503 of the platform, which leads to a hint when to try again', async () => {
    someone = newPerson({ fetch: respondingWith(503, { message: 'Busy' }, { 'retry-after': '30' }) });
    const { stderr } = await someone.iiot(['templates', 'list', '--retries', '0']);
    expect(stderr).toMatch(/^error: Busy\.\nhint: Try again in 30 s;/);
  });
});

describe('a created record', () => {
  const batch = ['batches', 'create', '--name', 'n', '--cron', '0 0 12 * * ?', '--enabled', '--no-run-on-startup'];

  it.each([{ batchId: 7 }, { id: 7 }, wrapped({ Id: 7, Name: 'n' }), { data: { BatchId: 7 } }, { batch: { id: 7 } }])(
    'is identified by its ID: %j',
    async (body) => {
      expect((await iiot([...batch, '-o', 'id'], 201, body)).stdout).toBe('7\n');
    },
  );
});

describe('a refused client credential', () => {
  const refusal = { error: 'invalid_client', error_description: 'The client is unknown, or its secret is wrong.' };
  const rest = 'and says: The client is unknown, or its secret is wrong.';

  it('of a profile is reported with the login of this profile', async () => {
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    let isGone = false;
    const issued = () => Response.json({ access_token: 't', expires_in: 60 });
    someone = newPerson({ fetch: async () => (isGone ? Response.json(refusal, { status: 401 }) : issued()) });
    const login = ['login', 'm2m', '--client-id', 'x', '--client-secret-stdin', '--profile', 'robot'];
    expect((await someone.iiot(login, { env, stdin: 'a secret' })).exit).toBe(0);
    isGone = true;
    someone.advance(120_000);
    expect(await someone.iiot(['templates', 'list', '--profile', 'robot'], { env })).toEqual({
      exit: 3,
      stdout: '',
      stderr: expect.stringMatching(` x, ${rest}\nhint: .* iiot login m2m --profile robot\nHTTP 401\n$`),
    });
    expect(await someone.iiot(login, { env, stdin: 'a secret' })).toEqual({
      exit: 3,
      stdout: '',
      stderr: expect.stringMatching(` x, ${rest}\nhint: Check the client ID.*\nHTTP 401\n$`),
    });
  });

  it.each([
    [refusal, ` sandbox-machine, ${rest}\nhint: Check the client ID`],
    [undefined, ' sandbox-machine, which may have expired'],
  ])('from the environment is reported with its client ID: %j', async (body, text) => {
    someone = newPerson({
      fetch: async () => (body ? Response.json(body, { status: 401 }) : new Response(null, { status: 401 })),
    });
    const stderr = expect.stringContaining(text);
    expect(await someone.iiot(['templates', 'list'])).toEqual({ exit: 3, stdout: '', stderr });
  });
});

describe('a refused token', () => {
  it.each([
    [
      'IIOT_TOKEN',
      { IIOT_TOKEN: 'old' },
      "hint: The token comes from IIOT_TOKEN: set another one, or unset it to use the profile's login",
    ],
    [
      'a client credential',
      {},
      'hint: The token comes from IIOT_CLIENT_ID: check that its client credential belongs to this platform',
    ],
  ])('from %s is reported with its source', async (_, env, hint) => {
    const { exit, stderr } = await iiot(['templates', 'list'], 401, undefined, env);
    expect([exit, stderr.trim().split('\n')[1]]).toEqual([3, hint]);
  });

  it('of a profile is reported with the command to log in', async () => {
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    someone = newPerson({ fetch: respondingWith(401) });
    const login = ['login', 'm2m', '--client-id', 'x', '--client-secret-stdin', '--profile', 'robot'];
    await someone.iiot(login, { env, stdin: 'a secret' });
    const { exit, stderr } = await someone.iiot(['templates', 'list', '--profile', 'robot'], { env });
    expect([exit, stderr]).toEqual([3, expect.stringContaining(' iiot login m2m --profile robot\n')]);
  });

  const challenge = (text: string) => ({ 'www-authenticate': text });
  const audience = "The audience 'iiot' is invalid";
  const notAccepted = `The platform does not accept the login: ${audience} (invalid_token).`;
  const aspNet = `Bearer error_description="${audience}", error="invalid_token"`;

  it('is reported with the reason in WWW-Authenticate', async () => {
    someone = newPerson({ fetch: respondingWith(401, undefined, challenge(aspNet)) });
    const { exit, stderr } = await someone.iiot(['templates', 'list']);
    expect([exit, stderr.split('\n')[0]]).toEqual([3, `error: ${notAccepted}`]);
    const { error } = JSON.parse((await someone.iiot(['templates', 'list', '-o', 'json'])).stderr);
    expect(error).toMatchObject({
      code: 'unauthenticated',
      message: notAccepted,
      status: 401,
      details: [{ message: `${audience} (invalid_token)` }],
    });
  });

  it('is reported with the reason in WWW-Authenticate if the body only repeats the status', async () => {
    someone = newPerson({ fetch: respondingWith(401, { title: 'Unauthorized', status: 401 }, challenge(aspNet)) });
    const { stderr } = await someone.iiot(['templates', 'list']);
    expect(stderr.split('\n')[0]).toBe(`error: ${notAccepted}`);
  });

  it('leads to the missing scope, and how to get it', async () => {
    const header = challenge('Bearer error="insufficient_scope", scope="iiot.write it\'s"');
    someone = newPerson({ fetch: respondingWith(403, undefined, header) });
    const { exit, stderr } = await someone.iiot(['templates', 'list']);
    expect([exit, stderr]).toEqual([
      4,
      [
        "error: The platform does not allow it: insufficient_scope (scope iiot.write it's).",
        `hint: Log in with a client credential that has it: iiot credentials create --name NAME --scope iiot.write --scope 'it'\\''s'`,
        'HTTP 403',
        '',
      ].join('\n'),
    ]);
  });

  it('is reported without control characters and secrets of the challenge', async () => {
    const header = challenge('Bearer error="invalid_token", error_description="\u009b31m a-token-of-the-tests"');
    someone = newPerson({ fetch: respondingWith(401, undefined, header) });
    const { stderr } = await someone.iiot(['templates', 'list']);
    expect(stderr.split('\n')[0]).toMatch(/: \\u\{9b\}31m \*\*\* \(invalid_token\)\.$/);
  });
});

describe('a refusal with 403', () => {
  const role = 'iiot login status --check';
  const help = 'batches create --help';
  const batch = ['batches', 'create', '--name', 'n', '--cron', '0 0 2 * * ?', '--enabled', '--run-on-startup'];

  it.each([
    ['without a reason', undefined, role],
    ['without a code', { error: { message: 'No.' } }, role],
    ['with the code of a missing right', { error: { code: 'Volo.Authorization:010001', message: 'No.' } }, role],
    ['with the code of a limited credential', { error: { code: 'Devices:NotOfCredential', message: 'No.' } }, role],
    ['with its own status as the code', { code: 403, message: 'No.' }, role],
    ['for another reason', { error: { code: 'Batches:NameExists', message: 'A batch n exists already.' } }, help],
    ['for another reason, without a wrapper', { code: 'NAME_TAKEN', message: 'A batch n exists already.' }, help],
  ])('%s leads to a hint at the login only if that may help', async (_, body, hint) => {
    const { exit, stderr } = await iiot(batch, 403, body);
    expect([exit, stderr.split('\n')[1]]).toEqual([4, expect.stringContaining(hint)]);
  });
});

it.each(['', '404 page not found\n', 'Not Found', 'Status Code: 404; Not Found'])(
  'a 404 without a reason leads to a hint at the base URL: %j',
  async (text) => {
    const fetch = async () => new Response(text, { status: 404, headers: { 'content-type': 'text/plain' } });
    const env = { IIOT_TOKEN: 'a-token', IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    expect(await newPerson({ fetch, env }).iiot(['policies', 'update', policy, '--delay', '1'])).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(
        /^error: The platform has nothing at this address: the base URL may be wrong, or: .* not found/,
      ),
    });
    expect((await newPerson({ fetch, env }).iiot(['login', 'status', '--check'])).stderr).toContain(
      'hint: Check --base-url and --org',
    );
  },
);

describe('a wrong clock of this machine', () => {
  const date = 'Thu, 01 Jan 2026 09:00:00 GMT';
  const elsewhere = { IIOT_BASE_URL: 'https://platform.example' };
  const ahead = "This machine's clock is 3 h ahead of the platform's.";

  it.each([
    ['a refused token', ['orgs', 'users', 'list'], 401],
    ['a refused credential', ['login', 'm2m', '--client-id', 'a', '--client-secret-stdin'], 400],
    ['a renewal that fails', ['login', 'm2m', '--client-id', 'a', '--client-secret-stdin'], 502],
  ])('is reported with %s', async (_, words, status) => {
    const fetch = async () => new Response('', { status, headers: { date } });
    const { stderr } = await newPerson({ fetch, env: elsewhere }).iiot([...words, '--retries', '0'], {
      stdin: 'a-secret',
    });
    expect(stderr).toContain(ahead);
  });

  it.each([
    ['of a platform on this machine', {}, true],
    ['of a sandbox, which is moved on purpose', { server: 'iiot-sandbox' }, false],
  ])('is reported by the clock %s: %j', async (_, headers, isTold) => {
    const fetch = async () => new Response('', { status: 401, headers: { date, ...headers } });
    const env = { ...elsewhere, IIOT_BASE_URL: 'http://127.0.0.1:1' };
    const { stderr } = await newPerson({ fetch, env }).iiot(['orgs', 'users', 'list']);
    expect(stderr.includes(ahead)).toBe(isTold);
  });
});

it('an error in JSON includes the notices before it', async () => {
  const headers = { 'retry-after': '1' };
  const fetch = async () => new Response('', { status: 429, headers });
  const { exit, stderr } = await newPerson({ fetch, env: { IIOT_TOKEN: 'a-token', IIOT_CLIENT_ID: undefined } }).iiot([
    'orgs',
    'users',
    'list',
    '--json',
    '--retries',
    '1',
  ]);
  const { error } = JSON.parse(stderr);
  const notices = ['Waiting 1 s: the platform answered 429. Attempt 2 of 2 follows.'];
  expect([exit, error.code, error.notices]).toEqual([8, 'unavailable', notices]);
});
