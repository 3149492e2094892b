import { dirname } from 'node:path';
import { confirm } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { recordChange } from '../../command/record.ts';
import { baseUrl } from '../../command/target.ts';
import { Failure, repeatableMethods } from '../../failure.ts';
import { createFolder } from '../../files/make-folder.ts';
import type { FileUser } from '../../files/trust.ts';
import { proxyFor } from '../../network/proxy.ts';
import { valueAt } from '../../output/columns.ts';
import { checkRows, type Row } from '../../rows/row.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { type BulkResult, type Report, type RowCounts, runBulk } from '../../work/bulk.ts';
import { type Clock, realClock } from '../../work/clock.ts';
import { markOf } from '../../work/done-rows.ts';
import { type FailedRows, openFailedRows } from '../../work/failed-rows.ts';
import { type Journal, knownRows, openJournal, rowsOfLastRun } from '../../work/journal.ts';
import type { Changed } from '../../work/journal-kind.ts';
import { lockJournal } from '../../work/journal-lock.ts';
import { openPace, type ResponseClass } from '../../work/pace.ts';
import { openGracefulStop } from '../../work/run.ts';
import { openAttempt } from './attempt.ts';
import type { CheckedRows, RowsPlan, RowWork } from './kind.ts';
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
    return filesOf(input, journal, world);
  };
  const { results, ...kept } = await open().catch(async (error: unknown) => {
    try {
      journal?.restore();
    } finally {
      await journal?.close(false);
    }
    throw error;
  });
  const progress = await rowProgress(context, clock);
  const { stop, abandon, dispose } = openGracefulStop(world.interrupt, clock, () =>
    context.notice('Finishing requests in flight (up to 5 s). Press Ctrl-C again to stop now.'),
  );
  const { concurrency } = plan;
  // What cannot be sent twice is tried with one first: each whose response is lost has to be looked up.
  const first = repeatableMethods.has(kind.operation.method) ? concurrency : 1;
  const limits = { concurrency, first, rate: plan.rate, patience: settings.retries + 2 };
  const onGivenUp = (why: Trouble) => stop.abort(givenUp(why, context));
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
  const changed: string[] = [];
  const ended = runBulk<T>({
    rows: input.read(),
    total: input.total,
    meaningOf: input.meaningOf,
    attempt,
    contentOf: kind.contentOf,
    wasDone: kind.wasDone,
    sendsAgain: repeatableMethods.has(kind.operation.method) || plan.repeatUnknown === true,
    journal,
    ...kept,
    pace,
    concurrency,
    retries: context.options.retries ?? repeatsOfARow,
    stopAtFailure: plan.failFast === true,
    stop,
    clock,
    random: world.random,
    backpressure: reader.backpressure,
    onReport(report, counts) {
      if (['done', 'unknown'].includes(report.status) && changed.length < mostIds) changed.push(idOfRow(report, kind));
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
  return { ended: over.then((end) => remembered(end, changed, input, context)) };
}

/** How many IDs the history keeps of a run. */
const mostIds = 1000;

/** The ID of what a row has changed, or has made. */
function idOfRow({ key, result }: Report, { results }: RowWork): string {
  return String(valueAt(result, results?.[0] ?? '') ?? key ?? '');
}

/** One line in the history for all rows. */
async function remembered<T>(
  end: BulkResult,
  ids: readonly string[],
  { kind: { operation, orgId, fields }, source, keys }: CheckedRows<T>,
  context: Context,
): Promise<BulkResult> {
  const { done, unknown, total } = end.counts;
  if (done + unknown === 0) return end;
  const isPartial = end.stopped !== undefined || end.counts.failed + unknown > 0;
  const outcome = isPartial ? 'partial' : 'done';
  await recordChange(
    {
      ...{ operation: operation.id, subject: { type: 'file', id: source.name }, outcome, fields: fields?.() ?? keys },
      ...{ orgId: orgId ?? null, rows: { done, total }, sha256: source.digest() ?? null, ids },
    },
    context,
  );
  return end;
}

/** What the journal of a run is compared by. */
function journalFacts<T>({ plan, source, total, kind }: CheckedRows<T>, path: string, context: Context) {
  const { steps, orgId, operation, meaning } = kind;
  const head = {
    work: `${operation.method} ${operation.path}`,
    place: placeOf(orgId, context),
    meaning,
    input: { sha256: source.digest() ?? '', size: source.size, rows: total, files: kind.files?.() },
  };
  if (context.world.env.IIOT_SANDBOX && !plan.isJournalNamed) createFolder(dirname(path), 0o700);
  return { path, head, world: context.world, steps };
}

/** Says that a run without --resume sends everything once more. @throws usage if its journal cannot be replaced */
export async function tellOfLastRun<T>(input: CheckedRows<T>, context: Context): Promise<void> {
  const { journal: path, resume = false } = input.plan;
  const done = path === undefined || resume ? 0 : await rowsOfLastRun(journalFacts(input, path, context));
  if (done === 0) return;
  const last = `Sending all rows. The last run of this file ended with ${countedRows(done)} done`;
  context.notice(`${last}; --resume skips those${input.kind.steps ? '' : ' that are unchanged'}.`);
}

/** The same input with only the rows that --resume sends, for a dry run; says how many others there are. @throws usage as --resume does */
export async function leftOf<T>(input: CheckedRows<T>, context: Context): Promise<CheckedRows<T>> {
  const { kind, plan, source, meaningOf, total } = input;
  if (!plan.resume || plan.journal === undefined) return input;
  const { done, begun } = await knownRows({
    ...journalFacts(input, plan.journal, context),
    input: source.name,
    eachMark: (see) => eachMark(input, see, context),
  });
  const sendsAgain = repeatableMethods.has(kind.operation.method) || plan.repeatUnknown;
  const unknown = sendsAgain ? 0 : (begun?.size ?? 0);
  context.notice(
    `Note: ${countedRows(done.size)} done${unknown > 0 ? ` and ${groupDigits(unknown)} of unknown outcome` : ''}, not shown.`,
  );
  async function* read() {
    let number = 0;
    for await (const rows of input.read())
      yield rows.filter((row) => {
        const meaning = meaningOf(row);
        if ('value' in meaning && meaning.isEmpty) return false;
        number += 1;
        return !(done.has(number) || (!sendsAgain && begun?.has(number)));
      });
  }
  return { ...input, read, total: total - done.size - unknown };
}

async function journalOf<T>(input: CheckedRows<T>, context: Context, clock: Clock): Promise<Journal | undefined> {
  const { plan, source, total } = input;
  const { journal: path, resume = false } = plan;
  if (path === undefined) return undefined;
  const journal = await openJournal({
    ...journalFacts(input, path, context),
    input: source.name,
    resume,
    clock,
    eachMark: (see) => eachMark(input, see, context),
    onChanged: (found) => agreeToChanged(input, found, context),
  });
  const { done, dropped } = journal;
  if (dropped > 0) context.notice(`The last line of ${path} was cut short: its row is sent again.`);
  if (resume) context.notice(`${groupDigits(done.size)} of ${countedRows(total)} are already done.`);
  return journal;
}

/** Where the rows go, whether that was typed or not. */
function placeOf(orgId: string | undefined, context: Context): string[] {
  return [
    ['base-url', baseUrl(context)],
    ['org', orgId],
  ].flatMap(([long, value]) => (value === undefined ? [] : [`--${long} ${quoteForShell(value)}`]));
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
  context.warn(`${source.name} has changed since the run began. ${what}${lost}`);
  await confirm({ action: `Send ${left}`, asks: '' }, context);
}

/** The files that the run writes. If one cannot be opened, none is left. */
async function filesOf<T>(input: CheckedRows<T>, journal: Journal | undefined, world: FileUser) {
  const { plan } = input;
  const opened: (FailedRows | undefined)[] = [];
  try {
    for (const path of [plan.failedFile, plan.unknownFile])
      opened.push(await failedRowsOf(input, path, journal, world));
    opened.push(resultsOf(plan, journal, world));
  } catch (error) {
    for (const each of opened) each?.close();
    throw error;
  }
  const [failedRows, unknownRows, results] = opened;
  return { failedRows, unknownRows, results };
}

async function failedRowsOf<T>(
  { plan: { format }, head }: CheckedRows<T>,
  path: string | undefined,
  journal: Journal | undefined,
  world: FileUser,
): Promise<FailedRows | undefined> {
  if (path === undefined) return undefined;
  const unlock = await lockJournal(path, '--failed-file');
  try {
    const rows = openFailedRows(path, hasCells(format) ? 'csv' : format, head, world, journal);
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
function resultsOf(
  { resultsFile, resume = false }: RowsPlan,
  journal: Journal | undefined,
  world: FileUser,
): FailedRows | undefined {
  if (resultsFile === undefined) return undefined;
  return openFailedRows(resultsFile, 'ndjson', () => '', world, journal, { option: '--results-file', appends: resume });
}

function givenUp(why: Trouble, context: Context): Failure {
  const { origin } = new URL(baseUrl(context));
  if (why === 'lost') {
    const sentence = `The outcome of the last rows is unknown: ${origin} fails, or its responses are lost. Stopped to avoid more of them.`;
    return new Failure('unavailable', sentence);
  }
  if (why === 'troubled') return new Failure('unavailable', `${origin} has been failing for too long.`);
  const hint = 'Send fewer at a time: --rate 1/s, for example';
  return new Failure('unavailable', `${origin} has been limiting requests for too long.`, { hint });
}

type Trouble = Exclude<ResponseClass, 'answered'>;

/** How often the counts are read, in milliseconds. */
const atMost = 100;
const reasons = {
  throttled: 'the platform asks for fewer requests; --rate limits them from the start',
  troubled: 'the platform is failing',
  lost: 'the platform is failing; rows continue one at a time',
} as const;

/** The progress of a run at a terminal; elsewhere the first wait for each reason is a line. */
async function rowProgress(context: Context, clock: Clock) {
  const { openProgress } = await import('../../terminal/spinner.ts');
  const progress = openProgress(context, clock.now);
  let latest: (() => RowCounts) | undefined;
  let rests = 0;
  const said = new Set<Trouble>();
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
    rest(milliseconds: number, why: Trouble) {
      if (milliseconds < 1000) return;
      rests += 1;
      const sentence = `Waiting ${Math.ceil(milliseconds / 1000)} s: ${reasons[why]}`;
      progress.say(sentence);
      if (!context.world.stderr.isTTY && !said.has(why)) context.notice(`${sentence}.`);
      said.add(why);
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
