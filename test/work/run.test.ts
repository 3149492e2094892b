import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import type { Row } from '../../src/rows/row.ts';
import { type BulkResult, type Report, runBulk } from '../../src/work/bulk.ts';
import { realClock } from '../../src/work/clock.ts';
import { markOf } from '../../src/work/done-rows.ts';
import { openFailedRows } from '../../src/work/failed-rows.ts';
import { openJournal } from '../../src/work/journal.ts';
import { openPace } from '../../src/work/pace.ts';
import type { Verdict } from '../../src/work/run.ts';
import { pieces } from '../rows/texts.ts';
import { folderForEach } from '../support/folder.ts';

const said = (message: string) => ({ code: 'rejected', message, status: null, requestId: null }) as const;

const folder = folderForEach();
const world = { platform: process.platform };
const clock = realClock(() => performance.now());
const done: Verdict = { kind: 'done' };

type Options = {
  readonly attempt: (value: string, attempt: number) => Verdict | Promise<Verdict>;
  readonly concurrency?: number;
  readonly retries?: number;
  readonly stopAtFailure?: boolean;
  readonly resume?: boolean;
  readonly stop?: AbortController;
  /** Keys are what stands before the dash. */
  readonly rows: readonly string[];
};

/** Its head and its rows. */
function journal(): string | undefined {
  return existing('journal')?.replace(/^failed-to .*\n/m, '');
}

type Ran = BulkResult & { readonly reports: Report[]; readonly attempts: string[]; readonly most: number };

/** Works on rows such as "a-1": key a. A row that begins with ! has a problem. */
async function run({
  attempt,
  rows,
  concurrency = 4,
  retries = 3,
  stopAtFailure = false,
  resume = false,
  ...own
}: Options): Promise<Ran> {
  const stop = own.stop ?? new AbortController();
  const reports: Report[] = [];
  const attempts: string[] = [];
  let [underWay, most] = [0, 0];
  const head = {
    work: 'test',
    place: [],
    meaning: [],
    input: { sha256: rows.join(), size: rows.length, rows: rows.length },
  };
  const journal = await openJournal({
    path: folder.at('journal'),
    head,
    input: 'rows',
    resume,
    clock,
    world,
    eachMark: async (see) => {
      for (const row of rows) see(row.startsWith('!') ? undefined : markOf(row.split('-')[0] ?? '', row));
    },
    onChanged: async () => undefined,
  });
  const ended = await runBulk<string>({
    rows: pieces(
      [rows.slice(0, 3), rows.slice(3)].map((part, index) => part.map((value, at) => rowOf(value, index * 3 + at + 1))),
    ),
    total: rows.length,
    meaningOf: (row) => {
      const value = 'value' in row ? String(row.value) : '';
      const [key = ''] = value.split('-');
      return value.startsWith('!') ? { problem: 'is wrong', key } : { key, value: () => value };
    },
    async attempt(value) {
      attempts.push(value);
      underWay += 1;
      most = Math.max(most, underWay);
      const verdict = await attempt(value, attempts.filter((other) => other === value).length);
      underWay -= 1;
      return verdict;
    },
    contentOf: (value) => value,
    sendsAgain: true,
    journal,
    failedRows: openFailedRows(folder.at('failed'), 'ndjson', () => '', world, journal),
    pace: openPace({
      concurrency,
      rate: Number.POSITIVE_INFINITY,
      patience: 2,
      clock,
      random: () => 0,
      onGivenUp: () => stop.abort(new Failure('unavailable', 'Given up.')),
    }),
    concurrency,
    retries,
    stopAtFailure,
    stop,
    clock,
    random: () => 0,
    onReport: (report) => reports.push(report),
  });
  return { ...ended, reports, attempts, most };
}

function rowOf(value: string, line: number): Row {
  return { line, value, text: () => value };
}

/** Rows of as many keys. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, number) => `k${number}-1`);
const waiting = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const states = ({ reports }: Ran) =>
  Object.fromEntries(
    reports.map(({ line, status }) => [line, status]).sort(([one], [other]) => Number(one) - Number(other)),
  );
const existing = (name: string) => (folder.names().includes(name) ? folder.read(name) : undefined);

describe('bulk work', () => {
  it('waits for many rows at once without a warning from Node', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on('warning', hear);
    const rows = rowsOf(40);
    const attempt = (_: string, attempts: number): Verdict =>
      attempts === 1 ? { kind: 'troubled', error: said('503') } : done;
    const ran = await run({ rows, concurrency: 20, attempt });
    await waiting(10);
    process.off('warning', hear);
    expect([ran.counts.done, warnings]).toEqual([40, []]);
  });

  it('does every row once, no more than the limit at a time, and leaves no listeners', async () => {
    const rows = rowsOf(50);
    const ran = await run({ rows, attempt: () => waiting(1).then(() => done) });
    expect([...ran.attempts].sort()).toEqual([...rows].sort());
    expect(ran.most).toBe(4);
    expect(ran.counts).toEqual({ total: 50, done: 50, failed: 0, skipped: 0, notSent: 0, unknown: 0 });
    expect([ran.stopped, existing('journal'), existing('failed')]).toEqual([undefined, undefined, undefined]);
  });

  it('processes the rows of one key in order, and never at the same time', async () => {
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

  it('keeps that order when a row has to be retried', async () => {
    const ran = await run({
      rows: ['a-1', 'a-2', 'b-1'],
      attempt: (value, attempt) => (value === 'a-1' && attempt < 3 ? { kind: 'troubled', error: said('503') } : done),
    });
    expect(ran.attempts.filter((value) => value.startsWith('a'))).toEqual(['a-1', 'a-1', 'a-1', 'a-2']);
  });

  it('continues with thousands of rows of one key, and holds only some of them in memory', async () => {
    const rows = [...Array.from({ length: 3000 }, (_, number) => `hot-${number}`), 'cold-1'];
    const ran = await run({ rows, attempt: async () => done });
    expect(ran.attempts.filter((value) => value.startsWith('hot'))).toEqual(rows.slice(0, -1));
    expect(ran.counts.done).toBe(3001);
  });

  it('reports what failed and why, and writes it to the file unchanged', async () => {
    const ran = await run({
      rows: ['a-1', 'b-1', '!-x', 'c-1'],
      retries: 1,
      attempt(value) {
        if (value === 'b-1') return { kind: 'refused', error: said('Not found. (404)') };
        return value === 'c-1' ? { kind: 'troubled', error: said('The platform failed. (503)') } : done;
      },
    });
    expect(ran.counts).toEqual({ total: 4, done: 1, failed: 3, skipped: 0, notSent: 0, unknown: 0 });
    expect(ran.attempts.filter((value) => value === 'c-1')).toHaveLength(2);
    expect(ran.failures).toEqual([
      { line: 2, key: 'b', status: 'failed', error: said('Not found. (404)') },
      { line: 3, key: '!', status: 'failed', error: { ...said('is wrong'), code: 'usage' } },
      { line: 4, key: 'c', status: 'failed', error: said('The platform failed. (503)') },
    ]);
    expect(existing('failed')?.split('\n').sort()).toEqual(['', '!-x', 'b-1', 'c-1']);
    expect(journal()?.split('\n').slice(1)).toEqual([markOf('a', 'a-1'), '']);
  });

  it('continues with what is left', async () => {
    const rows = ['a-1', 'b-1', 'c-1', 'd-1'];
    const first = await run({
      rows,
      attempt: (value) => (value > 'b' ? { kind: 'refused', error: said('no') } : done),
    });
    expect(first.counts).toEqual({ total: 4, done: 1, failed: 3, skipped: 0, notSent: 0, unknown: 0 });
    const second = await run({ rows, resume: true, attempt: () => done });
    expect(states(second)).toEqual({ 1: 'skipped', 2: 'done', 3: 'done', 4: 'done' });
    expect(second.counts).toEqual({ total: 4, done: 3, failed: 0, skipped: 1, notSent: 0, unknown: 0 });
    expect(existing('journal')).toBeUndefined();
  });

  it('repeats a row if an earlier one of the same key was left over', async () => {
    const rows = ['a-1', 'a-2', 'b-1', 'a-3'];
    await run({
      rows,
      concurrency: 1,
      attempt: (value) => (value === 'a-2' ? { kind: 'refused', error: said('no') } : done),
    });
    const second = await run({ rows, resume: true, concurrency: 1, attempt: () => done });
    expect(second.attempts).toEqual(['a-2', 'a-3']);
    expect(states(second)).toEqual({ 1: 'skipped', 2: 'done', 3: 'skipped', 4: 'done' });
  });

  it('does not count a refusal for going too fast as a failure of the row', async () => {
    const ran = await run({
      rows: ['a-1'],
      retries: 0,
      attempt: (_, attempt) => (attempt === 1 ? { kind: 'throttled', error: said('429') } : done),
    });
    expect([ran.attempts.length, ran.counts.done]).toEqual([2, 1]);
  });

  it('stops when no further row can succeed, and says which were not sent', async () => {
    const failure = new Failure('unauthenticated', 'The login was revoked.');
    const rows = rowsOf(20);
    const ran = await run({
      rows,
      concurrency: 2,
      attempt: (value) =>
        value === 'k5-1' ? { kind: 'hopeless', failure, error: said(failure.message) } : waiting(2).then(() => done),
    });
    expect(ran.stopped).toBe(failure);
    const { done: well, failed, notSent, total } = ran.counts;
    expect([failed, well + failed + notSent, total, ran.reports.length]).toEqual([1, 20, 20, 20]);
    expect(ran.attempts.length).toBeLessThanOrEqual(7);
    expect(journal()?.trimEnd().split('\n').length).toBe(well + 1);
  });

  it('stops at the first failure on request', async () => {
    const rows = rowsOf(20);
    const ran = await run({
      rows,
      concurrency: 1,
      stopAtFailure: true,
      attempt: (value) => (value === 'k2-1' ? { kind: 'refused', error: said('no') } : done),
    });
    expect([ran.attempts.length, ran.counts]).toMatchObject([3, { failed: 1, notSent: 17 }]);
    expect(ran.stopped?.message).toBe('Stopped at the first row that failed, on line 3.');
  });

  it('starts no new row when it is stopped from outside, and finishes those under way', async () => {
    const stop = new AbortController();
    const reason = new Failure('interrupted', 'Stopped by SIGINT.');
    const rows = Array.from({ length: 100 }, (_, number) => `k${number % 7}-${number}`);
    let count = 0;
    const ran = await run({
      rows,
      stop,
      async attempt() {
        count += 1;
        if (count === 10) stop.abort(reason);
        await waiting(5);
        return done;
      },
    });
    const { done: well, notSent } = ran.counts;
    expect([ran.stopped, ran.attempts.length]).toEqual([reason, well]);
    expect([well + notSent, ran.reports.length]).toEqual([100, 100]);
    expect(well).toBeLessThanOrEqual(13);
    expect(journal()?.trimEnd().split('\n').length).toBe(well + 1);
  });

  it('does nothing if it is stopped before it begins', async () => {
    const stop = new AbortController();
    stop.abort(new Failure('interrupted', 'Stopped.'));
    const ran = await run({ rows: ['a-1', 'b-1'], stop, attempt: () => done });
    expect([ran.attempts, ran.counts.notSent, ran.reports.length]).toEqual([[], 2, 2]);
  });

  it('gives up on a platform that stays in trouble', async () => {
    const rows = rowsOf(100);
    const ran = await run({ rows, retries: 100, attempt: () => ({ kind: 'troubled', error: said('503') }) });
    const { failed, notSent } = ran.counts;
    expect([ran.stopped?.message, failed + notSent, ran.reports.length]).toEqual(['Given up.', 100, 100]);
    expect(failed).toBeLessThanOrEqual(4);
  });

  it('throws its own bug instead of ending the run', async () => {
    const bug = new TypeError('undefined is not a function');
    await expect(run({ rows: ['a-1', 'b-1'], attempt: () => Promise.reject(bug) })).rejects.toBe(bug);
  });
});
