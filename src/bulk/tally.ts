import type { Status } from './run.ts';

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

export function openTally(): Tally {
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
