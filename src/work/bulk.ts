import { Failure } from '../failure.ts';
import { type Place, placeFields, type Row, type RowContent, type Rows } from '../rows/row.ts';
import type { ErrorOfOne } from '../text/failure-sentence.ts';
import { doneLine } from './done-rows.ts';
import type { FailedRows } from './failed-rows.ts';
import { type BulkRun, runAll, type Status, type Task, unfit } from './run.ts';

/** The result for one row. `key` is null if the row was not readable that far. */
export type Report = Place & {
  readonly key: string | null;
  readonly status: Status;
  readonly error: ErrorOfOne | null;
  /** What the platform gave for it, if anything. */
  readonly result?: object | undefined;
};

/** Everything that bulk work needs: the rows, what to do with each, and where to report it. */
type Bulk<T> = Omit<BulkRun<T>, 'batches' | 'report' | 'held'> & {
  /** Whether rows that an earlier run may have sent are sent again. */
  readonly sendsAgain: boolean;
  /** Whether what an earlier run has left shows that it carried out a row, though it did not record the end. */
  readonly wasDone?: ((value: T) => boolean) | undefined;
  /** All rows, and their number. */
  readonly rows: Rows;
  readonly total: number;
  readonly meaningOf: (row: Row) => RowContent<T>;
  readonly failedRows?: FailedRows | undefined;
  /** Takes the rows of unknown outcome if they are not safe to repeat. */
  readonly unknownRows?: FailedRows | undefined;
  /** Called once for every row, as soon as it has ended, with a function that returns the counts so far. */
  readonly onReport: (report: Report, counts: () => RowCounts) => void;
};

export type BulkResult = {
  readonly counts: RowCounts;
  /** The first rows that failed or whose outcome is unknown, in the order of their lines. */
  readonly failures: readonly Report[];
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
  const { failedRows, unknownRows, stop, clock, total } = bulk;
  const began = clock.now();
  const counted: Record<Status, number> = { done: 0, failed: 0, skipped: 0, not_sent: 0, unknown: 0 };
  const failures: Report[] = [];
  const held = new Set<string>();
  /** The keys of the rows in the file of failed rows. */
  const kept = new Set<string | null>();
  let isRefusedOnly = true;
  // Rows without a report count as not sent.
  const counts = (): RowCounts => {
    const { done, failed, skipped, unknown } = counted;
    return { total, done, failed, skipped, notSent: total - done - failed - skipped - unknown, unknown };
  };
  const account = (report: Report, text: () => string) => {
    const { key, status } = report;
    counted[status] += 1;
    if (status === 'unknown') isRefusedOnly = false;
    bulk.onReport(report, counts);
    const isOpen = status === 'failed' || status === 'unknown';
    if (isOpen && failures.length < mostFailures) failures.push(report);
    // A row in the file without those behind it would bring back an old value.
    const isKept =
      status === 'not_sent' ? kept.has(key) : status === 'failed' || (isOpen && bulk.sendsAgain && !unknownRows);
    // What was applied but not recorded has no text, and need not be sent again.
    if (status === 'unknown' && text() !== '') unknownRows?.add(text());
    if (!failedRows || !isKept || text() === '') return;
    kept.add(key);
    failedRows.add(text());
  };
  await runAll<T>({
    ...bulk,
    held,
    batches: remainingTasks(bulk, held, account),
    report({ task: { line, row, key, text }, status, error, result, isTransient }) {
      if (isTransient) isRefusedOnly = false;
      account({ line, row, key, status, error: error ?? null, ...(result && { result }) }, text);
    },
  });
  const isDone = counted.done + counted.skipped === total;
  // What was stopped after its last row has ended like any other.
  if (stop.signal.aborted && !isDone) isRefusedOnly = false;
  await close(bulk, isDone, isRefusedOnly);
  const seconds = Math.round((clock.now() - began) / 100) / 10;
  failures.sort((one, other) => one.line - other.line || (one.row ?? 0) - (other.row ?? 0));
  return { counts: counts(), failures, seconds, isRefusedOnly, stopped: stoppedBy(stop.signal) };
}

async function close<T>(
  { journal, failedRows, unknownRows, stop }: Bulk<T>,
  isDone: boolean,
  hasEnded: boolean,
): Promise<void> {
  try {
    failedRows?.close();
    unknownRows?.close();
    if (hasEnded && (!isDone || journal?.begin)) journal?.markEnded();
  } catch (failure) {
    stop.abort(failure);
  }
  await journal?.close(isDone && !journal.begin).catch((failure) => stop.abort(failure));
}

function stoppedBy(signal: AbortSignal): Failure | undefined {
  if (!signal.aborted) return undefined;
  if (signal.reason instanceof Failure) return signal.reason;
  throw signal.reason;
}

/** The number of rows per status. They add up to `total`. */
export type RowCounts = {
  readonly [each in 'total' | 'done' | 'failed' | 'skipped' | 'notSent' | 'unknown']: number;
};

/** How many failures are kept to be listed. */
const mostFailures = 1000;

/** What is known of a row whose end an earlier run did not learn. */
function sentBefore(status: number | undefined): ErrorOfOne {
  const message =
    status === undefined
      ? 'sent by an earlier run, which ended before a readable response came'
      : `sent by an earlier run, and answered with ${status}: it may have been applied`;
  return { code: 'unavailable', message, status: status ?? null, requestId: null };
}

function unsendable(): never {
  throw new Error('A row with a problem is not sent.');
}

/** The rows that are not done, in the order of the input; accounts for the others. */
async function* remainingTasks<T>(
  { rows, meaningOf, journal, sendsAgain, wasDone }: Bulk<T>,
  held: Set<string>,
  account: (report: Report, text: () => string) => void,
): AsyncGenerator<readonly Task<T>[], void> {
  let number = 0;
  for await (const handful of rows) {
    const tasks: Task<T>[] = [];
    for (const row of handful) {
      const meaning = meaningOf(row);
      if ('value' in meaning && meaning.isEmpty) continue;
      number += 1;
      const { text } = row;
      const place = placeFields(row);
      const isBegun = journal?.begun?.has(number) === true;
      if ('problem' in meaning) {
        const { problem, key } = meaning;
        if (key === undefined) account({ ...place, key: null, status: 'failed', error: unfit(problem) }, text);
        else tasks.push({ ...place, number, isAgain: false, key, problem, value: unsendable, text });
      } else if (journal?.done.has(number) || (isBegun && wasDone?.(meaning.value()))) {
        if (isBegun) journal?.record(doneLine(number));
        account({ ...place, key: meaning.key, status: 'skipped', error: null }, text);
      } else if (isBegun && !sendsAgain) {
        held.add(meaning.key);
        const error = sentBefore(journal?.statuses?.get(number));
        account({ ...place, key: meaning.key, status: 'unknown', error }, text);
      } else
        tasks.push({
          ...place,
          number,
          isAgain: isBegun,
          key: meaning.key,
          problem: undefined,
          value: meaning.value,
          text,
        });
    }
    if (tasks.length > 0) yield tasks;
  }
}
