/** Every row of the interface's error table, and of its limits, typed from there: what is refused here, and what the platform rejects. */
import { beforeAll, describe, expect, it } from 'vitest';
import { madeForAll } from '../support/fixtures.ts';
import { wordsOf } from '../support/words.ts';
import { person } from '../support/world.ts';

const empty = '22222222-2222-4222-8222-222222222222';
const withDevices = '33333333-3333-4333-8333-333333333333';
const withoutUsers = '77777777-7777-4777-8777-777777777777';
const nowhere = '99999999-9999-4999-8999-999999999999';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const noPolicy = 'aaaaaaaa-0000-4000-8000-00000000000f';
const batch = "batches create --enabled --run-on-startup --cron '0 0 2 * * ?' --name";

const someone = madeForAll(() => person({ users: 50, devices: 5 }));
/** The variables of an admin who is logged in with a password. */
const admin = {
  ...{ IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined },
  ...{ IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: 'correct horse' },
};
beforeAll(() => someone.iiot(['login'], { env: admin }));

/** How a command ended: its exit code, the status and code of its error, and the last status that the platform responded with. */
async function end(line: string, env = {}) {
  const before = someone.platform.log.count;
  const { exit, stdout, stderr } = await someone.iiot([...wordsOf(line), '-o', 'json'], { env });
  const { count, latest } = someone.platform.log;
  const all = latest.slice(0, count - before).toReversed();
  const operations = all.filter(({ path }) => !path.startsWith('/identity/'));
  const sent = operations.map(({ outcome }) => outcome);
  if (exit === 0) return { exit, sent };
  const { code, status } = JSON.parse(stderr).error;
  return { exit, code, status, stdout, sent };
}

const done = (status: number) => ({ exit: 0, sent: [status] });
const failed = (exit: number, code: string, status: number) => ({ exit, code, status, stdout: '', sent: [status] });
const refusedHere = { exit: 2, code: 'usage', status: null, stdout: '', sent: [] };
const rejected = failed(7, 'rejected', 400);

it.each([
  ['List users: an invalid role', 'orgs users list --role boss'],
  ['Create batch: missing fields', 'batches create --name n'],
  ['Create batch: invalid fields', "batches create --name n --cron '0 0 25 * * ?' --enabled --run-on-startup"],
  ['Update alert policy: empty body', `policies update ${policy}`],
  ['Update alert policy: validation error', `policies update ${policy} --alert-level 80`],
  [
    'Update alert policy: notification with both templateId and subject/content',
    `policies update ${policy} --template-id template_001 --subject s --content c`,
  ],
  ['Update template: validation error', 'templates update template_001 --channel-type sms'],
  ['List templates: invalid pagination', 'templates list --page-size 101'],
  ['List templates: invalid skipCount', 'templates list --skip=-1'],
  ['Update channel: validation error', 'channels update channel_email --channel-type sms'],
  ['Maximum of List users', 'orgs users list --page-size 1001'],
  ['Minimum of List users', 'orgs users list --page-size 0'],
  ['Alert policy delay below zero', `policies update ${policy} --delay=-1`],
  ['Alert policy delay, no whole number', `policies update ${policy} --delay 1.5`],
])('a 400 of the error table is refused before a request: %s', async (_, line) => {
  expect(await end(line)).toEqual(refusedHere);
});

describe('a row of the error table', () => {
  it.each<[string, string, ReturnType<typeof failed>, object?]>([
    ['Delete organization: orgName mismatch', `orgs delete ${withoutUsers} --org-name 'Line 8'`, rejected],
    [
      'Update template: invalid template variable syntax',
      "templates update template_001 --content 'Hot: {{name'",
      rejected,
    ],
    [
      'Delete organization: it has devices',
      `orgs delete ${withDevices} --org-name Assembly`,
      failed(4, 'forbidden', 403),
      admin,
    ],
    ...[
      ['List users: organization', `orgs users list --org ${nowhere}`],
      ['Delete organization: organization', `orgs delete ${nowhere} --org-name x`],
      ['Create batch: org', `${batch} n --org ${nowhere}`],
      ['Custom info update: device', 'devices custom-info set press-9999 a=1'],
      ['Update alert policy: policy', `policies update ${noPolicy} --delay 1`],
      ['Update alert policy: a referenced channel', `policies update ${policy} --yes --channel-id channel_assembly`],
      ['Update alert policy: a referenced template', `policies update ${policy} --yes --template-id template_101`],
      ['Update template: template', 'templates update template_999 --name x'],
      ['Update channel: channel', 'channels update channel_none --disabled'],
    ].map(([what, line = '']): [string, string, ReturnType<typeof failed>] => [
      `${what} not found`,
      line,
      failed(5, 'not_found', 404),
    ]),
    [
      'Update channel: channel validation failed, and asked once only',
      'channels update channel_unreachable --disabled',
      failed(8, 'channel_validation_failed', 503),
    ],
  ])('has its exit code and status: %s', async (_, line, expected, env) => {
    expect(await end(line, env)).toEqual(expected);
  });

  it('gives exit code 6 for a batch name that already exists', async () => {
    expect([await end(`${batch} Twice`), await end(`${batch} Twice`)]).toEqual([done(201), failed(6, 'conflict', 409)]);
  });
});

describe('a success of the platform', () => {
  it.each<[string, string, number, object?]>([
    ['List users, most at a time', 'orgs users list --limit 1 --page-size 1000', 200],
    ['List users, fewest at a time', 'orgs users list --limit 1 --page-size 1', 200],
    ['List templates, most at a time', 'templates list --limit 1 --page-size 100', 200],
    ['Update alert policy, delay from 0', `policies update ${policy} --delay 0`, 200],
    ['Update template', 'templates update template_002 --name x', 200],
    ['Update channel', 'channels update channel_email --disabled', 200],
    ['Custom info update', 'devices custom-info set press-0001 a=1', 204],
    ['Delete organization', `orgs delete ${empty} --org-name 'Line 7'`, 204, admin],
  ])('has its status: %s', async (_, line, status, env) => {
    expect(await end(line, env)).toEqual(done(status));
  });

  it.each([
    ['Batch Name', 100, batch, 201],
    ['Template name', 200, 'templates update template_003 --name', 200],
    ['Template subject', 500, 'templates update template_003 --subject', 200],
    ['Template content', 50_000, 'templates update template_003 --content', 200],
  ])('%s has at most %i characters', async (_, most, line, status) => {
    const ends = [await end(`${line} ${'x'.repeat(most)}`), await end(`${line} ${'x'.repeat(most + 1)}`)];
    expect(ends).toEqual([done(status), refusedHere]);
  });
});
