import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { errorOf } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const templates = '/api/v1/orgs/11111111-1111-4111-8111-111111111111/notifications/templates';
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const newPerson = personsForEach();
let someone: Person;

beforeEach(() => {
  someone = newPerson();
});

const update = (...words: string[]) => someone.iiot(['templates', 'update', 'template_001', ...words]);

describe('a change that replaces a list', () => {
  it('names the items that a template loses', async () => {
    await update('--tag', 'day', '--tag', 'night', '--channel-type', 'email');
    const { exit, stderr } = await update('--tag', 'night', '--channel-type', 'teams');
    expect([exit, stderr]).toEqual([0, 'Removes from channelTypes: email.\nRemoves from tags: day.\n']);
    expect(someone.requests.slice(-2)).toEqual([
      `GET ${templates}?maxResultCount=100`,
      `PATCH ${templates}/template_001`,
    ]);
  });

  it('prints nothing if every item stays', async () => {
    await update('--tag', 'day');
    expect(await update('--tag', 'night', '--tag', 'day')).toMatchObject({ exit: 0, stderr: '' });
  });

  it('reads nothing first without a list, with -q, and with -o json', async () => {
    await update('--subject', 'Line 3 is hot');
    await update('--clear-tags', '-q');
    await update('--clear-tags', '-o', 'json');
    expect(someone.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  });

  it('says with --dry-run only that the whole list is replaced', async () => {
    const { stderr } = await update('--clear-tags', '--dry-run');
    expect(stderr).toBe('This replaces the whole list of tags.\n');
    const { stdout } = await update('--clear-tags', '--dry-run', '-o', 'json');
    expect(JSON.parse(stdout).notes).toEqual(['This replaces the whole list of tags.']);
    expect(someone.requests).toEqual([]);
  });

  it('says only that the whole list is replaced if the list is unreadable', async () => {
    someone = newPerson({
      fetch: async (url, init) => (init.method === 'GET' ? respondingWith(403) : respondingWith(200))(url, init),
    });
    const { exit, stderr } = await update('--clear-tags');
    expect([exit, stderr.split('\n')[0]]).toEqual([0, 'This replaces the whole list of tags.']);
  });

  it('says so for the lists and the configuration of a channel', async () => {
    const words = ['channels', 'update', 'channel_email', '--tag', 'a', '--clear-recipients', '--config-file', '-'];
    const { exit, stderr } = await someone.iiot(words, { stdin: '{"host":"mail.example"}' });
    expect([exit, stderr]).toEqual([
      0,
      'This replaces the whole configuration.\nThis replaces the whole list of recipients.\nThis replaces the whole list of tags.\nAlarms will go to mail.example.\n',
    ]);
  });
});

const policies = ['policies', 'update', policy];
const channels = ['channels', 'update', 'channel_email'];
const lose = (lost: string, are = 'are') =>
  `The ${lost} stored now ${are} removed, and cannot be read from the platform.`;

describe('a part of a notification or of settings', () => {
  const notification = (body: string, lost: string) => [
    `This replaces the whole notification with ${body}.`,
    lose(lost),
  ];
  const settings = (body: string, lost: string) => [
    `This may replace the whole group of settings with ${body}.`,
    lose(lost, 'may be'),
  ];
  const ofPolicy = { what: `replace the notification of alert policy ${policy}`, field: 'notification' };
  const ofChannel = { what: 'update channel channel_email', field: 'commonSettings' };
  it.each([
    [['--recipient', 'a@b.example'], notification('{"recipients":["a@b.example"]}', 'channels, template and content')],
    [
      ['--channel-id', 'channel_email', '--delay', '5'],
      notification('{"channelIds":["channel_email"]}', 'recipients, template and content'),
    ],
    [
      ['--template-id', 'template_001', '--recipient', 'a'],
      notification('{"recipients":["a"],"templateId":"template_001"}', 'channels and variables'),
    ],
    [
      ['--subject', 'a', '--content', 'b\u001b[2J'],
      notification('{"subject":"a","content":"b\\u001b[2J"}', 'channels and recipients'),
    ],
    [['--settings-timeout', '30'], settings('{"timeout":30}', 'retryAttempts and retryDelay')],
    [
      ['--settings-retry-attempts', '3', '--settings-retry-delay', '5', '--disabled'],
      settings('{"retryAttempts":3,"retryDelay":5}', 'timeout'),
    ],
  ])('needs --yes without a terminal, and says what is removed: %j', async (given, notes) => {
    const isOfChannel = given[0]?.startsWith('--settings');
    const { what, field } = isOfChannel ? ofChannel : ofPolicy;
    const words = [...(isOfChannel ? channels : policies), ...given];
    expect(await errorOf(someone.iiot([...words, '-o', 'json', '-q'], { stdin: 'y\n' }))).toEqual({
      ...{ exit: 2, stdout: '', code: 'usage', message: expect.stringContaining(`To ${what} at 127.0.0.1:1 you`) },
      hint: `${notes.join(' ')} Confirm with --yes`,
      details: [{ option: '--yes', message: 'is required' }],
    });
    const { exit, stdout } = await someone.iiot([...words, '--dry-run', '-o', 'json']);
    expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ replaces: [field], notes })]);
    expect(someone.requests).toEqual([]);
    expect(await someone.iiot([...words, '--yes'])).toMatchObject({ exit: 0, stderr: `${notes.join('\n')}\n` });
  });
});

describe('a whole notification or group of settings', () => {
  const [channel, template] = [
    ['--channel-id', 'channel_email'],
    ['--template-id', 'template_001'],
  ];
  const replaced = 'This replaces the whole notification.';
  const wholes: [string[], string | undefined, string[]][] = [
    [[...policies, ...channel, ...template], undefined, [replaced, lose('recipients and variables')]],
    [[...policies, ...channel, '--subject', 'a', '--content', 'b', '--recipient', 'c'], undefined, [replaced]],
    [[...policies, ...channel, '--subject', 'a', '--content-file', '-', '--recipient', 'c'], 'b', [replaced]],
    [
      [...policies, '--notification-file', '-'],
      '{"channelIds":["channel_email"],"recipients":[]}',
      [replaced, lose('template and content')],
    ],
    [
      [...policies, '--body-file', '-'],
      '{"notification":{"channelIds":[],"recipients":[]}}',
      [replaced, lose('template and content')],
    ],
    [[...channels, '--settings-timeout=1', '--settings-retry-attempts=2', '--settings-retry-delay=3'], undefined, []],
    [
      [...channels, '--body-file', '-'],
      '{"commonSettings":{"timeout":1,"retryDelay":3}}',
      ['This may replace the whole group of settings.', lose('retryAttempts', 'may be')],
    ],
    [[...policies, '--delay', '5'], undefined, []],
  ];

  it.each(wholes)('is sent without a question, with a note of what is lost: %j %s', async (words, stdin, notes) => {
    const { exit, stderr } = await someone.iiot(words, stdin === undefined ? {} : { stdin });
    expect([exit, stderr]).toEqual([0, notes.map((line) => `${line}\n`).join('')]);
  });
});

describe('the response to a change', () => {
  const delay = [...policies, '--delay', '5m'];
  const disable = [...channels, '--disabled'];
  const retag = ['templates', 'update', 'template_001', '--name', 'x', '--clear-tags'];
  const nightly = ['batches', 'create', '--name', 'N', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'];
  const updated = { alertPolicyId: policy, updated: ['delay'], replaces: [] };
  const [record, ofConfig] = [
    { alertPolicyId: policy, delay: 300 },
    { id: 'channel_email', config: { channelId: 'x' } },
  ];
  const created = { orgId: '11111111-1111-4111-8111-111111111111', name: 'N', created: true };

  it.each([
    ['no body', delay, 200, undefined, updated],
    ['204', delay, 204, undefined, updated],
    ['a line end', delay, 200, '\r\n', updated],
    ['a word that is no JSON', delay, 200, 'OK', updated],
    ['null', delay, 200, null, updated],
    ['an empty object', delay, 200, {}, updated],
    ['nothing in a wrapper', delay, 200, { code: 0, message: 'ok', data: null }, updated],
    ['an empty record in a wrapper', delay, 200, { result: {}, success: true, __abp: true }, updated],
    ['yes in a wrapper', delay, 200, { result: true, success: true, __abp: true }, updated],
    ['a record with its id among others', delay, 200, { policy: { id: policy, delay: 1 } }, { id: policy, delay: 1 }],
    ['an empty text', retag, 200, '', { templateId: 'template_001', updated: ['name', 'tags'], replaces: ['tags'] }],
    ['the record', delay, 200, { ...record, later: [1] }, { ...record, later: [1] }],
    ['a wrapped record', delay, 200, { data: record }, record],
    ['ABP of old', delay, 200, { result: record, success: true, __abp: true }, record],
    ['ABP without its ID', delay, 200, { result: { Delay: 1 }, success: true, __abp: true }, { Delay: 1 }],
    ['another record', delay, 200, { id: 7, delay: 300 }, { id: 7, delay: 300 }],
    [
      'a record under its name',
      disable,
      200,
      { channel: { channelId: 'channel_email' } },
      { channelId: 'channel_email' },
    ],
    ['a record whose configuration has an ID', disable, 200, ofConfig, ofConfig],
    ['such a record in a wrapper', disable, 200, { data: ofConfig }, ofConfig],
    ['no new record', nightly, 201, undefined, created],
    ['a new record with another ID', nightly, 200, { data: { id: 'b-7' } }, { id: 'b-7' }],
  ])('is understood if it is %s', async (_, words, status, answer, result) => {
    someone = newPerson({ fetch: respondingWith(status, answer) });
    const { exit, stdout } = await someone.iiot([...words, '-o', 'json']);
    expect({ exit, result: JSON.parse(stdout) }).toEqual({ exit: 0, result });
  });
});
