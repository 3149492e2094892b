import type { BulkResult, Report } from '../../bulk/bulk.ts';
import type { RowCounts } from '../../bulk/tally.ts';
import { Failure } from '../../failure.ts';
import { spanText } from '../../output/brief.ts';
import type { Paint } from '../../output/paint.ts';
import type { Column, RecordResult } from '../../output/result.ts';
import { groupDigits } from '../../text/group-digits.ts';
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
  const failed = failures.map(({ line, key, error }) => ({ line, deviceId: key, error }));
  return {
    kind: 'record',
    value: { ...counts, empty, seconds, failures: failed },
    screen: ({ paint }) => endText({ counts, seconds, isWhole: !stopped && counts.failed === 0 }, paint),
    columns: countNames.map((field) => ({ field, header: headers[field], keep: 'whole' })),
    fields: [...countNames, 'empty', 'seconds', 'failures'],
  };
}

type End = Pick<BulkResult, 'counts' | 'seconds'> & { readonly isWhole: boolean };

function endText(end: End, paint: Paint): string {
  return `${end.isWhole ? `${paint.good('✓')} ` : ''}${endSentence(end)}\n`;
}

/** The time, and the counts that are not zero; if the import is incomplete, the error has the counts. */
export function endSentence({ counts, seconds, isWhole }: End): string {
  const took = spanText(seconds * 1000);
  return isWhole ? `${describeCounts(counts)} (${took})` : `It took ${took}.`;
}

const headers: Readonly<Record<(typeof countNames)[number], string>> = {
  total: 'ROWS',
  done: 'DONE',
  failed: 'FAILED',
  skipped: 'DONE BEFORE',
  notSent: 'NOT SENT',
  unknown: 'UNKNOWN',
};

/** The failure if not every row is done: the reason, the counts, and how to continue. */
export function endingOf(ended: BulkResult, plan: ImportPlan): Failure | undefined {
  const { stopped, counts } = ended;
  if (!stopped && counts.failed === 0) return undefined;
  const hint = continuationHint(counts, plan);
  if (!stopped) return new Failure('partial', `${describeCounts(counts)}.`, { hint });
  const { hint: own, ...facts } = stopped.facts;
  const sentence = `${stopped.message} ${describeCounts(counts)}.`;
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

/** "Of 2,000 rows 1,990 are done, 10 failed" */
function describeCounts(counts: RowCounts): string {
  const parts = Object.entries(words)
    .map(([name, word]) => ({ number: counts[name as keyof RowCounts], word })) // entries() widens the keys
    .filter(({ number }) => number > 0)
    .map(({ number, word }) => `${groupDigits(number)} ${word}`);
  const rows = counts.total === 1 ? '1 row' : `${groupDigits(counts.total)} rows`;
  return `${rows}: ${parts.length > 0 ? parts.join(', ') : 'nothing to do'}`;
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
