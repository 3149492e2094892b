import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import { programFile, programWords } from '../support/program.ts';

const server = madeForAll(() => startServer({ users: 1000, devices: 1 }));
const company = madeForAll(() => startServer({ users: 100_000, devices: 1 }));
const home = homeForAll(() => machineOf(server));

describe('a reader that goes away', () => {
  it('ends a list with 0, without a message or further requests', async () => {
    const before = company.platform.log.count;
    const line = `"$@" | head -1; printf '%s' "\${PIPESTATUS[*]}"`;
    const words = [programFile, ...programWords, 'orgs', 'users', 'list', '--all'];
    const { stdout, stderr } = await home.run(['/bin/bash', '-c', line, 'bash', ...words], { env: machineOf(company) });
    expect([stdout, stderr]).toEqual(['ada\tAda Okonkwo\tadmin\n0 0', '']);
    // A token, and of the hundred pages those that fit into the pipe.
    expect(company.platform.log.count - before).toBeLessThan(20);
  });
});

describe('100,000 users', () => {
  async function listed(format: string, where: RunningServer) {
    const words = ['orgs', 'users', 'list', '--all', '-o', format];
    const { exit, stderr, ...run } = await withPeak(home, words, { env: machineOf(where) });
    expect([exit, stderr]).toEqual([0, '']);
    return run;
  }

  // The platform sorts by userId unless told, as texts are sorted.
  const numbered = Array.from({ length: 99_998 }, (_, index) => `user-${String(index + 1).padStart(4, '0')}`);
  const expected = ['ada', ...numbered.sort(), 'vic'];

  it('are listed in order as ndjson and csv, in the memory that 1,000 take', async () => {
    const few = await listed('ndjson', server);
    expect(few.stdout.split('\n')).toHaveLength(1001);
    const lines = await listed('ndjson', company);
    const userIds = lines.stdout.split('\n').slice(0, -1);
    expect(userIds.map((line) => JSON.parse(line).userId)).toEqual(expected);
    const rows = await listed('csv', company);
    expect(parseCsv(rows.stdout).map(([userId]: string[]) => userId)).toEqual(['userId', ...expected]);
    for (const { mebibytes } of [lines, rows]) expect(mebibytes - few.mebibytes).toBeLessThan(45);
  });
});
