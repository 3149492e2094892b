import { agree } from '../agreement.ts';
import type { Ended, Report } from '../bulk/bulk.ts';
import { openOutlet } from '../bulk/outlet.ts';
import { saying } from '../change.ts';
import type { Context } from '../context.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { toRequest } from '../contract/wire.ts';
import type { Result } from '../output/result.ts';
import { rehearsal } from '../rehearsal.ts';
import { formatOf } from '../settings.ts';
import { baseUrl } from '../target.ts';
import { type CheckedInput, checkInputFile } from './import-check.ts';
import { type ImportInput, type ImportPlan, openInput, planOf } from './import-plan.ts';
import { endingOf, inWords, rowColumns, rowOf, summary } from './import-result.ts';
import { importRows } from './import-work.ts';

/** Checks every row, then sends them. @throws Failure where nothing was sent; how the sending went is the result's `ending` */
export async function runImport(input: ImportInput, context: Context): Promise<Result> {
  const plan = planOf(input);
  baseUrl(context);
  const source = await openInput(plan, context);
  try {
    const checked = await checkInputFile(plan, source, context);
    if (context.options.dryRun) return await rehearsed(checked, context);
    await agree({ operation: setCustomInfo, about: `${checked.total} rows of ${source.name}` }, context);
    return saying(`rows of ${source.name}`, await imported(plan, checked, context));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** "Check, print the request and a curl line, send nothing": of the first row, and how many there are. */
async function rehearsed({ total, bad, first, source }: CheckedInput, context: Context): Promise<Result> {
  source.close();
  const request = first && (await rehearsal([{ request: toRequest(setCustomInfo, first) }], baseUrl(context)));
  const shown = request?.kind === 'record' ? request : undefined;
  return {
    kind: 'record',
    value: { dryRun: true, rows: total, bad, ...(shown?.value as object | undefined) }, // a rehearsal is an object
    columns: [
      { field: 'rows', header: 'ROWS', keep: 'whole' },
      { field: 'bad', header: 'BAD ROWS', keep: 'whole' },
      ...(shown?.columns ?? []),
    ],
  };
}

async function imported(plan: ImportPlan, checked: CheckedInput, context: Context): Promise<Result> {
  const format = formatOf(context.options, context.settings);
  if (format === 'ndjson' || format === 'csv' || format === 'id')
    return everyRow(plan, checked, context, format === 'id');
  const { ended } = await importRows(plan, checked, { push: () => undefined }, context);
  const end = await ended.finally(checked.source.close);
  if (format === 'table') tellFailures(end, context);
  return { ...summary(end), ending: async () => endingOf(end, plan) };
}

/** A line for each row, as soon as it has ended; the counts are for the person. */
async function everyRow(plan: ImportPlan, checked: CheckedInput, context: Context, onlyDone: boolean): Promise<Result> {
  const outlet = openOutlet<Report>();
  const { ended } = await importRows(plan, checked, outlet, context);
  const over = ended.finally(() => {
    checked.source.close();
    outlet.end();
  });
  over.catch(() => undefined); // told by `ending`
  async function* pages() {
    for await (const reports of outlet.read()) {
      yield { items: reports.filter(({ status }) => !onlyDone || status === 'done').map(rowOf) };
    }
  }
  return {
    kind: 'list',
    pages: pages(),
    id: 'deviceId',
    columns: rowColumns,
    fields: rowColumns.map(({ field }) => field),
    noun: 'rows',
    empty: 'No rows.',
    async ending() {
      const end = await over;
      const failure = endingOf(end, plan);
      if (!failure) context.notice(`${inWords(end.counts)}.`);
      return failure;
    },
  };
}

const mostTold = 20;

function tellFailures({ failures, counts }: Ended, context: Context): void {
  for (const { line, key, error } of failures.slice(0, mostTold)) {
    context.warn(`Line ${line}${key === '' ? '' : `, ${key}`}: ${error}`);
  }
  const more = counts.failed - Math.min(failures.length, mostTold);
  if (more > 0) context.warn(`… and ${more} more`);
}
