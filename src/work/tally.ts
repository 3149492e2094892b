import { Failure } from '../failure.ts';
import type { RowPosition } from '../rows/row.ts';
import type { FailedRows } from './failed-rows.ts';
import type { Outcome, Status } from './run.ts';

/** The number of rows per status. They add up to `total`. */
export type RowCounts = {
  readonly [each in 'total' | 'done' | 'failed' | 'skipped' | 'notSent' | 'unknown']: number;
};

export type RowsEnd<T> = {
  readonly counts: RowCounts;
  /** The first rows that failed or whose outcome is unknown, in the order of their lines. */
  readonly failures: readonly Outcome<T>[];
  readonly seconds: number;
  /** Whether all failed rows were refused, so that they would be refused again. */
  readonly isRefusedOnly: boolean;
  /** The failure that stopped the run early. */
  readonly stopped: Failure | undefined;
};

/** The most failures that are listed. */
const mostFailures = 1000;

/** Counts outcomes, and writes rows to files so that they can be sent again. @param keepsUnknown whether rows of unknown outcome count as failed there */
export function openTally<T extends RowPosition & { readonly key: string | null; readonly text: () => string }>(
  total: number,
  files: { readonly failedRows?: FailedRows | undefined; readonly unknownRows?: FailedRows | undefined },
  keepsUnknown: boolean,
) {
  const counted: Record<Status, number> = { done: 0, failed: 0, skipped: 0, not_sent: 0, unknown: 0 };
  const failures: Outcome<T>[] = [];
  /** The keys of the rows in the file of failed rows. */
  const kept = new Set<string | null>();
  let isRefusedOnly = true;
  // Rows without an outcome count as not sent.
  const counts = (): RowCounts => {
    const { done, failed, skipped, unknown } = counted;
    return { total, done, failed, skipped, notSent: total - done - failed - skipped - unknown, unknown };
  };
  const keep = ({ of: row, status, error }: Outcome<T>) => {
    if (error?.facts.fate === 'made') return;
    if (status === 'unknown') files.unknownRows?.add(row.text());
    // Rows that were not sent after a failed one of their key are written too, or the failed row would bring back an old value.
    const isKept = status === 'not_sent' ? kept.has(row.key) : status === 'failed' || keepsUnknown;
    if (!isKept || !files.failedRows) return;
    kept.add(row.key);
    files.failedRows.add(row.text());
  };
  return {
    counts,
    add(outcome: Outcome<T>): void {
      const { status, error } = outcome;
      counted[status] += 1;
      const isOpen = status === 'failed' || status === 'unknown';
      if (status === 'unknown' || (isOpen && (error?.kind === 'unavailable' || error?.facts.refused === 'elsewhere')))
        isRefusedOnly = false;
      if (isOpen && failures.length < mostFailures) failures.push(outcome);
      if (isOpen || status === 'not_sent') keep(outcome);
    },
    /** @param signal aborted if the run was stopped @throws its reason if that is a bug and not a Failure */
    end(signal: AbortSignal, seconds: number): RowsEnd<T> {
      const isDone = counted.done + counted.skipped === total;
      if (signal.aborted && !(signal.reason instanceof Failure)) throw signal.reason;
      failures.sort(({ of: one }, { of: other }) => one.line - other.line || (one.row ?? 0) - (other.row ?? 0));
      // A run that was stopped after its last row counts as complete.
      const wasStopped = signal.aborted && !isDone;
      const stopped: Failure | undefined = signal.aborted ? signal.reason : undefined;
      return { counts: counts(), failures, seconds, isRefusedOnly: isRefusedOnly && !wasStopped, stopped };
    },
  };
}
