import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import { failed, inBrief, worked } from '../support/seen.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const templates = `/api/v1/orgs/${root}/notifications/templates`;
const request = `PATCH ${templates}/template_001`;
const someone = personForEach();

const list = (...words: string[]) => someone.iiot(['templates', 'list', ...words]);
const update = (words: readonly string[], given?: Given) =>
  someone.iiot(['templates', 'update', 'template_001', ...words], given);
const ofWhole = (option: string) => `--body-file is the whole body and cannot be combined with ${option}.`;
/** What changed the platform, without what was read before. */
const changes = () => someone.sent.filter(({ request: sent }) => !sent.startsWith('GET '));

describe('iiot templates list', () => {
  it('shows the templates of the organization, tab-separated in a pipe', async () => {
    const rows =
      'template_001\tPressure low\tteams\tday\tPressure low: {{deviceName}}\n' +
      'template_002\tDoor open\tlinemessage\tnight\tDoor open: {{deviceName}}\n';
    expect(await list('--limit', '2')).toEqual(worked(rows, '2 of 45 templates'));
  });

  it('sends its filters as typed, each tag separately, including commas', async () => {
    await list(...'--name a&b --channel-type email --tag night --tag a,b --skip 3 --page-size 7'.split(' '));
    const query = 'skipCount=3&maxResultCount=7&name=a%26b&channelType=email&tags=night&tags=a%2Cb';
    expect(someone.sent).toEqual([{ request: `GET ${templates}?${query}`, body: undefined }]);
  });

  it('reads pages of 100 templates, or of as many as --limit says', async () => {
    await list('--limit', '50');
    await list();
    expect(someone.sent.map(({ request: sent }) => sent)).toEqual([
      `GET ${templates}?maxResultCount=50`,
      `GET ${templates}?maxResultCount=100`,
    ]);
  });
});

describe('iiot templates update', () => {
  it.each([
    [['--name', 'N'], '{"name":"N"}'],
    [['--content', 'Hi {{name}}\r\n'], '{"content":"Hi {{name}}\\r\\n"}'],
    [['--channel-type', 'email', '--channel-type', 'teams'], '{"channelTypes":["email","teams"]}'],
    [['--tag', 'b', '--tag', 'a'], '{"tags":["b","a"]}'],
    [['--clear-tags'], '{"tags":[]}'],
    [['--clear-channel-types'], '{"channelTypes":[]}'],
    [['--clear-tags', '--name', 'N'], '{"name":"N","tags":[]}'],
  ])('sends %j as %s, and no other field', async (words, body) => {
    expect((await update(words)).exit).toBe(0);
    expect(changes()).toEqual([{ request, body }]);
  });

  it('reads the content from a file or standard input, including line ends', async () => {
    await update(['--content-file', someone.file('content.txt', 'a\r\nb\n')]);
    await update(['--content-file', '-'], { stdin: 'a\r\n😀' });
    expect(changes().map(({ body }) => body)).toEqual(['{"content":"a\\r\\nb\\n"}', '{"content":"a\\r\\n😀"}']);
  });

  it('sends unknown fields of --body-file unchanged', async () => {
    const body = '{"10":null,"2":{},"name":"N","__proto__":[]}';
    await update(['--body-file', '-'], { stdin: body });
    expect(changes()).toEqual([{ request, body }]);
  });

  it.each([
    ['--name', 200],
    ['--subject', 500],
    ['--content', 50_000],
  ])('accepts in %s at most %i characters, however they are counted', async (option, most) => {
    const run = async (text: string) => {
      const { exit, stderr } = await update([`${option}=${text}`, '-o', 'json']);
      return [exit, stderr === '' ? '' : (JSON.parse(stderr.split('\n').at(-2) ?? '').error?.message ?? '')];
    };
    const tooLong = (count: number) => `${option} takes at most ${most} characters, but has ${count}.`;
    for (const letter of ['x', 'é', '\n']) {
      expect(await run(letter.repeat(most))).toEqual([0, '']);
      expect(await run(letter.repeat(most + 1))).toEqual([2, tooLong(most + 1)]);
    }
    expect(await run('e\u0301'.repeat(most / 2))).toEqual([0, '']);
    expect(await run('e\u0301'.repeat(most / 2 + 1))).toEqual([2, tooLong(most + 2)]);
    expect(await run('\r\n'.repeat(most / 2))).toEqual([0, '']);
    expect(await run('😀'.repeat(most + 1))).toEqual([2, tooLong(most + 1)]);
  });

  it('sends a text that is too long in UTF-16 units with a note', async () => {
    const { exit, stderr } = await update(['--name', '😀'.repeat(101)]);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Note: --name has 101 characters but 202 UTF-16 ')]);
    expect(changes()).toEqual([{ request, body: JSON.stringify({ name: '😀'.repeat(101) }) }]);
  });

  it.each([
    [['--tag', 'a', '--clear-tags'], '--tag and --clear-tags cannot be combined.'],
    [
      ['--channel-type', 'email', '--clear-channel-types'],
      '--channel-type and --clear-channel-types cannot be combined.',
    ],
    [['--channel-type', 'sms'], '--channel-type takes one of email, teams, linemessage, webhook.'],
    [['--body-file', '-', '--clear-tags'], ofWhole('--clear-tags')],
    [['--body-file', '-', '--content-file', '-'], ofWhole('--content-file')],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    expect(await inBrief(update(words, { stdin: '{}' }))).toEqual(failed(2, `error: ${sentence}`));
    expect(someone.requests).toEqual([]);
  });

  it.each([
    ['{"name":null}', '--body-file: name takes a string.'],
    [
      '{"name":1,"tags":"a","channelTypes":["sms",2]}',
      '--body-file: name takes a string; tags takes a list; channelTypes[0] takes one of email, teams, linemessage, webhook; channelTypes[1] takes a string.',
    ],
    ['{"subject":', '--body-file standard input is not JSON: see line 1.'],
    ['[]', '--body-file must hold a JSON object.'],
    ['{\n"later":1e999}', '--body-file standard input has a number that is too large: see line 2.'],
  ])('refuses the body %s', async (body, sentence) => {
    expect(await inBrief(update(['--body-file', '-'], { stdin: body }))).toEqual(failed(2, `error: ${sentence}`));
    expect(someone.requests).toEqual([]);
  });

  it('says how to list templates if one was not found', async () => {
    const hint = `hint: See iiot templates list --org ${root}`;
    expect(await someone.iiot(['templates', 'update', 'template_999', '--name', 'x'])).toEqual(
      failed(5, 'error: There is no template template_999.', hint, 'HTTP 404 · request request-000002'),
    );
  });
});
