import { type Ended, type Report, runBulk } from '../bulk/bulk.ts';
import { type Clock, realClock } from '../bulk/clock.ts';
import { openFailedRows } from '../bulk/failed-rows.ts';
import { type Journal, openJournal } from '../bulk/journal.ts';
import { openPace, type Pace } from '../bulk/pace.ts';
import type { Verdict } from '../bulk/run.ts';
import { stopWhen } from '../bulk/stopping.ts';
import type { Context } from '../context.ts';
import { setCustomInfo } from '../contract/devices.ts';
import { jsonText, type WireRequest } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import { openBulkPlatform } from '../http/open.ts';
import { longestWait } from '../http/pause.ts';
import { record } from '../record.ts';
import { baseUrl } from '../target.ts';
import type { CheckedInput } from './import-check.ts';
import type { ImportPlan } from './import-plan.ts';
import { importProgress } from './import-progress.ts';
import type { DeviceRow } from './import-row.ts';
import { verdictOf } from './import-verdict.ts';

/** In a hundred thousand rows some meet trouble four times in a row, where one in fifteen requests does. */
const repeatsOfARow = 5;

/** Who hears of every row. */
export type Reader = { readonly push: (report: Report) => void; readonly room?: () => Promise<void> | undefined };

/**
 * Begins to send what is left of a checked input, and gives its end.
 * @throws Failure where it cannot begin: no login, or the journal or the file of failed rows cannot be had
 */
export async function importRows(
  plan: ImportPlan,
  input: CheckedInput,
  reader: Reader,
  context: Context,
): Promise<{ readonly ended: Promise<Ended> }> {
  const { world, settings } = context;
  const clock = realClock(world.monotonic);
  await world.beFrugal?.('old');
  // Who is not logged in hears of it before a file is touched.
  await (await context.session()).bearer();
  const journal = await journalOf(plan, input, context, clock);
  const failedRows = await failedRowsOf(plan, input, journal);
  const progress = await importProgress(context, clock);
  const { stop, abandon, letGo } = stopWhen(world.interrupt, clock, () => {
    progress.hide();
    context.notice('Stopping: what is under way is finished, for at most 5 s. The same signal again ends it at once.');
  });
  const { concurrency } = plan;
  const limits = { concurrency, rate: plan.rate, patience: settings.retries + 2 };
  const onGivenUp = () => stop.abort(noAnswer(context));
  const pace = openPace({ ...limits, clock, random: world.random, onRest: progress.rest, onGivenUp });
  const attempt = await openAttempt(context, pace, { concurrency, abandon });
  const ended = runBulk<DeviceRow>({
    rows: input.read(),
    total: input.total,
    meaningOf: input.meaningOf,
    attempt,
    journal,
    failedRows,
    pace,
    concurrency,
    retries: context.options.retries ?? repeatsOfARow,
    stopAtFailure: plan.onError === 'stop',
    stop,
    clock,
    random: world.random,
    room: reader.room,
    onReport(report, counts) {
      reader.push(report);
      progress.update(counts);
    },
  });
  const over = ended.finally(() => {
    letGo();
    progress.finish();
  });
  return { ended: over.then((end) => remembered(end, input.source.name, context)) };
}

/** One line in the history for all rows. */
async function remembered(end: Ended, name: string, context: Context): Promise<Ended> {
  const { done, unknown, total } = end.counts;
  if (done + unknown === 0) return end;
  const about = `${done} of ${total} rows of ${name}`;
  const isPartial = end.stopped !== undefined || end.counts.failed > 0;
  await record({ operation: setCustomInfo.id, about, outcome: isPartial ? 'partial' : 'done', orgId: null }, context);
  return end;
}

type Wire = { readonly concurrency: number; readonly abandon: AbortSignal };

async function openAttempt(
  context: Context,
  pace: Pace,
  { concurrency, abandon }: Wire,
): Promise<(row: DeviceRow) => Promise<Verdict>> {
  const known = { isTooLong: false, hasAnswered: false };
  const platform = await openBulkPlatform(context, {
    connections: concurrency,
    interrupt: abandon,
    heard(_status, wait) {
      known.hasAnswered = true;
      if (wait === undefined) return;
      // "A Retry-After beyond 60 s is not waited for: the command ends with 8 and says how long."
      if (wait > longestWait) known.isTooLong = true;
      else pace.hold(wait);
    },
  });
  return async ({ deviceId, body }) => {
    try {
      await platform.send(setCustomInfo, requestOf(deviceId, body));
      known.hasAnswered = true;
      return { kind: 'done' };
    } catch (error) {
      return verdictOf(error, known);
    }
  };
}

const [pathBefore = '', pathBehind = ''] = setCustomInfo.path.split('{deviceId}');

/** As `toRequest` makes it, with what is the same in every row made once. */
function requestOf(deviceId: string, body: DeviceRow['body']): WireRequest {
  return {
    method: setCustomInfo.method,
    path: pathBefore + encodeURIComponent(deviceId) + pathBehind,
    query: [],
    body: { type: 'application/json', text: jsonText(body) },
  };
}

async function journalOf(
  { journal: path, nullAs, format, resume }: ImportPlan,
  { source, total }: CheckedInput,
  context: Context,
  clock: Clock,
): Promise<Journal | undefined> {
  if (path === undefined) return undefined;
  const head = {
    work: `${setCustomInfo.method} ${baseUrl(context)}${setCustomInfo.path}`,
    reading: nullAs === undefined ? format : `${format} where ${JSON.stringify(nullAs)} means null`,
    input: { sha256: source.digest() ?? '', size: source.size, rows: total },
  };
  const journal = await openJournal({ path, head, input: source.name, resume, clock });
  if (journal.dropped > 0) context.notice(`The last line of ${path} was cut short: its row is sent again.`);
  if (resume) context.notice(`${journal.done.size} of ${total} rows are done already.`);
  return journal;
}

async function failedRowsOf({ failedTo, format }: ImportPlan, { columns }: CheckedInput, journal: Journal | undefined) {
  try {
    return failedTo === undefined ? undefined : openFailedRows(failedTo, format, columns);
  } catch (error) {
    await journal?.close(false);
    throw error;
  }
}

function noAnswer(context: Context): Failure {
  return new Failure('unavailable', `${new URL(baseUrl(context)).origin} has been in trouble for too long.`);
}
