/** A file that was edited, or saved in another format, after its rows were sent, and is sent again with --resume. */
import { beforeEach, describe, expect, it } from 'vitest';
import { xlsxParts, zipOf } from '../rows/zip.ts';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import type { Person } from '../support/world.ts';
import { tokenOnly } from './device-requests.ts';

const { at, write, read } = folderForEach();
const newPerson = personsForEach();
const org = '11111111-1111-4111-8111-111111111111';
/** The names and IDs that were sent since the last run began. */
let sent: string[];
/** What the platform answers for them; 201 for any other. */
let answers: Record<string, number>;
let someone: Person;
beforeEach(() => {
  [sent, answers] = [[], {}];
  someone = newPerson({
    ...tokenOnly,
    async fetch(url, { body = '{}', method }) {
      if (method === 'GET') return Response.json([]);
      const { Name } = JSON.parse(body);
      const what = Name ?? url.split('/').findLast((part) => part !== 'custom-info') ?? '';
      sent.push(what);
      const status = answers[what] ?? 201;
      return status === 201 ? Response.json({}, { status }) : new Response(null, { status });
    },
  });
});

/** What is typed once more, and what is seen of it, without the counts at its end. */
const run = async (...words: readonly string[]) => {
  sent.length = 0;
  const { exit, stderr } = await someone.iiot(words);
  const lines = stderr.split('\n').filter((line) => !/^$|^\d+ rows?: .*\)$/.test(line));
  return { exit, stderr: lines, sent: [...sent].toSorted() };
};
const done = { exit: 0, stderr: [] };

describe('iiot batches create --rows --resume with an edited file', () => {
  const row = (name: string, isChanged: boolean) => `${name},${isChanged ? '0 30 3 * * ?' : '0 0 2 * * ?'},yes,no\n`;
  const header = 'Name,cron,enabled,run-on-startup\n';
  /** Writes rows by their names; one that ends with * is changed. */
  const file = (...rows: readonly string[]) =>
    write('a.csv', header + rows.map((name) => row(name.replace('*', ''), name.endsWith('*'))).join(''));
  const create = (...words: readonly string[]) =>
    run('batches', 'create', '--rows', at('a.csv'), '--concurrency', '1', ...words);
  const changed = (unchanged: number, left: number, lost = 0) => {
    const rows = (count: number) => `${count} row${count === 1 ? '' : 's'}`;
    const stays = lost > 0 ? ` .* since: ${rows(lost)}; what they made stays\\.` : '';
    return expect.stringMatching(`Done and unchanged: ${rows(unchanged)}\\. To send: ${rows(left)}\\.${stays}$`);
  };

  it('skips unchanged rows that are done, wherever they are now, and creates new ones', async () => {
    file('n1', 'n2', 'n3');
    expect(await create('--yes')).toEqual({ ...done, sent: ['n1', 'n2', 'n3'] });
    file('n3', 'n4', 'n1', 'n2');
    expect(await create('--yes', '--resume')).toEqual({ exit: 0, stderr: [changed(3, 1)], sent: ['n4'] });
    expect(await create('--yes', '--resume')).toEqual({
      exit: 0,
      stderr: ['4 of 4 rows are already done.'],
      sent: [],
    });
  });

  it('asks about each created row that has changed since, and notes it with --yes', async () => {
    file('n1', 'n2', 'n3', 'n4');
    await create('--yes');
    file('n1', 'n2 new', 'n4');
    const before = read('a.csv.iiot-journal');
    const second = 'Row 2 was created as "n2" and is "n2 new" now: it would be a second one.';
    // Row 3 is n4 now, which is done.
    const third = 'Row 3 was created as "n3" and is not in the file any more.';
    expect(await create('--resume')).toEqual({
      exit: 2,
      stderr: [
        changed(2, 1, 2),
        expect.stringContaining(`error: To create 1 batch of organization ${org} at 127.0.0.1:1 you must`),
        `hint: ${second} ${third} Confirm with --yes`,
      ],
      sent: [],
    });
    expect(read('a.csv.iiot-journal')).toBe(before);
    expect(await create('--yes', '--resume')).toEqual({
      exit: 0,
      stderr: [changed(2, 1, 2), `Note: ${second}`, `Note: ${third}`],
      sent: ['n2 new'],
    });
    expect((await create('--yes', '--resume')).sent).toEqual([]);
  });

  it('notices a changed row if the same file is read in another encoding', async () => {
    write('a.csv', Buffer.from(header + row('Zo\u00e9', false) + row('n2', false), 'latin1'));
    expect((await create('--yes', '--encoding', 'latin1')).exit).toBe(0);
    const { stderr } = await create('--yes', '--encoding', 'koi8-r', '--resume');
    expect(stderr.join('\n')).toContain('Note: Row 1 was created as "Zo\u00e9" and is "Zo\u0418" now: ');
  });

  it('finds a changed row by its name after other rows were inserted', async () => {
    file('n1', 'n2');
    await create('--yes');
    file('n0', 'n1', 'n2*');
    const { stderr } = await create('--resume', '--dry-run', '-o', 'ndjson');
    expect(stderr).toContain('Note: Row 2 was created as "n2" and has changed since: it would be a second one.');
  });

  it('refuses to continue without a row of unknown outcome unless --repeat-unknown is given', async () => {
    file('n1', 'n2', 'n3');
    answers.n2 = 202;
    expect(await create('--yes')).toMatchObject({ exit: 9, sent: ['n1', 'n2', 'n3'] });
    file('n1', 'n3', 'n4');
    const before = read('a.csv.iiot-journal');
    const refusal = {
      exit: 2,
      stderr: [
        `error: Row 2 (n2) was sent, and its outcome is unknown, but ${at('a.csv')} does not have it any more.`,
        'hint: Put it back as before; or check what happened, and go on without it with --repeat-unknown',
      ],
      sent: [],
    };
    expect(await create('--yes', '--resume')).toEqual(refusal);
    expect(await create('--resume', '--dry-run')).toEqual(refusal);
    expect(read('a.csv.iiot-journal')).toBe(before);
    file('n4', 'n1', 'n2', 'n3');
    expect(await create('--yes', '--resume')).toMatchObject({ exit: 9, sent: ['n2', 'n4'] }); // its name is unique
    file('n1', 'n3', 'n4', 'n5');
    expect(await create('--yes', '--resume', '--repeat-unknown')).toEqual({
      exit: 0,
      stderr: [changed(3, 1)],
      sent: ['n5'],
    });
    expect(await create('--yes', '--resume')).toMatchObject({ exit: 0, sent: [] });
  });

  it('sends a refused row once it is corrected', async () => {
    file('n1', 'n2', 'n3');
    answers.n2 = 409;
    const { exit, stderr, sent } = await create('--yes');
    const line = `iiot batches create --rows ${at('a.csv')} --concurrency 1 --resume --base-url http://127.0.0.1:1 --org ${org}`;
    expect([exit, stderr.at(-1), sent]).toEqual([9, expect.stringContaining(`: ${line}`), ['n1', 'n2', 'n3']]);
    file('n1', 'n2b', 'n3');
    expect(await create('--yes', '--resume')).toEqual({ exit: 0, stderr: [changed(2, 1)], sent: ['n2b'] });
  });
});

describe('iiot policies update --rows --resume with an edited file', () => {
  const policy = (last: number | string) => `aaaaaaaa-0000-4000-8000-00000000000${last}`;
  const file = (...rows: readonly string[]) =>
    write('a.csv', `alertPolicyId,delay\n${rows.map((each) => `${policy(each)}\n`).join('')}`);
  const update = (...words: readonly string[]) => run('policies', 'update', '--rows', at('a.csv'), ...words);

  it('sends the rows of a policy from the first changed one, and skips other policies', async () => {
    file('1,5', '2,6', '2,7', '3,8');
    answers[policy(3)] = 400;
    expect(await update('--yes')).toMatchObject({ exit: 9, sent: [policy(1), policy(2), policy(2), policy(3)] });
    answers = {};
    file('3,9', '1,5', '2,7', '2,6');
    expect(await update('--yes', '--resume')).toEqual({
      exit: 0,
      stderr: [
        expect.stringContaining(`Note: Line 5, alertPolicyId: "${policy(2)}" `),
        expect.stringMatching(/Done and unchanged: 1 row\. To send: 3 rows\. .* since: 1 row; what only they set/),
      ],
      sent: [policy(2), policy(2), policy(3)],
    });
  });

  it('does not repeat a row of unknown outcome if another row has changed', async () => {
    file('1,5', '1,6');
    answers[policy(1)] = 201;
    await update('--yes');
    file('1,7', '1,6');
    answers[policy(1)] = 202;
    expect(await update('--yes', '--resume')).toMatchObject({ exit: 9, sent: [policy(1)] });
    answers = {};
    expect(await update('--yes', '--resume')).toMatchObject({ exit: 9, sent: [] });
    expect(await update('--yes', '--resume', '--repeat-unknown')).toMatchObject({
      exit: 0,
      sent: [policy(1), policy(1)],
    });
    expect(await update('--yes', '--resume')).toMatchObject({ exit: 0, sent: [] });
  });

  it('sends every row of a finished run whose values have all changed', async () => {
    file('1,5', '2,6');
    await update('--yes');
    file('1,6', '2,7');
    expect(await update('--yes', '--resume')).toMatchObject({ exit: 0, sent: [policy(1), policy(2)] });
  });

  it('is refused if the file has none of the rows that are done', async () => {
    file('1,5', '2,6');
    await update('--yes');
    file('4,6', '3,6');
    for (const words of [['--yes'], ['--dry-run']])
      expect(await update('--resume', ...words)).toEqual({
        exit: 2,
        stderr: [
          `error: ${at('a.csv')}.iiot-journal is the journal of another file: none of the rows that are done is in ${at('a.csv')}.`,
          `hint: To send every row again, remove it first: rm ${at('a.csv')}.iiot-journal`,
        ],
        sent: [],
      });
  });
});

type Rows = readonly (readonly string[])[];

const quoted = (cell: string) => (/[",\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csv = (rows: Rows, separator = ',') => rows.map((cells) => `${cells.map(quoted).join(separator)}\n`).join('');
const escaped = (cell: string) => cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const xlsx = (rows: Rows) => {
  const cell = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
  return zipOf(xlsxParts(rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')));
};

describe.each([
  {
    command: 'policies update --rows',
    rows: [
      ['alertPolicyId', 'name', 'delay', 'channel-id', 'template-id', 'var'],
      ['aaaaaaaa-0000-4000-8000-000000000001', 'a,b & "c"', '5m', '["ch_1","ch_2"]', 't', '{"a":"1","b":"2"}'],
      ['aaaaaaaa-0000-4000-8000-000000000002', '', '7', '', '', ''],
    ],
    // By the platform's names, and with values as it takes them.
    objects: [
      {
        notification: { variables: { b: '2', a: '1' }, templateId: 't', channelIds: ['ch_1', 'ch_2'] },
        ...{ delay: 300, name: 'a,b & "c"', alertPolicyId: 'aaaaaaaa-0000-4000-8000-000000000001' },
      },
      { delay: 7, alertPolicyId: 'aaaaaaaa-0000-4000-8000-000000000002', name: null },
    ],
  },
  {
    command: 'devices custom-info import',
    rows: [
      ['deviceId', 'site', 'serial'],
      ['press-1', 'Hall 3, "A"', '007'],
      ['press-2', '', '8'],
    ],
    objects: [
      { deviceId: 'press-1', customInfo: { serial: '007', site: 'Hall 3, "A"' } },
      { deviceId: 'press-2', customInfo: { serial: '8' } },
    ],
  },
])('iiot $command', ({ command, rows, objects }) => {
  const lines = objects.map((each) => JSON.stringify(each)).join('\n');
  /** Columns in the opposite order. */
  const turned = rows.map((cells) => cells.toReversed());

  it.each<[string, string, string | Buffer, readonly string[]]>([
    ['a workbook', 'b.xlsx', xlsx(rows), []],
    ['a workbook with its columns in another order', 'b.xlsx', xlsx(turned), []],
    ['CSV with semicolons', 'b.csv', csv(rows, ';'), ['--delimiter', ';']],
    ['CSV in another encoding', 'b.csv', Buffer.from(csv(turned), 'latin1'), ['--encoding', 'windows-1252']],
    ['CSV with --numbers-as-ids and --null-as', 'b.csv', csv(rows), ['--numbers-as-ids', '--null-as', 'NULL']],
    ['NDJSON', 'b.ndjson', lines, []],
    ['a JSON array', 'b.json', `[${objects.map((each) => JSON.stringify(each)).join()}]`, []],
  ])('sends nothing again from %s with the rows that were sent as CSV', async (_, name, content, more) => {
    const journal = ['--journal', at('j')];
    // The journal of an import, all of whose rows are done, is removed.
    const [, , last = []] = rows;
    const failing = command.startsWith('devices') ? [...rows, ['gone', ...last.slice(1)]] : rows;
    answers.gone = 404;
    expect((await run(...command.split(' '), write('a.csv', csv(failing)), '--yes', ...journal)).sent).toHaveLength(
      failing.length - 1,
    );
    const again = [...command.split(' '), write(name, content), '--yes', '--resume', ...journal, ...more];
    expect(await run(...again)).toMatchObject({ exit: 0, sent: [] });
  });
});
