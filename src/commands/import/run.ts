import { join } from 'node:path';
import type { BulkResult, Report } from '../../bulk/bulk.ts';
import { openReportStream } from '../../bulk/report-stream.ts';
import { confirm } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { dryRunResult } from '../../command/dry-run.ts';
import { isForProgram, withNote } from '../../command/perform.ts';
import { formatOf } from '../../command/settings.ts';
import { baseUrl } from '../../command/target.ts';
import type { Result } from '../../output/result.ts';
import { checkInputFile, type ImportCheck } from './check.ts';
import type { ImportInput } from './options.ts';
import { type ImportPlan, openInput, planOf, type RowKind } from './plan.ts';
import { endingOf, endSentence, failureLines, openIn, reportRow, rowColumns, summary } from './result.ts';
import { importRows } from './send.ts';

/** Checks every row, then sends them. @throws Failure if nothing was sent; after that, failures come from the result's `ending` */
export async function runImport(kind: RowKind, input: ImportInput, context: Context): Promise<Result> {
  const plan = planOf(kind, input, rehearsalFolder(context));
  baseUrl(context);
  const source = await openInput(plan, context);
  try {
    const checked = await checkInputFile(plan, source, context);
    const asks = await doubtsToAsk(checked, context);
    if (context.options.dryRun) return await dryRun(checked, context);
    await confirm({ action: `Import ${checked.total} rows of ${source.name}`, asks }, context);
    return withNote(`rows of ${source.name}`, await imported(plan, checked, context));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Asks about what may not be meant where somebody can answer; tells it elsewhere. */
async function doubtsToAsk({ doubts }: ImportCheck, context: Context): Promise<string | undefined> {
  const { dryRun, yes } = context.options;
  if (doubts.length === 0) return undefined;
  if (!dryRun && !yes && (await context.person()).canAnswer) return doubts.join(' ');
  for (const doubt of doubts) context.notice(`Note: ${doubt}`);
  return undefined;
}

/** Inside a sandbox, journals go below its own settings folder. */
function rehearsalFolder({ world, store }: Context): string | undefined {
  return world.env.IIOT_SANDBOX ? join(store.folder, 'journals') : undefined;
}

/** "Check, print the request and a curl line, send nothing": for the first row, with the number of rows. */
async function dryRun({ total, bad, empty, first, source }: ImportCheck, context: Context): Promise<Result> {
  source.close();
  const request = first && (await dryRunResult([{ request: first }], baseUrl(context), context.world.platform));
  const shown = request?.kind === 'record' ? request : undefined;
  return {
    kind: 'record',
    value: { dryRun: true, rows: total, bad, empty, ...(shown?.value as object | undefined) }, // a rehearsal is an object
    columns: [
      { field: 'rows', header: 'ROWS', keep: 'whole' },
      { field: 'bad', header: 'BAD ROWS', keep: 'whole' },
      ...(shown?.columns ?? []),
    ],
  };
}

async function imported(plan: ImportPlan, checked: ImportCheck, context: Context): Promise<Result> {
  const format = formatOf(context.options, context.settings);
  if (format === 'ndjson' || format === 'csv' || format === 'id')
    return everyRow(plan, checked, context, format === 'id');
  const { ended } = await importRows(plan, checked, { push: () => undefined }, context);
  const end = await ended.finally(checked.source.close);
  if (format === 'table') warnOfFailures(end, context);
  const isWatched = context.world.stderr.isTTY === true;
  return { ...summary(end, checked.empty, plan.kind), ending: async () => endingOf(end, plan, isWatched) };
}

/** A line for each row as soon as it has ended; the counts go to stderr. */
async function everyRow(plan: ImportPlan, checked: ImportCheck, context: Context, onlyDone: boolean): Promise<Result> {
  const columns = rowColumns(plan.kind);
  const outlet = openReportStream<Report>();
  const { ended } = await importRows(plan, checked, outlet, context);
  const over = ended.finally(() => {
    checked.source.close();
    outlet.end();
  });
  over.catch(() => undefined); // reported by `ending`
  async function* pages() {
    for await (const reports of outlet.read()) {
      yield {
        items: reports
          .filter(({ status }) => !onlyDone || status === 'done')
          .map((report) => reportRow(report, plan.kind)),
      };
    }
  }
  return {
    kind: 'list',
    pages: pages(),
    id: plan.kind.key,
    columns,
    fields: columns.map(({ field }) => field),
    noun: 'rows',
    empty: 'No rows.',
    async ending() {
      const end = await over;
      const failure = endingOf(end, plan, context.world.stderr.isTTY === true && !isForProgram(context));
      if (!failure) context.notice(endSentence({ ...end, empty: checked.empty }));
      return failure;
    },
  };
}

function warnOfFailures({ failures, counts }: BulkResult, context: Context): void {
  for (const line of failureLines(failures, openIn(counts))) context.warn(line);
}
