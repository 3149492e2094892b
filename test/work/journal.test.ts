import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { realClock } from '../../src/work/clock.ts';
import { markOf } from '../../src/work/done-rows.ts';
import { type Journal, openJournal } from '../../src/work/journal.ts';
import type { JournalHead } from '../../src/work/journal-head.ts';
import type { Changed } from '../../src/work/journal-kind.ts';
import { failureOf } from '../support/failing.ts';
import { folderForEach } from '../support/folder.ts';

const head: JournalHead = {
  work: 'PUT /devices/{deviceId}/custom-info',
  place: ['--base-url https://platform.example', '--org O3'],
  meaning: ['--format csv'],
  input: { sha256: 'ab'.repeat(32), size: 1234, rows: 200 },
};
const headText =
  '{"iiot":"journal","version":3,"work":"PUT /devices/{deviceId}/custom-info",' +
  `"place":["--base-url https://platform.example","--org O3"],"meaning":["--format csv"],"input":{"sha256":"${'ab'.repeat(32)}","size":1234,"rows":200}}\n`;

const { at, write, read, names } = folderForEach();
const name = 'fleet.csv.iiot-journal';
let path: string;
beforeEach(() => {
  path = at(name);
});

/** Row 7 of a file is "d7 is 7", if nothing else is said. */
const rowsAtFirst: readonly string[] = Array.from({ length: 200 }, (_, at) => `d${at + 1} is ${at + 1}`);
const markOfRow = (row: string) => markOf(row.split(' ')[0] ?? '', row);
const line = (row: number) => `${markOfRow(`d${row} is ${row}`)}\n`;

const refused = (message: string, hint: string) => ({ kind: 'usage', message, hint });
const clock = realClock(() => performance.now());
const world = { platform: process.platform };
const asked: Changed[] = [];
beforeEach(() => asked.splice(0));
const open = (resume: boolean, own: Partial<JournalHead> = {}, rows = rowsAtFirst, steps?: { adds: boolean }) =>
  openJournal({
    path,
    head: { ...head, ...own },
    input: 'fleet.csv',
    resume,
    steps,
    clock,
    world,
    // A row that begins with ! cannot be sent.
    eachMark: async (see) => {
      for (const row of rows) see(row.startsWith('!') ? undefined : markOfRow(row));
    },
    onChanged: async (found) => void asked.push(found),
  });

async function record(journal: Journal, row: number | string): Promise<void> {
  const failure = await journal.record(markOfRow(typeof row === 'string' ? row : `d${row} is ${row}`));
  if (failure) throw failure;
}

/** Opens a journal, records these rows, and closes it. */
async function recorded(...rows: readonly (number | string)[]): Promise<void> {
  const journal = await open(false);
  for (const row of rows) await record(journal, row);
  await journal.close(false);
}

/** What a journal has when it is resumed. */
async function resumed(...options: Parameters<typeof open> extends [boolean, ...infer Others] ? Others : never) {
  const journal = await open(true, ...options);
  await journal.close(false);
  return { rows: rowsOf(journal), dropped: journal.dropped, keeps: journal.keeps };
}

function rowsOf({ done }: Journal): number[] {
  return Array.from({ length: 201 }, (_, row) => row).filter(done.has);
}

describe('a journal', () => {
  it('has one line about the run and one for each finished row, and only its owner can read it', async () => {
    const journal = await open(false);
    await Promise.all([record(journal, 3), record(journal, 1), record(journal, 200)]);
    expect(read(name)).toBe(headText + line(3) + line(1) + line(200));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await journal.close(false);
    expect(names()).toEqual([name]);
  });

  it('has a row on disk before it reports it as recorded', async () => {
    const journal = await open(false);
    const seen: string[] = [];
    const look = (row: number) => record(journal, row).then(() => seen.push(read(name).slice(headText.length)));
    await look(5);
    await look(6);
    expect(seen).toEqual([line(5), line(5) + line(6)]);
    await journal.close(false);
  });

  it('writes what is still pending when it is closed', async () => {
    const journal = await open(false);
    void journal.record(markOfRow('d7 is 7'));
    expect(journal.waiting()).toBe(1);
    await journal.close(false);
    expect(read(name)).toBe(headText + line(7));
  });

  it('is removed, with its lock, when nothing is left to do', async () => {
    const journal = await open(false);
    await record(journal, 1);
    await journal.close(true);
    expect(names()).toEqual([]);
  });

  it('can be resumed', async () => {
    await recorded(2);
    const second = await open(true);
    expect([rowsOf(second), second.dropped]).toEqual([[2], 0]);
    await record(second, 4);
    await second.close(false);
    expect(read(name)).toBe(headText + line(2) + line(4));
  });

  it('starts from the beginning if there is nothing to resume', async () => {
    expect((await resumed()).rows).toEqual([]);
    expect(read(name)).toBe(headText);
  });

  it('is read up to its last whole line, wherever it was cut off', async () => {
    const rows = [12, 7, 123];
    const whole = headText + rows.map(line).join('');
    for (let length = headText.length; length <= whole.length; length += 1) {
      write(name, whole.slice(0, length));
      const lines = whole.slice(headText.length, length).split('\n');
      const torn = lines.pop() ?? '';
      const journal = await open(true);
      expect([rowsOf(journal), journal.dropped]).toEqual([
        rows.slice(0, lines.length).sort((one, other) => one - other),
        torn.length,
      ]);
      const recorded = record(journal, 99);
      await journal.close(false);
      await recorded;
      // What was torn is gone: the next line does not continue it.
      expect(read(name)).toBe(headText + rows.slice(0, lines.length).map(line).join('') + line(99));
    }
  });

  it('is refused if its first line was cut off, and is not overwritten', async () => {
    for (let length = 0; length < headText.length; length += 1) {
      write(name, headText.slice(0, length));
      expect((await failureOf(open(true))).message).toBe(`${path} already exists and is not a journal.`);
      expect(read(name)).toBe(headText.slice(0, length));
    }
  });

  it.each([
    ['zeros, as a power cut leaves them', '\0\0\0\0\n'],
    ['a mark that is too long', `0${line(3)}`],
    ['a blank line', '\n'],
    ['something else', '3\n'],
  ])('is not trusted after %s', async (_, other) => {
    write(name, headText + line(1) + other + line(2));
    expect(await resumed()).toMatchObject({ rows: [1], dropped: other.length + line(2).length });
  });

  it.each([
    [
      { work: 'PUT /x' },
      `is the journal of another run: ${head.work}, not PUT /x.`,
      'For this run, name another journal: --journal FILE',
    ],
    [
      { place: ['--base-url https://platform.example', '--org O1'] },
      'is the journal of a run that was started with --org O3.',
      'To continue it, add --org O3; for this run, name another journal: --journal FILE',
    ],
    [
      { place: ['--base-url https://other.example', '--org O3'] },
      'is the journal of a run that was started with --base-url https://platform.example.',
      'To continue it, add --base-url https://platform.example, or name its profile with --profile; ' +
        'for this run, name another journal: --journal FILE',
    ],
    [
      { meaning: ['--format csv', '--null-as -'] },
      'is the journal of a run that was started without --null-as -.',
      'To continue it, leave out --null-as -; to send every row again, remove it first: rm FILE',
    ],
  ])('refuses other work, and first says what continues it: %j', async (own, sentence, next) => {
    await recorded();
    const expected = refused(`${path} ${sentence}`, next.replace('rm FILE', `rm ${path}`));
    expect(await failureOf(open(true, own))).toEqual(expected);
    expect(names()).toEqual([name]);
  });

  it.each([
    ['other work', { work: 'PATCH /x' }],
    ['another organization', { place: ['--base-url https://platform.example', '--org O4'] }],
  ])('of a run that has ended is replaced by %s, unless its rows created something', async (_, own) => {
    const ended = `${line(1)}failed-to 1:2\nended\n`;
    write(name, headText + ended);
    const journal = await open(false, own);
    expect([rowsOf(journal), journal.keeps('1:2')]).toEqual([[], false]);
    await journal.close(false);
    expect(read(name)).toContain(JSON.stringify(own).slice(1, -1));

    const added = JSON.stringify({ iiot: 'journal', version: 3, ...head, work: 'POST /x' });
    write(name, `${added}\n${ended}`);
    expect((await failureOf(open(false, { work: 'POST /x', ...own }))).message).toMatch(
      /journal of (a run|another run)/,
    );
    expect(read(name)).toBe(`${added}\n${ended}`);
  });

  it.each([
    ['rows that were sent', 'PUT /x', 'sent 1\ndone 1\nsent 2\n', undefined],
    ['devices that are done', 'POST /x', line(1) + line(2), { adds: true }],
  ])('of %s is refused by a command that records something else', async (_, work, lines, steps) => {
    write(name, headText + lines);
    const refusal = await failureOf(open(false, { work }, rowsAtFirst, steps));
    expect(refusal.message).toBe(`${path} is the journal of another run: ${head.work}, not ${work}.`);
    expect(read(name)).toBe(headText + lines);
  });

  it('of another platform is refused at once, without the advice to resume', async () => {
    write(name, headText + line(1));
    const place = ['--base-url https://other.example'];
    expect((await failureOf(open(false, { place }))).message).toContain('started with --base-url https://platform');
    expect(read(name)).toBe(headText + line(1));
  });

  it('remembers the files of failed rows, and loses no row by doing so', async () => {
    const first = await open(false);
    first.keep('1:2');
    await record(first, 7);
    first.keep('18446744073709551615:3');
    await first.close(false);
    expect(read(name)).toBe(`${headText}failed-to 1:2\n${line(7)}failed-to 18446744073709551615:3\n`);
    const { keeps, ...second } = await resumed();
    expect(second).toEqual({ rows: [7], dropped: 0 });
    expect(['1:2', '18446744073709551615:3', '2:1'].map(keeps)).toEqual([true, true, false]);
  });

  it('of an import that has done nothing passes on its files of failed rows', async () => {
    const first = await open(false);
    first.keep('1:2');
    await first.close(false);
    const second = await open(false, { input: { ...head.input, size: 1 } });
    expect(second.keeps('1:2')).toBe(true);
    await second.close(true);
  });

  it('of another version is refused', async () => {
    const old = `${headText.replace('"version":3', '"version":1')}1\n2\n`;
    write(name, old);
    for (const resume of [true, false])
      expect(await failureOf(open(resume))).toEqual(
        refused(
          `${path} was written by another version of iiot (format 1, not 3).`,
          `To send every row again, remove it first: rm ${path}`,
        ),
      );
    expect(read(name)).toBe(old);
  });

  it('of an unfinished run is not started over', async () => {
    write(name, headText + line(1) + line(2));
    expect(await failureOf(open(false))).toEqual(
      refused(
        `${path} is the journal of an unfinished run. Done so far: 2 rows.`,
        `Continue with --resume; to send every row again, remove it first: rm ${path}`,
      ),
    );
  });

  it('without a finished row is started over, for any command', async () => {
    await recorded();
    await (await open(false, { meaning: ['--format ndjson'] })).close(false);
    expect(read(name)).toContain('"meaning":["--format ndjson"]');
  });

  it.each([[true], [false]])('does not replace another file (resume: %s)', async (resume) => {
    write(name, 'deviceId,a\n1,2\n');
    expect((await failureOf(open(resume))).message).toBe(`${path} already exists and is not a journal.`);
    expect(read(name)).toBe('deviceId,a\n1,2\n');
  });

  it.each([
    ['a folder', (at: string) => mkdirSync(at)],
    ['a named pipe', (at: string) => void spawnSync('mkfifo', [at])],
  ])('cannot be %s', async (_, make) => {
    make(path);
    const { kind } = await failureOf(open(true));
    expect(['usage', 'io']).toContain(kind);
  });

  it('belongs to one process at a time, and names it to others', async () => {
    const journal = await open(false);
    expect(await failureOf(open(true))).toEqual(
      refused(
        `Another run, process ${process.pid}, is using ${path}.`,
        'Wait for it to end, then continue with --resume, or use another --journal FILE',
      ),
    );
    await journal.close(false);
    await (await open(true)).close(true);
  });

  it('says how to choose another place if it cannot be written', async () => {
    path = at(`missing/${name}`);
    const { kind, hint } = await failureOf(open(false));
    expect([kind, hint]).toEqual(['io', 'Name another place with --journal FILE']);
  });
});

describe('a journal of a file that has been edited since', () => {
  const edited = { input: { ...head.input, sha256: 'cd'.repeat(32) } };

  async function edit(done: readonly string[], now: readonly string[]) {
    await recorded(...done);
    const { rows } = await resumed(edited, now);
    return { rows, asked: asked.splice(0), text: read(name) };
  }

  it.each([
    ['a changed row', ['a 1', 'b 1'], ['a 1', 'b 2'], [1], 1],
    ['a new row', ['a 1', 'b 1'], ['a 1', 'c 1', 'b 1'], [1, 3], 0],
    ['other order of devices', ['a 1', 'b 1'], ['b 1', '!x', 'a 1'], [1, 3], 0],
    ['a removed row', ['a 1', 'b 1'], ['b 1'], [1], 1],
    ['one more of the same', ['a 1'], ['a 1', 'a 1'], [1], 0],
    ['one less of the same', ['a 1', 'a 1', 'b 1'], ['a 1', 'b 1'], [2], 1],
    ['rows of a device in another order', ['a 1', 'a 2', 'b 1'], ['a 2', 'a 1', 'b 1'], [3], 1],
    ['the last row of a device removed', ['a 1', 'a 2', 'b 1'], ['a 1', 'b 1'], [2], 1],
    ['an earlier row of a device changed', ['a 1', 'a 2', 'b 1'], ['a 3', 'a 2', 'b 1'], [3], 2],
    ['a row of a device before one that is done', ['a 1', 'a 2'], ['a 1', 'a 3', 'a 2'], [1], 0],
    ['a later row of a device changed', ['a 1', 'a 2', 'b 1'], ['a 1', 'a 3', 'b 1'], [3], 1],
  ])('skips what is done if nothing before it has to be sent: %s', async (_, done, now, rows, lost) => {
    expect(await edit(done, now)).toMatchObject({ rows, asked: [{ done: rows.length, lost }] });
  });

  it('is rewritten for the file as it is now, and keeps only what was skipped', async () => {
    const { text } = await edit(['a 1', 'a 2', 'b 1'], ['a 2', 'b 1']);
    const [first, ...lines] = text.split('\n');
    expect(first).toContain('cd'.repeat(32));
    expect(lines.filter((mark) => !mark.startsWith('-'))).toEqual([markOfRow('b 1'), '']);
    expect([(await resumed(edited, ['a 1', 'a 2', 'b 1'])).rows, asked]).toEqual([[3], []]);
  });

  it('is left unchanged if no one confirms', async () => {
    await edit(['a 1', 'b 1'], ['a 1', 'b 1']);
    const before = read(name);
    const refusal = new Failure('interrupted', 'Nothing was changed.');
    const onChanged = () => Promise.reject(refusal);
    const eachMark = async (see: (mark: string) => void) => see(markOfRow('a 1'));
    await expect(
      openJournal({ path, head, input: 'fleet.csv', resume: true, clock, world, eachMark, onChanged }),
    ).rejects.toBe(refusal);
    expect([read(name), names()]).toEqual([before, [name]]);
  });

  it('is refused if none of its rows is in the file', async () => {
    await recorded('a 1');
    expect(await failureOf(open(true, edited, ['a 2', 'b 1']))).toEqual(
      refused(
        `${path} is the journal of another file: none of the rows that are done is in fleet.csv.`,
        `To send every row again, remove it first: rm ${path}`,
      ),
    );
  });

  it('starts without a question if no row was done', async () => {
    await recorded();
    expect([(await resumed(edited, ['a 1'])).rows, asked]).toEqual([[], []]);
  });

  it('whose run has ended is replaced by the next run, or resumed on request', async () => {
    const first = await open(false);
    first.keep('1:2');
    await record(first, 7);
    first.markEnded();
    await first.close(false);
    const again = await open(true);
    expect(rowsOf(again)).toEqual([7]);
    again.markEnded();
    await again.close(false);
    const second = await open(false, edited);
    expect([rowsOf(second), second.keeps('1:2')]).toEqual([[], false]);
    await record(second, 8);
    await second.close(false);
    expect((await failureOf(open(false))).message).toContain('is the journal of an unfinished run.');
  });
});
