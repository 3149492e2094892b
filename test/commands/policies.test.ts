import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { errorOf, failed, inBrief, worked } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const root = '11111111-1111-4111-8111-111111111111';
const request = `PATCH /api/v1/orgs/${root}/alert-policies/${id}`;
const someone = personForEach();
const newPerson = personsForEach();

const update = (words: readonly string[], given?: Given) => someone.iiot(['policies', 'update', id, ...words], given);
const ofWhole = (option: string) => `--body-file is the whole body and cannot be combined with ${option}.`;
const notWithTemplate = 'cannot be given together with --template-id';
const duration = 'takes whole seconds, or a duration such as 90s, 5m, 2h';
const comparison = 'takes a comparison operator and a number, such as ">80"';

describe('iiot policies update', () => {
  it.each([
    [['--name', 'Too hot'], '{"policyName":"Too hot"}'],
    [['--description', '温度 😀'], '{"description":"温度 😀"}'],
    [['--alert-level', '>80', '--alert-reset-level', '<= 75.5'], '{"alertLevel":">80","alertResetLevel":"<= 75.5"}'],
    [['--delay', '0'], '{"delay":0}'],
    [['--delay', '1h30m'], '{"delay":5400}'],
    [
      '--recipient 7 --recipient true --template-id template_001'.split(' '),
      '{"notification":{"recipients":["7","true"],"templateId":"template_001"}}',
    ],
    [
      ['--channel-id', 'channel_email', '--channel-id', 'channel_teams', '--recipient', 'a@b.example'],
      '{"notification":{"channelIds":["channel_email","channel_teams"],"recipients":["a@b.example"]}}',
    ],
    [
      '--template-id template_001 --var line=3 --var __proto__=x --var 10=a=b --var empty='.split(' '),
      '{"notification":{"templateId":"template_001","variables":{"line":"3","__proto__":"x","10":"a=b","empty":""}}}',
    ],
    [['--subject', 'Hot', '--content', 'a\r\nb'], '{"notification":{"subject":"Hot","content":"a\\r\\nb"}}'],
  ])('sends %j as %s, and no other field', async (words, body) => {
    expect((await update([...words, '--yes'])).exit).toBe(0);
    expect(someone.sent).toEqual([{ request, body }]);
  });

  it('changes only the fields that are given, and publishes an enabled policy again', async () => {
    const before = structuredClone(someone.platform.world.policies.get(id));
    await update(['--delay', '5m']);
    expect(someone.platform.world.policies.get(id)).toEqual({ ...before, delay: 300, publications: 2 });
  });

  it('sends the whole notification of a file, including unknown fields', async () => {
    const notification =
      '{"recipients":[{"to":"ada"},7,null],"subject":"s","content":"c","10":1,"__proto__":{"later":12345678901234567890}}';
    await update(['--delay', '1', '--notification-file', someone.file('notification.json', notification)]);
    expect(someone.sent[0]?.body).toBe(`{"delay":1,"notification":${notification}}`);
  });

  it('says where alarms will go with the notification of a file', async () => {
    const notification =
      '{"recipients":["ops@factory.example",{"to":"U1"}],"subject":"https://a.example","content":"c"}';
    const { stderr } = await update(['--notification-file', someone.file('notification.json', notification)]);
    expect(stderr.split('\n').at(-2)).toBe('Alarms will go to ops@factory.example and U1.');
  });

  it.each([
    [['--body-file', 'BODY {"delay":1.5}'], '--body-file: delay takes a whole number, 0 or more.'],
    [['--body-file', 'BODY {"notification":[]}'], '--body-file: notification takes an object.'],
    [['--body-file', 'BODY {"delay":1}', '--notification-file', 'BODY {}'], ofWhole('--notification-file')],
    [
      ['--notification-file', 'BODY {}', '--recipient', 'a'],
      '--notification-file is the whole notification and cannot be combined with another option.',
    ],
    [['--content', 'a', '--content-file', 'BODY b'], '--content and --content-file cannot be combined.'],
    [['--subject', 'x'], '--content is required with --subject.'],
    [['--content', 'x'], '--subject is required with --content.'],
    [['--var', 'a=b'], '--template-id is required with --var.'],
    [['--var', 'a=1', '--var', 'a=2', '--template-id', 't'], '--var names "a" more than once.'],
    [
      ['--notification-file', 'BODY {"templateId":"t","content":"c","subject":"s"}'],
      `--subject ${notWithTemplate}; --content ${notWithTemplate}.`,
    ],
    [['--alert-level', '80'], `--alert-level ${comparison}.`],
    [['--alert-reset-level', '> high'], `--alert-reset-level ${comparison}.`],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const typed = words.map((word, at) =>
      word.startsWith('BODY ') ? someone.file(`${at}.json`, word.slice(5)) : word,
    );
    const seen = await update(typed);
    expect(seen.stderr.split('\n')).toHaveLength(3);
    expect(await inBrief(Promise.resolve(seen))).toEqual(failed(2, `error: ${sentence}`));
    expect(someone.requests).toEqual([]);
  });

  it('refuses a body without fields', async () => {
    const { exit, stderr } = await update(['--body-file', someone.file('body.json', '{}')]);
    expect([exit, stderr, someone.requests]).toEqual([2, expect.stringContaining('nothing to change'), []]);
  });

  it('sends a delay above 2147483647 with a note', async () => {
    expect((await update(['--delay', '2147483647'])).stderr).toBe('');
    expect((await update(['--delay', '2147483648'])).stderr).toBe(
      'Note: --delay is above 2147483647, which the platform may not accept.\n',
    );
    expect(someone.sent.map(({ body }) => body)).toEqual(['{"delay":2147483647}', '{"delay":2147483648}']);
  });

  it.each([
    ['=> 85', '=85'],
    ['>80,5', '>805'],
    ['>= 1.234,5', '>=1.2345'],
    ['>85 bar', '>85'],
    ['>80%', '>80'],
    ['>>80', '>80'],
    ['>1_000', '>1'],
    ['>80,', '>80'],
  ])('sends the threshold %s with a note on how an engine may read it', async (level, reading) => {
    const { exit, stderr } = await update(['--alert-level', level]);
    const note = `is more than the operator and number that the interface knows; an engine may read it as "${reading}"`;
    expect([exit, stderr]).toEqual([0, `Note: --alert-level "${level}" ${note}.\n`]);
    expect(someone.sent[0]?.body).toBe(JSON.stringify({ alertLevel: level }));
  });

  it.each(['>80', '> 80 ', '<= -75.5', '==.5', '=5', '!= +0', '<>5', '≥ 3', '≤3', '≠ 3', '>1e3', '>8.'])(
    'sends the threshold %j without a note',
    async (level) => expect((await update(['--alert-level', level])).stderr).toBe(''),
  );

  it('names all mistakes at once, in options and in fields', async () => {
    const guid = 'takes a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const words = 'policies update policy-7 --delay -5 --alert-level 80 --template-id t --subject s -o json'.split(' ');
    expect(await errorOf(someone.iiot(words))).toEqual({
      ...{ exit: 2, stdout: '', code: 'usage', hint: 'See iiot policies update --help' },
      message: `--delay ${duration}; <alertPolicyId> ${guid}; --alert-level ${comparison}; --subject ${notWithTemplate}.`,
      details: [
        { option: '--delay', message: duration },
        { field: 'alertPolicyId', option: '<alertPolicyId>', message: guid },
        { field: 'alertLevel', option: '--alert-level', message: comparison },
        { field: 'notification.subject', option: '--subject', message: notWithTemplate },
      ],
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
  ])('with %j says once what was not found', async (words, policy, what) => {
    const seen = someone.iiot(['policies', 'update', policy, ...words, '--yes', '-q']);
    expect(await inBrief(seen)).toEqual(failed(5, `error: There is no ${what}.`));
  });

  it.each([
    [['--delay', '1'], `alert policy ${id}.`],
    [['--channel-id', 'nope'], `alert policy ${id}, or a channel or the template of the notification.`],
  ])('with %j says what may be missing if the platform does not', async (words, may) => {
    const silent = newPerson({ fetch: respondingWith(404) });
    const { exit, stderr } = await silent.iiot(['policies', 'update', id, ...words, '--yes', '-q']);
    const hint = `Not found in organization ${root}: ${may} Check the IDs and --org`;
    expect([exit, stderr.split('\n')[1]]).toEqual([5, `hint: ${hint}`]);
  });

  it('says in one line what it did after an empty response; -o id prints the ID', async () => {
    const other = newPerson({ fetch: respondingWith(204) });
    const words = ['policies', 'update', id, '--delay', '5m'];
    expect(await other.iiot(words)).toEqual(worked('', `Updated alert policy ${id}`));
    expect(await other.iiot([...words, '-o', 'id'])).toEqual(worked(`${id}\n`));
  });
});
