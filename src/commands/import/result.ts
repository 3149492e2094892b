import type { BulkResult, Report } from '../../bulk/bulk.ts';
import type { RowCounts } from '../../bulk/tally.ts';
import { Failure } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import type { Column, RecordResult } from '../../output/result.ts';
import { countedRows, groupDigits } from '../../text/group-digits.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { formatByName, hasCells, type ImportPlan } from './plan.ts';

/** A row as `-o ndjson` and `-o csv` show it. */
export function reportRow({ line, key, status, error }: Report) {
  return { line, deviceId: key, status, error };
}

export const rowColumns: readonly Column[] = [
  { field: 'line', header: 'LINE', keep: 'whole' },
  { field: 'deviceId', header: 'DEVICE', keep: 'whole' },
  { field: 'status', header: 'STATUS', keep: 'whole' },
  { field: 'error', header: 'ERROR' },
];

const countNames = ['total', 'done', 'failed', 'skipped', 'notSent', 'unknown'] as const;

/** The counts, which add up to the total, and the first failed rows. */
export function summary({ counts, failures, seconds, stopped }: BulkResult, empty: number): RecordResult {
  const isWhole = !stopped && counts.failed === 0;
  const failed = failures.map(({ line, key, error }) => ({ line, deviceId: key, error }));
  return {
    kind: 'record',
    value: { ...counts, empty, seconds, failures: failed },
    // If it is incomplete, the error says all of this.
    screen: ({ paint }) => (isWhole ? `${paint.good('✓')} ${endSentence({ counts, seconds, empty })}\n` : ''),
    columns: countNames.map((field) => ({ field, header: headers[field], keep: 'whole' })),
    fields: [...countNames, 'empty', 'seconds', 'failures'],
  };
}

type End = Pick<BulkResult, 'counts' | 'seconds'> & { readonly empty: number };

/** The counts that are not zero, and the time. */
export function endSentence({ counts, seconds, empty }: End): string {
  const left = empty === 0 ? '' : `; ${countedRows(empty)} without a value not sent`;
  return `${describeCounts(counts)}${left} (${spanText(seconds * 1000)})`;
}

const headers: Readonly<Record<(typeof countNames)[number], string>> = {
  total: 'ROWS',
  done: 'DONE',
  failed: 'FAILED',
  skipped: 'DONE BEFORE',
  notSent: 'NOT SENT',
  unknown: 'UNKNOWN',
};

/** The failure if not every row is done: the reason, the counts, and how to continue. `isWatched`: a person who waited reads how long. */
export function endingOf(ended: BulkResult, plan: ImportPlan, isWatched: boolean): Failure | undefined {
  const { stopped, counts } = ended;
  if (!stopped && counts.failed === 0) return undefined;
  const hint = continuationHint(counts, plan);
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
  return new Failure(kind, sentence, { ...facts, hint: [own, hint].filter(Boolean).join('. ') });
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

/** Where the name shows another format than the rows have: those of a workbook are written as CSV. */
function asFormat(failedTo: string, format: ImportPlan['format']): string {
  const written = hasCells(format) ? 'csv' : format;
  return formatByName(failedTo) === written ? '' : `; import them with --format ${written}`;
}

function continuationHint(counts: RowCounts, plan: ImportPlan): string {
  const { file, journal, isJournalNamed, format, nullAs, failedTo, delimiter, encoding, sheet, shard } = plan;
  const kept =
    failedTo !== undefined && counts.failed > 0
      ? `The rows that failed are in ${failedTo}${asFormat(failedTo, format)}. `
      : '';
  if (journal === undefined)
    return `${kept}There is no journal, so the next run starts over; keep one with --journal FILE`;
  const options = [
    isJournalNamed ? ` --journal ${quoteForShell(journal)}` : '',
    formatByName(file) === format ? '' : ` --format ${format}`,
    nullAs === undefined ? '' : ` --null-as ${quoteForShell(nullAs)}`,
    delimiter === undefined ? '' : ` --delimiter ${delimiter === '\t' ? 'tab' : quoteForShell(delimiter)}`,
    shard === undefined ? '' : ` --shard ${shard.part}/${shard.parts}`,
    sheet === undefined ? '' : ` --sheet ${quoteForShell(sheet)}`,
    encoding === undefined ? '' : ` --encoding ${encoding}`,
  ];
  return `${kept}Continue with what is left: iiot devices custom-info import ${quoteForShell(file)} --resume${options.join('')}`;
}
