import { usage } from '../failure.ts';
import { parseOrdered } from '../text/json.ts';
import { longestRow, type Row, type Rows } from './row.ts';
import { openLineCutter } from './text.ts';

/**
 * The rows of a JSON array, one per element, without holding the whole array. Values are as `readJson` returns them.
 * @throws usage if the text is not an array, ends early, or has a row of more than 1 MiB
 */
export async function* jsonRows(
  texts: AsyncIterable<string>,
  name: string,
): Rows & AsyncGenerator<readonly Row[], void> {
  // Looks at quotes and brackets only: the content is parsed later. `began` is the line of the current element, 0 before its first character.
  const state = { began: 0, depth: 0, count: 0, element: '', isEscaped: false, isOver: false };
  let [line, isString] = [1, false];
  for await (const text of texts) {
    const rows: Row[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (character === '\n') line += 1;
      if (isString) {
        isString = state.isEscaped || character !== '"';
        state.isEscaped = !state.isEscaped && character === '\\';
      } else if (state.depth === 1 && (character === ',' || character === ']')) {
        const row = (state.element + text.slice(from, at)).trim();
        refuseLong(row, name, state.began || line);
        if (row !== '') rows.push({ line: state.began, row: state.count + 1, text: () => row, ...parseOrdered(row) });
        // "[]" has no element; in "[1,]" and "[,1]" one is missing.
        else if (character === ',' || state.count > 0) throw wrong(name, 'has a comma without a row', line);
        [state.began, state.element, from] = [0, '', at + 1];
        state.isOver = character === ']';
        state.depth -= Number(state.isOver);
        state.count += 1;
      } else if (/\S/.test(character)) {
        if (state.isOver) throw wrong(name, 'has text after its array', line);
        if (state.depth > 0) state.began ||= line;
        else if (character === '[') from = at + 1;
        else throw wrong(name, character === '{' ? 'is an object, not a JSON array' : 'is not a JSON array', line);
        isString = character === '"';
        if (character === '[' || character === '{') state.depth += 1;
        if (character === ']' || character === '}') state.depth -= 1;
        if (state.depth === 0) throw wrong(name, 'has an unmatched closing bracket', line);
      }
    }
    if (state.depth > 0) state.element += text.slice(from);
    refuseLong(state.element, name, state.began || line);
    if (rows.length > 0) yield rows;
  }
  if (!state.isOver)
    throw wrong(name, state.depth === 0 ? 'is not a JSON array' : 'ends in the middle of its array', line);
}

function refuseLong(row: string, name: string, line: number): void {
  if (row.length > longestRow) throw wrong(name, 'has a row longer than 1 MiB', line);
}

function wrong(name: string, what: string, line: number) {
  return usage(
    `${name} ${what}: see line ${line}.`,
    'JSON is one array of rows: put [ and ] around a single object; for one object per line, use --format ndjson',
  );
}

/**
 * The rows of a text with one JSON value per line (line ends LF, CRLF or CR); blank lines are skipped. Values are as `readJson` returns them.
 * @throws usage for a line of more than 1 MiB
 */
export async function* ndjsonRows(
  texts: AsyncIterable<string>,
  name: string,
): Rows & AsyncGenerator<readonly Row[], void> {
  const cutter = openLineCutter();
  let line = 0;
  const rowIn = (text: string): Row[] => {
    line += 1;
    refuseLongLine(text, name, line);
    return text.trim() === '' ? [] : [{ line, text: () => text.trim(), ...parseOrdered(text) }];
  };
  for await (const text of texts) {
    const rows = cutter.cut(text).flatMap(rowIn);
    refuseLongLine(cutter.rest(), name, line + 1);
    if (rows.length > 0) yield rows;
  }
  const last = rowIn(cutter.rest().replace(/\r$/, ''));
  if (last.length > 0) yield last;
}

function refuseLongLine(text: string, name: string, line: number): void {
  const hint = 'NDJSON has one row per line; for an array, use --format json';
  if (text.length > longestRow) throw usage(`${name} has a line longer than 1 MiB: line ${line}.`, hint);
}
