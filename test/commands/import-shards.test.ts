import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { shardOf } from '../../src/rows/row.ts';
import { personForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { deviceIn, tokenOnly } from './device-requests.ts';

const { at, write, names } = folderForEach();
let puts: string[];
beforeEach(() => {
  puts = [];
});
const someone = personForEach({
  ...tokenOnly,
  async fetch(url, { body }) {
    const device = deviceIn(url);
    puts.push(`${device} ${JSON.parse(body ?? '{}').turn}`);
    return new Response(null, { status: device === 'refused' ? 404 : 204 });
  },
});

const run = (words: readonly string[]) => someone.iiot(['devices', 'custom-info', 'import', '--yes', ...words]);

it.each([
  // Python: zlib.crc32(device_id.encode()) % parts + 1
  ['press-0001', 8, 7],
  ['press-0002', 8, 5],
  ['press-0001', 7, 7],
  ['', 8, 1],
  ['工場/プレス', 1000, 808],
  ['press-0001', 1, 1],
])('the shard of device %j, of %i shards, is %i in every version', (device, parts, part) => {
  expect(shardOf(device, parts)).toBe(part);
});

describe('devices custom-info import --shard', () => {
  it('sends each of 4,000 rows once from eight machines, in the order of each device', async () => {
    const rows = Array.from({ length: 4000 }, (_, at) => `press-${at % 1600},${Math.floor(at / 1600)}`);
    const twins = /^Note: Line 16\d\d, deviceId: "press-\d+" is in an earlier row, .* \(and \d+ rows more\)\.\n$/;
    const file = write('fleet.csv', `deviceId,turn\n${rows.join('\n')}\n`);
    const parts = [1, 2, 3, 4, 5, 6, 7, 8];
    const ended = await Promise.all(parts.map((part) => run([file, '--shard', `${part}/8`, '-o', 'json'])));
    expect(ended.map(({ exit, stderr }) => [exit, stderr])).toEqual(parts.map(() => [0, expect.stringMatching(twins)]));
    const counts = ended.map(({ stdout }) => JSON.parse(stdout));
    expect(counts.every(({ total, done }) => total === done && total > 400)).toBe(true);
    expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(4000);
    expect([...puts].sort()).toEqual(rows.map((row) => row.replace(',', ' ')).sort());
    const turns = puts.filter((put) => put.startsWith('press-7 '));
    expect(turns).toEqual(['press-7 0', 'press-7 1', 'press-7 2']);
    expect(names()).toEqual(['fleet.csv']);
  });

  it('keeps a journal for each shard, and resumes it', async () => {
    const file = write('fleet.csv', 'deviceId,turn\npress-0001,1\npress-0002,2\nrefused,3\npress-0003,4\n');
    const part = shardOf('refused', 2);
    const first = await run([file, '--shard', `${part}/2`]);
    expect(first.stderr.split('\n')[2]).toContain(
      `iiot devices custom-info import ${file} --resume --shard ${part}/2 --base-url http://127.0.0.1:1`,
    );
    const other = await run([file, '--shard', `${3 - part}/2`]);
    expect([first.exit, other.exit]).toEqual([9, 0]);
    expect(names()).toEqual(['fleet.csv', `fleet.csv.${part}-of-2.iiot-journal`]);
    expect([...puts].sort()).toEqual(['press-0001 1', 'press-0002 2', 'press-0003 4', 'refused 3']);
    const again = await run([file, '--shard', `${part}/2`, '--resume', '-o', 'json']);
    const { total, skipped, failed } = JSON.parse(again.stdout);
    expect([skipped, failed]).toEqual([total - 1, 1]);
    const journal = at(`fleet.csv.${part}-of-2.iiot-journal`);
    const wrong = await run([file, '--shard', `${part}/3`, '--resume', '--journal', journal]);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining(`started with --shard ${part}/2.`)]);
    expect(readFileSync(journal, 'utf8')).toContain(`"--shard ${part}/2"`);
  });

  it('checks only the rows of its shard, and unreadable rows in the first shard', async () => {
    const [one, two] = ['a', 'b', 'c', 'd', 'e', 'f']
      .sort((left, right) => shardOf(left, 2) - shardOf(right, 2))
      .flatMap((device, at) => (at === 0 || at === 5 ? [device] : []));
    const file = write(
      'fleet.ndjson',
      `{"deviceId":"${one}","customInfo":{"a":"1"}}\n{"deviceId":"${two}","customInfo":5}\nnonsense\n`,
    );
    const [first, second] = [await run([file, '--shard', '1/2']), await run([file, '--shard', '2/2'])];
    expect([first.exit, first.stderr]).toEqual([
      2,
      expect.stringMatching(/^Line 3 is not JSON .*\nerror: 1 row of 2 /),
    ]);
    expect([second.exit, second.stderr]).toEqual([
      2,
      expect.stringMatching(/^Line 2: customInfo takes .*\nerror: 1 row of 1 /),
    ]);
  });

  it.each(['0/8', '9/8', '8', '1/10001', '-1/8', '1/8x'])('refuses %j', async (shard) => {
    const { exit, stderr } = await run(['fleet.csv', `--shard=${shard}`]);
    expect([exit, stderr.split('\n')[0]]).toEqual([
      2,
      'error: --shard takes a part and the number of parts: 1/8 to 8/8 for eight machines.',
    ]);
  });
});
