import type { FailedRow } from '../../bulk/bulk.ts';
import { groupDigits } from '../../text/group-digits.ts';

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
