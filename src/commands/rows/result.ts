import type { BulkResult, FailedRow, Report, RowCounts } from '../../bulk/bulk.ts';
import { Failure, repeatableMethods } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import type { Column, RecordResult } from '../../output/result.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import type { RowsPlan, RowWork } from './kind.ts';
import { formatByName, hasCells } from './plan.ts';

/** A row as `-o ndjson` and `-o csv` show it. */
export function reportRow({ line, key, status, error, result }: Report, kind: RowWork) {
  return { line, [kind.key]: key, status, error, ...result };
}

export function rowColumns({ key, one, results = [] }: RowWork): readonly Column[] {
  return [
    { field: 'line', header: 'LINE', keep: 'whole' },
    { field: key, header: one.toUpperCase(), keep: 'whole' },
    { field: 'status', header: 'STATUS', keep: 'whole' },
    { field: 'error', header: 'ERROR' },
    ...results.filter((field) => field !== key).map((field) => ({ field, header: field })),
  ];
}

/** The counts, which add up to the total, and the first failed rows. */
export function summary(
  { counts, failures, seconds, stopped }: BulkResult,
  empty: number,
  kind: RowWork,
  results: readonly object[],
): RecordResult {
  const isWhole = !stopped && openIn(counts) === 0;
  const failed = failures.map(({ line, key, error }) => ({ line, [kind.key]: key, error }));
  return {
    kind: 'record',
    value: { ...counts, empty, seconds, failures: failed, ...(kind.results && { results }) },
    // If it is incomplete, the error says all of this.
    screen: ({ paint }) => (isWhole ? `${paint.good('✓')} ${endSentence({ counts, seconds, empty })}\n` : ''),
    columns: Object.entries(headers).map(([field, header]) => ({ field, header, keep: 'whole' })),
    fields: [...Object.keys(headers), 'empty', 'seconds', 'failures', ...(kind.results ? ['results'] : [])],
  };
}

type End = Pick<BulkResult, 'counts' | 'seconds'> & { readonly empty: number };

/** The counts that are not zero, and the time. */
export function endSentence({ counts, seconds, empty }: End): string {
  const left = empty === 0 ? '' : `; ${countedRows(empty)} without a value not sent`;
  return `${describeCounts(counts)}${left} (${spanText(seconds * 1000)})`;
}

const headers: Readonly<Record<keyof RowCounts, string>> = {
  total: 'ROWS',
  done: 'DONE',
  failed: 'FAILED',
  skipped: 'DONE BEFORE',
  notSent: 'NOT SENT',
  unknown: 'UNKNOWN',
};

/** The failure if not every row is done: the reason, the counts, and how to continue. `isWatched`: a person who waited reads how long. */
export function endingOf(ended: BulkResult, plan: RowsPlan, isWatched: boolean): Failure | undefined {
  const { stopped, counts } = ended;
  if (!stopped && openIn(counts) === 0) return undefined;
  const hint = ended.isRefusedOnly ? mendingHint(plan) : continuationHint(counts, plan);
  const took = spanText(ended.seconds * 1000);
  const end = `${describeCounts(counts)}${isWatched ? ` (${took})` : ''}.`;
  if (!stopped) return new Failure('partial', end, { hint });
  const { hint: own, ...facts } = stopped.facts;
  const sentence =
    stopped.kind === 'interrupted'
      ? `Interrupted after ${took}: ${describeInterrupted(counts)}.`
      : `${stopped.message} ${end}`;
  // A usage error would mean that nothing was sent.
  const kind = stopped.kind === 'usage' && counts.done + counts.failed + counts.unknown > 0 ? 'partial' : stopped.kind;
  // Where nothing is done, there is nothing to continue: what to do first is all that helps.
  const next = own && counts.done + counts.skipped === 0 ? keptRows(counts, plan) : hint;
  return new Failure(kind, sentence, { ...facts, hint: [own, next].filter(Boolean).join('. ') });
}

/** How many rows have to be sent again although they were sent. */
export function openIn({ failed, unknown }: RowCounts): number {
  return failed + unknown;
}

const words = {
  done: 'done',
  skipped: 'done before',
  failed: 'failed',
  unknown: 'of unknown outcome',
  notSent: 'not sent',
} as const satisfies Partial<Record<keyof RowCounts, string>>;

/** "2,000 rows: 1,990 done, 10 failed" */
function describeCounts(counts: RowCounts): string {
  return `${countedRows(counts.total)}: ${partsOf(counts).join(', ') || 'nothing to do'}`;
}

/** "48 of 200 rows done, 1 failed" */
function describeInterrupted({ done, skipped, total, failed, unknown }: RowCounts): string {
  const others = partsOf({ failed, unknown }).map((part) => `, ${part}`);
  return `${groupDigits(done + skipped)} of ${countedRows(total)} done${others.join('')}`;
}

function partsOf(counts: Partial<RowCounts>): string[] {
  return Object.entries(words)
    .map(([name, word]) => ({ number: counts[name as keyof RowCounts] ?? 0, word })) // entries() widens the keys
    .filter(({ number }) => number > 0)
    .map(({ number, word }) => `${groupDigits(number)} ${word}`);
}

function keptRows(counts: RowCounts, { failedTo, kind }: RowsPlan): string {
  const kept = mustLook(kind) ? counts.failed : openIn(counts);
  return failedTo !== undefined && kept > 0 ? `The rows that failed are in ${failedTo}` : '';
}

function continuationHint(counts: RowCounts, plan: RowsPlan): string {
  const { journal } = plan;
  const rows = keptRows(counts, plan);
  const kept = rows === '' ? '' : `${rows}. `;
  if (journal === undefined)
    return `${kept}There is no journal, so the next run starts over; keep one with --journal FILE`;
  return `${kept}${lookFirst(counts, plan)}Continue with what is left: ${resumeLine({ ...plan, journal })}`;
}

/** What was sent and must not be sent twice unasked. */
function lookFirst({ unknown }: RowCounts, { kind }: RowsPlan): string {
  if (unknown === 0 || !mustLook(kind)) return '';
  const where = kind.look === undefined ? 'on the platform' : `with ${kind.look}`;
  return `Look up ${where} what became of the rows of unknown outcome; add --repeat-unknown to send them again. `;
}

/** Whether a row is never sent twice unasked. */
function mustLook({ steps, operation }: RowWork): boolean {
  return steps !== undefined && !repeatableMethods.has(operation.method);
}

/** If the same rows would be refused again. */
function mendingHint({ failedTo, ...plan }: RowsPlan): string {
  const verb = plan.kind.steps ? 'send' : 'import';
  if (failedTo !== undefined) {
    const format = hasCells(plan.format) ? 'csv' : plan.format;
    const own = { format: formatByName(failedTo) === format ? undefined : format, 'null-as': plan.nullAs };
    return `Fix the rows in ${failedTo}, then ${verb} them: ${importLine(failedTo, plan)}${optionsOf(own)}`;
  }
  if (plan.journal === undefined) return `Fix these rows and ${verb} them; --failed-to FILE writes them to a file`;
  const place = plan.file === '-' ? 'the input' : plan.file;
  if (plan.kind.steps)
    return `Fix these rows in a file of their own (--failed-to FILE writes one) and send it; or, if only the platform was in the way: ${resumeLine(plan)}`;
  return `Fix these rows, in ${place} or on the platform, then send them: ${resumeLine(plan)}`;
}

function resumeLine(plan: Omit<RowsPlan, 'failedTo'>): string {
  const { file, journal, isJournalNamed, format, nullAs, delimiter, encoding, sheet, shard, listSeparator } = plan;
  return `${importLine(file, plan)} --resume${optionsOf({
    journal: isJournalNamed ? journal : undefined,
    format: formatByName(file) === format ? undefined : format,
    'null-as': nullAs,
    delimiter: delimiter === '\t' ? 'tab' : delimiter,
    shard: shard && `${shard.part}/${shard.parts}`,
    sheet,
    encoding,
    'list-separator': listSeparator,
  })}`;
}

function importLine(file: string, { kind, numbersAsIds }: Pick<RowsPlan, 'kind' | 'numbersAsIds'>): string {
  const typed = kind.typed ? ` ${kind.typed}` : '';
  return `iiot ${kind.command} ${quoteForShell(file)}${typed}${numbersAsIds ? ' --numbers-as-ids' : ''}`;
}

function optionsOf(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${quoteForShell(value)}`))
    .join('');
}

/** How many sentences, and how many ranges of lines in each. */
const [mostSentences, mostRanges] = [20, 10];

/**
 * What failed, for a person: each sentence once, with its lines, also where it differs only by the ID of the device.
 * @param failures in the order of their lines
 */
export function failureLines(failures: readonly FailedRow[], total: number): string[] {
  const groups = new Map<string, FailedRow[]>();
  for (const failure of failures) {
    // A short ID could be a part of anything.
    const sentence = failure.key.length < 4 ? failure.error : failure.error.replaceAll(failure.key, '…');
    const group = groups.get(sentence);
    if (group) group.push(failure);
    else groups.set(sentence, [failure]);
  }
  const shown = [...groups].slice(0, mostSentences);
  const left = total - shown.reduce((sum, [, rows]) => sum + rows.length, 0);
  const more = left > 0 ? [`… and ${groupDigits(left)} more`] : [];
  return [...shown.map(([sentence, rows]) => groupLine(sentence, rows)), ...more];
}

function groupLine(sentence: string, rows: readonly FailedRow[]): string {
  const [{ line, key, error } = { line: 0, key: '', error: '' }] = rows;
  if (rows.length === 1) return `Line ${line}${key === '' ? '' : `, ${key}`}: ${error}`;
  return `${groupDigits(rows.length)} rows (lines ${ranges(rows.map((row) => row.line))}): ${sentence}`;
}

/** "150, 199–203" */
function ranges(lines: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.to === line - 1) last.to = line;
    else found.push({ from: line, to: line });
  }
  const words = found.slice(0, mostRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  return `${words.join(', ')}${found.length > mostRanges ? ', …' : ''}`;
}
