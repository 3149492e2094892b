import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FaultRule, readFault } from '../../src/sandbox/faults.ts';
import { personsForEach } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { respondingWith } from '../support/responses.ts';
import { failed } from '../support/seen.ts';
import type { Given, Person } from '../support/world.ts';

const { at: place, write, read, names } = folderForEach();
const newPerson = personsForEach();
let someone: Person;
beforeEach(() => {
  someone = newPerson();
});

const run = (file: string, words: readonly string[] = [], given: Given = {}) =>
  someone.iiot(['devices', 'custom-info', 'import', '--yes', file, ...words], given);

const infoOf = (deviceId: string) => [...(someone.platform.world.devices.get(deviceId)?.customInfo ?? [])];
const valuesOf = (deviceId: string) => Object.fromEntries(infoOf(deviceId));
/** The hint after rows that the platform refused. */
const fixing = (file: string) =>
  `Fix these rows, in ${file} or on the platform, then send them (in a script, with --yes): iiot devices custom-info import ${file} --resume --base-url http://127.0.0.1:1`;
/** The same with a file of those rows. */
const sending = (failed: string, more = '') =>
  `hint: Fix the rows in ${failed}, then send them: iiot devices custom-info import ${failed}${more} --base-url http://127.0.0.1:1`;
const notOfThisRun = 'is not empty and was not created by this run.';
const unsent = 'cannot be sent, so nothing was sent.';
const skipInvalid = 'hint: Fix them, or send the other rows with --skip-invalid';
const here = { baseUrl: 'http://127.0.0.1:1', profile: 'default', orgId: null };
const puts = () => someone.requests.filter((request) => request.startsWith('PUT'));
/** The rows of a dry run. */
const rehearsed = async (file: string, words: readonly string[] = []) => {
  const { exit, stdout, stderr } = await run(file, [...words, '--dry-run', '-o', 'json']);
  return { exit, stderr, rows: JSON.parse(stdout) };
};
/** Runs an import that gives its counts as JSON. */
const counted = async (file: string, words: readonly string[] = [], given?: Given) => {
  const { exit, stdout, stderr } = await run(file, [...words, '-o', 'json'], given);
  return { ...JSON.parse(stdout), exit, stderr };
};
/** An exit code, and the first line of stderr. */
const ending = async (ran: ReturnType<typeof run>) => {
  const { exit, stderr } = await ran;
  return [exit, stderr.split('\n')[0]];
};
const idsOf = (requests: readonly string[]) => requests.map((request) => request.split('/').at(-2));
const add = (deviceId = 'nobody') =>
  someone.platform.world.devices.set(deviceId, { deviceId, orgId: '1', customInfo: new Map() });

function faulty(text: string): Person {
  return newPerson({ faults: [readFault(text) as FaultRule] }); // it is a valid fault
}

describe('devices custom-info import', () => {
  it('sets the keys of every device of a CSV file, but not those of empty cells', async () => {
    const file = write('fleet.csv', 'note,deviceId,line\n"a, b",press-0001,\n,press-0002,-\n');
    expect(await counted(file, ['--null-as', '-'])).toEqual({
      ...{ exit: 0, stderr: '', total: 2, done: 2, failed: 0, skipped: 0, notSent: 0, unknown: 0, empty: 0 },
      ...{ ...here, file, durationSeconds: expect.any(Number), failures: [], results: [] },
    });
    expect(infoOf('press-0001').filter(([key]) => key !== 'inspectedBy')).toEqual([
      ['line', expect.not.stringMatching(/^-?$/)],
      ['note', 'a, b'],
    ]);
    expect(infoOf('press-0002')).toEqual([
      ['line', null],
      ['inspectedBy', null],
    ]);
    expect(existsSync(`${file}.iiot-journal`)).toBe(false);
  });

  it.each([
    ['semicolons-windows-1252.csv', ['--encoding', 'windows-1252'], 'Read as windows-1252: 5 € –, Zürich\n'],
    ['tabs-utf-16.tsv', [], 'Read as utf-16le: 5 € –, Zürich\n'],
    ['pipes.csv', [], ''],
  ])('reads %s of LibreOffice', async (name, words, read) => {
    expect(await counted(join('test/files', name), [...words, '--journal', place('j')])).toMatchObject({
      ...{ exit: 0, total: 2, done: 2, empty: 1, stderr: `${read}Note: 1 row without a value is not sent.\n` },
    });
    expect(valuesOf('press-0001')).toMatchObject({ line: '3', note: '5 € – "now"' });
    expect(valuesOf('press-0002')).toMatchObject({ line: 'Zürich', note: 'a;b, c' });
  });

  it.each(['fleet.xlsx', 'fleet.ods'])('reads the workbook %s from a file or from standard input', async (name) => {
    const file = join('test/files', name);
    const other = 'Note: The sheet "Fleet" is read, not "Other & more"; use --sheet to read another.\n';
    const stderr = `Note: 1 row without a value is not sent.\n${other}`;
    expect(await counted(file, ['--journal', place('j')])).toMatchObject({ exit: 0, done: 2, stderr });
    expect(valuesOf('press-0001')).toMatchObject({ serial: '0007', installed: '2026-03-01' });
    someone.platform.world.devices.delete('press-0002');
    const words = ['--format', name.replace('fleet.', ''), '--failed-file', place('failed.csv')];
    const error = { code: 'not_found', message: 'There is no device press-0002.', status: 404 };
    const failures = [{ line: 4, deviceId: 'press-0002', status: 'failed', error }];
    const piped = await counted('-', words, { stdin: readFileSync(file) });
    expect(piped).toMatchObject({ exit: 9, done: 1, failures });
    expect(read('failed.csv')).toBe(
      '\ufeffdeviceId,serial,installed,seen,shift,load,price,active,sum,note\npress-0002,123456789012345,,,,,0.3,FALSE,,007\n',
    );
    const row = { request: { body: { line: '9' } }, error: null };
    expect(await rehearsed(file, ['--sheet', 'Other & more'])).toMatchObject({
      stderr: 'Note: Line 3, deviceId: "press-0003" is in an earlier row, too; the rows are sent in order.\n',
      rows: [row, row],
    });
  });

  it('refuses numbers as IDs in a workbook, unless --numbers-as-ids is given', async () => {
    const file = 'test/files/device-ids.xlsx';
    const journal = ['--journal', place('j')];
    const refused = await run(file, journal);
    expect([refused.exit, refused.stdout, someone.requests]).toEqual([2, '', []]);
    const lines = refused.stderr.split('\n');
    expect([...lines.slice(0, 2), ...lines.slice(-4)]).toEqual([
      expect.stringMatching(/^Note: Cell B2, iccid: "89490200001234570000" may .* \(and 1 row more\)\.$/),
      expect.stringMatching(/^Line 3: cell A3 is a number of 16 digits; spreadsheets keep 15: .*--numbers-as-ids\.$/),
      expect.stringMatching(/^Line 14: cell A14 is the number 12, shown as "1200%": .*--numbers-as-ids\.$/),
      `error: 9 rows of 15 in ${file} ${unsent}`,
      skipInvalid,
      '',
    ]);
    const words = ['--numbers-as-ids', '--skip-invalid', ...journal, '-o', 'json'];
    const { exit, stderr } = await run(file, words);
    const taken =
      '0007 00712 12 1234 1234567890123456 1.5 356938035643809 4006381333931 89490200001234570000 press-0001';
    expect([exit, idsOf(puts()).sort()]).toEqual([9, taken.split(' ').sort()]);
    expect(stderr).toMatch(/--resume .*--numbers-as-ids/);
    const before = puts().length;
    const other = await run(file, ['--skip-invalid', '--resume', ...journal]);
    expect([other.exit, idsOf(puts().slice(before)).sort()]).toEqual([
      9,
      ['0007', '00712', '1234567890123456', '356938035643809', '4006381333931'],
    ]);
  });

  it('hints at the workbook to fix its failed rows, and warns of the CSV file', async () => {
    someone.platform.world.devices.delete('press-0002');
    const file = 'test/files/fleet.xlsx';
    const [failed, journal] = [place('failed.csv'), place('j')];
    const { exit, stderr } = await run(file, ['--journal', journal, '--failed-file', failed]);
    const warning = `(${failed} lists them too, but a spreadsheet would turn an ID such as 00018 into 18)`;
    const hint = fixing(file)
      .replace(' platform,', ` platform ${warning},`)
      .replace('--resume', `--journal ${journal} --resume --failed-file ${failed}`);
    expect([exit, stderr.split('\n').at(-2)]).toEqual([9, `hint: ${hint}`]);
    add('press-0002');
    expect((await run(failed)).exit).toBe(0);
    expect(valuesOf('press-0002')).toMatchObject({ serial: '123456789012345', note: '007' });
  });

  it('does not send a refused ID of a workbook from the file of failed rows', async () => {
    const words = ['--skip-invalid', '--journal', place('j'), '--failed-file', place('failed.csv')];
    someone.platform.world.devices.clear();
    await run('test/files/device-ids.ods', words);
    const before = puts().length;
    const again = await run(place('failed.csv'), ['--skip-invalid']);
    expect([again.exit, idsOf(puts().slice(before))]).toEqual([9, idsOf(puts().slice(0, before))]);
  });

  it('refuses an ID in CSV that a spreadsheet has rounded, and notes such a value', async () => {
    const file = write('fleet.csv', 'deviceId,a\n8.94902E+19,1\n89490200001234567890,1E+12\n');
    const { exit, stderr } = await run(file);
    expect([exit, stderr.split('\n').slice(0, 3), someone.requests]).toEqual([
      2,
      [
        expect.stringMatching(/^Note: Line 3, a: "1E\+12" may have lost digits /),
        expect.stringMatching(/has the rounded number 8\.94902E\+19 in column "deviceId": format the column as text/),
        `error: 1 row of 2 in ${file} ${unsent}`,
      ],
      [],
    ]);
    const urls = ['/8.94902E%2B19/', '/89490200001234567890/'].map((id) => expect.stringContaining(id));
    const rows = urls.map((url) => ({ request: { url }, error: null }));
    expect(await rehearsed(file, ['--numbers-as-ids'])).toMatchObject({ exit: 0, rows });
  });

  it.each(['fleet.txt', 'fleet.TAB'])('finds the separator of %s in its header', async (name) => {
    const file = write(name, 'deviceId\tline\npress-0001\t3, 4\n\x1a');
    expect((await run(file)).exit).toBe(0);
    expect(valuesOf('press-0001')).toMatchObject({ line: '3, 4' });
  });

  it('writes failed rows so that they can be imported with or without the same options', async () => {
    const file = write('old.csv', Buffer.from('deviceId^line\npress-0001^3\nnobody^\x80 5\n', 'latin1'));
    const options = ['--encoding', 'windows-1252', '--delimiter', '^'];
    const first = await run(file, [...options, '--failed-file', place('failed.csv')]);
    expect([first.exit, first.stderr.split('\n')[3]]).toEqual([9, sending(place('failed.csv'))]);
    expect(read('failed.csv')).toBe('\ufeffsep=^\ndeviceId^line\nnobody^€ 5\n');
    add();
    for (const words of [options, []]) {
      expect((await run(place('failed.csv'), words)).exit).toBe(0);
      expect(infoOf('nobody')).toEqual([['line', '€ 5']]);
      someone.platform.world.devices.get('nobody')?.customInfo.clear();
    }
    expect(await counted(file, ['--resume', ...options])).toMatchObject({ exit: 0, skipped: 1, done: 1 });
  });

  it('sends empty texts, null and any keys of NDJSON in their order', async () => {
    const file = write(
      'fleet.ndjson',
      '{"deviceId":"Hall 3/Press 7","customInfo":{"10":"","9":null,"__proto__":"a","constructor":"b"}}\n',
    );
    expect((await run(file)).exit).toBe(0);
    const body = '{"10":"","9":null,"__proto__":"a","constructor":"b"}';
    expect(someone.sent.map((request) => request.body)).toEqual([body]);
    const { stdout } = await run(file, ['--dry-run', '--jq', '.[].curl']);
    expect(stdout).toContain(`'${body}'`);
    expect(puts()).toEqual(['PUT /platform/solutions/api/v1/devices/Hall%203%2FPress%207/custom-info']);
  });

  it.each([
    ['fleet.csv', 'deviceId,a,b\npress-0001,1,\npress-0002,,\n,,\n', 2],
    [
      'fleet.ndjson',
      '{"deviceId":"press-0001","customInfo":{"a":"1"}}\n{"deviceId":"press-0002","customInfo":{}}\n',
      1,
    ],
  ])('neither sends rows without a value of %s nor counts them as done', async (name, text, empty) => {
    const file = write(name, text);
    const note = `Note: ${empty === 1 ? '1 row without a value is' : '2 rows without a value are'} not sent.\n`;
    const rows = [{ deviceId: 'press-0001', error: null }];
    expect(await rehearsed(file)).toMatchObject({ rows, stderr: note });
    expect(await run(file, ['-o', 'csv'])).toEqual({
      exit: 0,
      stdout: `line,deviceId,status,code,message\r\n${name === 'fleet.csv' ? 2 : 1},press-0001,done,,\r\n`,
      stderr: `${note}1 row: 1 done; ${empty === 1 ? '1 row' : '2 rows'} without a value not sent (less than a second)\n`,
    });
    expect(idsOf(puts())).toEqual(['press-0001']);
    expect(await counted(file)).toMatchObject({ total: 1, done: 1, empty });
  });

  it.each([
    [
      'deviceId,a\npress-0001,\n',
      /^Note: 1 row without a value is not sent\.\n0 rows: nothing to do; 1 row without .* not sent \(/,
    ],
    ['deviceId,a\n', /^Note: \S+fleet\.csv has no rows\.\n0 rows: nothing to do /],
  ])('does nothing for %j, with a note', async (text, sentence) => {
    const { exit, stdout, stderr } = await run(write('fleet.csv', text), ['-o', 'ndjson']);
    expect([exit, stdout, stderr, puts()]).toEqual([0, '', expect.stringMatching(sentence), []]);
  });

  it("sends empty cells as null with --null-as ''", async () => {
    expect((await run(write('fleet.csv', 'deviceId,a\npress-0001,\n'), ['--null-as', ''])).exit).toBe(0);
    expect(infoOf('press-0001')).toContainEqual(['a', null]);
  });

  it.each([
    [' press-0001', ' press-0001', ''],
    ['press-0001\u200b', 'press-0001\\u{200b}', ''],
    ['プレス\u3000', 'プレス\\u{3000}', ''],
    ["'007,1\nd2 ", "'007", ' (and 1 row more)'],
  ])('notes once that the ID %j begins or ends with an unexpected character', async (id, shown, more) => {
    const { stderr } = await run(write('fleet.csv', `deviceId,a\nHall 3's,1\n${id},1\n`), ['--dry-run']);
    const what = 'begins or ends with a blank or an apostrophe, and is sent so';
    expect(stderr.split('\n')[0]).toBe(`Note: Line 3, deviceId: "${shown}" ${what}${more}.`);
  });

  it('prints a line for each row with -o ndjson, and the counts on stderr', async () => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\nnobody,2\n\npress-0002,3\n');
    const { exit, stdout, stderr } = await run(file, ['-o', 'ndjson']);
    const refusal = { code: 'not_found', message: 'There is no device nobody.', status: 404 };
    const rows = stdout.trimEnd().split('\n').sort();
    expect([exit, ...rows.map((row) => JSON.parse(row))]).toEqual([
      9,
      { line: 2, deviceId: 'press-0001', status: 'done', error: null },
      { line: 3, deviceId: 'nobody', status: 'failed', error: { ...refusal, requestId: expect.any(String) } },
      { line: 5, deviceId: 'press-0002', status: 'done', error: null },
    ]);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'partial',
      message: '3 rows: 2 done, 1 failed.',
      ...{ status: null, request: null, ...here, requestId: null, notices: [] },
      details: [],
      hint: fixing(file),
    });
  });

  it('names the key that the platform refuses', async () => {
    const detail = [{ loc: ['body', 'line'], msg: 'has more than 64 characters', type: 'too_long' }];
    someone = newPerson({ fetch: respondingWith(422, { message: 'Not valid', detail }) });
    expect(await ending(run(write('fleet.csv', 'deviceId,line\npress-0001,1\n')))).toEqual([
      9,
      'Line 2, press-0001: Not valid. line: has more than 64 characters (422)',
    ]);
  });

  it.each([
    ['rows.dat', 'csv', 'failed.xlsx', 'deviceId,line\nnobody,1\n'],
    ['rows.csv', 'ndjson', 'failed', '{"deviceId":"nobody","customInfo":{"line":"1"}}\n'],
  ])('shows a command with --format if %s is %s and the failed rows go to %s', async (name, format, to, text) => {
    const file = write(name, text);
    const failed = place(to);
    const { exit, stderr } = await run(file, ['--format', format, '--failed-file', failed]);
    expect([exit, stderr.split('\n')[2]]).toEqual([9, sending(failed, ` --format ${format}`)]);
    // Spreadsheets need a byte order mark to read UTF-8.
    expect(readFileSync(failed, 'utf8')).toBe(format === 'csv' ? `\ufeff${text}` : text);
    expect((await run(failed, ['--format', format])).exit).toBe(9);
    expect((await run(file, ['--resume', '--format', format])).exit).toBe(9);
  });

  it('writes failed rows to a private file that can be imported, and continues with --resume', async () => {
    const file = write('fleet.csv', 'deviceId,"a,b"\npress-0001,1\nnobody,"2 ""x"""\n');
    const failed = place('failed.csv');
    const first = await run(file, ['--failed-file', failed]);
    expect([first.exit, first.stderr.split('\n')]).toEqual([
      9,
      ['Line 3, nobody: There is no device nobody. (404)', 'error: 2 rows: 1 done, 1 failed.', sending(failed), ''],
    ]);
    expect(readFileSync(failed, 'utf8')).toBe('\ufeffdeviceId,"a,b"\nnobody,"2 ""x"""\n');
    expect(statSync(failed).mode & 0o777).toBe(0o600);
    add();
    const again = await run(failed, ['-o', 'json']);
    expect([again.exit, infoOf('nobody')]).toEqual([0, [['a,b', '2 "x"']]]);
    const resumed = await counted(file, ['--resume', '--failed-file', failed]);
    expect(resumed).toMatchObject({ exit: 0, skipped: 1, done: 1 });
    expect([existsSync(`${file}.iiot-journal`), existsSync(failed)]).toEqual([false, false]);
  });

  it.each([
    ['rows of another fleet', 'deviceId,a\npress-0003,1\n'],
    ['other text', 'x'],
  ])('never empties a file with %s for failed rows', async (_, text) => {
    const file = write('fleet.csv', 'deviceId,a\nnobody,1\npress-0001,1\n');
    const foreign = write('other.csv', text);
    for (const words of [[], ['--resume']]) {
      const hint = `hint: Name another file with --failed-file, or remove this one first: rm ${foreign}`;
      const refused = await run(file, ['-q', '--failed-file', foreign, ...words]);
      expect([refused, puts()]).toEqual([failed(2, `error: ${foreign} ${notOfThisRun}`, hint), []]);
    }
    const { exit } = await run('-', ['--format', 'csv', '--failed-file', foreign], { stdin: 'deviceId\nnobody\n' });
    expect([exit, readFileSync(foreign, 'utf8')]).toEqual([2, text]);
  });

  it('uses an empty file for failed rows, and keeps it if no row fails', async () => {
    const [file, empty] = [write('fleet.csv', 'deviceId,a\npress-0001,1\n'), write('empty.csv', '')];
    expect((await run(file, ['--failed-file', empty])).exit).toBe(0);
    expect(readFileSync(empty, 'utf8')).toBe('');
    expect((await run(write('bad.csv', 'deviceId,a\nnobody,1\n'), ['--failed-file', empty])).exit).toBe(9);
    expect(readFileSync(empty, 'utf8')).toBe('\ufeffdeviceId,a\nnobody,1\n');
  });

  it('keeps the journal of the last run if the next run is refused', async () => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\nnobody,1\n');
    expect((await run(file)).exit).toBe(9);
    const before = read('fleet.csv.iiot-journal');
    const sent = puts();
    expect((await run(file, ['--failed-file', write('other.csv', 'x')])).exit).toBe(2);
    expect([read('fleet.csv.iiot-journal'), puts()]).toEqual([before, sent]);
    expect((await run(file, ['--resume'])).stderr).toContain('1 of 2 rows are already done.');
  });

  it('writes the failed rows of repeated runs to the same file', async () => {
    const file = write('fleet.csv', 'deviceId,a\nnobody,1\n');
    const words = ['--failed-file', place('failed.csv')];
    expect([(await run(file, words)).exit, (await run(file, words)).exit]).toEqual([9, 9]);
    write('fleet.csv', 'deviceId,a\nno-one,1\npress-0001,1\n');
    expect((await run(file, words)).exit).toBe(9);
    expect(read('failed.csv')).toBe('\ufeffdeviceId,a\nno-one,1\n');
    rmSync(`${file}.iiot-journal`);
    expect((await run(file, words)).stderr).toContain(notOfThisRun);
    expect(read('failed.csv')).toBe('\ufeffdeviceId,a\nno-one,1\n');
  });

  it('keeps the journal of a run on a sandbox away from the file', async () => {
    const env = { IIOT_SANDBOX: '1', IIOT_SANDBOX_URL: 'http://127.0.0.1:1' };
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\nnobody,1\n');
    const first = await run(file, [], { env });
    expect([first.exit, first.stderr.split('\n')[2]]).toEqual([9, `hint: ${fixing(file)}`]);
    expect(names()).toEqual(['fleet.csv']);
    expect(await counted(file, ['--resume'], { env })).toMatchObject({ exit: 9, skipped: 1 });
    expect((await run(file, ['-o', 'json'])).exit).toBe(9);
  });

  it('checks every row before it sends one, and names what is wrong with each', async () => {
    const ofPress = ['{"a":"1"}', '{"a":1}', '{"a":true,"b":"x"}', '{"a":{"b":"c"}}', '{"a":"1","a":"2"}'];
    const lines = [
      ...ofPress.map((info) => `{"deviceId":"press-0001","customInfo":${info}}`),
      '{"deviceId":"..","customInfo":{"a":"1"}}',
      '{"deviceId":"","customInfo":{}}',
      '{"deviceId":5,"customInfo":{}}',
      '{"deviceId":"press-0001","info":{}}',
      '{"deviceId":"press-0001"}',
      '["press-0001"]',
      '{"deviceId":"press-0001","customInfo":null}',
      'press-0001',
    ];
    const file = write('fleet.ndjson', lines.join('\n'));
    const { exit, stdout, stderr } = await run(file);
    expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
    expect(stderr.split('\n')).toEqual([
      'Line 2 (and 1 row more): customInfo takes a string or null as "a": write it in quotes.',
      expect.stringMatching(/^Line 4: customInfo takes .* as "a": write its JSON as one string, in quotes\.$/),
      'Line 5 has the key "a" twice in one object.',
      expect.stringMatching(/^Line 6: deviceId cannot be a dot segment/),
      'Line 7 has no deviceId.',
      'Line 8: deviceId takes a string: write it in quotes.',
      'Line 9 has a member "info", which is neither deviceId nor customInfo: a row is {"deviceId": "…", "customInfo": {…}}.',
      'Line 10 has no customInfo: a row is {"deviceId": "…", "customInfo": {…}}.',
      'Line 11 is not an object: a row is {"deviceId": "…", "customInfo": {…}}.',
      'Line 12: customInfo takes an object of strings.',
      expect.stringMatching(/^Line 13 is not JSON at column 1: /),
      `error: 12 rows of 13 in ${file} ${unsent}`,
      skipInvalid,
      '',
    ]);
  });

  it('refuses JSON of jq --seq with a hint', async () => {
    const file = write('seq.ndjson', '\x1e{"deviceId":"press-0001","customInfo":{"a":"1"}}\n');
    const sentence = `error: ${file} has the character U+001E, which no text should have: see line 1, column 1.`;
    const hint = 'hint: It comes from jq --seq: jq -c . without --seq writes NDJSON';
    expect(await run(file)).toEqual(failed(2, sentence, hint));
    expect(someone.requests).toEqual([]);
  });

  it('gives a program the wrong rows as details of one error', async () => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001\n');
    const { exit, stdout, stderr } = await run(file, ['-o', 'json']);
    expect([exit, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'usage',
      message: `1 row of 1 in ${file} ${unsent}`,
      ...{ status: null, request: null, ...here, requestId: null, notices: [] },
      details: [{ line: 2, field: null, message: 'has 1 cell; the header has 2' }],
      hint: skipInvalid.replace('hint: ', ''),
    });
  });

  it('shows the request of every row with --dry-run, and sends nothing', async () => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\npress-0002,2\n');
    const shown = (line: number, deviceId: string, a: string) => ({
      ...{ line, deviceId, fields: ['a'], dryRun: true, replaces: [], notes: [], error: null },
      request: {
        ...{ method: 'PUT', headers: null, contentType: 'application/json', body: { a } },
        url: `http://127.0.0.1:1/platform/solutions/api/v1/devices/${deviceId}/custom-info`,
      },
      curl: expect.stringContaining('$IIOT_TOKEN'),
    });
    expect(await rehearsed(file)).toEqual({
      ...{ exit: 0, stderr: '' },
      rows: [shown(2, 'press-0001', '1'), shown(3, 'press-0002', '2')],
    });
    const person = await run(file, ['--dry-run'], { columns: 80 });
    expect([person.stdout.split('\n')[0], person.stderr]).toEqual(['LINE  DEVICE      a', '2 devices: a in 2\n']);
    expect([someone.requests, existsSync(`${file}.iiot-journal`)]).toEqual([[], false]);
  });

  it('shows in a dry run why --skip-invalid leaves a row out', async () => {
    const file = write('fleet.csv', 'deviceId,a\n..,1\npress-0002,2\n');
    const message = expect.stringContaining('deviceId cannot be a dot segment');
    const error = { code: 'usage', message, status: null, requestId: null };
    expect((await rehearsed(file, ['--skip-invalid'])).rows).toMatchObject([
      { line: 2, deviceId: '..', fields: [], request: null, curl: null, error },
      { line: 3, deviceId: 'press-0002', fields: ['a'], error: null },
    ]);
  });

  it.each([
    ['case', 'Line', 'line'],
    ['form', 'ガス圧', 'ガス圧'.normalize('NFD')],
    ['width', 'ライン１', 'ライン1'],
    ['width', 'ﾗｲﾝ', 'ライン'],
    ['spaces', 'Hall\u00a03', 'Hall 3'],
    ['dashes', 'L‐1', 'L-1'],
    ['dashes', 'ポンプー1', 'ポンプ-1'],
    ['width and case', 'Ｌine', 'line'],
  ])('notes columns that differ only in %s, and sends both: %s, %s', async (difference, one, other) => {
    const note = `"${other}" differs from "${one.replace('\u00a0', '\\u{a0}')}" only in ${difference}.`;
    const { exit, stderr } = await run(write('fleet.csv', `deviceId,${one},${other}\npress-0001,1,2\n`));
    expect([exit, stderr.split('\n')[0]]).toEqual([0, `Note: the column ${note}`]);
    const row = JSON.stringify({ deviceId: 'press-0001', customInfo: { [one]: '1', [other]: '2' } });
    expect((await run(write('fleet.ndjson', `${row}\n`))).stderr.split('\n')[0]).toBe(`Note: the key ${note}`);
    expect(valuesOf('press-0001')).toMatchObject({ [one]: '1', [other]: '2' });
  });

  it('notes IDs that look alike, and one that is not in NFC', async () => {
    const twoParts = 'ガス-1'.normalize('NFD');
    const ids = `press-0001 press−0001 ガス-1 press-０００１ PRESS-0001 ${twoParts} press-0002 ハ\u309a-1`.split(' ');
    const file = write('fleet.csv', `deviceId,a\n${ids.map((id) => `${id},1\n`).join('')}`);
    const { stderr } = await run(file, ['--dry-run']);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'Note: Line 3: the deviceId "press−0001" differs from "press-0001" only in dashes.',
      'Note: Line 5: the deviceId "press-０００１" differs from "press-0001" only in width.',
      'Note: Line 6: the deviceId "PRESS-0001" differs from "press-0001" only in case.',
      `Note: Line 7: the deviceId "${twoParts}" differs from "ガス-1" only in form.`,
      `Note: Line 7, deviceId: "${twoParts}" is not in the Unicode form NFC: macOS often writes accents as separate characters (and 1 row more).`,
    ]);
  });

  const noJournal = '--resume needs to know which rows are done, and standard input has no journal by default.';
  const noRate = '--rate takes requests per second, such as 20/s or 0.5/s.';
  it.each([
    ['fleet.ndjson --numbers-as-ids', '--numbers-as-ids is for CSV and workbooks; the format is ndjson.'],
    ['fleet.ndjson --null-as x', '--null-as is for CSV and workbooks; the format is ndjson.'],
    ['fleet.ndjson --delimiter ;', '--delimiter is for CSV; the format is ndjson.'],
    ['fleet.csv --sheet A', '--sheet is for workbooks; the format is csv.'],
    ['fleet.ods --encoding latin1', '--encoding is for text files; the format is ods.'],
    ['fleet.xlsb', 'fleet.xlsb is a binary Excel workbook, which iiot does not read.'],
    ['fleet.fods', 'fleet.fods is a flat LibreOffice file, which iiot does not read.'],
    ['fleet.yaml', 'fleet.yaml is YAML, which iiot does not read as rows.'],
    ['fleet.xls', 'fleet.xls is an old Excel workbook (.xls) or has a password.'],
    ['test/files/fleet.xlsx --format csv', 'test/files/fleet.xlsx is a ZIP archive, as workbooks are.'],
    ['fleet.dat', 'The name fleet.dat does not show its format: --format is missing.'],
    ['-', 'Standard input has no file name to tell its format: --format is missing.'],
    ['- --format csv --resume', noJournal],
    ['fleet.csv --delimiter ;;', '--delimiter takes the one character between cells: ";" or "|", and tab for a tab.'],
    ['fleet.csv --rate 10', noRate],
    ['fleet.csv --rate 0/s', noRate],
    ['fleet.csv --concurrency 0', '--concurrency takes a whole number from 1 to 256.'],
  ])('refuses %s', async (line, sentence) => {
    const [file = '', ...words] = line.split(' ');
    expect(await ending(run(file, words))).toEqual([2, `error: ${sentence}`]);
    expect(someone.requests).toEqual([]);
  });

  it.each(['--journal', '--failed-file', '--results-file'])('does not write %s over its input', async (option) => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\n');
    expect(await ending(run(file, [option, file]))).toEqual([2, `error: ${option} ${file} is the input itself.`]);
    expect(readFileSync(file, 'utf8')).toBe('deviceId,a\npress-0001,1\n');
  });

  it('sends nothing if the folder of the failed rows is a looping link', async () => {
    symlinkSync('loop', place('loop'));
    const failed = join(place('loop'), 'failed.csv');
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\n');
    const could = expect.stringContaining(`error: Could not lock ${place('loop')}: `);
    expect(await ending(run(file, ['--failed-file', failed]))).toEqual([1, could]);
    expect(puts()).toEqual([]);
  });

  it('writes every row that is done into the file of --results-file', async () => {
    const file = write('fleet.csv', 'deviceId,line,note\npress-0001,3,\nnobody,4,new\npress-0002,5,-\n');
    expect((await run(file, ['--results-file', place('results.ndjson'), '--null-as', '-'])).exit).toBe(9);
    const results = read('results.ndjson').trimEnd().split('\n').sort();
    const done = { status: 'done', error: null };
    expect(results.map((text) => JSON.parse(text))).toEqual([
      { line: 2, deviceId: 'press-0001', ...done, customInfo: { line: '3' } },
      { line: 4, deviceId: 'press-0002', ...done, customInfo: { line: '5', note: null } },
    ]);
  });

  it('stops if the login is refused, and leaves no journal', async () => {
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\n');
    const refused = await run(file, [], { env: { IIOT_CLIENT_SECRET: 'wrong' } });
    expect([refused.exit, refused.stdout, existsSync(`${file}.iiot-journal`)]).toEqual([3, '', false]);
  });

  it('does not wait for more than a minute', async () => {
    someone = faulty('PUT /platform/**=429,retry-after=61');
    const file = write('fleet.csv', 'deviceId,a\npress-0001,1\npress-0002,2\n');
    const { exit, stderr } = await run(file, ['--concurrency', '1']);
    expect([exit, stderr.split('\n').at(-4)]).toEqual([8, expect.stringContaining(' 61 s. 2 rows: 2 not sent.')]);
  });

  const fleet = () =>
    write('fleet.csv', `deviceId,a\n${Array.from({ length: 3000 }, (_, row) => `press-${row},1\n`).join('')}`);
  const page = '<title>Welcome to Plant WiFi</title><form><input type="password"></form>';
  const portal =
    'Check the base URL, and whether a gateway or proxy answers in place of the platform: iiot doctor. ' +
    "If this is the platform's own login page, log in: iiot login";

  const html = { 'content-type': 'text/html' };
  const instead = `instead of the platform's response: "Welcome to Plant WiFi". `;
  it.each<[string, ReturnType<typeof respondingWith>, number, string, 'failed' | 'unknown', string?]>([
    ['a redirect', respondingWith(307, undefined, { location: '/new/api' }), 8, 'redirects a change to', 'failed'],
    ['a web page with 200', respondingWith(200, page, html), 8, `A web page came ${instead}`, 'unknown', portal],
    ['a web page with 404', respondingWith(404, page, html), 5, '"Welcome to Plant WiFi". ', 'failed', portal],
    ['an unreadable success', respondingWith(200, '{"done": yes}'), 8, 'as JSON. ', 'unknown', 'See it with --debug'],
    ['501', respondingWith(501), 8, 'The platform failed. ', 'failed'],
  ])('stops after the first rows if they are answered with %s', async (_, fetch, exit, message, outcome, hint) => {
    someone = newPerson({ fetch });
    const ran = await run(fleet(), ['-o', 'json']);
    const { error } = JSON.parse(ran.stderr);
    const counts = JSON.parse(ran.stdout);
    const counted = `${counts[outcome]} ${outcome === 'unknown' ? 'of unknown outcome' : 'failed'}, 2,9\\d\\d not sent\\.$`;
    expect([ran.exit, error.message]).toEqual([exit, expect.stringContaining(message)]);
    expect(error.message).toMatch(new RegExp(`3,000 rows: ${counted}`));
    if (hint) expect(error.hint).toBe(hint);
    expect([counts.done, puts().length]).toEqual([0, counts[outcome]]);
    expect(counts[outcome] + counts.notSent).toBe(3000);
    expect(puts().length).toBeLessThanOrEqual(16);
  });

  it('reports rows that may have been applied as unknown, and writes them as failed rows', async () => {
    someone = faulty('PUT /platform/**=503');
    const [file, failed] = [write('fleet.csv', 'deviceId,a\npress-0001,1\n'), place('failed.csv')];
    const { exit, stderr, stdout } = await run(file, ['--retries', '0', '--failed-file', failed]);
    expect([exit, stdout, stderr.split('\n')]).toEqual([
      9,
      'total\t1\ndone\t0\nfailed\t0\nskipped\t0\nnotSent\t0\nunknown\t1\n',
      [
        expect.stringMatching(/^Line 2, press-0001: A fault of the sandbox: 503, .* may have been applied\. \(503\)$/),
        'error: 1 row: 1 of unknown outcome.',
        `hint: The rows that failed are in ${failed}. Continue with what is left: iiot devices custom-info import ${file} --resume --failed-file ${failed} --base-url http://127.0.0.1:1 --retries 0`,
        '',
      ],
    ]);
    expect(readFileSync(failed, 'utf8')).toBe('\ufeffdeviceId,a\npress-0001,1\n');
  });
});
