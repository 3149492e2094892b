import type { Context } from '../../command/context.ts';
import { organizationCheck, resolvePlace } from '../../command/place.ts';
import { baseUrl } from '../../command/target.ts';
import { isRepeatable } from '../../contract/operation.ts';
import { asFailure, Failure } from '../../failure.ts';
import { proxyFor } from '../../network/proxy.ts';
import { spanText } from '../../output/brief.ts';
import { csvHead } from '../../rows/csv.ts';
import { positionText } from '../../rows/row.ts';
import { compact } from '../../text/json-write.ts';
import { pause, realClock } from '../../work/clock.ts';
import { type FailedRows, openFailedRows } from '../../work/failed-rows.ts';
import type { Journal } from '../../work/journal.ts';
import type { RowStep } from '../../work/journal-lines.ts';
import { lockJournal } from '../../work/journal-lock.ts';
import { type Outage, openPace } from '../../work/pace.ts';
import { type Outcome, openGracefulStop, runAll } from '../../work/run.ts';
import { openTally, type RowsEnd } from '../../work/tally.ts';
import { openAttempt } from './attempt.ts';
import { type Call, readCalls, rowMark } from './calls.ts';
import { type CheckedRows, filesDigest, waiterOf } from './journal.ts';
import { hasCells, type RowsRun } from './plan.ts';
import { openRowProgress } from './progress.ts';
import { completeKilledRuns, openRunRecord } from './record.ts';
import { resultRow } from './result.ts';
import { saveStored } from './stored.ts';
import type { SurveyFindings } from './survey.ts';

/** How often a row is repeated. If one request in fifteen fails, a few rows of a hundred thousand fail four times in a row. */
const repeatsOfARow = 5;

/** How many rows may wait to be written into the journal before no new row is sent. */
const mostUnrecorded = 5000;

/** Starts to send the remaining rows, and closes input and journal at the end. @throws Failure without a login or a usable proxy, or if a file cannot be opened */
export async function sendRows(
  checked: CheckedRows,
  reader: { readonly push: (outcome: Outcome<Call>) => void; readonly backpressure?: () => Promise<void> | undefined },
  context: Context,
): Promise<{ readonly ended: Promise<RowsEnd<Call>> }> {
  const { world } = context;
  const { run, seen, source, journal } = checked;
  const clock = realClock(world.monotonic);
  world.keepProgram?.();
  const files = await openRunFiles(checked, context);
  const { results, place } = files;
  const progress = await openRowProgress(context, clock);
  const { stop, abandon, dispose } = openGracefulStop(world.interrupt, clock, () =>
    context.notice('Finishing requests in flight (up to 5 s). Press Ctrl-C again to stop now.'),
  );
  const { concurrency, facts, sendsAgain } = run;
  // Rows that cannot be sent twice begin one at a time, because each whose response is lost has to be looked up.
  const first = isRepeatable(run.operation) ? concurrency : 1;
  const limits = { concurrency, first, rate: run.rate, patience: run.patience };
  const onGivenUp = (outage: Outage) => stop.abort(outageFailure(outage, context));
  const pace = openPace({ ...limits, clock, random: world.random, onRest: progress.rest, onGivenUp });
  const attempt = await openAttempt(run, pace, abandon, (request) => record.request(request), context);
  const record = await openRunRecord(checked, context);
  const tally = openTally<Call>(seen.total, files, sendsAgain && !files.unknownRows);
  const keepResult = (outcome: Outcome<Call>) => {
    try {
      if (outcome.status === 'done') results?.add(compact(resultRow(outcome, facts, place)));
    } catch (failure) {
      stop.abort(failure);
    }
  };
  const recorder = journal && openRecorder(journal, context);
  await world.limitHeapGrowth?.('old');
  const began = clock.now();
  const sent = runAll<Call>({
    items: readCalls(run, source),
    keyOf: ({ key, number }) => key ?? `\0${number}`,
    known: (call) => outcomeWithoutSending(call, run, journal, recorder),
    wasSent: ({ number }) => journal?.unknown.has(number) === true,
    async attempt(call, earlier) {
      record.sent(call);
      const attempted = await attempt(call, earlier);
      // The result is kept before the journal says that the row is done: a killed run may leave it twice, but never not at all.
      keepResult({ of: call, ...attempted });
      return attempted;
    },
    record: recorder,
    hasSteps: journal?.hasSteps,
    flush: journal?.flush,
    room() {
      if (journal && journal.waiting() > mostUnrecorded) return journal.flush();
      return reader.backpressure?.();
    },
    ...{ pace, concurrency, stop, clock, random: world.random },
    retries: context.options.retries ?? repeatsOfARow,
    failFast: run.failFast ? firstFailure : undefined,
    onEnd(outcome) {
      record.ended(outcome);
      tally.add(outcome);
      reader.push(outcome);
      progress.update(tally.counts);
    },
  });
  const ended = sent.then(async () => {
    const end = tally.end(stop.signal, Math.round((clock.now() - began) / 100) / 10);
    return closeRun(end, files, record, journal);
  });
  const over = ended.finally(() => {
    dispose();
    source.close();
    results?.close();
    progress.finish();
  });
  return { ended: over };
}

/** Opens the files that the run writes; if one fails, all are closed. Without a login or a usable proxy, it fails before any file is touched. */
async function openRunFiles(checked: CheckedRows, context: Context) {
  const { run, journal } = checked;
  const { world } = context;
  proxyFor(new URL(baseUrl(context)), world.env);
  const session = await context.session();
  // A person's login is not tried again, because its refresh token may already be used up.
  const { flow } = await session.status();
  const { token } = await retryDuringOutage(session.bearer, flow === 'user' ? 0 : run.patience, context);
  if (run.orgId !== undefined) organizationCheck(context)?.(encodeURIComponent(run.orgId), token);
  const files: (FailedRows | undefined)[] = [];
  try {
    for (const path of [run.failedFile, run.unknownFile]) files.push(await openFailedFile(path, checked, context));
    // With --resume, results and earlier records are added to those of the run before.
    const kept = { option: '--results-file', earlier: run.resume ? 'kept' : 'refused' } as const;
    files.push(run.resultsFile ? openFailedRows(run.resultsFile, 'ndjson', () => '', world, journal, kept) : undefined);
    const place = await resolvePlace(context, run.orgId);
    await saveStored(checked, place, context);
    await completeKilledRuns(journal, context);
    journal?.start(place);
    const [failedRows, unknownRows, results] = files;
    return { failedRows, unknownRows, results, place };
  } catch (error) {
    for (const each of files) each?.close();
    throw error;
  }
}

/** Gets the first token, and tries again during an outage, as long as --patience allows. */
async function retryDuringOutage<T>(get: () => Promise<T>, patience: number, { world, notice }: Context): Promise<T> {
  const clock = realClock(world.monotonic);
  const began = clock.now();
  for (let wait = 1000; ; wait = Math.min(wait * 2, 60_000)) {
    try {
      return await get();
    } catch (error) {
      const { status = 0, refused } = error instanceof Failure ? error.facts : {};
      const isOutage = refused === 'silently' || [500, 502, 504].includes(status);
      if (!isOutage || clock.now() - began + wait > patience) throw error;
      notice(`Waiting ${wait / 1000} s to log in: ${asFailure(error).message}`);
    }
    await pause(clock, wait, world.interrupt);
    world.interrupt.throwIfAborted();
  }
}

/** Closes the files and the journal. The journal is removed if every row is done and could be sent again. */
async function closeRun(
  end: RowsEnd<Call>,
  { failedRows, unknownRows }: Awaited<ReturnType<typeof openRunFiles>>,
  record: Awaited<ReturnType<typeof openRunRecord>>,
  journal: Journal | undefined,
): Promise<RowsEnd<Call>> {
  const { done, skipped, total } = end.counts;
  const isDone = done + skipped === total;
  // The history is written before the journal is removed, so that a killed process loses nothing.
  const unwritten = await journal?.flush();
  await record.end(unwritten ? { ...end, stopped: end.stopped ?? unwritten } : end);
  try {
    failedRows?.close();
    unknownRows?.close();
    if (end.isRefusedOnly && (!isDone || journal?.hasSteps)) journal?.markEnded();
    await journal?.close(isDone && !journal.hasSteps);
    return end;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    await journal?.close(false).catch(() => undefined); // the failure is already known
    return { ...end, stopped: end.stopped ?? failure };
  }
}

/** The outcome of a row that is not sent, because it is wrong or an earlier run has sent it; undefined for a row to send. */
function outcomeWithoutSending(
  call: Call,
  { facts, sendsAgain }: RowsRun,
  journal: Journal | undefined,
  record: StepRecorder | undefined,
): Omit<Outcome<Call>, 'of'> | undefined {
  const { number, problem, input, key } = call;
  if (problem) return { status: 'failed', error: new Failure('usage', problem.problem) };
  if (journal?.done.has(number)) return { status: 'skipped' };
  if (!journal?.unknown.has(number)) return undefined;
  if (facts.wasDone?.(input, key ?? '')) {
    void record?.('done', call);
    return { status: 'skipped' };
  }
  return sendsAgain ? undefined : { status: 'unknown', error: sentBeforeFailure(journal.statuses.get(number)) };
}

/** The failure of a row that an earlier run has sent without learning the outcome. */
function sentBeforeFailure(status: number | undefined): Failure {
  const message =
    status === undefined
      ? 'sent by an earlier run, which ended before a readable response came'
      : `sent by an earlier run, and answered with ${status}: it may have been applied`;
  return new Failure('unavailable', message, { ...(status !== undefined && { status }) });
}

type StepRecorder = (step: RowStep, call: Call, status?: number) => Promise<Failure | undefined>;

/** Returns what records the steps of rows in the journal. */
function openRecorder(journal: Journal, context: Context): StepRecorder {
  const files = filesDigest(context);
  return (step, call, status) => {
    const { number, key } = call;
    return journal.record(step, { mark: rowMark(call, files), number, key: key ?? '' }, status);
  };
}

function firstFailure(call: Call): Failure {
  return new Failure('partial', `Stopped at the first row that failed, on ${positionText(call)}.`);
}

async function openFailedFile(path: string | undefined, { run, seen, journal }: CheckedRows, context: Context) {
  const { world } = context;
  if (path === undefined) return undefined;
  const { release, isHeld } = await lockJournal(path, waiterOf(context), '--failed-file');
  try {
    const format = hasCells(run.format) ? 'csv' : run.format;
    const rows = openFailedRows(path, format, () => fileHead(run, seen), world, journal);
    return {
      // If another run has taken the file over, it holds that run's rows.
      add: (text: string) => (isHeld() ? rows.add(text) : undefined),
      close() {
        if (isHeld()) rows.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The beginning of a file of failed rows. The byte order mark tells Excel, and iiot despite --encoding, that it is UTF-8. */
function fileHead({ encoding, format }: RowsRun, { columns, separator }: SurveyFindings): string {
  if (hasCells(format)) return `\ufeff${csvHead(columns, separator)}`;
  return encoding === undefined ? '' : '\ufeff';
}

function outageFailure({ why, lasted }: Outage, context: Context): Failure {
  const { origin } = new URL(baseUrl(context));
  if (why === 'lost') {
    const sentence = `The outcome of the last rows is unknown: ${origin} fails, or its responses are lost. Stopped to avoid more of them.`;
    return new Failure('unavailable', sentence);
  }
  const time = `for ${spanText(lasted)}, longer than --patience allows`;
  if (why === 'unreached') return new Failure('unavailable', `${origin} could not be reached for ${spanText(lasted)}.`);
  if (why === 'troubled') return new Failure('unavailable', `${origin} has been failing ${time}.`);
  const hint = 'Send fewer at a time: --rate 1/s, for example';
  return new Failure('unavailable', `${origin} has been limiting requests ${time}.`, { hint });
}
