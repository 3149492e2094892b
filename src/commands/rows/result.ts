import type { RowsInput } from '../../command/row-flags.ts';
import { endOfWork } from '../../command/work.ts';
import { isRepeatable } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import { idOf, valueAt } from '../../output/columns.ts';
import type { Column, RecordResult } from '../../output/result.ts';
import type { Place } from '../../place.ts';
import { positionAndKey, positionFields, type RowFormat } from '../../rows/row.ts';
import { errorFields } from '../../text/failure-sentence.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import type { Outcome } from '../../work/run.ts';
import type { RowCounts, RowsEnd } from '../../work/tally.ts';
import type { Call } from './calls.ts';
import type { RowFacts } from './facts.ts';
import { markOfResult } from './header.ts';
import { formatByName, hasCells, type RowsRun } from './plan.ts';

/** A row's outcome as `-o ndjson` shows it. @param isWhole adds the fields of the result that are kept */
export function reportRow({ of, status, error, result }: Outcome<Call>, { key, results }: RowFacts, isWhole: boolean) {
  return {
    ...{ ...positionFields(of), [key]: of.key, status, error: error ? errorFields(error) : null },
    ...(valueAt(result, 'looked') === true && { looked: true }),
    ...(isWhole && pickResults(result, results)),
  };
}

/** Picks these members of a result, as far as it has them. The first is the ID, which a platform may call id. */
export function pickResults(result: unknown, names: readonly string[] = []): object {
  const members = names.map((name, at) => [name, at === 0 ? idOf(result, name) : valueAt(result, name)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** A row for --results-file, with the record that the platform returned, without secrets. The file can be given to --rows. */
export function resultRow(outcome: Outcome<Call>, facts: RowFacts, place: Place): object {
  const { of, result } = outcome;
  const { key, others, results } = facts;
  if (others !== undefined) return reportRow(outcome, facts, true);
  const keyField = valueAt(result, key) === undefined ? { [key]: of.key } : {};
  return { ...positionFields(of), ...keyField, ...pickResults(result, results), ...result, ...markOfResult(place) };
}

/** A row's outcome for a table or csv, with the error in two columns. */
export function rowOfCells(outcome: Outcome<Call>, facts: RowFacts, isWhole: boolean) {
  const { error, ...row } = reportRow(outcome, facts, isWhole);
  return { ...row, code: error?.code, message: error?.message };
}

export function rowColumns({ facts: { key, one, results = [] }, format, command }: RowsRun): readonly Column[] {
  return [
    ...placeColumns(format),
    { field: key, header: one.toUpperCase(), keep: 'whole' },
    { field: 'status', header: 'STATUS', keep: 'whole' },
    { field: 'code', header: 'CODE' },
    { field: 'message', header: 'MESSAGE' },
    ...(command.changes?.adds ? results : [])
      .filter((field) => field !== key)
      .map((field) => ({ field, header: field })),
  ];
}

/** The columns for the place of a row: its line, and in a JSON array its number. */
export function placeColumns(format: RowFormat): readonly Column[] {
  const fields = format === 'json' ? ['line', 'row'] : ['line'];
  return fields.map((field) => ({ field, header: field.toUpperCase(), keep: 'whole' }));
}

/** Says where rows went: ", at https://plant.example, profile plant, organization 0b0f…, /home/ada/fleet.csv". */
function targetText({ target: { baseUrl, profile, orgId, file } }: RowsRun): string {
  const organization = orgId === null ? '' : `, organization ${orgId}`;
  return `, at ${baseUrl}, profile ${profile}${organization}, ${file ?? 'standard input'}`;
}

/** The result of a run: the counts, which add up to the total, and the first failed rows. */
export function summaryResult(
  { counts, failures, seconds, stopped }: RowsEnd<Call>,
  empty: number,
  { facts, target }: RowsRun,
  results: readonly object[],
): RecordResult {
  const isWhole = !stopped && rowsToRepeat(counts) === 0;
  return {
    kind: 'record',
    value: {
      ...counts,
      empty,
      durationSeconds: seconds,
      ...target,
      failures: failures.map((each) => reportRow(each, facts, false)),
      results,
    },
    // If a row is not done, the error has the counts.
    screen: ({ paint }) => (isWhole ? `${paint.good('✓')} ${endSentence({ counts, seconds }, empty)}\n` : ''),
    columns: Object.entries(headers).map(([field, header]) => ({ field, header, keep: 'whole' })),
    fields: [...Object.keys(headers), 'empty', 'durationSeconds', ...Object.keys(target), 'failures', 'results'],
  };
}

/** A sentence with the counts that are not zero, the time, and with `plan` where the rows went. */
export function endSentence(
  { counts, seconds }: Pick<RowsEnd<Call>, 'counts' | 'seconds'>,
  empty: number,
  run?: RowsRun,
) {
  const emptyNote = empty === 0 ? '' : `; ${countedRows(empty)} without a value not sent`;
  return `${describeCounts(counts)}${emptyNote} (${spanText(seconds * 1000)})${run ? targetText(run) : ''}`;
}

const headers: Readonly<Record<keyof RowCounts, string>> = {
  total: 'ROWS',
  done: 'DONE',
  failed: 'FAILED',
  skipped: 'DONE BEFORE',
  notSent: 'NOT SENT',
  unknown: 'UNKNOWN',
};

/** The failure if not every row is done: the reason, the counts, and how to continue. @param isWatched adds the time, for a person who waited */
export function incompleteFailure(ended: RowsEnd<Call>, run: RowsRun, isWatched: boolean): Failure | undefined {
  const { stopped, counts } = ended;
  if (!stopped && rowsToRepeat(counts) === 0) return undefined;
  const isOver = counts.done + counts.skipped === counts.total;
  const open = () => (ended.isRefusedOnly ? repairHint(run) : continuationHint(counts, run));
  const hint = isOver ? '' : open();
  const took = spanText(ended.seconds * 1000);
  const where = targetText(run);
  const end = `${describeCounts(counts)}${isWatched ? ` (${took})` : ''}${where}.`;
  if (!stopped) return endOfWork(end, undefined, hint);
  const isSent = counts.done + counts.failed + counts.unknown > 0;
  // A usage error would mean that nothing was sent.
  const kind = stopped.kind === 'usage' && isSent ? 'partial' : stopped.kind;
  // If no row is done, there is nothing to continue, and only the failure's own hint helps.
  const next = stopped.facts.hint && counts.done + counts.skipped === 0 ? keptRowsHint(counts, run) : hint;
  if (kind !== 'interrupted') return endOfWork(end, new Failure(kind, stopped.message, stopped.facts), next);
  const sentence = `Interrupted after ${took}: ${describeInterrupted(counts)}${where}.`;
  return endOfWork('', new Failure(kind, sentence, stopped.facts), next);
}

/** Counts the rows that were sent, but have to be sent again. */
export function rowsToRepeat({ failed, unknown }: RowCounts): number {
  return failed + unknown;
}

const countWords = {
  done: 'done',
  skipped: 'done before',
  failed: 'failed',
  unknown: 'of unknown outcome',
  notSent: 'not sent',
} as const satisfies Partial<Record<keyof RowCounts, string>>;

/** "2,000 rows: 1,990 done, 10 failed" */
function describeCounts(counts: RowCounts): string {
  return `${countedRows(counts.total)}: ${countParts(counts).join(', ') || 'nothing to do'}`;
}

/** "48 of 200 rows done, 1 failed" */
function describeInterrupted({ done, skipped, total, failed, unknown }: RowCounts): string {
  const others = countParts({ failed, unknown }).map((part) => `, ${part}`);
  return `${groupDigits(done + skipped)} of ${countedRows(total)} done${others.join('')}`;
}

function countParts(counts: Partial<RowCounts>): string[] {
  return Object.entries(countWords)
    .map(([name, word]) => ({ number: counts[name as keyof RowCounts] ?? 0, word })) // entries() widens the keys
    .filter(({ number }) => number > 0)
    .map(({ number, word }) => `${groupDigits(number)} ${word}`);
}

function keptRowsHint(counts: RowCounts, { failedFile, unknownFile }: RowsRun): string {
  if (failedFile === undefined) return '';
  const failed = unknownFile === undefined ? rowsToRepeat(counts) : counts.failed;
  const sentences = [
    ...(failed > 0 ? [`The rows that failed are in ${failedFile}`] : []),
    ...(unknownFile !== undefined && counts.unknown > 0 ? [`The rows of unknown outcome are in ${unknownFile}`] : []),
  ];
  return sentences.join('. ');
}

function continuationHint(counts: RowCounts, run: RowsRun): string {
  const { journal } = run;
  const rows = keptRowsHint(counts, run);
  const kept = rows === '' ? '' : `${rows}. `;
  if (journal === undefined)
    return `${kept}There is no journal, so the next run starts over; keep one with --journal FILE`;
  return `${kept}${checkFirstHint(counts, run)}Continue with what is left: ${resumeLine(run)}`;
}

/** The advice to check rows of unknown outcome, which must not be sent again without being asked for. */
function checkFirstHint({ unknown }: RowCounts, { look, operation }: RowsRun): string {
  if (unknown === 0 || isRepeatable(operation)) return '';
  const where = look === undefined ? 'on the platform' : `with ${look}`;
  return `Check ${where} what happened to the rows of unknown outcome; add --repeat-unknown to send them again. `;
}

/** The advice for rows that would be refused again as they are. */
function repairHint(run: RowsRun): string {
  const { failedFile, journal, file, format } = run;
  const isWorkbook = format !== 'csv' && hasCells(format);
  if (failedFile !== undefined && !(isWorkbook && journal))
    return `Fix the rows in ${failedFile}, then send them: ${lineForFailed(failedFile, run)}`;
  if (journal === undefined) return 'Fix these rows and send them; --failed-file FILE writes them to a file';
  const place = file === '-' ? 'the input' : file;
  const copy =
    failedFile === undefined
      ? ''
      : ` (${failedFile} lists them too, but a spreadsheet would turn an ID such as 00018 into 18)`;
  return `Fix these rows, in ${place} or on the platform${copy}, then send them (in a script, with --yes): ${resumeLine(run)}`;
}

/** The command line for a file of failed rows, which is UTF-8 in the format of the input, or CSV for a workbook. */
function lineForFailed(file: string, { line, format: read }: RowsRun): string {
  const written = hasCells(read) ? 'csv' : read;
  const format = formatByName(file) === written ? undefined : written;
  return line({ ...Object.fromEntries(optionsOfOneRun.map((name) => [name, undefined])), file, format });
}

/** The options that do not apply to another file of rows. */
const optionsOfOneRun = [
  ...(['delimiter', 'encoding', 'sheet', 'shard', 'journal', 'failedFile', 'resultsFile', 'beforeFile'] as const),
  ...(['resume', 'repeatUnknown', 'skipInvalid', 'failFast'] as const),
] satisfies readonly (keyof RowsInput)[];

function resumeLine({ line }: RowsRun): string {
  return line({ resume: true, repeatUnknown: undefined });
}

/** How many sentences are shown, and how many ranges of lines in each. */
const [mostSentences, mostRanges] = [20, 10];

/** Lists the failures for a person: each error once, with its lines, even if it names the IDs of rows. @param failures in the order of their lines */
export function failureLines(failures: readonly Outcome<Call>[], total: number): string[] {
  const groups = new Map<string, Outcome<Call>[]>();
  for (const failure of failures) {
    // A short ID could be a part of anything.
    const { key } = failure.of;
    const sentence = key === null || key.length < 4 ? errorText(failure) : errorText(failure).replaceAll(key, '…');
    const group = groups.get(sentence);
    if (group) group.push(failure);
    else groups.set(sentence, [failure]);
  }
  const shown = [...groups].slice(0, mostSentences);
  const unshown = total - shown.reduce((sum, [, rows]) => sum + rows.length, 0);
  const moreLine = unshown > 0 ? [`… and ${groupDigits(unshown)} more`] : [];
  return [...shown.map(([sentence, rows]) => groupLine(sentence, rows)), ...moreLine];
}

function errorText({ error }: Outcome<Call>): string {
  const { message = '', status = null } = error ? errorFields(error) : {};
  return status === null || status < 400 || / answered with \d/.test(message) ? message : `${message} (${status})`;
}

function groupLine(sentence: string, rows: readonly Outcome<Call>[]): string {
  const [first] = rows;
  if (first && rows.length === 1) return `${positionAndKey(first.of, first.of.key ?? '')}: ${errorText(first)}`;
  const unit = first?.of.row === undefined ? 'lines ' : '';
  return `${groupDigits(rows.length)} rows (${unit}${ranges(rows.map(({ of }) => of.row ?? of.line))}): ${sentence}`;
}

/** "150, 199–203" */
function ranges(lines: readonly number[]): string {
  const spans: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = spans.at(-1);
    if (last?.to === line - 1) last.to = line;
    else spans.push({ from: line, to: line });
  }
  const words = spans.slice(0, mostRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  return `${words.join(', ')}${spans.length > mostRanges ? ', …' : ''}`;
}
