/** What people give as a file: the built program reads it in little memory, and stops when it is told to. */
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { xlsxParts, zipOf } from '../rows/zip.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import type { ProgramOptions } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

const server = madeForAll(() => rawServer((socket) => socket.write(answerText(204))));
const home = homeForAll(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: 'org', IIOT_TOKEN: 'a-token' }));
const at = (name: string) => home.at(name);

async function iiot(words: readonly string[], options: ProgramOptions = {}) {
  const before = server.requests.length;
  const run = await home.iiot(words, options);
  return { ...run, requests: server.requests.length - before };
}

it('the memory that is measured is that of the program, not that of the tests', async () => {
  const tests = Buffer.alloc(200_000_000, 1);
  const leak = home.file(
    'leak.cjs',
    "if (!process.argv.includes('--version')) globalThis.leak = Buffer.alloc(5e7, 1);",
  );
  const [less, more] = [
    await withPeak(home, ['profiles', 'list']),
    await withPeak(home, ['profiles', 'list'], { env: { NODE_OPTIONS: `--require ${JSON.stringify(leak)}` } }),
  ];
  expect(more.mebibytes - less.mebibytes).toBeGreaterThan(40);
  expect([less.mebibytes < 40, tests.length]).toEqual([true, 200_000_000]);
});

it('a file of four times as many rows is read in about as much memory', async () => {
  const row = (device: number) => `{"deviceId":"press-${device}","customInfo":{"a":"${'x'.repeat(900)}"}}\n`;
  const peakOf = async (rows: number) => {
    const file = openSync(at('large.ndjson'), 'w');
    for (let written = 0; written < rows; written += 1000)
      writeSync(file, Array.from({ length: 1000 }, (_, at) => row(written + at)).join(''));
    closeSync(file);
    const words = ['devices', 'custom-info', 'import', 'large.ndjson', '--dry-run', '-o', 'json'];
    const { exit, stderr, mebibytes } = await withPeak(home, words);
    expect([exit, stderr]).toEqual([0, '']);
    return mebibytes;
  };
  const [some, many] = [await peakOf(30_000), await peakOf(120_000)];
  // The larger file has 80 MiB more.
  expect(many - some).toBeLessThan(40);
  rmSync(at('large.ndjson'));
});

const inSheet = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row>${inSheet('deviceId')}${inSheet('line')}</row>`;
const thirtyMegabytes = (piece: string) => piece.repeat(30_000_000 / piece.length);

it.each([
  [
    'shared texts far apart',
    { 'xl/texts.xml': `<sst>${thirtyMegabytes(`<si><t>a-text-of-sixteen</t>${' '.repeat(4000)}</si>`)}</sst>` },
    0,
    '',
    65,
  ],
  [
    'rows of a cell in the last column',
    { 'xl/one.xml': `<w>${header}${`<row>${inSheet('p')}<c r="XFD1"><v>5</v></c></row>`.repeat(3000)}</w>` },
    2,
    'error: 3,000 rows of 3,000 in hostile.xlsx cannot be sent',
    110,
  ],
  ['shared texts without end', { 'xl/texts.xml': `<sst>${'<si/>'.repeat(5_000_000)}</sst>` }, 2, 'is larger than', 130],
  [
    'one text in all of its cells',
    {
      'xl/texts.xml': `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`,
      'xl/one.xml': `<w>${header}${`<row>${inSheet('p')}${'<c t="s"><v>0</v></c>'.repeat(399)}</row>`.repeat(40)}</w>`,
    },
    2,
    'is longer than 1 MiB',
    65,
  ],
])('a workbook with %s is read in little memory', async (_, parts, code, sentence, most) => {
  writeFileSync(at('hostile.xlsx'), zipOf(xlsxParts(header, parts)));
  const words = ['devices', 'custom-info', 'import', 'hostile.xlsx', '--dry-run'];
  const before = server.requests.length;
  const { exit, stderr, mebibytes } = await withPeak(home, words);
  expect([exit, stderr, server.requests.length - before]).toEqual([code, expect.stringContaining(sentence), 0]);
  expect(mebibytes).toBeLessThan(most);
  rmSync(at('hostile.xlsx'));
});

it('a command that runs out of memory does not end with 0', async () => {
  const keys = Array.from({ length: 400_000 }, (_, index) => `"k${index}":"v"`);
  writeFileSync(at('keys.json'), `{${keys.join(',')}}`);
  const words = ['devices', 'custom-info', 'set', 'press-1', '--body-file', 'keys.json'];
  const run = await iiot(words, { node: ['--max-old-space-size=32'] });
  expect(run.exit).not.toBe(0);
  expect([run.stdout, run.requests]).toEqual(['', 0]);
});

describe('a terminal as standard input', () => {
  const reading: readonly (readonly [string, string, string])[] = [
    [
      'devices custom-info set press-1 --body-file -',
      '--body-file: reading from the terminal; Ctrl-D on an empty line ends it.',
      '{"line":"3"}',
    ],
    [
      'devices custom-info import - --format csv --yes',
      'Reading rows from the terminal: Ctrl-D on an empty line ends them.',
      'deviceId,line\rpress-1,3',
    ],
  ];

  it.each(reading)('is read until Ctrl-D, after a notice, by iiot %s', async (line, sentence, typed) => {
    const session = onTerminal(line);
    await session.waitFor(sentence);
    session.type(`${typed}\r\x04`);
    expect(await session.exit).toMatchObject({ code: 0 });
    expect(server.requests.at(-1)).toMatch(/\r\n\r\n\{"line":"3"\}$/);
  });

  it.each(reading)('sends nothing after Ctrl-C for iiot %s', async (line, sentence) => {
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
