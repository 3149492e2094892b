import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { type Given, person } from '../support/world.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const root = '11111111-1111-4111-8111-111111111111';
const request = `PATCH /api/v1/orgs/${root}/alert-policies/${id}`;
const someone = personForEach();

const update = (words: readonly string[], given?: Given) => someone.iiot(['policies', 'update', id, ...words], given);

function file(name: string, content: string): string {
  const path = join(someone.folder, name);
  writeFileSync(path, content);
  return path;
}

describe('iiot policies update', () => {
  it.each([
    [['--name', 'Too hot'], '{"policyName":"Too hot"}'],
    [['--name', ''], '{"policyName":""}'],
    [['--description', '温度 😀'], '{"description":"温度 😀"}'],
    [['--alert-level', '>80', '--alert-reset-level', '<= 75.5'], '{"alertLevel":">80","alertResetLevel":"<= 75.5"}'],
    [['--delay', '0'], '{"delay":0}'],
    [['--delay', '90'], '{"delay":90}'],
    [['--delay', '5m'], '{"delay":300}'],
    [['--delay', '1h30m'], '{"delay":5400}'],
    [['--delay', '2d'], '{"delay":172800}'],
    [
      ['--channel-id', 'channel_email', '--channel-id', 'channel_teams', '--recipient', 'a@b.example'],
      '{"notification":{"channelIds":["channel_email","channel_teams"],"recipients":["a@b.example"]}}',
    ],
    [
      '--template-id template_001 --var line=3 --var __proto__=x --var 10=a=b --var empty='.split(' '),
      '{"notification":{"templateId":"template_001","variables":{"line":"3","__proto__":"x","10":"a=b","empty":""}}}',
    ],
    [
      ['--subject', 'Hot', '--content', 'It is\r\nhot'],
      '{"notification":{"subject":"Hot","content":"It is\\r\\nhot"}}',
    ],
  ])('sends %j as %s, and no other field', async (words, body) => {
    expect((await update([...words, '--yes'])).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body }]);
  });

  it('replaces the notification as a whole, and is quiet about it with -q', async () => {
    expect((await update(['--recipient', 'a@b.example', '--yes', '-q'])).stderr).toBe('');
    expect(someone.platform.world.policies.get(id)?.notification).toEqual({ recipients: ['a@b.example'] });
  });

  it('changes nothing but what was given, and the platform publishes an enabled policy anew', async () => {
    const before = structuredClone(someone.platform.world.policies.get(id));
    await update(['--delay', '5m']);
    expect(someone.platform.world.policies.get(id)).toEqual({ ...before, delay: 300, publications: 2 });
  });

  it('reads the content from a file as it is, line ends included', async () => {
    await update(['--yes', '--subject', 'Hot', '--content-file', file('content.txt', 'Line 1\r\n\tLine 2 😀\n')]);
    expect(someone.sent[0]?.body).toBe('{"notification":{"subject":"Hot","content":"Line 1\\r\\n\\tLine 2 😀\\n"}}');
  });

  it('reads the whole notification from a file, and sends fields that it does not know as they are', async () => {
    const path = file(
      'notification.json',
      '{"subject":"s","content":"c","10":1,"__proto__":{"later":12345678901234567890}}',
    );
    await update(['--delay', '1', '--notification-file', path]);
    expect(someone.sent[0]?.body).toBe(
      '{"delay":1,"notification":{"subject":"s","content":"c","10":1,"__proto__":{"later":12345678901234567890}}}',
    );
  });

  it('sends lists of anything from a file as they are, since the interface shows no element of them', async () => {
    const notification = '{"recipients":[{"type":"email","to":"ada"},7,null],"subject":"s","content":"c"}';
    const path = file('any.json', notification);
    expect((await update(['--notification-file', path])).exit).toBe(0);
    expect(someone.sent[0]?.body).toBe(`{"notification":${notification}}`);
  });

  it('reads the whole body from --body-file -, and sends fields that it does not know as they are', async () => {
    const body = '{"delay":1,"isMuted":true,"notification":{"variables":{"n":7},"templateId":"template_001"}}';
    const { exit } = await update(['--body-file', '-'], { stdin: body });
    expect([exit, someone.sent]).toEqual([0, [{ request, body }]]);
  });

  it.each([
    [[], 'error: There is nothing to change.'],
    [['--body-file', 'BODY {}'], 'error: There is nothing to change.'],
    [['--body-file', 'BODY {"delay":-1}'], 'error: --delay takes a whole number, 0 or more.'],
    [['--body-file', 'BODY {"delay":1.5}'], 'error: --delay takes a whole number, 0 or more.'],
    [['--body-file', 'BODY {"notification":[]}'], 'error: notification takes an object.'],
    [
      ['--body-file', 'BODY {}', '--delay', '1'],
      'error: --body-file is the whole body and cannot be combined with --delay.',
    ],
    [
      ['--notification-file', 'BODY {}', '--recipient', 'a'],
      'error: --notification-file is the whole notification and cannot be combined with another option.',
    ],
    [
      ['--body-file', 'BODY {"delay":1}', '--notification-file', 'BODY {}'],
      'error: --body-file is the whole body and cannot be combined with --notification-file.',
    ],
    [['--content', 'a', '--content-file', 'BODY b'], 'error: --content and --content-file contradict each other.'],
    [
      ['--body-file', '-', '--content-file', '-'],
      'error: --body-file is the whole body and cannot be combined with --content-file.',
    ],
    [['--subject', 'x'], 'error: --content goes with --subject.'],
    [['--content', 'x'], 'error: --subject goes with --content.'],
    [['--var', 'a=b'], 'error: --template-id goes with --var.'],
    [['--var', 'a', '--template-id', 't'], 'error: --var takes KEY=VALUE.'],
    [['--var', 'a=1', '--var', 'a=2', '--template-id', 't'], 'error: --var names "a" more than once.'],
    [
      ['--template-id', 't', '--subject', 's', '--content', 'c'],
      'error: --subject cannot be given together with --template-id; --content cannot be given together with --template-id.',
    ],
    [
      ['--notification-file', 'BODY {"templateId":"t","content":"c","subject":"s"}'],
      'error: --subject cannot be given together with --template-id; --content cannot be given together with --template-id.',
    ],
    [['--alert-level', '80'], 'error: --alert-level takes a comparison operator and a number, such as ">80".'],
    [
      ['--alert-reset-level', '> high'],
      'error: --alert-reset-level takes a comparison operator and a number, such as ">80".',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const typed = words.map((word, index) => (word.startsWith('BODY ') ? file(`${index}.json`, word.slice(5)) : word));
    const { exit, stdout, stderr } = await update(typed);
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(stderr.split('\n')).toHaveLength(3);
    expect(someone.requests).toEqual([]);
  });

  it.each([
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '+5',
    ' 5',
    '５',
    '',
    'NaN',
    'Infinity',
    '9007199254740993',
    '500ms',
    '1.5s',
    '5 m',
    '5M',
    '-5m',
  ])('refuses %j as a delay', async (delay) => {
    const { exit, stderr } = await update([`--delay=${delay}`]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      'error: --delay takes whole seconds, or a duration such as 90s, 5m, 2h.',
    ]);
    expect(someone.requests).toEqual([]);
  });

  it('notes a delay that a platform of 32 bits may not take, and sends it', async () => {
    expect((await update(['--delay', '2147483647'])).stderr).toBe('');
    expect((await update(['--delay', '2147483648'])).stderr).toBe(
      'Note: --delay is above 2147483647, which the platform may not take.\n',
    );
    expect(someone.sent.map(({ body }) => body)).toEqual(['{"delay":2147483647}', '{"delay":2147483648}']);
  });

  it.each(['>10', '> 10', '>=1,5', '=> 3', '== -.5', '≥ 3', '!= 0', `>${'9'.repeat(400)}`])(
    'takes the threshold %s',
    async (level) => {
      expect((await update(['--alert-level', level])).exit).toBe(0);
      expect(someone.sent[0]?.body).toBe(JSON.stringify({ alertLevel: level }));
    },
  );

  it('names all that is wrong at once, what was read wrongly and what the interface rejects', async () => {
    const words = [
      '--org',
      root,
      '--delay',
      '-5',
      '--alert-level',
      '80',
      '--template-id',
      't',
      '--subject',
      's',
      '-o',
      'json',
    ];
    const { exit, stderr } = await someone.iiot(['policies', 'update', 'policy-7', ...words]);
    expect(exit).toBe(2);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'usage',
      message:
        '--delay takes whole seconds, or a duration such as 90s, 5m, 2h; <alertPolicyId> takes a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301; ' +
        '--alert-level takes a comparison operator and a number, such as ">80"; --subject cannot be given together with --template-id.',
      details: [
        { option: '--delay', message: 'takes whole seconds, or a duration such as 90s, 5m, 2h' },
        {
          field: 'alertPolicyId',
          option: '<alertPolicyId>',
          message: 'takes a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        },
        {
          field: 'alertLevel',
          option: '--alert-level',
          message: 'takes a comparison operator and a number, such as ">80"',
        },
        { field: 'notification.subject', option: '--subject', message: 'cannot be given together with --template-id' },
      ],
      hint: 'See iiot policies update --help',
    });
    expect(someone.requests).toEqual([]);
  });

  it.each([
    ['AAAAAAAA-0000-4000-8000-000000000001', 'AAAAAAAA-0000-4000-8000-000000000001'],
    ['aaaaaaaa000040008000000000000001', 'aaaaaaaa000040008000000000000001'],
    ['{aaaaaaaa-0000-4000-8000-000000000001}', '%7Baaaaaaaa-0000-4000-8000-000000000001%7D'],
  ])('sends the identifier %s as it was typed', async (typed, path) => {
    const { exit } = await someone.iiot(['policies', 'update', typed, '--delay', '1']);
    expect([exit, someone.sent[0]?.request]).toEqual([0, `PATCH /api/v1/orgs/${root}/alert-policies/${path}`]);
  });

  it.each([
    [['--delay', '1'], 'aaaaaaaa-0000-4000-8000-000000000009', 'alert policy aaaaaaaa-0000-4000-8000-000000000009'],
    [['--channel-id', 'nope'], id, 'channel nope'],
    [['--template-id', 'nope'], id, 'template nope'],
  ])('says of %j once what was not found', async (words, policy, what) => {
    expect(await someone.iiot(['policies', 'update', policy, ...words, '--yes', '-q'])).toEqual({
      exit: 5,
      stdout: '',
      stderr: `error: There is no ${what}.\nhint: See iiot policies update --help\nHTTP 404 · request request-000002\n`,
    });
  });

  it.each([
    [['--delay', '1'], `alert policy ${id}.`],
    [['--channel-id', 'nope'], `alert policy ${id}, or a channel or the template of the notification.`],
  ])('says of %j what may not have been found where the platform does not', async (words, may) => {
    const silent = person({ fetch: respondingWith(404) });
    const { exit, stderr } = await silent.iiot(['policies', 'update', id, ...words, '--yes', '-q']);
    const hint = `Not found in organization ${root}: ${may} Check the IDs and --org`;
    expect([exit, stderr.split('\n')[1]]).toEqual([5, `hint: ${hint}`]);
    silent.leave();
  });

  it('says in one line what it did where the answer holds nothing, and prints the id alone with -o id', async () => {
    const other = person({ fetch: respondingWith(204) });
    expect(await other.iiot(['policies', 'update', id, '--delay', '5m'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Updated alert policy ${id}\n`,
    });
    expect(await other.iiot(['policies', 'update', id, '--delay', '5m', '-o', 'id'])).toEqual({
      exit: 0,
      stdout: `${id}\n`,
      stderr: '',
    });
    other.leave();
  });

  it('rehearses with --dry-run, and sends nothing', async () => {
    const { exit, stdout } = await update(['--delay', '5m', '--dry-run', '--jq', '.request']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      method: 'PATCH',
      url: `http://127.0.0.1:1/api/v1/orgs/${root}/alert-policies/${id}`,
      contentType: 'application/json',
      body: { delay: 300 },
    });
    expect(someone.requests).toEqual([]);
  });
});
