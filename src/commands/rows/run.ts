import type { Command } from '../../command/command.ts';
import { type Confirmation, openConfirmation } from '../../command/confirm.ts';
import type { Context } from '../../command/context.ts';
import { isForProgram, withNote } from '../../command/perform.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import { formatOf } from '../../command/settings.ts';
import { baseUrl } from '../../command/target.ts';
import type { Result } from '../../output/result.ts';
import { positionFields } from '../../rows/row.ts';
import { onceEach } from '../../text/once.ts';
import type { Journal } from '../../work/journal.ts';
import type { Outcome } from '../../work/run.ts';
import type { Call } from './calls.ts';
import { checkRows } from './check.ts';
import type { RowFacts } from './facts.ts';
import { type CheckedRows, findMadeBefore, openRunJournal, readRemaining, rowsLeft } from './journal.ts';
import { openInput, planRun } from './plan.ts';
import { noticeDoubts, questionOf } from './question.ts';
import { rehearse } from './rehearse.ts';
import {
  endSentence,
  failureLines,
  incompleteFailure,
  pickResults,
  reportRow,
  rowColumns,
  rowOfCells,
  rowsToRepeat,
  summaryResult,
} from './result.ts';
import { sendRows } from './send.ts';

/** Checks every row of a file, then runs the command for each. @throws Failure if nothing was sent; later failures come from the result's `ending` */
export async function runRows(
  command: Command,
  facts: RowFacts,
  input: RowsInput & Readonly<Record<string, unknown>>,
  given: Context,
  written = command,
): Promise<Result> {
  // For all rows, each warning is printed once, and each file that an option names is read once.
  const context = { ...given, input: { ...given.input, texts: new Map() }, warn: onceEach(given.warn) };
  const run = await planRun(written, command, facts, input, context);
  baseUrl(context);
  facts.leftovers?.(context);
  const source = await openInput(run, context);
  let journal: Journal | undefined;
  try {
    const seen = await checkRows(run, source, context);
    await noticeDoubts(seen, context);
    journal = await openRunJournal(run, seen, source, context);
    const left = rowsLeft(run, seen, journal);
    const made = left === 0 ? [] : await findMadeBefore(run, source, journal, context);
    const question = questionOf(run, seen, left, made);
    if (context.options.dryRun) {
      noticeAnnouncements(question, context);
      const calls = readRemaining(run, source, journal);
      return rehearse(run, seen, calls, left + seen.bad, source.close, context);
    }
    if (left > 0) await confirm(question, context);
    return withNote(`rows of ${source.name}`, await sendAndReport({ run, seen, source, journal }, context));
  } catch (error) {
    source.close();
    await journal?.close(false);
    throw error;
  }
}

function noticeAnnouncements({ announce = [] }: Confirmation, context: Context): void {
  for (const line of announce) context.notice(`Note: ${line}`);
}

async function confirm(question: Confirmation, context: Context): Promise<void> {
  const ask = await openConfirmation(question, context);
  if (ask) await ask();
  else noticeAnnouncements(question, context);
}

async function sendAndReport(checked: CheckedRows, context: Context): Promise<Result> {
  const { run, seen } = checked;
  const format = formatOf(context.options, context.settings);
  if (format === 'ndjson' || format === 'csv' || format === 'id') return sendAndList(checked, context);
  const results: object[] = [];
  const keepsResults = run.command.changes?.adds === true;
  const keep = ({ of, result }: Outcome<Call>) => {
    if (keepsResults && result && results.length < mostResults)
      results.push({ ...positionFields(of), [run.facts.key]: of.key, ...pickResults(result, run.facts.results) });
  };
  const { ended } = await sendRows(checked, { push: keep }, context);
  const end = await ended;
  if (format === 'table') for (const line of failureLines(end.failures, rowsToRepeat(end.counts))) context.warn(line);
  const { stdout, stderr } = context.world;
  return {
    ...summaryResult(end, seen.empty, run, results),
    async ending() {
      const failure = incompleteFailure(end, run, stderr.isTTY === true);
      if (!failure && !stdout.isTTY && !isForProgram(context)) context.notice(endSentence(end, seen.empty, run));
      return failure;
    },
  };
}

const mostResults = 1000;

/** Sends the rows, and lists each as soon as it has ended. The counts go to stderr. */
async function sendAndList(checked: CheckedRows, context: Context): Promise<Result> {
  const { run, seen } = checked;
  const { facts, command } = run;
  const format = formatOf(context.options, context.settings);
  const onlyDone = format === 'id';
  const shape = format === 'csv' && context.options.jq === undefined ? rowOfCells : reportRow;
  const columns = rowColumns(run);
  const outlet = openOutlet();
  const { ended } = await sendRows(checked, outlet, context);
  const over = ended.finally(outlet.end);
  over.catch(() => undefined); // reported by `ending`
  const isWhole = command.changes?.adds === true;
  async function* pages() {
    for await (const outcomes of outlet.groups) {
      const shown = outcomes.filter(({ status }) => !onlyDone || status === 'done');
      yield { items: shown.map((outcome) => shape(outcome, facts, isWhole)) };
    }
  }
  return {
    kind: 'list',
    pages: pages(),
    live: true,
    id: isWhole ? (facts.results?.[0] ?? facts.key) : facts.key,
    columns,
    fields: columns.map(({ field }) => field),
    noun: 'rows',
    empty: 'No rows.',
    async ending() {
      const end = await over;
      const failure = incompleteFailure(end, run, context.world.stderr.isTTY === true && !isForProgram(context));
      if (!failure) context.notice(endSentence(end, seen.empty, run));
      return failure;
    },
  };
}

/** If this many outcomes wait for the reader, no new row is sent. */
const mostWaiting = 10_000;

/** Passes outcomes to a reader in groups. If the reader stops early, later ones are dropped. */
function openOutlet() {
  const { readable, writable } = new TransformStream<readonly Outcome<Call>[], readonly Outcome<Call>[]>();
  const writer = writable.getWriter();
  let held: Outcome<Call>[] = [];
  let writing: Promise<void> | undefined;
  const write = async () => {
    for (let group = held; group.length > 0; group = held) {
      held = [];
      await writer.write(group);
    }
    writing = undefined;
  };
  return {
    groups: readable,
    push(outcome: Outcome<Call>): void {
      if (writer.desiredSize === null) return; // nobody reads any more
      held.push(outcome);
      writing ??= write().catch(() => undefined);
    },
    backpressure: () => (held.length < mostWaiting ? undefined : writing),
    end: async () => {
      await writing;
      await writer.close().catch(() => undefined);
    },
  };
}
