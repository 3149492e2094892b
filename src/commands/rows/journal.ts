/** The journal of the rows: which of them earlier runs have sent, and which are left. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Context } from '../../command/context.ts';
import { placeOf, resolvePlace, wayTo } from '../../command/place.ts';
import { createFolder } from '../../files/make-folder.ts';
import { placeWords } from '../../place.ts';
import type { Source } from '../../rows/source.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { realClock } from '../../work/clock.ts';
import { type Journal, openJournal } from '../../work/journal.ts';
import type { Waiter } from '../../work/journal-lock.ts';
import { type Call, forEachCall, readCalls, rowMark } from './calls.ts';
import type { RowsRun } from './plan.ts';
import type { SurveyFindings } from './survey.ts';

/** Rows that are checked, confirmed, and compared with the journal of earlier runs. */
export type CheckedRows = {
  readonly run: RowsRun;
  readonly seen: SurveyFindings;
  readonly source: Source;
  readonly journal: Journal | undefined;
};

/** Opens the journal of the rows and prints notices on it; undefined if the run has none. @throws usage if it cannot be continued or replaced */
export async function openRunJournal(
  run: RowsRun,
  seen: SurveyFindings,
  source: Source,
  context: Context,
): Promise<Journal | undefined> {
  const { journal: path, resume = false, operation, meaning, steps, repeatUnknown } = run;
  const { world, options } = context;
  if (path === undefined) return undefined;
  const files = filesDigest(context);
  // In a sandbox the journal is in a folder of its own, which may not exist yet.
  if (world.env.IIOT_SANDBOX && !run.isJournalNamed && !options.dryRun) createFolder(dirname(path), 0o700);
  const journal = await openJournal({
    path,
    head: {
      work: `${operation.method} ${operation.path}`,
      place: await (resume ? resolvePlace : placeOf)(context, run.orgId),
      meaning,
      input: { sha256: source.digest() ?? '', size: source.size, rows: seen.total, ...(files && { files }) },
    },
    input: source.name,
    eachMark: (see) =>
      forEachCompared(run, source, context, (call) => see(call.problem ? undefined : rowMark(call, files))),
    wayTo: (place) => wayTo(place, context),
    ...{ resume, repeatUnknown, steps, world, clock: realClock(world.monotonic), isRehearsal: options.dryRun },
    waiter: waiterOf(context),
  });
  noticeJournal(journal, run, seen, source.name, context);
  return journal;
}

/** Lets the user wait for a journal that another run is using, and cancel that. */
export const waiterOf = ({ notice, world }: Context): Waiter => ({ notice, signal: world.interrupt });

const forEachCompared = (run: RowsRun, source: Source, context: Context, see: (call: Call) => void) =>
  forEachCall(`Comparing ${source.name} with its journal`, readCalls(run, source), context, see);

/** The checksum of the files that options name; '' if there are none. */
export function filesDigest({ input }: Context): string {
  const texts = [...(input.texts?.values() ?? [])].toSorted();
  return texts.length === 0 ? '' : createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

export function rowsLeft({ sendsAgain }: RowsRun, { total, bad }: SurveyFindings, journal?: Journal): number {
  if (!journal) return total - bad;
  return total - bad - journal.done.size - (sendsAgain ? 0 : journal.unknown.size);
}

/** Reads the rows that are left to send, and those that are wrong. */
export async function* readRemaining(run: RowsRun, source: Source, journal?: Journal): AsyncGenerator<readonly Call[]> {
  const isOver = ({ number }: Call) => journal?.done.has(number) || (!run.sendsAgain && journal?.unknown.has(number));
  for await (const calls of readCalls(run, source)) yield calls.filter((call) => !isOver(call));
}

function noticeJournal(journal: Journal, run: RowsRun, seen: SurveyFindings, file: string, context: Context): void {
  const { path, dropped, replaced, elsewhere } = journal;
  if (replaced > 0) {
    const last = `Sending all rows. The last run of this file ended with ${countedRows(replaced)} done`;
    context.notice(`${last}; --resume skips those that are unchanged.`);
  }
  if (elsewhere)
    context.notice(
      `This replaces the journal of a run at ${placeWords(elsewhere)}, whose failed rows --resume no longer knows.`,
    );
  if (dropped > 0) context.notice(`The last line of ${path} was cut short: its row is sent again.`);
  if (run.resume) noticeResumed(journal, run, seen, file, context);
}

function noticeResumed(journal: Journal, run: RowsRun, seen: SurveyFindings, file: string, context: Context): void {
  const { path, done, unknown, changed, unproven } = journal;
  const left = rowsLeft(run, seen, journal);
  if (unproven)
    context.notice(
      `${path} is of a run at ${placeWords(unproven)}. It is continued, though nothing tells whether that was this tenant.`,
    );
  if (context.options.dryRun) {
    const open = run.sendsAgain ? 0 : unknown.size;
    const skipped = Object.entries({ done: done.size, 'of unknown outcome': open }).filter(([, count]) => count > 0);
    const words = skipped.map(([status, count]) => `${countedRows(count)} ${status}`).join(' and ');
    if (words) context.notice(`Note: ${words}, not shown.`);
  } else if (!changed || left === 0)
    context.notice(`${groupDigits(done.size)} of ${countedRows(seen.total)} are already done.`);
  if (!changed || left === 0) return;
  const counts = `Done and unchanged: ${countedRows(done.size)}. To send: ${countedRows(left)}.`;
  const stays = run.steps?.adds ? 'what they made stays' : 'what only they set stays as it is';
  const lost = changed.lost === 0 ? '' : ` Done, but changed or removed since: ${countedRows(changed.lost)}; ${stays}.`;
  context.warn(`${file} has changed since the run began. ${counts}${lost}`);
}

/** Finds rows that an earlier run created and that were changed or removed since. Sent again, each would create a second record. @returns sentences */
export async function findMadeBefore(
  run: RowsRun,
  source: Source,
  journal: Journal | undefined,
  context: Context,
): Promise<readonly string[]> {
  const made = journal?.changed?.made ?? [];
  if (!journal || made.length === 0) return [];
  const changedKeys = new Map<number, string>();
  const keysInFile = new Set<string>();
  await forEachCompared(run, source, context, ({ number, key }) => {
    if (journal.done.has(number) || journal.unknown.has(number)) return;
    if (made.some((each) => each.number === number)) changedKeys.set(number, key ?? '');
    if (made.some((each) => each.key === key)) keysInFile.add(key ?? '');
  });
  return made.map(({ number, key }) => {
    const changedKey = changedKeys.get(number);
    const created = `Row ${number} was created as ${JSON.stringify(key)}`;
    // Rows before it may have been added or removed.
    if (keysInFile.has(key)) return `${created} and has changed since: it would be a second one.`;
    if (changedKey === undefined) return `${created} and is not in the file any more.`;
    return `${created} and is ${JSON.stringify(changedKey)} now: it would be a second one.`;
  });
}
