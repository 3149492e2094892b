import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { realClock } from '../../src/work/clock.ts';
import { openFailedRows } from '../../src/work/failed-rows.ts';
import { openJournal } from '../../src/work/journal.ts';
import { markOf } from '../../src/work/marks.ts';
import { openPace } from '../../src/work/pace.ts';
import { type Attempt, type Outcome, runAll } from '../../src/work/run.ts';
import { openTally, type RowsEnd } from '../../src/work/tally.ts';
import { pieces } from '../rows/texts.ts';
import { folderForEach } from '../support/folder.ts';

const said = (message: string, status?: number) =>
  new Failure('rejected', message, status === undefined ? {} : { status });

const folder = folderForEach();
const world = { platform: process.platform };
const clock = realClock(() => performance.now());
const done: Attempt = { status: 'done' };
const refused = (message: string): Attempt => ({ status: 'failed', error: said(message) });
const troubled = (message: string): Attempt => ({
  ...{ status: 'failed', error: said(message) },
  ...{ next: 'retry', response: 'troubled' },
});
const throttled: Attempt = { status: 'not_sent', error: said('429'), next: 'wait', response: 'throttled' };
/** It may have been applied, and is not repeated. */
const lost = (status?: number): Attempt => ({ status: 'unknown', error: said('lost', status), response: 'lost' });

type Row = { readonly line: number; readonly number: number; readonly key: string; readonly text: () => string };

type Options = {
  readonly attempt: (value: string, attempt: number, isAgain: boolean) => Attempt | Promise<Attempt>;
  readonly concurrency?: number;
  readonly retries?: number;
  readonly resume?: boolean;
  /** Each step is recorded, and what is of unknown outcome is sent again only on request. */
  readonly hasSteps?: boolean;
  readonly repeatUnknown?: boolean;
  readonly stop?: AbortController;
  /** Keys are what stands before the dash. */
  readonly rows: readonly string[];
};

type Report = { readonly line: number; readonly status: string };
type Ran = RowsEnd<Row> & { readonly reports: Report[]; readonly attempts: string[]; readonly most: number };

/** The lines of the journal after the first, each row by its text. */
function journal(): string[] | undefined {
  return existing('journal')
    ?.split('\n')
    .slice(1, -1)
    .filter((line) => !line.startsWith('failed-to'));
}

/** Works on rows such as "a-1": key a. A row that begins with ! has a problem. */
async function run({ rows, attempt, concurrency = 4, retries = 3, hasSteps = false, ...own }: Options): Promise<Ran> {
  const { resume = false, repeatUnknown = false, stop = new AbortController() } = own;
  const reports: Report[] = [];
  const attempts: string[] = [];
  let [underWay, most] = [0, 0];
  const all = rows.map((value, at) => rowOf(value, at + 1));
  const markedAs = (row: Row) => ({ mark: markOf(row.key, row.text()), number: row.number, key: row.key });
  const journal = await openJournal({
    path: folder.at('journal'),
    head: {
      ...{ work: 'test', place: { base: 'https://platform.example' }, meaning: [] },
      input: { sha256: rows.join(), size: rows.length, rows: rows.length },
    },
    ...{ input: 'rows', wayTo: () => undefined },
    ...{ resume, clock, world, steps: hasSteps ? { adds: true } : undefined },
    waiter: { notice: () => undefined, signal: new AbortController().signal },
    eachMark: async (see) => {
      for (const row of all) see(row.text().startsWith('!') ? undefined : markedAs(row).mark);
    },
  });
  const failedRows = openFailedRows(folder.at('failed'), 'ndjson', () => '', world, journal);
  journal.start({ base: 'https://platform.example' });
  const tally = openTally<Row>(rows.length, { failedRows }, true);
  const sendsAgain = !hasSteps || repeatUnknown;
  const knownOf = ({ number, text }: Row): Omit<Outcome<Row>, 'of'> | undefined => {
    if (text().startsWith('!')) return { status: 'failed', error: new Failure('usage', 'is wrong') };
    if (journal.done.has(number)) return { status: 'skipped' };
    return journal.unknown.has(number) && !sendsAgain ? { status: 'unknown' } : undefined;
  };
  await runAll<Row>({
    items: pieces([all.slice(0, 3), all.slice(3)]),
    keyOf: ({ key }) => key,
    known: knownOf,
    wasSent: ({ number }) => journal.unknown.has(number),
    async attempt(row, earlier) {
      const value = row.text();
      attempts.push(value);
      underWay += 1;
      most = Math.max(most, underWay);
      const found = await attempt(value, attempts.filter((other) => other === value).length, earlier === 'possible');
      underWay -= 1;
      return found;
    },
    onEnd(outcome) {
      tally.add(outcome);
      reports.push({ line: outcome.of.line, status: outcome.status });
    },
    record: (step, row, status) => journal.record(step, markedAs(row), status),
    hasSteps: journal.hasSteps,
    flush: journal.flush,
    pace: openPace({
      ...{ concurrency, rate: Number.POSITIVE_INFINITY, patience: 2000, clock, random: () => 0 },
      onGivenUp: () => stop.abort(new Failure('unavailable', 'Given up.')),
    }),
    ...{ concurrency, retries, stop, clock, random: () => 0 },
  });
  failedRows.close();
  const end = async () => tally.end(stop.signal, 0);
  const ended = await end().catch(async (bug: unknown) => {
    await journal.close(false);
    throw bug;
  });
  await journal.close(!hasSteps && ended.counts.done + ended.counts.skipped === rows.length);
  return { ...ended, reports, attempts, most };
}

function rowOf(value: string, line: number): Row {
  return { line, number: line, key: value.split('-')[0] ?? '', text: () => value };
}

/** Rows of as many keys. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, number) => `k${number}-1`);
const waiting = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const states = ({ reports }: Ran) =>
  Object.fromEntries(
    reports.map(({ line, status }) => [line, status]).sort(([one], [other]) => Number(one) - Number(other)),
  );
const existing = (name: string) => (folder.names().includes(name) ? folder.read(name) : undefined);
const mark = (row: string) => markOf(row.split('-')[0] ?? '', row);

describe('a run of many rows', () => {
  it('causes no warning of Node while many rows wait', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    const rows = rowsOf(40);
    const attempt = (_: string, attempts: number) => (attempts === 1 ? troubled('503') : done);
    const ran = await run({ rows, concurrency: 20, attempt });
    await waiting(10);
    process.off('warning', hear);
    expect([ran.counts.done, warnings]).toEqual([40, []]);
  });

  it('processes every row once, within the limit of concurrency', async () => {
    const rows = rowsOf(50);
    const ran = await run({ rows, attempt: () => waiting(1).then(() => done) });
    expect([...ran.attempts].sort()).toEqual([...rows].sort());
    expect(ran.most).toBe(4);
    expect(ran.counts).toEqual({ total: 50, done: 50, failed: 0, skipped: 0, notSent: 0, unknown: 0 });
    expect([ran.stopped, existing('journal'), existing('failed')]).toEqual([undefined, undefined, undefined]);
  });

  it('processes the rows of a device in order, one at a time', async () => {
    const rows = ['a-1', 'b-1', 'a-2', 'a-3', 'c-1', 'b-2', 'a-4'];
    const under = new Set<string>();
    const ran = await run({
      rows,
      async attempt(value) {
        const key = value.slice(0, 1);
        expect(under.has(key)).toBe(false);
        under.add(key);
        await waiting(value === 'a-1' ? 30 : 2);
        under.delete(key);
        return done;
      },
    });
    expect(ran.attempts.filter((value) => value.startsWith('a'))).toEqual(['a-1', 'a-2', 'a-3', 'a-4']);
    expect(ran.attempts.filter((value) => value.startsWith('b'))).toEqual(['b-1', 'b-2']);
    expect(ran.counts.done).toBe(7);
  });

  it('keeps the order of a device when a row is retried', async () => {
    const ran = await run({
      rows: ['a-1', 'a-2', 'b-1'],
      attempt: (value, attempt) => (value === 'a-1' && attempt < 3 ? troubled('503') : done),
    });
    expect(ran.attempts.filter((value) => value.startsWith('a'))).toEqual(['a-1', 'a-1', 'a-1', 'a-2']);
  });

  it('processes thousands of rows of one device', async () => {
    const rows = [...Array.from({ length: 3000 }, (_, number) => `hot-${number}`), 'cold-1'];
    const ran = await run({ rows, attempt: async () => done });
    expect(ran.attempts.filter((value) => value.startsWith('hot'))).toEqual(rows.slice(0, -1));
    expect(ran.counts.done).toBe(3001);
  });

  it('does not count a 429 as an attempt of the row', async () => {
    const ran = await run({ rows: ['a-1'], retries: 0, attempt: (_, attempt) => (attempt === 1 ? throttled : done) });
    expect([ran.attempts.length, ran.counts.done]).toEqual([2, 1]);
  });

  it('does nothing if it is cancelled before it begins', async () => {
    const stop = new AbortController();
    stop.abort(new Failure('interrupted', 'Stopped.'));
    const ran = await run({ rows: ['a-1', 'b-1'], stop, attempt: () => done });
    expect([ran.attempts, ran.counts.notSent, ran.reports.length]).toEqual([[], 2, 2]);
  });

  it('throws an unexpected error', async () => {
    const bug = new TypeError('undefined is not a function');
    await expect(run({ rows: ['a-1', 'b-1'], attempt: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  it('reports a row as unknown and stops if the journal cannot record it', async () => {
    const stop = new AbortController();
    const full = new Failure('io', 'No space left.');
    const ended: unknown[] = [];
    await runAll<string>({
      items: pieces([['a', 'b']]),
      keyOf: (item) => item,
      attempt: async () => done,
      record: async () => full,
      onEnd: ({ of, status, error }) => ended.push([of, status, error?.message]),
      ...{ concurrency: 1, retries: 0, stop, clock, random: () => 0 },
    });
    expect([ended, stop.signal.reason]).toEqual([
      [
        ['a', 'unknown', 'applied, but not recorded in the journal'],
        ['b', 'not_sent', undefined],
      ],
      full,
    ]);
  });
});

describe('a run of rows that must not be sent twice', () => {
  const sent = (row: string, number: number) => `sent ${mark(row)} ${number} ${JSON.stringify(row.split('-')[0])}`;

  it('records each row before it is sent, and its result afterwards', async () => {
    const before: unknown[] = [];
    const ran = await run({
      rows: ['a-1', 'b-1', 'c-1', 'd-1'],
      concurrency: 1,
      hasSteps: true,
      attempt(value) {
        before.push(journal()?.at(-1));
        if (value === 'b-1') return refused('no');
        if (value === 'c-1') return lost(502);
        return value === 'd-1' ? lost() : done;
      },
    });
    expect(before).toEqual([sent('a-1', 1), sent('b-1', 2), sent('c-1', 3), sent('d-1', 4)]);
    expect(journal()?.filter((line) => !line.startsWith('sent'))).toEqual([
      mark('a-1'),
      `open ${mark('b-1')}`,
      `unknown ${mark('c-1')} 502`,
    ]);
    expect(states(ran)).toEqual({ 1: 'done', 2: 'failed', 3: 'unknown', 4: 'unknown' });
  });

  it('keeps a repeated row unknown without a response, and open after a refusal', async () => {
    const rows = ['a-1', 'b-1'];
    await run({ rows, concurrency: 1, hasSteps: true, attempt: () => lost(500) });
    const again = { rows, concurrency: 1, retries: 0, hasSteps: true, resume: true, repeatUnknown: true };
    const ran = await run({ ...again, attempt: (value) => (value === 'a-1' ? troubled('503') : refused('no')) });
    expect(states(ran)).toEqual({ 1: 'unknown', 2: 'failed' });
    const next = await run({ ...again, repeatUnknown: false, attempt: () => done });
    expect([next.attempts, states(next)]).toEqual([['b-1'], { 1: 'unknown', 2: 'done' }]);
  });

  it('does not send a row that cannot be recorded', async () => {
    const stop = new AbortController();
    const full = new Failure('io', 'No space left.');
    const statuses: string[] = [];
    await runAll<string>({
      items: pieces([['a', 'b']]),
      keyOf: (item) => item,
      attempt: () => Promise.reject(new TypeError('It was sent.')),
      record: async () => full,
      hasSteps: true,
      onEnd: ({ status }) => statuses.push(status),
      ...{ concurrency: 1, retries: 0, stop, clock, random: () => 0 },
    });
    expect([statuses, stop.signal.reason]).toEqual([['not_sent', 'not_sent'], full]);
  });
});
