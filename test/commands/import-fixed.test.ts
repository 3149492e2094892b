/** A file that is edited between an import and its --resume. */
import { existsSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import type { Person } from '../support/world.ts';
import { deviceIn, tokenOnly } from './device-requests.ts';

/** The devices of the platform, with their keys; a request for any other gets 404. */
let devices: Map<string, Record<string, string>>;
let sent: string[];
/** What becomes of the next requests: false for one that fails, and changes nothing. */
let luck: boolean[];
const folder = folderForEach();
const file = () => folder.at('fleet.csv');
const newPerson = personsForEach();
let someone: Person;
beforeEach(() => {
  [devices, sent, luck] = [new Map(), [], []];
  someone = newPerson({
    ...tokenOnly,
    async fetch(url, { body = '{}' }) {
      const device = deviceIn(url);
      sent.push(`${device} ${body}`);
      const info = devices.get(device);
      if (!info) return new Response(`{"message":"There is no device ${device}."}`, { status: 404 });
      if (luck.shift() === false) return new Response(null, { status: 400 });
      Object.assign(info, JSON.parse(body));
      return new Response(null, { status: 204 });
    },
  });
});

const write = (text: string) => folder.write('fleet.csv', text);
const runUnasked = (...words: string[]) => {
  sent.length = 0;
  return someone.iiot(['devices', 'custom-info', 'import', file(), ...words]);
};
const run = (...words: string[]) => runUnasked('--yes', ...words);
const journal = () => `${file()}.iiot-journal`;

describe('an import with wrong rows', () => {
  beforeEach(async () => {
    for (const device of ['d1', 'd2', 'd3', 'd4']) devices.set(device, {});
    write('deviceId,line\nd1,1\nwrong-2,2\nd3,3\nwrong-4,4\n');
  });

  it('sends new values of done rows with --resume', async () => {
    expect((await run()).exit).toBe(9);
    write('deviceId,line\nd1,2\nwrong-2,3\nd3,4\nwrong-4,5\n');
    expect((await run('--resume')).exit).toBe(9);
    expect([devices.get('d1'), devices.get('d3')]).toEqual([{ line: '2' }, { line: '4' }]);
  });

  it('hints at --resume, which sends the corrected rows after confirmation', async () => {
    const first = await run();
    expect([first.exit, ...first.stderr.split('\n')]).toEqual([
      9,
      '2 rows (lines 3, 5): There is no device …. (404)',
      'error: 4 rows: 2 done, 2 failed.',
      expect.stringContaining(`iiot devices custom-info import ${file()} --resume --base-url http://127.0.0.1:1`),
      '',
    ]);
    write('deviceId,line\nd1,1\nd2,2\nd3,3\nd4,4\n');
    const before = folder.read('fleet.csv.iiot-journal');
    const asked = await runUnasked('--resume');
    expect([asked.exit, asked.stdout, sent, ...asked.stderr.split('\n')]).toEqual([
      ...[2, '', []],
      expect.stringContaining('Done and unchanged: 2 rows. To send: 2 rows.'),
      'error: To set custom information of 2 devices at 127.0.0.1:1 you must confirm; cannot prompt: not a terminal.',
      'hint: Confirm with --yes',
      '',
    ]);
    expect(folder.read('fleet.csv.iiot-journal')).toBe(before);
    const second = await run('--resume', '-o', 'json');
    expect([second.exit, JSON.parse(second.stdout), sent]).toEqual([
      0,
      expect.objectContaining({ total: 4, skipped: 2, done: 2, failed: 0 }),
      ['d2 {"line":"2"}', 'd4 {"line":"4"}'],
    ]);
    expect(existsSync(journal())).toBe(false);
  });

  it('needs no confirmation if the wrong rows were removed', async () => {
    await run();
    write('deviceId,line\nd3,3\nd1,1\n');
    const { exit, stdout } = await runUnasked('--resume', '-o', 'json');
    expect([exit, JSON.parse(stdout), sent]).toEqual([0, expect.objectContaining({ total: 2, skipped: 2 }), []]);
    expect(existsSync(journal())).toBe(false);
  });

  it('is refused without --resume if it has not ended', async () => {
    expect([(await run('--fail-fast', '--concurrency', '1')).exit, sent.length]).toEqual([9, 2]);
    const { exit, stderr } = await run();
    expect([exit, sent]).toEqual([2, []]);
    expect(stderr).toContain(`error: ${journal()} is the journal of an unfinished run. Done so far: 1 row.\n`);
    expect(stderr).toContain(`hint: Continue with --resume; `);
  });

  it('hints at --failed-file from standard input, or at --resume with a journal', async () => {
    const given = { stdin: 'deviceId,line\nd1,1\nwrong-2,2\n' };
    const words = ['devices', 'custom-info', 'import', '--yes', '-', '--format', 'csv'];
    const hints = [
      'hint: Fix these rows and send them; --failed-file FILE writes them to a file',
      `iiot devices custom-info import - --format csv --journal ${folder.at('j')} --resume --base-url http://127.0.0.1:1`,
    ];
    for (const [at, own] of [[], ['--journal', folder.at('j')]].entries())
      expect((await someone.iiot([...words, ...own], given)).stderr.split('\n')[2]).toContain(hints[at]);
  });
});

type Line = { readonly device: string; readonly a: string; readonly b: string };

const line: fc.Arbitrary<Line> = fc.record({
  device: fc.constantFrom('d1', 'd1', 'd2', 'd3'),
  a: fc.constantFrom('', '1', '2'),
  b: fc.constantFrom('', '1', '2'),
});
const edit = fc.record({
  kind: fc.constantFrom('change', 'remove', 'remove', 'insert', 'move', 'repeat'),
  at: fc.nat(),
  to: fc.nat(),
  line,
});
const round = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  luck: fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }),
});

function edited(lines: readonly Line[], { kind, at, to, line }: Edit): Line[] {
  const [own, next] = [[...lines], to % (lines.length + 1)];
  const [old] = own.slice(at % (lines.length || 1));
  if (kind === 'remove' || kind === 'move' || kind === 'change') own.splice(at % (lines.length || 1), 1);
  if (kind === 'insert') own.splice(next, 0, line);
  if (kind === 'change') own.splice(at % (lines.length || 1), 0, { ...line, device: old?.device ?? line.device });
  if ((kind === 'move' || kind === 'repeat') && old) own.splice(next, 0, old);
  return own;
}

type Edit = { readonly kind: string; readonly at: number; readonly to: number; readonly line: Line };

const hasValue = ({ a, b }: Line) => a !== '' || b !== '';
const bodyOf = ({ a, b }: Line) => JSON.stringify({ ...(a && { a }), ...(b && { b }) });
const rowsOf = (lines: readonly Line[], device: string) =>
  lines.filter((line) => line.device === device && hasValue(line)).map(bodyOf);
/** For a device of which nothing is known. */
const unknown = -1;
const names = ['d1', 'd2', 'd3', 'd4'];

it('an edited file is imported completely by repeated runs, and nothing is sent twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 3, maxLength: 8 }),
      fc.array(round, { minLength: 1, maxLength: 4 }),
      async (start, rounds) => {
        rmSync(journal(), { force: true });
        devices = new Map(names.map((name) => [name, {}]));
        // What is known to be done, by device: as many of its first rows, as the file is now.
        let known = new Map<string, number>();
        let lines = start;
        for (const { edits, luck: own } of [...rounds, { edits: [], luck: [] }]) {
          const before = new Map(names.map((name) => [name, rowsOf(lines, name)]));
          for (const each of edits) lines = edited(lines, each);
          write(`deviceId,a,b\n${lines.map(({ device, a, b }) => `${device},${a},${b}\n`).join('')}`);
          luck = [...own];
          if (!existsSync(journal())) known = new Map();
          let seen = await run('--resume', '-o', 'ndjson', '-q');
          if (seen.exit === 2) {
            expect(seen.stderr).toContain('is the journal of another file');
            rmSync(journal());
            [known, luck] = [new Map(), [...own]];
            seen = await run('--resume', '-o', 'ndjson', '-q');
          }
          expect([0, 9]).toContain(seen.exit);
          for (const name of names) {
            const rows = rowsOf(lines, name);
            const isUntouched = JSON.stringify(rows) === JSON.stringify(before.get(name));
            const again = sent.filter((each) => each.startsWith(`${name} `)).length;
            if (isUntouched) expect(again).toBeLessThanOrEqual(rows.length - Math.max(0, known.get(name) ?? 0));
          }
          known = knownAfter(seen.stdout, known);
        }
        for (const name of names) {
          const wanted = Object.assign({}, ...rowsOf(lines, name).map((body) => JSON.parse(body)));
          expect(devices.get(name)).toMatchObject(wanted);
        }
        expect(existsSync(journal())).toBe(false);
      },
    ),
    // IIOT_TEST_LONG=1 is the full proof.
    { numRuns: process.env.IIOT_TEST_LONG === '1' ? 300 : 40 },
  );
});

/**
 * How many rows of each device are known to be done, which must not be sent again. Where a row is sent before one that was done, that one is sent
 * after it once more. From then on none is known, until all rows of the device are sent.
 */
function knownAfter(stdout: string, before: ReadonlyMap<string, number>): Map<string, number> {
  const reports: Report[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  reports.sort((one, other) => one.line - other.line);
  return new Map(
    names.map((name) => {
      const own = reports.filter(({ deviceId }) => deviceId === name).map(({ status }) => status);
      const [count, skipped] = [['done', 'skipped'], ['skipped']].map(
        (states) => own.filter((status) => states.includes(status)).length,
      ) as [number, number]; // two are mapped
      const isInOrder = !own.slice(0, count).includes('failed');
      return [name, isInOrder && (skipped === 0 || skipped === before.get(name)) ? count : unknown];
    }),
  );
}

type Report = { readonly line: number; readonly deviceId: string; readonly status: string };

const row = (device: string, line: unknown) => `${JSON.stringify({ deviceId: device, customInfo: { line } })}\n`;
const corrected = row('d1', '1');

it.each([
  ['that the platform refuses', corrected, [false]],
  ['whose value cannot be sent', row('d1', 1), []],
  ['that names its keys wrongly', row('d1', '1').replace('customInfo', 'info'), []],
  ['without keys', '{"deviceId":"d1"}\n', []],
])(
  'the rows of a device after a failed row %s are not sent before it, but are in the file of failed rows',
  async (_, first, fortune) => {
    for (const device of ['d1', 'd2']) devices.set(device, {});
    write([first, row('d2', '1'), row('d1', '2'), row('d1', '3')].join(''));
    luck = [...fortune];
    const failed = folder.at('failed.csv');
    const words = ['--format', 'ndjson', '--skip-invalid'];
    const { exit } = await run('--concurrency', '1', '--failed-file', failed, ...words);
    expect([exit, devices.get('d1'), devices.get('d2')]).toEqual([9, {}, { line: '1' }]);
    folder.write('failed.csv', folder.read('failed.csv').replace(first, corrected));
    expect((await someone.iiot(['devices', 'custom-info', 'import', '--yes', failed, ...words])).exit).toBe(0);
    expect(devices.get('d1')).toEqual({ line: '3' });
  },
);
