import { usage } from '../failure.ts';
import { parseOrdered } from '../text/json-ordered.ts';
import { longestRow, type Row, type Rows } from './row.ts';
import { openLineCutter } from './text.ts';

/**
 * The rows of a text with one JSON value per line (line ends LF, CRLF or CR); blank lines are skipped. Values are as `readJson` returns them.
 * @throws usage for a line of more than 1 MiB
 */
export async function* ndjsonRows(
  texts: AsyncIterable<string>,
  name: string,
): Rows & AsyncGenerator<readonly Row[], void> {
  let line = 0;
  for await (const lines of linesOf(texts, name)) {
    const rows: Row[] = [];
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') rows.push({ line, text: () => text.trim(), ...parseOrdered(text) });
    }
    if (rows.length > 0) yield rows;
  }
}

async function* linesOf(texts: AsyncIterable<string>, name: string): AsyncGenerator<readonly string[], void> {
  const cutter = openLineCutter();
  let count = 0;
  for await (const text of texts) {
    const lines = cutter.cut(text);
    refuseLong([...lines, cutter.rest()], name, count);
    count += lines.length;
    yield lines;
  }
  const rest = cutter.rest();
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}

function refuseLong(lines: readonly string[], name: string, before: number): void {
  const index = lines.findIndex((line) => line.length > longestRow);
  if (index < 0) return;
  throw usage(
    `${name} has a line longer than 1 MiB: line ${before + index + 1}.`,
    'NDJSON has one row per line; for an array, use --format json',
  );
}
