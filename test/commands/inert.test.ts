/** Characters that act at a terminal or that nobody sees: whoever brings them, and whatever shows them, they come out as text. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { wordsOf } from '../support/words.ts';
import type { person } from '../support/world.ts';

const codes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const text = (points: readonly number[]) => String.fromCodePoint(...points);
const controls = text([...codes(0, 31), 127, ...codes(128, 159)]);
const unseen = text([
  ...[0x61c, 0xad, 0x200e, 0x200f, 0xfeff, 0xe000, 0xf0000, 0xe0041, 0xfe0f, 0x3164],
  ...[...codes(0x200b, 0x200d), ...codes(0x2028, 0x202e), ...codes(0x2060, 0x2064), ...codes(0x2066, 0x2069)],
]);
const sequences =
  '\u001b]0;title\u0007\u001b]52;c;ZXZpbA==\u0007\u001b]8;;http://evil.test\u001b\\x\u001b[2J\u009b31m\u001bP1$r\u001b\\';
const hostile = `a${controls}b${unseen}c${sequences}`;
/** What a person can type into an argument: anything but NUL. */
const typed = hostile.replaceAll('\0', '');
/** What acts at a terminal or on the order of a line; a program gets what is merely unseen as it is. */
const acts = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const deceives = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\ufe0f|\u3164/u;

const somebody = personsForEach();

async function shown(words: readonly string[], options: Parameters<typeof person>[0] = {}) {
  return somebody({ ...options, env: { IIOT_TOKEN: 'token-1', ...options.env } }).iiot(words);
}

/** Lines, and the tabs between the cells of a piped table, are ours. */
function expectInert(output: string, words: readonly string[] = []): void {
  const isTable = words.some((word) => ['table', '--columns'].includes(word));
  const forPrograms =
    words.some((word) => ['json', 'yaml', 'ndjson'].includes(word)) || (words[0] === 'api' && !isTable);
  for (const line of output.split(/[\n\t]/)) expect(line).not.toMatch(forPrograms ? acts : deceives);
}

const fields = (names: string, value: unknown) => Object.fromEntries(names.split(' ').map((name) => [name, value]));
const item = {
  ...fields('userId name orgRole templateId subject content clientCredentialId clientId createdAt expiredAt', hostile),
  ...fields('channelTypes tags scopes deviceIds', [hostile]),
  [hostile]: { [hostile]: hostile },
};
const list: Fetch = async () => Response.json({ items: [item], totalCount: 1 });
const record: Fetch = async () => Response.json(item);

const lists = ['orgs users list', 'templates list', 'credentials list', 'api GET /x --all'];
const changes = [
  'devices custom-info set press-1 a=b',
  'templates update template_1 --name n',
  'channels update channel_1 --name n',
  'credentials create --name n -o json',
  'api POST /x --raw-field a=b -o table',
].map(wordsOf);

describe('a text of the platform is shown without control characters', () => {
  const named = ['table', 'json', 'ndjson', 'yaml'].map((name) => ['-o', name]);
  const formats = [[], ...named, ['--columns', 'name,tags'], ['--debug']];

  it.each(lists)('in every column of %s', async (line) => {
    const words = wordsOf(line);
    for (const format of formats) {
      const { exit, stdout, stderr } = await shown([...words, ...format], { fetch: list });
      expect([format, exit]).toEqual([format, 0]);
      expect(stdout).toContain('0;title');
      expectInert(stdout + stderr, [...words, ...format]);
    }
  });

  it.each(changes)('in the response to %s %s %s', async (...words) => {
    for (const more of [[], ['--debug']]) {
      const { stdout, stderr } = await shown([...words, ...more], { fetch: record });
      expectInert(stdout + stderr, words);
    }
  });

  it('but a program gets the same value', async () => {
    const { stdout } = await shown(['api', 'GET', '/x', '-o', 'json'], { fetch: record });
    expect(JSON.parse(stdout)).toEqual(item);
  });

  const inHeader = text([...codes(0x80, 0xff)]);
  const abp = { code: hostile, message: hostile, details: hostile };
  const validationErrors = [{ message: hostile, members: [hostile] }];
  const problem = { title: hostile, detail: hostile, errors: { [hostile]: [hostile] } };
  it.each<[string, number, string | object | null, Record<string, string>?]>([
    ['in ABP errors', 400, { error: { ...abp, validationErrors } }],
    ['in problem details', 422, problem],
    ["in OAuth's errors", 403, { error: hostile, error_description: hostile }],
    ['in plain words', 404, hostile, { 'content-type': 'text/plain' }],
    ['in the title of a page', 502, `<title>${hostile}</title>`, { 'content-type': 'text/html' }],
    ['in place of JSON', 200, `{"name": "${hostile}`],
    ['in its headers', 404, null, { 'x-request-id': inHeader, etag: inHeader }],
    ['in a redirect', 302, null, { location: `https://evil.test/${inHeader}` }],
  ])('%s', async (_, status, body, headers = {}) => {
    const fetch = respondingWith(status, body ?? undefined, headers);
    for (const words of [['orgs', 'users', 'list'], changes[0] ?? []]) {
      for (const more of [[], ['-o', 'json'], ['-o', 'yaml'], ['--debug']]) {
        const { exit, stdout, stderr } = await shown([...words, ...more, '--retries', '0'], { fetch });
        expect(exit).toBeGreaterThan(2);
        expectInert(stdout + stderr, more);
      }
    }
  });

  it('in the refusal of a login', async () => {
    const fetch: Fetch = async () => Response.json({ error: hostile, error_description: hostile }, { status: 401 });
    const { exit, stderr } = await shown(['login', 'm2m', '--debug'], { fetch });
    expect(exit).toBe(3);
    expectInert(stderr);
  });
});

it('templates in files are shown without control characters', async () => {
  const someone = somebody({ fetch: list, env: { IIOT_TOKEN: 'token-1' } });
  const dir = join(someone.folder, 'templates');
  const run = async (...words: string[]) => {
    const { exit, stdout, stderr } = await someone.iiot(['templates', ...words]);
    expectInert(stdout + stderr, words);
    return exit;
  };
  expect(await run('pull', dir)).toBe(0);
  const [name = ''] = readdirSync(dir).filter((each) => each.endsWith('.txt'));
  const text = readFileSync(join(dir, name), 'utf8');
  expectInert(text.slice(0, text.lastIndexOf('\n---\n')), ['yaml']);
  writeFileSync(join(dir, name), `${text}${hostile}`);
  expect([await run('diff', dir), await run('diff', dir, '-o', 'json'), await run('push', dir, '--yes')]).toEqual([
    2, 2, 2,
  ]);
  writeFileSync(join(dir, name), text.replace(/^name: .*$/m, `name: ${JSON.stringify(`${hostile}2`)}`));
  expect([await run('push', dir, '--dry-run'), await run('diff', dir, hostile.replaceAll('\0', ''))]).toEqual([2, 5]);
  writeFileSync(join(dir, '\u001b[2J\u202e.md'), text.replace(/^templateId: .*$/m, 'templateId: "\\e[2J"'));
  expect([await run('pull', dir), await run('diff', dir)]).toEqual([0, 2]);
});

describe('a typed text is shown without control characters', () => {
  it.each([
    ['a command', [typed]],
    ['an option', ['orgs', 'users', 'list', `--${typed}`]],
    ['a filter', ['orgs', 'users', 'list', '--jq', typed]],
    ['a file', ['orgs', 'users', 'list', '--ca-file', `/nowhere/${typed}`]],
    ['a file of rows', ['devices', 'custom-info', 'import', '--yes', `/nowhere/${typed}.csv`]],
    ['a key', ['devices', 'custom-info', 'set', 'press-1', `${typed}=b`, '--dry-run']],
    ['a name that is rehearsed', ['templates', 'update', 'template_1', '--name', typed, '--dry-run']],
    ['a schedule', ['batches', 'cron', typed]],
    ['a topic of help', ['help', typed]],
  ])('as %s', async (_, words) => {
    for (const more of [[], ['-o', 'json'], ['--debug']]) {
      const { stdout, stderr } = await shown([...words, ...more]);
      expectInert(stdout + stderr, more);
    }
  });

  it('in profiles and in the history', async () => {
    const someone = somebody({
      env: { IIOT_TOKEN: 'token-1' },
      fetch: async () => new Response(null, { status: 204 }),
    });
    await someone.iiot(['profiles', 'set', 'plant', `tenant=${typed}`, `org=${typed}`, `caFile=${typed}`]);
    await someone.iiot(['devices', 'custom-info', 'set', typed, `${typed}=b`]);
    for (const line of ['profiles list', 'profiles show plant --origin', 'history', 'history -o json']) {
      const { exit, stdout, stderr } = await someone.iiot(wordsOf(line));
      expect([line, exit]).toEqual([line, 0]);
      expectInert(stdout + stderr, wordsOf(line));
    }
  });

  it('in the path of the settings folder', async () => {
    const someone = somebody();
    const folder = join(someone.folder, typed.replaceAll('/', ''));
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), '{');
    for (const words of [['profiles', 'list'], ['doctor'], ['doctor', '-o', 'json']]) {
      const { exit, stdout, stderr } = await someone.iiot(words, { env: { IIOT_CONFIG_DIR: folder } });
      expect(exit).toBe(1);
      expectInert(stdout + stderr, words);
    }
  });
});
