import { Failure } from '../failure.ts';
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
  /** What the platform gave for it, if anything. */
  readonly result?: object | undefined;
};

/** Everything that bulk work needs: the rows, what to do with each, and where to report it. */
type Bulk<T> = Omit<BulkRun<T>, 'batches' | 'report'> & {
  /** Whether rows that an earlier run may have sent are sent again. */
  readonly sendsAgain: boolean;
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
  /** The first rows that failed or whose outcome is unknown, in the order of their lines. */
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
  const { failedRows, stop, clock, total } = bulk;
  const began = clock.now();
  const counted: Record<Status, number> = { done: 0, failed: 0, skipped: 0, notSent: 0, unknown: 0 };
  const failures: FailedRow[] = [];
  let isRefusedOnly = true;
  // Rows without a report count as not sent.
  const counts = (): RowCounts => {
    const { done, failed, skipped, unknown } = counted;
    return { total, done, failed, skipped, notSent: total - done - failed - skipped - unknown, unknown };
  };
  const account = (report: Report, text: () => string) => {
    const { line, key, status, error } = report;
    counted[status] += 1;
    if (status === 'unknown') isRefusedOnly = false;
    bulk.onReport(report, counts);
    if (status !== 'failed' && status !== 'unknown') return;
    if (failures.length < mostFailures) failures.push({ line, key: key ?? '', error: error ?? '' });
    // What was applied but not recorded has no text, and need not be sent again.
    const isOpen = status === 'failed' || bulk.sendsAgain;
    if (isOpen && text() !== '') failedRows?.add(text());
  };
  await runAll<T>({
    ...bulk,
    batches: remainingTasks(bulk, account),
    report({ task: { line, key, text }, status, error, result, isTransient }) {
      if (isTransient) isRefusedOnly = false;
      account({ line, key, status, error: error ?? null, ...(result && { result }) }, text);
    },
  });
  if (stop.signal.aborted) isRefusedOnly = false;
  await close(bulk, counts(), isRefusedOnly);
  const seconds = Math.round((clock.now() - began) / 100) / 10;
  failures.sort((one, other) => one.line - other.line);
  return { counts: counts(), failures, seconds, isRefusedOnly, stopped: stoppedBy(stop.signal) };
}

async function close<T>({ journal, failedRows, stop }: Bulk<T>, counts: RowCounts, hasEnded: boolean): Promise<void> {
  const isDone = counts.done + counts.skipped === counts.total;
  try {
    failedRows?.close();
    if (hasEnded && (!isDone || journal?.begin)) journal?.markEnded();
  } catch (failure) {
    stop.abort(failure);
  }
  await journal?.close(isDone && !stop.signal.aborted && !journal.begin).catch((failure) => stop.abort(failure));
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

/** How many failures are kept to be listed. */
const mostFailures = 1000;

const sentBefore = 'sent by an earlier run, which ended before the response came';

/** The rows that are not done, in the order of the input; accounts for the others. */
async function* remainingTasks<T>(
  { rows, meaningOf, journal, held, sendsAgain }: Bulk<T>,
  account: (report: Report, text: () => string) => void,
): AsyncGenerator<readonly Task<T>[], void> {
  let number = 0;
  for await (const handful of rows) {
    const tasks: Task<T>[] = [];
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) continue;
      number += 1;
      const { line, text } = row;
      if ('problem' in meaning)
        account({ line, key: meaning.key ?? null, status: 'failed', error: meaning.problem }, text);
      else if (journal?.done.has(number)) account({ line, key: meaning.key, status: 'skipped', error: null }, text);
      else if (journal?.begun?.has(number) && !sendsAgain) {
        held?.add(meaning.key);
        account({ line, key: meaning.key, status: 'unknown', error: sentBefore }, text);
      } else {
        const isAgain = journal?.begun?.has(number) === true;
        tasks.push({ line, number, isAgain, key: meaning.key, value: meaning.value, text });
      }
    }
    if (tasks.length > 0) yield tasks;
  }
}
