/** Files that people give. */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { tokenOnly } from './device-requests.ts';

const folder = folderForEach();
const someone = personForEach();
const newPerson = personsForEach();

const policyUpdate = 'policies update aaaaaaaa-0000-4000-8000-000000000001';
const set = ['devices', 'custom-info', 'set', 'press-0001'];
const importing = ['devices', 'custom-info', 'import', '--yes'];
const readWhole = [
  ['--body-file', set],
  ['--content-file', ['templates', 'update', 'template_1']],
  ['--body-file', ['channels', 'update', 'channel_1']],
] as const;

const bytes =
  (...values: number[]) =>
  (path: string) =>
    writeFileSync(path, Uint8Array.from(values));

// What is made, and what is said of it where it is read whole (JSON, contents) and where it is read row by row.
const wrong: [string, (path: string) => void, string, string?][] = [
  ['missing', () => undefined, 'does not exist.'],
  ['a folder', (path) => mkdirSync(path), 'is not a regular file.'],
  ['a device', (path) => symlinkSync('/dev/zero', path), 'is not a regular file.'],
  // Rows are read from UTF-16 too, where it is whole.
  [
    'UTF-16 that is cut off',
    bytes(0xff, 0xfe, 0x64, 0, 0x65),
    'is UTF-16; it must be UTF-8.',
    'is not utf-16le: see line 1, column 2.',
  ],
  ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9), 'is not UTF-8: see line 1, column 4.'],
  ['gzip', bytes(0x1f, 0x8b, 8, 0), 'is compressed with gzip.'],
  [
    '29 MiB',
    (path) => writeFileSync(path, Buffer.alloc(29 * 1024 * 1024)),
    'is larger than 28 MiB, which no platform accepts.',
    'has the character U+0000',
  ],
];

it.each(wrong)('a file that is %s is refused, and nothing is sent', async (_, ...[make, whole, byRows = whole]) => {
  const file = folder.at('given.csv');
  make(file);
  for (const [option, words] of readWhole) {
    const { exit, stdout, stderr } = await someone.iiot([...words, option, file]);
    const sentence = stderr.split('\n')[0]?.replace(RegExp(`${option}:? `), '');
    expect([exit, stdout, sentence, someone.requests]).toEqual([2, '', `error: ${file} ${whole}`, []]);
  }
  const { exit, stdout, stderr } = await someone.iiot([...importing, file]);
  const sentence = `error: ${file} ${byRows}`;
  expect([exit, stdout, stderr, someone.requests]).toEqual([2, '', expect.stringContaining(sentence), []]);
});

it.each([
  ['a byte order mark', '\ufeff{"line":"3"}', '\ufeffdeviceId,line\npress-0001,3\n'],
  ['lines that end with CRLF', '{\r\n"line":"3"\r\n}\r\n', 'deviceId,line\r\npress-0001,3\r\n'],
  ['lines that end with CR', '{\r"line":"3"\r}', 'deviceId,line\rpress-0001,3\r'],
  ['no line end at its end', '{"line":"3"}', 'deviceId,line\npress-0001,3'],
])('a file with %s is read', async (_, object, rows) => {
  expect((await someone.iiot([...set, '--body-file', folder.write('good.json', object)])).exit).toBe(0);
  expect((await someone.iiot([...importing, folder.write('good.csv', rows)])).exit).toBe(0);
  expect(someone.sent.map(({ body }) => body)).toEqual(['{"line":"3"}', '{"line":"3"}']);
});

describe('a named pipe', () => {
  /** A named pipe, to which somebody writes as soon as it is read. */
  function pipe(text: string): string {
    const path = unwritten();
    spawn('sh', ['-c', 'printf %s "$1" > "$0"', path, text]);
    return path;
  }

  function unwritten(): string {
    execFileSync('mkfifo', [folder.at('pipe')]);
    return folder.at('pipe');
  }

  it('is read as a body', async () => {
    expect((await someone.iiot([...set, '--body-file', pipe('{"line":"3"}')])).exit).toBe(0);
    expect(someone.sent.map(({ body }) => body)).toEqual(['{"line":"3"}']);
  });

  it.each(['/dev/stdin', '/dev/fd/0'])('is read like %s', async (path) => {
    const stdin = '{"line":"3"}';
    expect((await someone.iiot([...set, '--body-file', path], { stdin })).exit).toBe(0);
    const rows = { stdin: 'deviceId,line\npress-0001,3\n' };
    expect((await someone.iiot([...importing, path, '--format', 'csv'], rows)).exit).toBe(0);
    expect(someone.sent.map(({ body }) => body)).toEqual([stdin, stdin]);
  });

  it('is read as rows with --format, without a journal', async () => {
    const path = pipe('deviceId,line\npress-0001,3\n');
    const unnamed = await someone.iiot([...importing, path]);
    expect(unnamed.stderr).toContain(
      ': --format is missing.\nhint: Give --format csv, --format ndjson, --format json, --format xlsx, --format ods\n',
    );
    const resumed = await someone.iiot([...importing, path, '--format', 'csv', '--resume']);
    expect(resumed).toMatchObject({ exit: 2, stderr: expect.stringContaining('and a pipe has no journal') });
    expect(await someone.iiot([...importing, path, '--format', 'csv'])).toMatchObject({ exit: 0 });
    expect([someone.sent.length, existsSync(`${path}.iiot-journal`)]).toEqual([1, false]);
  });

  it('is refused with more than 28 MiB', async () => {
    const path = unwritten();
    spawn('sh', ['-c', 'head -c 29360129 /dev/zero > "$0"', path]);
    const { exit, stderr } = await someone.iiot([...set, '--body-file', path]);
    const sentence = `error: --body-file ${path} holds more than 29,360,128 bytes.`;
    expect([exit, stderr.split('\n')[0], someone.requests]).toEqual([2, sentence, []]);
  });

  it('is refused by iiot each', async () => {
    const path = pipe('{}');
    for (const file of [path, '/dev/stdin']) {
      const { exit, stderr } = await someone.iiot(['each', '--orgs', 'a', '--', ...set, '--body-file', file]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('a pipe can be read once.')]);
    }
    execFileSync('cat', [path]);
  });

  it('is given up after Ctrl-C', async () => {
    const path = unwritten();
    const interrupt = AbortSignal.abort(new Failure('interrupted', 'Stopped by SIGINT.'));
    for (const words of [
      [...set, '--body-file', path],
      [...importing, path, '--format', 'csv'],
    ])
      expect((await someone.iiot(words, { interrupt })).exit).toBe(130);
  });
});

it('an import fails if its file grows meanwhile', async () => {
  const rows = Array.from({ length: 6000 }, (_, index) => `press-${index},3`);
  const file = folder.write('growing.csv', `deviceId,line\n${rows.join('\n')}\n`);
  let requests = 0;
  const other = newPerson({
    ...tokenOnly,
    async fetch() {
      requests += 1;
      if (requests === 1) appendFileSync(file, 'late-1,3\n');
      return new Response(null, { status: 204 });
    },
  });
  const { exit, stderr } = await other.iiot([...importing, file, '-o', 'json']);
  const { code, message } = JSON.parse(stderr).error;
  expect([exit, code, message.replace(`${file} `, '')]).toEqual([
    9,
    'partial',
    expect.stringMatching(/^changed while it was being read\. 6,000 rows: [\d,]+ done, [\d,]+ not sent\.$/),
  ]);
  expect(other.requests.some((request) => request.includes('late-1'))).toBe(false);
});

it.each([
  ['templates update template_001', '---\ntemplateId: template_1\nname: a\n---\nHot\n'],
  [`${policyUpdate} --subject a`, '---\r\nname: a\r\ntemplateId: t\r\n---\r\nHot'],
])('a file of templates pull is refused as the text of %s', async (line, text) => {
  const file = someone.file('pulled.html', text);
  const { exit, stderr } = await someone.iiot([...line.split(' '), '--content-file', file, '--yes']);
  expect([exit, stderr, someone.requests]).toEqual([
    2,
    `error: --content-file ${file} begins with front matter, which would be sent as part of the text.\n` +
      'hint: Send files of iiot templates pull with iiot templates push, or give only what is below the second ---\n',
    [],
  ]);
  const own = someone.file('own.html', '---\nHot\n---\ntemplateId: none\n');
  expect(await someone.iiot([...line.split(' '), '--content-file', own, '--yes'])).toMatchObject({ exit: 0 });
});

it.each([
  ['channels update channel_1 --body-file -', '--body-file standard input is empty.', ''],
  ['templates update template_1 --content-file - --body-file -', 'cannot be combined with --content-file.'],
  [`${policyUpdate} --content-file - --notification-file -`, 'cannot be combined with another option.'],
])('standard input is refused if it is empty or used twice: %s', async (line, sentence, stdin = 'Hot') => {
  const { exit, stderr } = await someone.iiot(line.split(' '), { stdin });
  expect([exit, stderr, someone.requests]).toEqual([2, expect.stringContaining(sentence), []]);
});

describe('a body file with names in other letter case', () => {
  const dryRun = async (line: string, body: string) => {
    const typed = [...line.split(' '), '--body-file', folder.write('body.json', body)];
    return newPerson().iiot([...typed, '--dry-run', '-o', 'json']);
  };

  it.each([
    ['templates update template_1', '{"Tags":[]}', { tags: [] }, ['tags']],
    [policyUpdate, '{"NOTIFICATION":{"ChannelIds":["a"]}}', { notification: { channelIds: ['a'] } }, ['notification']],
    ['credentials create', '{"Name":"cc","other":{"Name":1}}', { name: 'cc', other: { Name: 1 } }, []],
  ])('is sent with the names of the interface: %s %s', async (line, body, sent, replaces) => {
    const { stdout } = await dryRun(line, body);
    const { request, ...rest } = JSON.parse(stdout);
    expect([request.body, rest.replaces]).toEqual([sent, replaces]);
  });

  it.each([
    ['{"Delay":5,"delay":7}', '--body-file has delay twice, in different cases.'],
    ['{"Delay":"5"}', '--body-file: delay takes a whole number, 0 or more.'],
  ])('is refused for a repeated name or a wrong value: %s', async (body, sentence) => {
    const { exit, stderr } = await dryRun(policyUpdate, body);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
