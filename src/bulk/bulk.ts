import { Failure } from '../failure.ts';
import { type Bitset, createBitset } from './done-rows.ts';
import type { FailedRows } from './failed-rows.ts';
import type { Task } from './keyed-queue.ts';
import type { Row, RowContent, Rows } from './row.ts';
import { type BulkRun, runAll, type Status } from './run.ts';

/** The result for one row. `key` is null if the row was not readable that far. */
export type Report = {
  readonly line: number;
  readonly key: string | null;
  readonly status: Status;
  readonly error: string | null;
};

/** Everything that bulk work needs: the rows, what to do with each, and where to report it. */
type Bulk<T> = Omit<BulkRun<T>, 'batches' | 'report'> & {
  /** All rows, and their number. */
  readonly rows: Rows;
  readonly total: number;
  readonly meaningOf: (row: Row) => RowContent<T>;
  readonly failedRows?: FailedRows | undefined;
  /** Called once for every row, as soon as it has ended, with a function that returns the counts so far. */
  readonly onReport: (report: Report, counts: () => RowCounts) => void;
};

export type BulkResult = {
  readonly counts: RowCounts;
  /** The first rows that failed or whose outcome is unknown. */
  readonly failures: readonly FailedRow[];
  readonly seconds: number;
  /** Whether each row that failed was refused, so that sending it again as it is would end the same way. */
  readonly isRefusedOnly: boolean;
  /** Why it stopped early, if it did. */
  readonly stopped: Failure | undefined;
};

/**
 * Works on every row that no earlier run has done. Resolves even if it stops early; the journal and the file of failed rows are then closed,
 * and the journal is removed if every row is done.
 * @throws anything that is not a Failure: a bug
 */
export async function runBulk<T>(bulk: Bulk<T>): Promise<BulkResult> {
  const { journal, failedRows, stop, clock, total } = bulk;
  const began = clock.now();
  const tally = openTally();
  let isRefusedOnly = true;
  const countsSoFar = () => tally.counts(total);
  const account = (report: Report, text: () => string) => {
    const isFailed = report.status === 'failed' || report.status === 'unknown';
    const { line, key, error } = report;
    tally.add(report.status, isFailed ? { line, key: key ?? '', error: error ?? '' } : undefined);
    bulk.onReport(report, countsSoFar);
    // What was applied but not recorded has no text, and need not be sent again.
    if (isFailed && text() !== '') failedRows?.add(text());
  };
  const batches = remainingTasks(bulk.rows, {
    meaningOf: bulk.meaningOf,
    done: journal?.done ?? createBitset(0),
    onSkipped: ({ line, text }, key) => account({ line, key, status: 'skipped', error: null }, text),
    onBad: ({ line, text }, problem, key) =>
      account({ line, key: key ?? null, status: 'failed', error: problem }, text),
  });
  await runAll<T>({
    ...bulk,
    batches,
    report({ task: { line, key, text }, status, error, isTransient }) {
      if (isTransient || status === 'unknown') isRefusedOnly = false;
      account({ line, key, status, error: error ?? null }, text);
    },
  });
  const counts = tally.counts(total);
  if (stop.signal.aborted) isRefusedOnly = false;
  await close(bulk, counts, isRefusedOnly);
  const seconds = Math.round((clock.now() - began) / 100) / 10;
  return { counts, failures: tally.failures(), seconds, isRefusedOnly, stopped: stoppedBy(stop.signal) };
}

async function close<T>({ journal, failedRows, stop }: Bulk<T>, counts: RowCounts, hasEnded: boolean): Promise<void> {
  const isDone = counts.done + counts.skipped === counts.total;
  try {
    failedRows?.close();
    if (hasEnded && !isDone) journal?.markEnded();
  } catch (failure) {
    stop.abort(failure);
  }
  await journal?.close(isDone && !stop.signal.aborted).catch((failure) => stop.abort(failure));
}

function stoppedBy(signal: AbortSignal): Failure | undefined {
  if (!signal.aborted) return undefined;
  if (signal.reason instanceof Failure) return signal.reason;
  throw signal.reason;
}

/** The number of rows per status. They add up to `total`. */
export type RowCounts = { readonly total: number } & { readonly [S in Status]: number };

/** A failed row, to be shown to the user. */
export type FailedRow = { readonly line: number; readonly key: string; readonly error: string };

type Tally = {
  readonly add: (status: Status, row?: FailedRow) => void;
  /** Rows without a report count as not sent. */
  readonly counts: (total: number) => RowCounts;
  /** In the order of the lines. */
  readonly failures: () => readonly FailedRow[];
};

/** How many failures are kept to be listed. */
const mostFailures = 1000;

function openTally(): Tally {
  const counted: Record<Status, number> = { done: 0, failed: 0, skipped: 0, notSent: 0, unknown: 0 };
  const failures: FailedRow[] = [];
  return {
    failures: () => failures.toSorted((one, other) => one.line - other.line),
    add(status, row) {
      counted[status] += 1;
      if (row && failures.length < mostFailures) failures.push(row);
    },
    counts(total) {
      const { done, failed, skipped, unknown } = counted;
      return { total, done, failed, skipped, notSent: total - done - failed - skipped - unknown, unknown };
    },
  };
}

type TaskSource<T> = {
  readonly meaningOf: (row: Row) => RowContent<T>;
  /** The rows done in earlier runs. */
  readonly done: Bitset;
  readonly onSkipped: (row: Row, key: string) => void;
  readonly onBad: (row: Row, problem: string, key: string | undefined) => void;
};

/** The remaining rows of an input, in its order. */
async function* remainingTasks<T>(
  rows: Rows,
  { meaningOf, done, onSkipped, onBad }: TaskSource<T>,
): AsyncGenerator<readonly Task<T>[], void> {
  let number = 0;
  for await (const handful of rows) {
    const tasks: Task<T>[] = [];
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) continue;
      number += 1;
      if ('problem' in meaning) {
        onBad(row, meaning.problem, meaning.key);
        continue;
      }
      const { key, value } = meaning;
      if (done.has(number)) onSkipped(row, key);
      else tasks.push({ line: row.line, key, value, text: row.text });
    }
    if (tasks.length > 0) yield tasks;
  }
}
