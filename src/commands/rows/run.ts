import { join } from 'node:path';
import { type Confirmation, openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { isForProgram, withNote } from '../../command/perform.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { formatOf } from '../../command/settings.ts';
import { baseUrl } from '../../command/target.ts';
import type { Result } from '../../output/result.ts';
import { placeFields } from '../../rows/row.ts';
import type { Report } from '../../work/bulk.ts';
import { openReportStream } from '../../work/report-stream.ts';
import { checkInputFile } from './check.ts';
import type { CheckedRows, RowKind } from './kind.ts';
import { openInput, planOf } from './plan.ts';
import { endingOf, endSentence, failureLines, openIn, reportRow, rowColumns, rowOfCells, summary } from './result.ts';
import { type Agree, leftOf, sendRows, tellOfLastRun } from './send.ts';

/** Checks every row, then sends them. @throws Failure if nothing was sent; after that, failures come from the result's `ending` */
export async function runRows<T>(kind: RowKind<T>, input: RowsInput, context: Context): Promise<Result> {
  const plan = planOf(kind, input, rehearsalFolder(context));
  baseUrl(context);
  const source = await openInput(plan, context);
  try {
    const checked = await checkInputFile(kind, plan, source, context);
    const doubts = await doubtsToAsk(checked.doubts, context);
    const note = ({ announce = [] }: Confirmation) => {
      for (const line of announce) context.notice(`Note: ${line}`);
    };
    if (context.options.dryRun) {
      const left = await leftOf(checked, context);
      note(kind.question(left, left.total - left.bad));
      return await kind.rehearse(left, context);
    }
    await tellOfLastRun(checked, context);
    const agree = async (left: number) => {
      if (left === 0) return;
      const question = kind.question(checked, left);
      const asks = doubts === undefined ? question.asks : [doubts, question.asks].filter(Boolean).join(' ');
      const ask = await openConfirmation({ ...question, asks }, context);
      if (ask) await ask();
      else note(question);
    };
    // What is left of rows that are never sent twice is known by their journal alone.
    const isLater = kind.steps !== undefined && plan.resume === true;
    if (!isLater) await agree(checked.total - checked.bad);
    return withNote(`rows of ${source.name}`, await sentRows(checked, isLater ? agree : undefined, context));
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Asks about what may not be meant where somebody can answer; tells it elsewhere. */
async function doubtsToAsk(doubts: readonly string[], context: Context): Promise<string | undefined> {
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

async function sentRows<T>(checked: CheckedRows<T>, agree: Agree | undefined, context: Context): Promise<Result> {
  const { kind, plan, empty } = checked;
  const format = formatOf(context.options, context.settings);
  if (format === 'ndjson' || format === 'csv' || format === 'id') return everyRow(checked, agree, context);
  const results: object[] = [];
  const keep = ({ key, result, ...place }: Report) => {
    if (result && results.length < mostResults) results.push({ ...placeFields(place), [kind.key]: key, ...result });
  };
  const { ended } = await sendRows(checked, { push: keep }, agree, context);
  const end = await ended;
  if (format === 'table') for (const line of failureLines(end.failures, openIn(end.counts))) context.warn(line);
  const isWatched = context.world.stderr.isTTY === true;
  return { ...summary(end, empty, kind, results), ending: async () => endingOf(end, plan, isWatched) };
}

/** How many results of rows a summary has. */
const mostResults = 1000;

/** A line for each row as soon as it has ended; the counts go to stderr. */
async function everyRow<T>(checked: CheckedRows<T>, agree: Agree | undefined, context: Context): Promise<Result> {
  const { kind, plan, empty } = checked;
  const format = formatOf(context.options, context.settings);
  const onlyDone = format === 'id';
  const shape = format === 'csv' && context.options.jq === undefined ? rowOfCells : reportRow;
  const columns = rowColumns(kind, plan.format);
  const outlet = openReportStream<Report>();
  const { ended } = await sendRows(checked, outlet, agree, context);
  const over = ended.finally(outlet.end);
  over.catch(() => undefined); // reported by `ending`
  async function* pages() {
    for await (const reports of outlet.read()) {
      yield {
        items: reports.filter(({ status }) => !onlyDone || status === 'done').map((report) => shape(report, kind)),
      };
    }
  }
  return {
    kind: 'list',
    pages: pages(),
    id: kind.results?.[0] ?? kind.key,
    columns,
    fields: columns.map(({ field }) => field),
    noun: 'rows',
    empty: 'No rows.',
    async ending() {
      const end = await over;
      const failure = endingOf(end, plan, context.world.stderr.isTTY === true && !isForProgram(context));
      if (!failure) context.notice(endSentence({ ...end, empty }));
      return failure;
    },
  };
}
