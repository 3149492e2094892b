/** Lists of the built program: in a real terminal, into a reader that goes away, and of a whole company. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/sandbox/server.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import { executable, programFile, programWords } from '../support/program.ts';

const server = madeForAll(() => startServer({ users: 1000, devices: 1 }));
const company = madeForAll(() => startServer({ users: 100_000, devices: 1 }));
const home = homeForAll(() => machineOf(server));

async function screen(words: readonly string[], columns: number): Promise<string> {
  const terminal = home.terminal(words, { columns, rows: 40 });
  expect((await terminal.exit).code).toBe(0);
  return terminal.screen();
}

describe('a terminal', () => {
  // Those whose names are hard to show.
  const users = ['orgs', 'users', 'list', '--skip', '60', '--limit', '12'];
  const templates = ['templates', 'list', '--limit', '3'];

  it('60 columns wide shows IDs whole, and cuts long texts', async () => {
    expect(await screen(users, 60)).toBe(
      [
        'USER ID    NAME                                    ROLE',
        'user-0060  Zoë 🛠️ Kühn                             viewer',
        'user-0061  Red \\u{1b}[31mAlert\\u{1b}[0m            viewer',
        'user-0062  Bidi \\u{202e}gnp.tfihs                  viewer',
        'user-0063  Tab\\tand↵Line                           operator',
        'user-0064  Ame\u0301lie Decomposed                       viewer',
        'user-0065  =HYPERLINK("//example","Sum")           viewer',
        'user-0066  <b onclick="alert(1)">Bold</b> & "Son…  viewer',
        'user-0067  \u2068משה כהן\u2069                                 viewer',
        'user-0068  山田 花子                               operator',
        'user-0069    Spaces Around                         viewer',
        'user-0070  Al                                      operator',
        'user-0071  Maximiliane Theodora Freifrau von und…  operator',
        'Not shown: email (use --columns all)',
        '12 of 1,000 users',
      ].join('\n'),
    );
    expect(await screen(templates, 60)).toBe(
      [
        'TEMPLATE ID   NAME          CHANNEL TYPES   TAGS',
        'template_001  Pressure low  teams           day',
        'template_002  Door open     linemessage     night',
        'template_003  Tool worn     webhook, email  day',
        'Not shown: SUBJECT, orgId (use --columns all)',
        '3 of 45 templates',
      ].join('\n'),
    );
  });

  it.each([100, 200])('%i columns wide shows every column that fits', async (columns) => {
    expect(await screen(templates, columns)).toBe(
      [
        'TEMPLATE ID   NAME          CHANNEL TYPES   TAGS   SUBJECT',
        'template_001  Pressure low  teams           day    Pressure low: {{deviceName}}',
        'template_002  Door open     linemessage     night  Door open: {{deviceName}}',
        'template_003  Tool worn     webhook, email  day    Tool worn: {{deviceName}}',
        'Not shown: orgId (use --columns all)',
        '3 of 45 templates',
      ].join('\n'),
    );
    const longest = (await screen(users, columns)).split('\n').at(-3);
    const name = 'Maximiliane Theodora Freifrau von und zu Oberunterschleißheim-Wolkenkuckucksheim auf der Höhe';
    expect(longest).toBe(`user-0071  ${columns === 200 ? name : `${name.slice(0, 77)}…`}  operator`);
  });

  it('shows csv with control characters escaped', async () => {
    const lines = (await screen([...users, '-o', 'csv', '--columns', 'name'], 60)).split('\n');
    expect(lines.slice(2, 5)).toEqual(['Red \\u{1b}[31mAlert\\u{1b}[0m', 'Bidi \\u{202e}gnp.tfihs', 'Tab\\tand↵Line']);
  });
});

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

  // The one-file program brings its own along.
  it.skipIf(executable !== undefined)('are listed with the code that an earlier run compiled', async () => {
    const compiled = async () => {
      const words = ['orgs', 'users', 'list', '--all', '--page-size', '200', '-o', 'json'];
      const { exit } = await home.iiot(words, { env: { XDG_CACHE_HOME: '' } });
      expect(exit).toBe(0);
      const cache = home.at('.cache/iiot');
      const [version = ''] = await readdir(cache);
      return (await stat(join(cache, version, 'iiot.orgs.users'))).mtimeMs;
    };
    const first = await compiled();
    expect([await compiled(), await compiled()]).toEqual([first, first]);
  });
});
