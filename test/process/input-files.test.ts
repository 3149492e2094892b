/** What people give as a file: the built program says what is wrong with it, at once, and sends nothing of it. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { xlsxParts, zipOf } from '../bulk/zip.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
import type { ProgramOptions } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

let onRequest: () => void = () => undefined;
const server = madeForAll(() =>
  rawServer((socket) => {
    onRequest();
    socket.write(answerText(204));
  }),
);
const home = homeForAll(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: 'org', IIOT_TOKEN: 'a-token' }));
const at = (name: string) => home.at(name);

async function iiot(words: readonly string[], options: ProgramOptions = {}) {
  const before = server.requests.length;
  const began = performance.now();
  const run = await home.iiot(words, options);
  expect(performance.now() - began).toBeLessThan(8000);
  return { ...run, requests: server.requests.length - before };
}

const bytes =
  (...values: number[]) =>
  (path: string) =>
    writeFileSync(path, Uint8Array.from(values));
const text =
  (content: string, encoding: BufferEncoding = 'utf8') =>
  (path: string) =>
    writeFileSync(path, Buffer.from(content, encoding));

// What is made, and what is said of it where it is read whole (JSON, contents) and where it is read row by row.
const wrong: readonly (readonly [string, (path: string) => void, string, string])[] = [
  ['nothing there', () => undefined, 'does not exist.', 'does not exist.'],
  ['a folder', (path) => mkdirSync(path), 'is not a regular file.', 'is not a regular file.'],
  ['a named pipe', (path) => void execFileSync('mkfifo', [path]), 'is not a regular file.', 'is not a regular file.'],
  // Rows are read from UTF-16 too, where it is whole.
  [
    'UTF-16 that is cut off',
    bytes(0xff, 0xfe, 0x64, 0, 0x65),
    'is UTF-16; it has to be UTF-8.',
    'is not UTF-16LE, at byte 5 or later.',
  ],
  ['Latin-1', text('caf\xe9', 'latin1'), 'is not UTF-8, from byte 3 on.', 'is not UTF-8, from byte 3 on.'],
  ['gzip', bytes(0x1f, 0x8b, 8, 0), 'is compressed with gzip.', 'is compressed with gzip.'],
  [
    '29 MiB',
    (path) => sparse(path, 29),
    'is larger than 28 MiB, which no platform accepts.',
    'holds a NUL character, at byte 0.',
  ],
];

function sparse(path: string, mebibytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, mebibytes * 1024 * 1024);
}

describe.each(wrong)('a file that is %s', (what, make, whole, byRows) => {
  const name = `${what.replaceAll(' ', '-')}.csv`;
  beforeAll(() => make(at(name)));

  it('is refused for what it is, and nothing is sent', async () => {
    const readWhole = [
      ['--from-file', ['devices', 'custom-info', 'set', 'press-1']],
      ['--content-file', ['templates', 'update', 'template_1']],
      ['--body-file', ['channels', 'update', 'channel_1']],
    ] as const;
    const runs = await Promise.all([
      ...readWhole.map(async ([option, words]) => {
        const { exit, stdout, stderr, requests } = await iiot([...words, option, name]);
        const [sentence] = stderr.split('\n');
        return [exit, stdout, requests, sentence?.replace(`${option}: `, '').replace(`${option} `, '')];
      }),
      iiot(['devices', 'custom-info', 'import', name]).then(({ exit, stdout, stderr, requests }) => {
        return [exit, stdout, requests, stderr.split('\n')[0]];
      }),
    ]);
    const refused = [2, '', 0, `error: ${name} ${whole}`];
    expect(runs).toEqual([refused, refused, refused, [2, '', 0, `error: ${name} ${byRows}`]]);
  });
});

it.each([
  ['a byte order mark', '\ufeff{"line":"3"}', '\ufeffdeviceId,line\npress-1,3\n'],
  ['lines that end with CRLF', '{\r\n"line":"3"\r\n}\r\n', 'deviceId,line\r\npress-1,3\r\n'],
  ['lines that end with CR', '{\r"line":"3"\r}', 'deviceId,line\rpress-1,3\r'],
  ['no line end at its end', '{"line":"3"}', 'deviceId,line\npress-1,3'],
])('a file with %s is read as any other', async (_, object, rows) => {
  writeFileSync(at('good.json'), object);
  writeFileSync(at('good.csv'), rows);
  const set = await iiot(['devices', 'custom-info', 'set', 'press-1', '--from-file', 'good.json']);
  const imported = await iiot(['devices', 'custom-info', 'import', 'good.csv', '--journal', 'journal']);
  expect([set.exit, set.requests, imported.exit, imported.requests], set.stderr + imported.stderr).toEqual([
    0, 1, 0, 1,
  ]);
  const sent = server.requests.slice(-2).map((request) => request.slice(request.indexOf('\r\n\r\n') + 4));
  expect(sent).toEqual(['{"line":"3"}', '{"line":"3"}']);
});

it('a row without end is refused with its line, before anything is sent', async () => {
  writeFileSync(at('long.csv'), `deviceId,line\npress-1,3\npress-2,${'x'.repeat(1_100_000)}\n`);
  writeFileSync(at('long.ndjson'), `{"deviceId":"press-1","customInfo":{"a":"${'x'.repeat(1_100_000)}"}}\n`);
  const runs = await Promise.all(
    ['long.csv', 'long.ndjson'].map((name) => iiot(['devices', 'custom-info', 'import', name])),
  );
  expect(runs.map(({ exit, stderr, requests }) => [exit, stderr.split('\n')[0], requests])).toEqual([
    [2, 'error: long.csv has a row longer than 1 MiB at line 3.', 0],
    [2, 'error: long.ndjson has a line longer than 1 MiB: line 1.', 0],
  ]);
});

it('a large file is read in little memory', async () => {
  const file = openSync(at('large.ndjson'), 'w');
  const rows = `{"deviceId":"press-1","customInfo":{"a":"${'x'.repeat(900)}"}}\n`.repeat(1000);
  for (let written = 0; written < 60; written += 1) writeSync(file, rows);
  closeSync(file);
  const { exit, stderr } = await iiot(['devices', 'custom-info', 'import', 'large.ndjson', '--dry-run', '-o', 'json'], {
    env: { PEAK_FILE: at('peak') },
    node: ['--max-old-space-size=48', '--require', resolve('test/support/peak.cjs')],
  });
  expect([exit, stderr]).toEqual([0, '']);
  expect(Number(readFileSync(at('peak'), 'utf8')) / 1024).toBeLessThan(150);
  rmSync(at('large.ndjson'));
});

const inSheet = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row>${inSheet('deviceId')}${inSheet('line')}</row>`;
const twoHundredMegabytes = (piece: string) => piece.repeat(200_000_000 / piece.length);

it.each([
  [
    'shared texts far apart',
    { 'xl/texts.xml': `<sst>${twoHundredMegabytes(`<si><t>a-text-of-sixteen</t>${' '.repeat(4000)}</si>`)}</sst>` },
    0,
    '',
    250,
  ],
  [
    'rows of a cell in the last column',
    { 'xl/one.xml': `<w>${header}${`<row>${inSheet('p')}<c r="XFD1"><v>5</v></c></row>`.repeat(3000)}</w>` },
    2,
    'error: 3,000 rows of 3,000 in hostile.xlsx cannot be sent',
    450,
  ],
  [
    'shared texts without end',
    { 'xl/texts.xml': `<sst>${'<si/>'.repeat(20_000_000)}</sst>` },
    2,
    'is larger than',
    250,
  ],
  [
    'one text in all of its cells',
    {
      'xl/texts.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`,
      'xl/one.xml': `<w>${header}${`<row>${inSheet('p')}${'<c t="s"><v>0</v></c>'.repeat(399)}</row>`.repeat(40)}</w>`,
    },
    2,
    'Line 2 is longer than 1 MiB',
    250,
  ],
])(
  'a workbook with %s is read in little memory',
  async (_, parts, code, sentence, most) => {
    writeFileSync(at('hostile.xlsx'), zipOf(xlsxParts(header, parts)));
    const { exit, stderr, requests } = await iiot(['devices', 'custom-info', 'import', 'hostile.xlsx', '--dry-run'], {
      env: { PEAK_FILE: at('peak') },
      node: ['--require', resolve('test/support/peak.cjs')],
    });
    expect([exit, stderr, requests]).toEqual([code, expect.stringContaining(sentence), 0]);
    expect(Number(readFileSync(at('peak'), 'utf8')) / 1024).toBeLessThan(most);
    rmSync(at('hostile.xlsx'));
  },
  60_000,
);

it.each([
  ['shared texts', { 'xl/texts.xml': `<sst>${twoHundredMegabytes('<x/><si><t>a</t></si>'.padEnd(2000))}</sst>` }],
  ['a sheet', { 'xl/one.xml': `<w>${header}${twoHundredMegabytes('<x/>'.repeat(50))}</w>` }],
])(
  'Ctrl-C ends the reading of %s that are no end of nothing',
  async (_, parts) => {
    writeFileSync(at('hostile.xlsx'), zipOf(xlsxParts(header, parts)));
    const running = home.begin(['devices', 'custom-info', 'import', 'hostile.xlsx', '--dry-run']);
    await sleep(700);
    running.child.kill('SIGINT');
    const began = performance.now();
    expect((await running.ended).exit).toBe(130);
    expect(performance.now() - began).toBeLessThan(2000);
  },
  60_000,
);

it('what is too large for the memory that there is never ends with 0', async () => {
  const keys = Array.from({ length: 400_000 }, (_, index) => `"k${index}":"v"`);
  writeFileSync(at('keys.json'), `{${keys.join(',')}}`);
  const words = ['devices', 'custom-info', 'set', 'press-1', '--from-file', 'keys.json'];
  const run = await iiot(words, { node: ['--max-old-space-size=32'] });
  expect(run.exit).not.toBe(0);
  expect([run.stdout, run.requests]).toEqual(['', 0]);
});

it('a file that grows while it is imported is noticed, and not taken for done', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `press-${index},3`);
  writeFileSync(at('growing.csv'), `deviceId,line\n${rows.join('\n')}\n`);
  onRequest = () => {
    onRequest = () => undefined;
    appendFileSync(at('growing.csv'), 'late-1,3\n');
  };
  const words = ['devices', 'custom-info', 'import', 'growing.csv', '--journal', 'growing.journal', '-o', 'json'];
  const { exit, stderr } = await iiot(words);
  const { error } = JSON.parse(stderr);
  expect([exit, error.code, error.message]).toEqual([
    9,
    'partial',
    expect.stringMatching(/^growing\.csv changed while it was being read\. 20,000 rows: \d+ done, [\d,]+ not sent\.$/),
  ]);
  expect(server.requests.some((request) => request.includes('late-1'))).toBe(false);
});

describe('standard input', () => {
  it.each([
    [
      '--body-file -',
      ['channels', 'update', 'channel_1', '--body-file', '-'],
      'error: --body-file standard input is empty.',
    ],
    [
      '--content-file -',
      ['templates', 'update', 'template_1', '--content-file', '-', '--body-file', '-'],
      'error: --body-file is the whole body and cannot be combined with --content-file.',
    ],
    [
      'a second -',
      ['policies', 'update', 'aaaaaaaa-0000-4000-8000-000000000001', '--content-file', '-', '--notification-file', '-'],
      'error: --notification-file is the whole notification and cannot be combined with another option.',
    ],
    [
      'import -',
      ['devices', 'custom-info', 'import', '-'],
      'error: Standard input has no file name to tell its format: --format is missing.',
    ],
  ])('that is closed or asked for twice is refused: %s', async (_, words, sentence) => {
    const { exit, stderr, requests } = await iiot(words);
    expect([exit, stderr.split('\n')[0], requests]).toEqual([2, sentence, 0]);
  });

  const reading: readonly (readonly [string, string, string])[] = [
    [
      'devices custom-info set press-1 --from-file -',
      '--from-file: reading from the terminal; Ctrl-D on an empty line ends it.',
      '{"line":"3"}',
    ],
    [
      'devices custom-info import - --format csv',
      'Reading rows from the terminal: Ctrl-D on an empty line ends them.',
      'deviceId,line\rpress-1,3',
    ],
  ];

  it.each(reading)('that is a terminal is waited for, and that is said: %s', async (line, sentence, typed) => {
    const session = onTerminal(line);
    await session.waitFor(sentence);
    session.type(`${typed}\r\x04`);
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(server.requests.at(-1)).toMatch(/\r\n\r\n\{"line":"3"\}$/);
  });

  it.each(reading)('that is a terminal is waited for until Ctrl-C, and nothing is sent: %s', async (line, sentence) => {
    const before = server.requests.length;
    const session = onTerminal(line);
    await session.waitFor(sentence);
    session.type('{"line":\x03');
    expect(await session.exit).toMatchObject({ code: 130 });
    expect([server.requests.length - before, await session.screen()]).toEqual([
      0,
      expect.stringMatching(/\^CStopped by SIGINT\.$/),
    ]);
  });

  const onTerminal = (line: string) => home.terminal(line.split(' '), { columns: 120 });
});
