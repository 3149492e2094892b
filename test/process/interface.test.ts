/**
 * Every row of the interface's error table and of its limits table: typed from there, through a real socket. Each operation, and each exit code for a
 * status, through the built program.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { runHere } from '../support/here.ts';
import { homeForAll } from '../support/home.ts';
import { runProgram } from '../support/program.ts';

const root = '11111111-1111-4111-8111-111111111111';
const empty = '22222222-2222-4222-8222-222222222222';
const withDevices = '33333333-3333-4333-8333-333333333333';
const withSubOrganizations = '44444444-4444-4444-8444-444444444444';
const withOtherUsers = '66666666-6666-4666-8666-666666666666';
const nowhere = '99999999-9999-4999-8999-999999999999';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const noPolicy = 'aaaaaaaa-0000-4000-8000-00000000000f';

const users = `/api/v1/orgs/${root}/users`;
const batches = `/api/v1/orgs/${root}/batches`;
const policies = `/api/v1/orgs/${root}/alert-policies/${policy}`;
const templates = `/api/v1/orgs/${root}/notifications/templates`;
const channel = `/api/v1/orgs/${root}/notifications/channels/channel_email`;
const batch = (name: string) => [
  'batches',
  'create',
  '--name',
  name,
  '--cron',
  '0 0 2 * * ?',
  '--enabled',
  '--run-on-startup',
];

const server = madeForAll(() => startServer({ users: 2000, devices: 5 }));
const home = homeForAll();
let callers: Readonly<Record<'admin' | 'viewer' | 'machine', Readonly<Record<string, string>>>>;

beforeAll(async () => {
  const [admin, viewer] = await Promise.all([
    token('ada@factory.example', 'correct horse'),
    token('vic@factory.example', 'battery staple'),
  ]);
  callers = {
    admin: { ...address(server), IIOT_TOKEN: admin },
    viewer: { ...address(server), IIOT_TOKEN: viewer },
    machine: machine(server),
  };
});

const address = ({ url }: RunningServer) => ({
  IIOT_BASE_URL: url,
  IIOT_TENANT: 'factory',
  IIOT_APP: 'console',
  IIOT_ORG: root,
});
const machine = (where: RunningServer) => ({
  ...address(where),
  IIOT_CLIENT_ID: 'sandbox-machine',
  IIOT_CLIENT_SECRET: 'sandbox-secret',
});

async function token(account: string, password: string): Promise<string> {
  const env = {
    ...address(server),
    IIOT_CONFIG_DIR: home.at(account),
    IIOT_ACCOUNT: account,
    IIOT_PASSWORD: password,
  };
  await runProgram(['login'], { env });
  return (await runProgram(['login', 'token'], { env })).stdout.trim();
}

/** How a command ended: its exit code, and the status and code of its error. */
async function end(words: readonly string[], caller: keyof typeof callers = 'machine', run = runHere) {
  const before = server.platform.log.count();
  const { exit, stdout, stderr } = await run([...words, '-o', 'json'], { env: callers[caller] });
  const operations = server.platform.log.after(before).filter(({ path }) => !path.startsWith('/identity/'));
  const last = operations.at(-1)?.outcome;
  if (exit === 0) return { exit, sent: last };
  const { code, status } = JSON.parse(stderr).error;
  return { exit, code, status, stdout, sent: last };
}

const refusedHere = { exit: 2, code: 'usage', status: undefined, stdout: '', sent: undefined };
const rejected = { exit: 7, code: 'rejected', status: 400, stdout: '', sent: 400 };
const forbidden = { exit: 4, code: 'forbidden', status: 403, stdout: '' };
const notFound = { exit: 5, code: 'not_found', status: 404, stdout: '', sent: 404 };

describe('400', () => {
  it.each([
    ['List users: an invalid role', ['orgs', 'users', 'list', '--role', 'boss'], ['GET', `${users}?orgRole=boss`]],
    ['Create batch: missing fields', ['batches', 'create', '--name', 'n'], ['POST', batches, '--field', 'Name=n']],
    [
      'Create batch: invalid fields',
      ['batches', 'create', '--name', 'n', '--cron', '0 0 25 * * ?', '--enabled', '--run-on-startup'],
      [
        'POST',
        batches,
        '--field',
        `orgId=${root}`,
        '--field',
        'Name=n',
        '--field',
        'CronExpression=0 0 25 * * ?',
        '--raw-field',
        'IsEnabled=true',
        '--raw-field',
        'RunOnStartup=true',
      ],
    ],
    ['Update alert policy: empty body', ['policies', 'update', policy], ['PATCH', policies, '--body-file', 'EMPTY']],
    [
      'Update alert policy: validation error',
      ['policies', 'update', policy, '--alert-level', '80'],
      ['PATCH', policies, '--field', 'alertLevel=80'],
    ],
    [
      'Update alert policy: notification with both templateId and subject/content',
      ['policies', 'update', policy, '--template-id', 'template_001', '--subject', 's', '--content', 'c'],
      ['PATCH', policies, '--raw-field', 'notification={"templateId":"template_001","subject":"s","content":"c"}'],
    ],
    [
      'Update template: validation error',
      ['templates', 'update', 'template_001', '--channel-type', 'sms'],
      ['PATCH', `${templates}/template_001`, '--raw-field', 'channelTypes=["sms"]'],
    ],
    [
      'List templates: invalid pagination',
      ['templates', 'list', '--page-size', '101'],
      ['GET', `${templates}?maxResultCount=101`],
    ],
    ['List templates: invalid skipCount', ['templates', 'list', '--skip=-1'], ['GET', `${templates}?skipCount=-1`]],
    [
      'Update channel: validation error',
      ['channels', 'update', 'channel_email', '--channel-type', 'sms'],
      ['PATCH', channel, '--field', 'channelType=sms'],
    ],
  ])('%s: refused here, and rejected by the platform', async (_, words, request) => {
    const empty = home.file('empty.json', '{}');
    expect(await end(words)).toEqual(refusedHere);
    expect(await end(['api', ...request.map((word) => (word === 'EMPTY' ? empty : word))])).toEqual(rejected);
  });

  it.each([
    ['Delete organization: orgName mismatch', ['orgs', 'delete', empty, '--org-name', 'Line 8'], 'admin'],
    [
      'Update template: invalid template variable syntax',
      ['templates', 'update', 'template_001', '--content', 'Hot: {{name'],
      'machine',
    ],
  ] as const)('%s: rejected by the platform', async (_, words, caller) => {
    expect(await end(words, caller, runProgram)).toEqual(rejected);
  });
});

describe('403 of Delete organization', () => {
  it.each<[string, readonly string[], keyof typeof callers, typeof runHere?]>([
    ['the caller is not admin', ['orgs', 'delete', withOtherUsers, '--org-name', 'Paint Shop'], 'viewer'],
    ['the target is a root org', ['orgs', 'delete', root, '--org-name', 'Factory'], 'admin', runProgram],
    ['it has sub-organizations', ['orgs', 'delete', withSubOrganizations, '--org-name', 'North Hall'], 'admin'],
    ['it has devices', ['orgs', 'delete', withDevices, '--org-name', 'Assembly'], 'admin'],
    ['it has other users', ['orgs', 'delete', withOtherUsers, '--org-name', 'Paint Shop'], 'admin'],
  ])('%s', async (_, words, caller, run) => {
    const { sent: _sent, ...ended } = await end(words, caller, run);
    expect(ended).toEqual(forbidden);
  });
});

describe('404', () => {
  it.each<[string, readonly string[], typeof runHere?]>([
    ['List users: organization', ['orgs', 'users', 'list', '--org', nowhere], runProgram],
    ['Delete organization: organization', ['orgs', 'delete', nowhere, '--org-name', 'x']],
    ['Create batch: org', [...batch('n'), '--org', nowhere]],
    ['Custom info update: device', ['devices', 'custom-info', 'set', 'press-9999', 'a=1']],
    ['Update alert policy: policy', ['policies', 'update', noPolicy, '--delay', '1']],
    [
      'Update alert policy: a referenced channel',
      ['policies', 'update', policy, '--yes', '--channel-id', 'channel_assembly'],
    ],
    [
      'Update alert policy: a referenced template',
      ['policies', 'update', policy, '--yes', '--template-id', 'template_101'],
    ],
    ['Update template: template', ['templates', 'update', 'template_999', '--name', 'x']],
    ['Update channel: channel', ['channels', 'update', 'channel_none', '--disable']],
  ])('%s not found', async (_, words, run) => {
    expect(await end(words, 'machine', run)).toEqual(notFound);
  });
});

describe('409 and 503', () => {
  it('Create batch: batch name already exists', async () => {
    expect(await end(batch('Twice'))).toEqual({ exit: 0, sent: 201 });
    expect(await end(batch('Twice'), 'machine', runProgram)).toEqual({
      exit: 6,
      code: 'conflict',
      status: 409,
      stdout: '',
      sent: 409,
    });
  });

  it('Update channel: channel validation failed, and asked once only', async () => {
    const before = server.platform.log.count();
    const failed = { exit: 8, code: 'channel_validation_failed', status: 503, stdout: '', sent: 503 };
    expect(await end(['channels', 'update', 'channel_unreachable', '--disable'], 'machine', runProgram)).toEqual(
      failed,
    );
    expect(server.platform.log.after(before).map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });
});

describe('success statuses', () => {
  it.each([
    ['200: updates and lists', ['orgs', 'users', 'list'], 'machine', 200],
    ['200: updates and lists', ['templates', 'list'], 'machine', 200],
    ['200: updates and lists', ['policies', 'update', policy, '--delay', '1'], 'machine', 200],
    ['200: updates and lists', ['templates', 'update', 'template_002', '--name', 'x'], 'machine', 200],
    ['200: updates and lists', ['channels', 'update', 'channel_email', '--disable'], 'machine', 200],
    ['201: batch created', batch('Created'), 'machine', 201],
    ['204: custom info update', ['devices', 'custom-info', 'set', 'press-0001', 'a=1'], 'machine', 204],
    ['204: organization delete', ['orgs', 'delete', empty, '--org-name', 'Line 7'], 'admin', 204],
  ] as const)('%s', async (_, words, caller, status) => {
    expect(await end(words, caller, runProgram)).toEqual({ exit: 0, sent: status });
  });
});

describe('limits', () => {
  it.each([
    [
      'maxResultCount of List users, 1 to 1000',
      ['orgs', 'users', 'list', '--limit', '1', '--page-size'],
      ['1', '1000'],
      ['0', '1001'],
      `${users}?maxResultCount=`,
    ],
    [
      'maxResultCount of List templates, at most 100',
      ['templates', 'list', '--limit', '1', '--page-size'],
      ['1', '100'],
      ['101'],
      `${templates}?maxResultCount=`,
    ],
  ] as const)('%s', async (_, words, good, bad, path) => {
    for (const size of good) expect(await end([...words, size])).toEqual({ exit: 0, sent: 200 });
    for (const size of bad) expect(await end([...words, size])).toEqual(refusedHere);
    for (const size of bad) expect(await end(['api', 'GET', path + size])).toEqual(rejected);
  });

  it('maxResultCount of List templates is 20 and skipCount 0 where they are not given', async () => {
    const { stdout } = await runProgram(['api', 'GET', templates, '--jq', '[.items | length, first.templateId]'], {
      env: callers.machine,
    });
    expect(stdout).toBe('[20,"template_001"]\n');
  });

  it.each([
    [
      'Batch Name, max 100',
      (text: string) => ['batches', 'create', '--name', text, '--cron', '0 0 2 * * ?', '--enabled', '--run-on-startup'],
      100,
      201,
    ],
    ['Template name, max 200', (text: string) => ['templates', 'update', 'template_003', '--name', text], 200, 200],
    [
      'Template subject, max 500',
      (text: string) => ['templates', 'update', 'template_003', '--subject', text],
      500,
      200,
    ],
    [
      'Template content, max 50000',
      (text: string) => ['templates', 'update', 'template_003', '--content', text],
      50_000,
      200,
    ],
  ] as const)('%s characters', async (_, words, most, status) => {
    expect(await end(words('x'.repeat(most)))).toEqual({ exit: 0, sent: status });
    expect(await end(words('x'.repeat(most + 1)))).toEqual(refusedHere);
  });

  it('Alert policy delay: non-negative integer, seconds', async () => {
    const update = (delay: string) => ['policies', 'update', policy, `--delay=${delay}`];
    expect(await end(update('0'))).toEqual({ exit: 0, sent: 200 });
    expect(await end(update('90s'))).toEqual({ exit: 0, sent: 200 });
    expect(server.platform.world.policies.get(policy)?.delay).toBe(90);
    for (const delay of ['-1', '1.5']) expect(await end(update(delay))).toEqual(refusedHere);
    for (const delay of ['-1', '1.5'])
      expect(await end(['api', 'PATCH', policies, '--raw-field', `delay=${delay}`])).toEqual(rejected);
  });
});

describe('lifetimes', () => {
  it('User access token: 2 hours (7200 seconds), and then renewed', async () => {
    const own = await startServer({ users: 5, devices: 1 });
    const env = {
      ...address(own),
      IIOT_CONFIG_DIR: home.at('user'),
      IIOT_ACCOUNT: 'ada@factory.example',
      IIOT_PASSWORD: 'correct horse',
    };
    const begun = Date.now();
    const { stdout } = await runProgram(['login', '-o', 'json'], { env });
    const lasts = (Date.parse(JSON.parse(stdout).expiresAt) - begun) / 1000;
    expect(lasts).toBeGreaterThanOrEqual(7199);
    expect(lasts).toBeLessThan(7230);
    const token = (await runProgram(['login', 'token'], { env })).stdout.trim();
    await move(own, 7_201_000);
    const old = await runProgram(['orgs', 'users', 'list'], { env: { ...address(own), IIOT_TOKEN: token } });
    const renewed = await runProgram(['orgs', 'users', 'list'], { env });
    expect([old.exit, renewed.exit]).toEqual([3, 0]);
    await own.close();
  });

  it('M2M credential: until expiredAt; unlimited when omitted or null', async () => {
    const own = await startServer({ users: 5, devices: 1 });
    const day = 86_400_000;
    const ends: Record<string, (number | undefined)[]> = {};
    const expiries = {
      omitted: undefined,
      null: 'null',
      soon: JSON.stringify(new Date(Date.now() + day).toISOString()),
    };
    const clients = await Promise.all(
      Object.entries(expiries).map(async ([name, expiredAt]) => {
        const fields = ['--field', `name=${name}`, ...(expiredAt ? ['--raw-field', `expiredAt=${expiredAt}`] : [])];
        const words = ['api', 'POST', '/api/v1/oauth2/client-credentials', ...fields, '-o', 'json'];
        const { clientId, clientSecret } = JSON.parse((await runHere(words, { env: machine(own) })).stdout);
        return [name, { ...address(own), IIOT_CLIENT_ID: clientId, IIOT_CLIENT_SECRET: clientSecret }] as const;
      }),
    );
    for (const moved of [0, day - 60_000, 61_000, 3650 * day]) {
      await move(own, moved);
      for (const [name, env] of clients) {
        ends[name] = [...(ends[name] ?? []), (await runHere(['orgs', 'users', 'list'], { env })).exit];
      }
    }
    expect(ends).toEqual({ omitted: [0, 0, 0, 0], null: [0, 0, 0, 0], soon: [0, 0, 3, 3] });
    await own.close();
  });
});

/** Moves the platform's clock. */
async function move({ url }: RunningServer, add: number): Promise<void> {
  const answer = await fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ add }),
  });
  expect(answer.ok).toBe(true);
}
