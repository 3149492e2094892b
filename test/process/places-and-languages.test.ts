/** The built program in other time zones and languages: what it sends and prints is the same, byte by byte. */
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { madeForAll } from '../support/fixtures.ts';
import { programFile, programWords, runProgram } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';

// Each zone and each language once or more; Turkish has another i, Arabic other digits, German another decimal point.
const places: readonly (readonly [string, string])[] = [
  ['Asia/Tokyo', 'tr_TR.UTF-8'],
  ['America/St_Johns', 'ar_EG.UTF-8'],
  ['Pacific/Apia', 'de_DE.UTF-8'],
];

const create = ['credentials', 'create', '--name', 'ci', '-o', 'json', '--dry-run'];
const lines: readonly (readonly string[])[] = [
  // A time that the clock of Berlin jumps over.
  [...create, '--expires', '2027-03-28T02:30:00+01:00'],
  [...create, '--expires', '2027-01-31T00:00:00'],
  ['batches', 'cron', '0 30 2 ? * SUN#5', '--tz', 'Europe/Berlin', '--count', '5'],
  ['batches', 'create', '--name', 'I', '--cron', '0 0 12 ? JAN-DEC FRI', '--enabled', '--run-on-startup', '--dry-run'],
  'policies update aaaaaaaa-0000-4000-8000-000000000001 --alert-level >1,5 --delay 90m --dry-run'.split(' '),
  ['templates', 'list', '--channel-type', 'EMAİL'],
  ['templates', 'list', '--channel-type', 'email'],
  ['devices', 'custom-info', 'set', 'I', 'I=1', 'ı=2', 'İ=3', 'i=4'],
];

const named = { templateId: 'template_i', name: 'İstanbul I', subject: '1.5' };
const templates = { totalCount: 1, items: [{ ...named, createdAt: '2026-03-08T02:30:00Z', size: 1234567.5 }] };
const server = madeForAll(() =>
  rawServer((socket, request) => {
    socket.write(request.startsWith('GET') ? answerText(200, JSON.stringify(templates)) : answerText(204));
  }),
);

/** All that the lines print, and all that they send. */
async function said(zone: string, language: string) {
  const before = server.requests.length;
  const machine = { IIOT_BASE_URL: server.origin, IIOT_ORG: 'org', IIOT_TOKEN: 'a-token' };
  const env = { ...machine, TZ: zone, LC_ALL: language, LANG: language };
  const runs: unknown[] = [];
  for (const words of lines) runs.push(await runProgram(words, { env }));
  return { runs, sent: server.requests.slice(before) };
}

it('iiot sends nothing when an argument or a variable is not UTF-8', async () => {
  const sjis = "$(printf '\\216\\275\\212\\351')";
  const change = 'devices custom-info set d1';
  const before = server.requests.length;
  for (const [line, name] of [
    [`iiot ${change} ${sjis}=1`, 'Argument 5'],
    [`IIOT_CLIENT_SECRET=${sjis} iiot ${change} a=1`, 'IIOT_CLIENT_SECRET'],
    [`IIOT_CONFIG_DIR=$HOME/${sjis} iiot ${change} a=1`, 'IIOT_CONFIG_DIR'],
  ] as const) {
    const script = `iiot() { ${[programFile, ...programWords].join(' ')} "$@"; }; export IIOT_BASE_URL=${server.origin} IIOT_TOKEN=t; ${line}`;
    const { exitCode, stderr } = await execa('sh', ['-c', script], { reject: false });
    expect([exitCode, stderr.split('\n')[0]]).toEqual([2, `error: ${name} is not UTF-8.`]);
  }
  expect(server.requests.length).toBe(before);
});

it('iiot prints and sends the same in every time zone and language', async () => {
  const here = await said('UTC', 'en_US.UTF-8');
  expect(here.runs.map((run) => (run as { exit: number }).exit)).toEqual([0, 2, 0, 0, 0, 2, 0, 0]);
  expect(here.runs[0]).toMatchObject({ stdout: expect.stringContaining('"expiredAt": "2027-03-28T01:30:00Z"') });
  for (const [zone, language] of places)
    expect({ zone, language, ...(await said(zone, language)) }).toEqual({ zone, language, ...here });
});
