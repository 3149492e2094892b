import { type Checked, checkRows, type Meaning } from '../bulk/check.ts';
import { readRows } from '../bulk/read.ts';
import type { Row, Rows } from '../bulk/row.ts';
import type { Source } from '../bulk/source.ts';
import type { Context } from '../context.ts';
import { type Failure, usage } from '../failure.ts';
import { formatOf } from '../settings.ts';
import type { ImportPlan } from './import-plan.ts';
import { type DeviceRow, deviceColumn, meaningOf } from './import-row.ts';

/** An input whose rows have all been looked at. */
export type CheckedInput = {
  readonly source: Source;
  /** Rows in all. */
  readonly total: number;
  /** How many of them cannot be sent. */
  readonly bad: number;
  readonly first: DeviceRow | undefined;
  /** All rows once more. */
  readonly read: () => Rows;
  readonly meaningOf: (row: Row) => Meaning<DeviceRow>;
  /** Of a CSV file. */
  readonly columns: () => readonly string[];
};

/**
 * Looks at every row. @throws usage with all that is wrong, unless `--on-error continue` takes what is good; and for what cannot be read at all
 */
export async function checkInputFile(plan: ImportPlan, source: Source, context: Context): Promise<CheckedInput> {
  let columns: readonly string[] = [];
  const csv = plan.format === 'csv' ? { nullAs: plan.nullAs } : undefined;
  const meaning = (row: Row) => meaningOf(row, csv);
  const read = () =>
    readRows(source, {
      format: plan.format,
      required: deviceColumn,
      heard: (found) => {
        columns = found;
      },
    });
  const found = await checkRows(read(), meaning, context.world.interrupt);
  warnOfTwins(columns, context);
  if (found.bad > 0 && plan.onError !== 'continue') {
    tell(found, context);
    throw refused(found, source.name);
  }
  return {
    source,
    total: found.rows,
    bad: found.bad,
    first: found.first,
    read,
    meaningOf: meaning,
    columns: () => columns,
  };
}

function warnOfTwins(columns: readonly string[], context: Context): void {
  const seen = new Map<string, string>();
  for (const column of columns) {
    const twin = seen.get(column.toLowerCase());
    if (twin !== undefined) context.notice(`Note: the columns "${twin}" and "${column}" differ in case alone.`);
    seen.set(column.toLowerCase(), column);
  }
}

/** How many problems a person reads; programs get them as details of the failure. */
const mostTold = 20;

function tell({ bad, problems }: Checked<unknown>, context: Context): void {
  if (['json', 'ndjson', 'yaml'].includes(formatOf(context.options, context.settings))) return;
  for (const { line, problem } of problems.slice(0, mostTold)) context.warn(`Line ${line}: ${problem}.`);
  if (bad > mostTold) context.warn(`… and ${bad - mostTold} more`);
}

function refused({ rows, bad, problems }: Checked<unknown>, name: string): Failure {
  const whole = bad === 1 ? '1 row' : `${bad} rows`;
  return usage(
    `${whole} of ${rows} in ${name} cannot be sent, so nothing was sent.`,
    'Mend them, or send the others with --on-error continue',
    problems.map(({ line, problem }) => ({ field: `line ${line}`, message: problem })),
  );
}
