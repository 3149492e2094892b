import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../../src/place.ts';
import { realClock } from '../../src/work/clock.ts';
import { type Journal, openJournal } from '../../src/work/journal.ts';
import type { JournalHead } from '../../src/work/journal-head.ts';
import { linesIn, type RowStep } from '../../src/work/journal-lines.ts';
import { markOf } from '../../src/work/marks.ts';
import { diceOf } from '../support/dice.ts';
import { failureOf } from '../support/failing.ts';
import { folderForEach } from '../support/folder.ts';

const head: JournalHead = {
  work: 'PUT /devices/{deviceId}/custom-info',
  place: { base: 'https://platform.example', org: 'O3' },
  meaning: ['--format csv'],
  input: { sha256: 'ab'.repeat(32), size: 1234, rows: 200 },
};
const headText =
  '{"iiot":"journal","version":6,"by":"0.1.0","kind":"rows","work":"PUT /devices/{deviceId}/custom-info",' +
  `"place":{"base":"https://platform.example","org":"O3"},"meaning":["--format csv"],"input":{"sha256":"${'ab'.repeat(32)}","size":1234,"rows":200}}\n`;

const { at, write, read, names } = folderForEach();
const name = 'fleet.csv.iiot-journal';
let path: string;
beforeEach(() => {
  path = at(name);
});

/** Row 7 of a file is "d7 is 7", if nothing else is said. */
const rowsAtFirst: readonly string[] = Array.from({ length: 200 }, (_, at) => `d${at + 1} is ${at + 1}`);
const keyOf = (row: string) => row.split(' ')[0] ?? '';
const markOfRow = (row: string) => markOf(keyOf(row), row);
const line = (row: number) => `${markOfRow(`d${row} is ${row}`)}\n`;

const refused = (message: string, hint: string) => ({ kind: 'usage', message, hint });
const clock = realClock(() => performance.now());
const world = { platform: process.platform };

type Own = Partial<JournalHead> & {
  readonly rows?: readonly string[];
  readonly steps?: { readonly adds: boolean };
  readonly repeatUnknown?: boolean;
  readonly isRehearsal?: boolean;
  /** The profile of this machine for the place of the journal. */
  readonly profile?: string | undefined;
};

const open = (
  resume: boolean,
  { rows = rowsAtFirst, steps, repeatUnknown, isRehearsal, profile, ...own }: Own = {},
): Promise<Journal> =>
  openJournal({
    path,
    head: { ...head, ...own },
    input: 'fleet.csv',
    wayTo: () => (profile === undefined ? undefined : `add --profile ${profile}`),
    ...{ resume, steps, repeatUnknown, isRehearsal, clock, world },
    waiter: { notice: () => undefined, signal: new AbortController().signal },
    // A row that begins with ! cannot be sent.
    eachMark: async (see) => {
      for (const row of rows) see(row.startsWith('!') ? undefined : markOfRow(row));
    },
  });

/** The same, as for a run that sends rows. */
async function begin(...[resume, own]: Parameters<typeof open>): Promise<Journal> {
  const journal = await open(resume, own);
  journal.start(own?.place ?? head.place);
  return journal;
}

async function record(
  journal: Journal,
  row: number | string,
  step: RowStep = 'done',
  { number = 1, status }: { number?: number; status?: number } = {},
): Promise<void> {
  const text = typeof row === 'string' ? row : `d${row} is ${row}`;
  const failure = await journal.record(step, { mark: markOfRow(text), number, key: keyOf(text) }, status);
  if (failure) throw failure;
}

/** Records these rows as done in a new journal. */
async function recorded(...rows: readonly (number | string)[]): Promise<void> {
  const journal = await begin(false);
  for (const row of rows) await record(journal, row);
  await journal.close(false);
}

/** What a journal has when it is resumed, and goes on as. */
async function resumed(own?: Own) {
  const journal = await begin(true, own);
  await journal.close(false);
  return { ...rowsOf(journal), dropped: journal.dropped, keeps: journal.keeps, changed: journal.changed };
}

function rowsOf({ done, unknown, statuses }: Journal) {
  const numbers = Array.from({ length: 201 }, (_, row) => row);
  return { rows: numbers.filter(done.has), unknown: numbers.filter(unknown.has), statuses: [...statuses] };
}

describe('a journal', () => {
  it('has a first line for the run and a line per finished row, and is private', async () => {
    const journal = await begin(false);
    await Promise.all([record(journal, 3), record(journal, 1), record(journal, 200)]);
    expect(read(name)).toBe(headText + line(3) + line(1) + line(200));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await journal.close(false);
    expect(names()).toEqual([name]);
  });

  it('has a row on disk before the row is reported', async () => {
    const journal = await begin(false);
    const seen: string[] = [];
    const look = (row: number) => record(journal, row).then(() => seen.push(read(name).slice(headText.length)));
    await look(5);
    await look(6);
    expect(seen).toEqual([line(5), line(5) + line(6)]);
    await journal.close(false);
  });

  it('is complete after closing', async () => {
    const journal = await begin(false);
    void record(journal, 7);
    expect(journal.waiting()).toBe(1);
    await journal.close(false);
    expect(read(name)).toBe(headText + line(7));
  });

  it('is refused and unchanged if its first line is incomplete', async () => {
    // Without its line end only, it still says all.
    for (let length = 0; length < headText.length - 1; length += 1) {
      write(name, headText.slice(0, length));
      expect((await failureOf(open(true))).message).toContain('is not a journal');
      expect(read(name)).toBe(headText.slice(0, length));
    }
  });

  it.each([
    ['zeros, as a power cut leaves them', '\0\0\0\0\n'],
    ['a mark that is too long', `0${line(3)}`],
    ['a blank line', '\n'],
    ['something else', '3\n'],
    ['a step of no row', 'sent 3\n'],
    ['a name that is no JSON', `sent ${line(3).trimEnd()} 3 "\\x"\n`],
    ['a step that it does not have', `made ${line(3)}`],
  ])('is not read beyond %s', async (_, other) => {
    write(name, headText + line(1) + other + line(2));
    expect(await resumed()).toMatchObject({ rows: [1], dropped: other.length + line(2).length });
  });

  const another = 'for this run, name another journal: --journal FILE';
  const startOver = `to send every row again, remove it first: rm`;
  const startedWith = (option: string) => `is the journal of a run that was started ${option}.`;
  it.each([
    [{ work: 'PUT /x' }, `is the journal of another run: ${head.work}, not PUT /x.`, another.replace('f', 'F')],
    [
      { place: { base: 'https://platform.example', org: 'O1' } },
      startedWith('with --org O3'),
      `To continue it, give the same options; ${another}`,
    ],
    [
      { place: { base: 'https://other.example', org: 'O3' } },
      'is the journal of a run at https://platform.example; this one is at https://other.example.',
      `To continue it, name its profile with --profile; ${another}`,
    ],
    [{ meaning: [] }, startedWith('with --format csv'), `To continue it, give the same options; ${startOver}`],
    [
      { meaning: ['--format csv', '--null-as -'] },
      startedWith('without --null-as -'),
      `To continue it, leave out --null-as -; ${startOver}`,
    ],
  ])('is refused for other work with a hint how to continue it: %j', async (own, sentence, next) => {
    await recorded();
    const expected = refused(`${path} ${sentence}`, next.replace(/rm$/, `rm ${path}`));
    expect(await failureOf(open(true, own))).toEqual(expected);
    expect(names()).toEqual([name]);
  });

  it.each([
    ['other work', { work: 'PATCH /x' }],
    ['another organization', { place: { base: 'https://platform.example', org: 'O4' } }],
  ])('of a finished run is replaced for %s unless the rows created something', async (_, own) => {
    const ended = `${line(1)}failed-to 1:2\nended\n`;
    write(name, headText + ended);
    const journal = await begin(false, own);
    expect([rowsOf(journal).rows, journal.keeps('1:2')]).toEqual([[], false]);
    await journal.close(false);
    expect(read(name)).toContain(JSON.stringify(own).slice(1, -1));

    const added = JSON.stringify({ iiot: 'journal', version: 5, kind: 'rows', ...head, work: 'POST /x' });
    write(name, `${added}\n${ended}`);
    expect((await failureOf(open(false, { work: 'POST /x', ...own }))).message).toMatch(
      /journal of (a run|another run)/,
    );
    expect(read(name)).toBe(`${added}\n${ended}`);
  });

  it('of unfinished other work is refused', async () => {
    for (const steps of [undefined, { adds: false }, { adds: true }]) {
      write(name, headText + line(1) + line(2));
      const refusal = await failureOf(open(false, { work: 'POST /x', steps }));
      expect(refusal.message).toContain(`another run: ${head.work}, not POST /x.`);
      expect(read(name)).toBe(headText + line(1) + line(2));
    }
  });

  const placed = (own: Partial<Place>): Place => ({ base: 'https://platform.example', org: 'O3', ...own });
  const continued = async (place: Place, resume: boolean, now: Place, own: Own = {}) => {
    write(name, `${JSON.stringify({ iiot: 'journal', version: 5, ...head, place })}\n${line(1)}`);
    return open(resume, { place: now, ...own });
  };

  it.each([
    [
      'another tenant',
      placed({ tenant: 'acme', account: 'a@b' }),
      placed({ tenant: 'globex', account: 'a@b' }),
      'of a run at https://platform.example, tenant acme, as a@b; this one is at https://platform.example, tenant globex, as a@b.',
    ],
    [
      'a machine of which nothing tells the tenant',
      placed({ clientId: 'c1' }),
      placed({ clientId: 'c2' }),
      'as c2, and iiot cannot tell whether that is the same tenant.',
    ],
    [
      'another path of one host',
      placed({ base: 'https://platform.example/prod' }),
      placed({ base: 'https://platform.example/staging' }),
      'of a run at https://platform.example/prod; this one is at https://platform.example/staging.',
    ],
  ])('of %s is not resumed, and the hint names its profile', async (_, place, now, words) => {
    for (const [resume, profile, way] of [
      [true, undefined, '--profile; for this run'],
      [false, 'plant', 'add --profile plant; for this run'],
    ] as const) {
      const failure = await failureOf(continued(place, resume, now, { profile }));
      expect(failure.kind).toBe('usage');
      expect(failure.message).toContain(words);
      expect(failure.hint).toContain(way);
    }
  });

  it.each([
    ['another account of the tenant', { tenant: 'acme', account: 'a@b' }, { tenant: 'acme', account: 'c@d' }],
    ['its successor by rotation', { clientId: 'c1' }, { clientId: 'c3', firstClientId: 'c1' }],
  ])('is resumed by %s', async (_, place, now) => {
    const journal = await continued(placed(place), true, placed(now));
    expect([rowsOf(journal).rows, journal.unproven]).toEqual([[1], undefined]);
    journal.start(placed(now));
    await journal.close(false);
    expect(read(name)).toContain(JSON.stringify(placed(now)));
  });

  it('is resumed with a notice by a token without an account', async () => {
    const place = placed({ tenant: 'acme', account: 'a@b' });
    expect((await continued(place, true, placed({}))).unproven).toEqual(place);
  });

  it('of rows that created something refuses the same file from another account', async () => {
    const place = placed({ tenant: 'acme', account: 'a@b' });
    const ended = JSON.stringify({ iiot: 'journal', version: 5, ...head, work: 'POST /x', place });
    write(name, `${ended}\n${line(1)}ended\n`);
    const own = { work: 'POST /x', steps: { adds: true }, place: placed({ tenant: 'acme', account: 'c@d' }) };
    expect((await failureOf(open(false, own))).message).toContain('says that the rows of this file were sent');
  });

  it('remembers the files of failed rows', async () => {
    const first = await begin(false);
    first.keep('1:2');
    await record(first, 7);
    first.keep('18446744073709551615:3');
    await first.close(false);
    expect(read(name)).toBe(`${headText}failed-to 1:2\n${line(7)}failed-to 18446744073709551615:3\n`);
    const { keeps, ...second } = await resumed();
    expect(second).toMatchObject({ rows: [7], dropped: 0 });
    expect(['1:2', '18446744073709551615:3', '2:1'].map(keeps)).toEqual([true, true, false]);
  });

  it('of the previous version is continued', async () => {
    write(name, headText.replace('"version":6', '"version":5') + line(1));
    const { done, close } = await begin(true);
    expect([done.has(1), done.has(2)]).toEqual([true, false]);
    await close(false);
    expect(read(name)).toBe(headText + line(1));
  });

  it('of an older version is refused', async () => {
    const old = `${headText.replace('"version":6', '"version":1')}1\n2\n`;
    write(name, old);
    for (const resume of [true, false])
      expect(await failureOf(open(resume))).toEqual(
        refused(
          `${path} was written by another version of iiot (format 1, not 6).`,
          `Finish it with the version that began it (iiot 0.1.0); ${startOver} ${path}`,
        ),
      );
    expect(read(name)).toBe(old);
  });

  it('without a finished row is replaced by any command', async () => {
    await recorded();
    await (await begin(false, { meaning: ['--format ndjson'] })).close(false);
    expect(read(name)).toContain('"meaning":["--format ndjson"]');
  });

  it.each([[true], [false]])('does not replace another file (with --resume: %s)', async (resume) => {
    write(name, 'deviceId,a\n1,2\n');
    expect((await failureOf(open(resume))).message).toBe(`${path} already exists and is not a journal.`);
    expect(read(name)).toBe('deviceId,a\n1,2\n');
  });

  it('reads only the start of a file without lines', () => {
    write(name, Buffer.alloc(16 * 1024 * 1024));
    const file = openSync(path, 'r');
    const lengths = [...linesIn(file)].map(({ length }) => length);
    closeSync(file);
    expect(lengths).toEqual([4 * 1024 * 1024]);
  });

  it.each([
    ['a folder', (at: string) => mkdirSync(at)],
    ['a named pipe', (at: string) => void spawnSync('mkfifo', [at])],
  ])('cannot be %s', async (_, make) => {
    make(path);
    const { kind } = await failureOf(open(true));
    expect(['usage', 'io']).toContain(kind);
  });

  it('has a hint with --journal if it cannot be written', async () => {
    path = at(`missing/${name}`);
    const { kind, hint } = await failureOf(begin(false));
    expect([kind, hint]).toEqual(['io', 'Name another place with --journal FILE']);
  });
});

describe('a journal of an edited file', () => {
  const edited = { input: { ...head.input, sha256: 'cd'.repeat(32) } };

  it.each([
    ['a changed row', ['a 1', 'b 1'], ['a 1', 'b 2'], [1], 1],
    ['other order of devices', ['a 1', 'b 1'], ['b 1', '!x', 'a 1'], [1, 3], 0],
    ['an earlier row of a device changed', ['a 1', 'a 2', 'b 1'], ['a 3', 'a 2', 'b 1'], [3], 2],
  ])('skips finished rows if no earlier row of the device is sent again: %s', async (_, done, now, rows, lost) => {
    await recorded(...done);
    const found = await resumed({ ...edited, rows: now });
    expect(found).toMatchObject({ rows, changed: { done: rows.length, lost, made: [] } });
  });

  it('is replaced if no row is finished', async () => {
    await recorded();
    expect(await resumed({ ...edited, rows: ['a 1'] })).toMatchObject({ rows: [], changed: undefined });
  });
});

describe('a journal of rows that must not be sent twice', () => {
  const edited = { input: { ...head.input, sha256: 'cd'.repeat(32) } };
  const steps = { adds: true };

  it('records a row before it is sent, and its result afterwards', async () => {
    const journal = await begin(false, { steps });
    await record(journal, 'ä 1', 'sent', { number: 1 });
    await record(journal, '"b 1', 'sent', { number: 2 });
    await record(journal, 'c 1', 'sent', { number: 3 });
    await record(journal, 'ä 1');
    await record(journal, '"b 1', 'open');
    await record(journal, 'c 1', 'unknown', { status: 502 });
    await journal.close(false);
    const [a, b, c] = ['ä 1', '"b 1', 'c 1'].map(markOfRow);
    const lines = [`sent ${a} 1 "ä"`, `sent ${b} 2 "\\"b"`, `sent ${c} 3 "c"`, a, `open ${b}`, `unknown ${c} 502`];
    expect(read(name)).toBe(`${headText}${lines.join('\n')}\n`);
    const found = await resumed({ steps, rows: ['ä 1', '"b 1', 'c 1', 'd 1'] });
    expect(found).toMatchObject({ rows: [1], unknown: [3], statuses: [[3, 502]] });
    expect(read(name)).toBe(`${headText}${lines.join('\n')}\n`);
  });

  /** A run of these rows, each with what came of it. */
  async function sent(...rows: readonly (readonly [string, RowStep, number?])[]): Promise<void> {
    const journal = await begin(false, { steps });
    for (const [index, [row, step, status]] of rows.entries()) {
      await record(journal, row, 'sent', { number: index + 1 });
      if (step !== 'sent') await record(journal, row, step, status === undefined ? {} : { status });
    }
    await journal.close(false);
  }

  it.each([
    ['another order', ['c 1', 'b 1', 'a 1'], [2, 3], [1], []],
    ['a changed row', ['a 1', 'b 2', 'c 1'], [1], [3], [{ number: 2, key: 'b' }]],
  ])(
    'recognizes finished rows anywhere in the file, and names missing ones: %s',
    async (_, rows, done, unknown, made) => {
      await sent(['a 1', 'done'], ['b 1', 'done'], ['c 1', 'sent']);
      const found = await resumed({ ...edited, steps, rows });
      expect(found).toMatchObject({ rows: done, unknown, changed: { done: done.length, lost: made.length, made } });
    },
  );

  it('names at most twenty missing rows', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `r${at} 1`);
    await sent(...rows.map((row) => [row, 'done'] as const));
    const { changed } = await resumed({ ...edited, steps, rows: ['x 1'] });
    expect([changed?.lost, changed?.made.length]).toEqual([30, 20]);
  });

  it('is refused if a row of unknown outcome is missing, unless --repeat-unknown is given', async () => {
    await sent(['a 1', 'done'], ['b 1', 'unknown', 500], ['c 1', 'sent'], ['d 1', 'open']);
    const own = { ...edited, steps, rows: ['a 1', 'c 1', 'd 1'] };
    expect((await failureOf(open(true, { ...own, rows: ['a 1'] }))).message).toBe(
      'Row 2 (b), row 3 (c) were sent, and their outcome is unknown, but fleet.csv does not have them any more.',
    );
    expect(await resumed({ ...own, repeatUnknown: true })).toMatchObject({ rows: [1], unknown: [2] });
    expect(read(name)).not.toContain('"b"');
    expect(await resumed(own)).toMatchObject({ rows: [1], unknown: [2], changed: undefined });
  });

  it('names at most five missing rows of unknown outcome', async () => {
    await sent(...Array.from({ length: 7 }, (_, at) => [`r${at} 1`, 'sent'] as const));
    expect((await failureOf(open(true, { steps, rows: [] }))).message).toContain('row 5 (r4) and 2 more were sent');
  });

  it('is read by a dry run without a lock and without changes', async () => {
    await sent(['a 1', 'done'], ['b 1', 'sent']);
    const before = read(name);
    const other = await open(true, { steps, rows: ['a 1', 'b 1'] });
    const journal = await open(true, { steps, rows: ['a 1', 'b 1'], isRehearsal: true });
    expect(rowsOf(journal)).toEqual({ rows: [1], unknown: [2], statuses: [] });
    await journal.close(false);
    await other.close(false);
    expect([read(name), names()]).toEqual([before, [name]]);
  });

  it('is read correctly for random lines and ends', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const dice = diceOf(seed);
      const lines = Array.from({ length: 1 + dice(14) }, () => anyLine(dice));
      const whole = lines.map(({ text }) => text).join('');
      const bytes = Buffer.from(headText + whole);
      for (let turn = 0; turn < 8; turn += 1) {
        const length = headText.length + dice(bytes.length - headText.length + 1);
        write(name, bytes.subarray(0, length));
        const kept = bytes.subarray(headText.length, length).toString('latin1').split('\n').length - 1;
        const expected = readingOf(lines.slice(0, kept));
        const own = { steps, rows: expected.file };
        const journal = await begin(true, own);
        const text =
          headText +
          lines
            .slice(0, kept)
            .map((each) => each.text)
            .join('');
        expect([seed, length, rowsOf(journal), journal.dropped]).toEqual([
          seed,
          length,
          expected.found,
          length - Buffer.byteLength(text),
        ]);
        await journal.close(false);
        // It goes on as a whole, and is read as the same again.
        expect(read(name)).toBe(text.replaceAll(/^ended\n/gm, ''));
        expect(rowsOf(await open(true, { ...own, isRehearsal: true }))).toEqual(expected.found);
      }
    }
  });
});

type AnyLine = { readonly text: string; readonly row?: string; readonly step?: RowStep; readonly status?: number };

/** Names that a line must not be ended or cut by. */
const anyRows = ['a 1', 'a 2', 'ä-"\\-工場 1', 'sent 1'];

function anyLine(dice: (limit: number) => number): AnyLine {
  const kind = dice(12);
  if (kind === 0) return { text: 'ended\n' };
  if (kind === 1) return { text: `failed-to ${dice(99)}:${dice(9)}\n` };
  const row = anyRows[dice(anyRows.length)] ?? '';
  const step = (['sent', 'sent', 'done', 'open', 'unknown'] as const)[dice(5)] ?? 'sent';
  const status = [200, 500, 502][dice(3)] ?? 0;
  const text = {
    sent: `sent ${markOfRow(row)} ${dice(9)} ${JSON.stringify(keyOf(row))}\n`,
    done: `${markOfRow(row)}\n`,
    open: `open ${markOfRow(row)}\n`,
    unknown: `unknown ${markOfRow(row)} ${status}\n`,
  }[step];
  return { text, row, step, status };
}

/** What the lines of a journal say of a file in which each row occurs as often as the lines could name it, and that file. */
function readingOf(lines: readonly AnyLine[]) {
  const file = anyRows.flatMap((row) => Array.from({ length: 15 }, () => row));
  const found = { rows: [] as number[], unknown: [] as number[], statuses: [] as [number, number][] };
  for (const [index, row] of anyRows.entries()) {
    let [done, next] = [0, index * 15 + 1];
    const under: (number | undefined)[] = [];
    for (const { step, status } of lines.filter((each) => each.row === row)) {
      if (step === 'sent') under.push(undefined);
      else if (step === 'unknown' && under.length > 0) under[0] = status;
      else if (step === 'done' || step === 'open') under.shift();
      if (step === 'done') done += 1;
    }
    for (; done > 0; done -= 1) found.rows.push(next++);
    for (const status of under) {
      if (status !== undefined) found.statuses.push([next, status]);
      found.unknown.push(next++);
    }
  }
  return { file, found };
}
