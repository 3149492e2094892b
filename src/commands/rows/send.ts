import { dirname } from 'node:path';
import { type BulkResult, type Report, type RowCounts, runBulk } from '../../bulk/bulk.ts';
import { type Clock, realClock } from '../../bulk/clock.ts';
import { markOf } from '../../bulk/done-rows.ts';
import { type FailedRows, openFailedRows } from '../../bulk/failed-rows.ts';
import { type Changed, type Journal, openJournal } from '../../bulk/journal.ts';
import { lockJournal } from '../../bulk/journal-lock.ts';
import { openPace, type ResponseClass } from '../../bulk/pace.ts';
import { checkRows, type Row } from '../../bulk/row.ts';
import { openGracefulStop } from '../../bulk/run.ts';
import { confirm } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { recordChange } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { Failure, repeatableMethods } from '../../failure.ts';
import { createFolder } from '../../files/make-folder.ts';
import { proxyFor } from '../../network/proxy.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { openAttempt } from './attempt.ts';
import type { CheckedRows, RowsPlan } from './kind.ts';
import { hasCells } from './plan.ts';
import { reportRow } from './result.ts';

/** If one in fifteen requests fails, a few rows of a hundred thousand fail four times in a row. */
const repeatsOfARow = 5;

/** Gets a report for every row. */
type Reader = { readonly push: (report: Report) => void; readonly backpressure?: () => Promise<void> | undefined };

/** Asks before that many rows are sent. */
export type Agree = (left: number) => Promise<void>;

/**
 * Starts to send the remaining rows of a checked input, which it closes at the end; returns a promise of the result.
 * @throws Failure if it cannot start: no agreement, no login, no usable proxy, or the journal or the file of failed rows cannot be opened
 */
export async function sendRows<T>(
  input: CheckedRows<T>,
  reader: Reader,
  agree: Agree | undefined,
  context: Context,
): Promise<{ readonly ended: Promise<BulkResult> }> {
  const { world, settings } = context;
  const { kind, plan } = input;
  const clock = realClock(world.monotonic);
  // Fail without a login, or with a proxy that cannot be used, before any file is touched.
  proxyFor(new URL(baseUrl(context)), world.env);
  await (await context.session()).bearer();
  const journal = await journalOf(input, context, clock);
  const settled = journal ? journal.done.size + (plan.repeatUnknown ? 0 : (journal.begun?.size ?? 0)) : 0;
  const open = async () => {
    await agree?.(input.total - input.bad - settled);
    return { failedRows: await failedRowsOf(input, journal), results: resultsOf(plan, journal) };
  };
  const { failedRows, results } = await open().catch(async (error: unknown) => {
    await journal?.close(false);
    throw error;
  });
  const progress = await rowProgress(context, clock);
  const { stop, abandon, dispose } = openGracefulStop(world.interrupt, clock, () =>
    context.notice('Finishing requests in flight (up to 5 s). Press Ctrl-C again to stop now.'),
  );
  const { concurrency } = plan;
  const limits = { concurrency, rate: plan.rate, patience: settings.retries + 2 };
  const onGivenUp = () => stop.abort(givenUp(context));
  const pace = openPace({ ...limits, clock, random: world.random, onRest: progress.rest, onGivenUp });
  const attempt = await openAttempt(context, kind, concurrency, pace, abandon);
  const keepResult = (line: string) => {
    try {
      results?.add(line);
    } catch (failure) {
      stop.abort(failure);
    }
  };
  await world.limitHeapGrowth?.('old');
  const ended = runBulk<T>({
    rows: input.read(),
    total: input.total,
    meaningOf: input.meaningOf,
    attempt,
    contentOf: kind.contentOf,
    sendsAgain: repeatableMethods.has(kind.operation.method) || plan.repeatUnknown === true,
    journal,
    held: kind.steps && new Set(),
    failedRows,
    pace,
    concurrency,
    retries: context.options.retries ?? repeatsOfARow,
    stopAtFailure: plan.onError === 'stop',
    stop,
    clock,
    random: world.random,
    backpressure: reader.backpressure,
    onReport(report, counts) {
      if (report.result) keepResult(JSON.stringify(reportRow(report, kind)));
      reader.push(report);
      progress.update(counts);
    },
  });
  const over = ended.finally(() => {
    dispose();
    input.source.close();
    results?.close();
    progress.finish();
  });
  return { ended: over.then((end) => remembered(end, input, context)) };
}

/** One line in the history for all rows. */
async function remembered<T>(
  end: BulkResult,
  { kind: { operation, orgId, steps, fields }, source, keys }: CheckedRows<T>,
  context: Context,
): Promise<BulkResult> {
  const { done, unknown, total } = end.counts;
  if (done + unknown === 0) return end;
  const fingerprint = steps ? ` (sha256 ${source.digest()?.slice(0, 12)})` : '';
  const about = `${done} of ${total} rows of ${source.name}${fingerprint}`;
  const isPartial = end.stopped !== undefined || end.counts.failed + unknown > 0;
  const outcome = isPartial ? 'partial' : 'done';
  await recordChange(
    { operation: operation.id, about, fields: fields?.() ?? keys, outcome, orgId: orgId ?? null },
    context,
  );
  return end;
}

async function journalOf<T>(input: CheckedRows<T>, context: Context, clock: Clock): Promise<Journal | undefined> {
  const { plan, source, total } = input;
  const { steps, orgId, operation } = input.kind;
  const { journal: path, resume = false } = plan;
  if (path === undefined) return undefined;
  const { method, path: target } = operation;
  const head = {
    work: `${method} ${baseUrl(context)}${orgId === undefined ? target : target.replace('{orgId}', orgId)}`,
    reading: readingOf(plan),
    input: { sha256: source.digest() ?? '', size: source.size, rows: total },
  };
  if (context.world.env.IIOT_SANDBOX && !plan.isJournalNamed) createFolder(dirname(path), 0o700);
  const journal = await openJournal({
    path,
    head,
    input: source.name,
    resume,
    clock,
    steps,
    eachMark: (see) => eachMark(input, see, context),
    onChanged: (found) => agreeToChanged(input, found, context),
  });
  const { done, dropped, replaced } = journal;
  if (dropped > 0) context.notice(`The last line of ${path} was cut short: its row is sent again.`);
  if (resume) context.notice(`${groupDigits(done.size)} of ${countedRows(total)} are already done.`);
  if (replaced > 0) {
    const last = `Sending all rows. The last ${steps ? 'run of this file' : 'import'} ended with ${countedRows(replaced)} done`;
    context.notice(`${last}; --resume skips those${steps ? '' : ' that are unchanged'}.`);
  }
  return journal;
}

/** Reads all rows once more. */
function eachMark<T>(
  { kind: { contentOf }, source, read, meaningOf }: CheckedRows<T>,
  see: (mark: string | undefined) => void,
  { waiting, world }: Context,
): Promise<unknown> {
  const wait = waiting.begin(`Comparing ${source.name} with its journal`);
  const marking = (row: Row) => {
    const meaning = meaningOf(row);
    if ('problem' in meaning) see(undefined);
    else if (!meaning.isEmpty) see(markOf(meaning.key, contentOf(meaning.value())));
    return meaning;
  };
  return checkRows(read(), marking, world.interrupt).finally(wait.end);
}

/** Says what an edited input has, and asks before more of it is sent. */
async function agreeToChanged<T>(
  { source, total, bad }: CheckedRows<T>,
  found: Changed,
  context: Context,
): Promise<void> {
  if (total - bad === found.done) return;
  const left = countedRows(total - bad - found.done);
  const what = `Done and unchanged: ${countedRows(found.done)}. To send: ${left}.`;
  const lost =
    found.lost === 0
      ? ''
      : ` Done, but changed or removed since: ${countedRows(found.lost)}; keys that only they set stay as they are.`;
  context.warn(`${source.name} has changed since the import began. ${what}${lost}`);
  await confirm({ action: `Send ${left}`, asks: '' }, context);
}

/** Describes how the input is read: the same text means the same rows. */
function readingOf(plan: RowsPlan): string {
  const { format, nullAs, delimiter, encoding, sheet, numbersAsIds, shard, listSeparator, kind } = plan;
  return [
    format,
    encoding === undefined ? '' : ` in ${encoding}`,
    delimiter === undefined ? '' : ` with ${JSON.stringify(delimiter)} between cells`,
    sheet === undefined ? '' : ` from the sheet ${JSON.stringify(sheet)}`,
    numbersAsIds ? ' with numbers as IDs' : '',
    listSeparator === undefined ? '' : ` with ${JSON.stringify(listSeparator)} between values`,
    kind.typed ? ` with ${kind.typed}` : '',
    nullAs === undefined ? '' : ` where ${JSON.stringify(nullAs)} means null`,
    shard === undefined ? '' : `, part ${shard.part} of ${shard.parts}`,
  ].join('');
}

async function failedRowsOf<T>(
  { plan: { failedTo, format }, head }: CheckedRows<T>,
  journal: Journal | undefined,
): Promise<FailedRows | undefined> {
  if (failedTo === undefined) return undefined;
  const unlock = await lockJournal(failedTo, '--failed-to');
  try {
    const rows = openFailedRows(failedTo, hasCells(format) ? 'csv' : format, head, journal);
    return {
      add: rows.add,
      close() {
        rows.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What the platform gives is added to what an earlier run has written. */
function resultsOf({ results, resume = false }: RowsPlan, journal: Journal | undefined): FailedRows | undefined {
  return results === undefined ? undefined : openFailedRows(results, 'ndjson', () => '', journal, resume);
}

function givenUp(context: Context): Failure {
  return new Failure('unavailable', `${new URL(baseUrl(context)).origin} has been failing for too long.`);
}

/** How often the counts are read, in milliseconds. */
const atMost = 100;
const reasons = { throttled: 'the platform asked for it', troubled: 'the platform is failing' } as const;

/** The progress of an import at a terminal. */
async function rowProgress(context: Context, clock: Clock) {
  const { openProgress } = await import('../../terminal/spinner.ts');
  const progress = openProgress(context, clock.now);
  let latest: (() => RowCounts) | undefined;
  let rests = 0;
  const draw = () => {
    if (latest && rests === 0) progress.update(latest());
    latest = undefined;
    cancel = clock.after(atMost, draw);
  };
  let cancel = clock.after(atMost, draw);
  return {
    // Called for every row, so it does not read the clock.
    update(counts: () => RowCounts) {
      latest = counts;
    },
    rest(milliseconds: number, why: Exclude<ResponseClass, 'answered'>) {
      if (milliseconds < 1000) return;
      rests += 1;
      progress.say(`Waiting ${Math.ceil(milliseconds / 1000)} s: ${reasons[why]}`);
      clock.after(milliseconds, () => {
        rests -= 1;
      });
    },
    finish() {
      cancel();
      progress.finish();
    },
  };
}
