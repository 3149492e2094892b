/** What people give as a file: the built program reads it in little memory, and stops when it is told to. */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { xlsxParts, zipOf } from '../bulk/zip.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll } from '../support/home.ts';
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
const aHundredMegabytes = (piece: string) => piece.repeat(100_000_000 / piece.length);

it.each([
  [
    'shared texts far apart',
    { 'xl/texts.xml': `<sst>${aHundredMegabytes(`<si><t>a-text-of-sixteen</t>${' '.repeat(4000)}</si>`)}</sst>` },
    0,
    '',
    170,
  ],
  [
    'rows of a cell in the last column',
    { 'xl/one.xml': `<w>${header}${`<row>${inSheet('p')}<c r="XFD1"><v>5</v></c></row>`.repeat(3000)}</w>` },
    2,
    'error: 3,000 rows of 3,000 in hostile.xlsx cannot be sent',
    450,
  ],
  ['shared texts without end', { 'xl/texts.xml': `<sst>${'<si/>'.repeat(5_000_000)}</sst>` }, 2, 'is larger than', 250],
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
  ['shared texts', { 'xl/texts.xml': `<sst>${aHundredMegabytes('<x/><si><t>a</t></si>'.padEnd(2000))}</sst>` }],
  ['a sheet', { 'xl/one.xml': `<w>${header}${aHundredMegabytes('<x/>'.repeat(50))}</w>` }],
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

describe('standard input', () => {
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
