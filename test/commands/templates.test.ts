import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';
import type { Given } from '../support/world.ts';

const root = '11111111-1111-4111-8111-111111111111';
const templates = `/api/v1/orgs/${root}/notifications/templates`;
const request = `PATCH ${templates}/template_001`;
const someone = personForEach();

const list = (...words: string[]) => someone.iiot(['templates', 'list', ...words]);
const update = (words: readonly string[], given?: Given) =>
  someone.iiot(['templates', 'update', 'template_001', ...words], given);
/** What changed the platform, without what was read before. */
const changes = () => someone.sent.filter(({ request: sent }) => !sent.startsWith('GET '));

function file(name: string, content: string): string {
  const path = join(someone.folder, name);
  writeFileSync(path, content);
  return path;
}

describe('iiot templates list', () => {
  it('shows the templates of the organization, tab-separated in a pipe', async () => {
    const { exit, stdout, stderr } = await list('--limit', '2');
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout:
        'template_001\tPressure low\tteams\tday\tPressure low: {{deviceName}}\n' +
        'template_002\tDoor open\tlinemessage\tnight\tDoor open: {{deviceName}}\n',
      stderr: '2 of 45 templates: --all for the rest\n',
    });
  });

  it('asks for what was typed, each tag by itself, commas and all', async () => {
    await list(
      '--name',
      'a&b',
      '--channel-type',
      'email',
      '--tag',
      'night',
      '--tag',
      'a,b',
      '--skip',
      '3',
      '--page-size',
      '7',
    );
    expect(someone.sent).toEqual([
      {
        request: `GET ${templates}?skipCount=3&maxResultCount=7&name=a%26b&channelType=email&tags=night&tags=a%2Cb`,
        body: undefined,
      },
    ]);
  });

  it('gives 50 unless told, and reads all pages of 100 with --all', async () => {
    await list();
    await list('--all');
    expect(someone.sent.map(({ request: sent }) => sent)).toEqual([
      `GET ${templates}?maxResultCount=50`,
      `GET ${templates}?maxResultCount=100`,
    ]);
  });
});

describe('iiot templates update', () => {
  it.each([
    [['--name', 'N'], '{"name":"N"}'],
    [['--subject', ''], '{"subject":""}'],
    [['--content', 'Hi {{name}}\r\n'], '{"content":"Hi {{name}}\\r\\n"}'],
    [['--channel-type', 'email', '--channel-type', 'teams'], '{"channelTypes":["email","teams"]}'],
    [['--tag', 'b', '--tag', 'a', '--tag', ''], '{"tags":["b","a",""]}'],
    [['--clear-tags'], '{"tags":[]}'],
    [['--clear-channel-types'], '{"channelTypes":[]}'],
    [['--clear-tags', '--name', 'N'], '{"name":"N","tags":[]}'],
  ])('sends %j as %s, and no other field', async (words, body) => {
    expect((await update(words)).exit).toBe(0);
    expect(changes()).toEqual([{ request, body }]);
  });

  it('reads the content from a file or from standard input, line ends included', async () => {
    await update(['--content-file', file('content.txt', 'a\r\nb\n')]);
    await update(['--content-file', '-'], { stdin: 'a\r\n😀' });
    expect(changes().map(({ body }) => body)).toEqual(['{"content":"a\\r\\nb\\n"}', '{"content":"a\\r\\n😀"}']);
  });

  it('sends fields of --body-file that it does not know as they are', async () => {
    const body = '{"10":null,"2":{},"name":"N","__proto__":[]}';
    await update(['--body-file', '-'], { stdin: body });
    expect(changes()).toEqual([{ request, body }]);
  });

  it.each([
    ['--name', 200],
    ['--subject', 500],
    ['--content', 50_000],
  ])('%s takes %i characters however they are counted, and no more', async (option, most) => {
    const run = async (text: string) => {
      const { exit, stderr } = await update([`${option}=${text}`, '-o', 'json']);
      return [exit, stderr === '' ? '' : (JSON.parse(stderr.split('\n').at(-2) ?? '').error?.message ?? '')];
    };
    const tooLong = (count: number) => `${option} takes at most ${most} characters, and has ${count}.`;
    for (const letter of ['x', 'é', '\n']) {
      expect(await run(letter.repeat(most))).toEqual([0, '']);
      expect(await run(letter.repeat(most + 1))).toEqual([2, tooLong(most + 1)]);
    }
    expect(await run('e\u0301'.repeat(most / 2))).toEqual([0, '']);
    expect(await run('e\u0301'.repeat(most / 2 + 1))).toEqual([2, tooLong(most + 2)]);
    expect(await run('\r\n'.repeat(most / 2))).toEqual([0, '']);
    expect(await run('😀'.repeat(most + 1))).toEqual([2, tooLong(most + 1)]);
  });

  it('notes a text that is too long only where UTF-16 units are counted, and sends it', async () => {
    const { exit, stderr } = await update(['--name', '😀'.repeat(101)]);
    expect([exit, stderr]).toEqual([
      0,
      'Note: --name has 101 characters but 202 UTF-16 units, which the platform may count; it takes 200.\n',
    ]);
    expect(changes()).toEqual([{ request, body: JSON.stringify({ name: '😀'.repeat(101) }) }]);
  });

  it.each([
    [[], 'error: There is nothing to change.'],
    [['--tag', 'a', '--clear-tags'], 'error: --tag and --clear-tags contradict each other.'],
    [
      ['--channel-type', 'email', '--clear-channel-types'],
      'error: --channel-type and --clear-channel-types contradict each other.',
    ],
    [['--channel-type', 'sms'], 'error: --channel-type takes one of email, teams, linemessage, webhook.'],
    [
      ['--body-file', '-', '--clear-tags'],
      'error: --body-file is the whole body and cannot be combined with --clear-tags.',
    ],
    [
      ['--body-file', '-', '--content-file', '-'],
      'error: --body-file is the whole body and cannot be combined with --content-file.',
    ],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const { exit, stdout, stderr } = await update(words, { stdin: '{}' });
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(someone.requests).toEqual([]);
  });

  it.each([
    ['{"name":null}', 'error: --name takes a string.'],
    [
      '{"name":1,"tags":"a","channelTypes":["sms",2]}',
      'error: --name takes a string; --tag takes a list; --channel-type takes one of email, teams, linemessage, webhook; --channel-type takes a string.',
    ],
    ['{"subject":', 'error: --body-file standard input is not JSON: see line 1.'],
    ['[]', 'error: --body-file must hold a JSON object.'],
    ['{\n"later":1e999}', 'error: --body-file standard input has a number that is too large: see line 2.'],
  ])('refuses the body %s', async (body, sentence) => {
    const { exit, stderr } = await update(['--body-file', '-'], { stdin: body });
    expect([exit, stderr.split('\n')[0]]).toEqual([2, sentence]);
    expect(someone.requests).toEqual([]);
  });

  it('says in the words of the platform, with the option, what it rejects', async () => {
    const { exit, stderr } = await update(['--content', '{{a']);
    expect([exit, stderr]).toEqual([
      7,
      'error: The request is not valid. content has a variable that does not close or has no name: write {{name}}. (--content)\n' +
        'hint: See iiot templates update --help\nHTTP 400 · request request-000002\n',
    ]);
  });

  it('says where templates are listed when one was not found', async () => {
    const { exit, stderr } = await someone.iiot(['templates', 'update', 'template_999', '--name', 'x']);
    expect([exit, stderr]).toEqual([
      5,
      `error: There is no template template_999.\nhint: See iiot templates list --org ${root}\nHTTP 404 · request request-000002\n`,
    ]);
  });
});
