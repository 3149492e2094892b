import { type Failure, usage } from '../failure.ts';
import { parseOrdered } from '../text/json.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { longestRow, type Row } from './row.ts';
import { openLineCutter } from './text.ts';

/** The rows of a JSON array, read piece by piece, with values as from `parseOrdered`. @throws usage for other texts, and for a row of more than 1 MiB */
export async function* jsonRows(texts: AsyncIterable<string>, name: string): AsyncGenerator<Row[]> {
  // Looks at quotes and brackets only: elements are parsed later. `start` is undefined before the first character of an element.
  const state = { depth: 0, count: 0, element: '', isString: false, isEscaped: false, isOver: false };
  const here = { line: 1, column: 0 };
  let start: LineAndColumn | undefined;
  for await (const text of texts) {
    const rows: Row[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      here.column = character === '\n' ? 0 : here.column + 1;
      if (character === '\n') here.line += 1;
      if (state.isString) {
        state.isString = state.isEscaped || character !== '"';
        state.isEscaped = !state.isEscaped && character === '\\';
      } else if (state.depth === 1 && (character === ',' || character === ']')) {
        if (start) rows.push(readElement(state.element + text.slice(from, at), start, state.count + 1, name));
        // "[]" has no element; in "[1,]" and "[,1]" one is missing.
        else if (character === ',' || state.count > 0) throw failureAt(here, name, 'has a comma without a row');
        start = undefined;
        state.element = '';
        state.count += 1;
        from = at + 1;
        state.isOver = character === ']';
        if (state.isOver) state.depth = 0;
      } else if (/\S/.test(character)) {
        if (state.isOver) throw failureAt(here, name, 'has text after its array');
        if (state.depth > 0) start ??= { ...here };
        else if (character === '[') from = at + 1;
        else if (character === '{') {
          const hint = await adviseOn(text.slice(at), texts, name, here);
          throw failureAt(here, name, 'is an object, not a JSON array', hint);
        } else throw failureAt(here, name, 'is not a JSON array');
        state.isString = character === '"';
        if (character === '[' || character === '{') state.depth += 1;
        if (character === ']' || character === '}') state.depth -= 1;
        if (state.depth === 0) throw failureAt(here, name, 'has an unmatched closing bracket');
      }
    }
    if (state.depth > 0) state.element += text.slice(from);
    if (state.element.length > longestRow) throw failureAt(start ?? here, name, 'has a row longer than 1 MiB');
    if (rows.length > 0) yield rows;
  }
  if (state.depth > 0) throw failureAt(start ?? here, name, 'ends in the middle of its array');
  if (!state.isOver) throw usage(`${name} is empty.`, oneArray);
}

function readElement(element: string, start: LineAndColumn, row: number, name: string): Row {
  const text = element.trim();
  if (text.length > longestRow) throw failureAt(start, name, 'has a row longer than 1 MiB');
  return { line: start.line, row, text: () => text, ...readRow(text, start) };
}

function failureAt({ line, column }: LineAndColumn, name: string, problem: string, hint = oneArray): Failure {
  return usage(`${name} ${problem}: see line ${line}, column ${column}.`, hint);
}

type LineAndColumn = { readonly line: number; readonly column: number };

const oneArray =
  'JSON is one array of rows: put [ and ] around a single object; for one object per line, use --format ndjson';

/** A hint for an object, which may contain the array of rows. @param rest the pieces of text after `beginning`; all are read */
async function adviseOn(beginning: string, rest: AsyncIterable<string>, name: string, start: LineAndColumn) {
  let text = beginning;
  for await (const piece of rest) if (text.length < 32 * longestRow) text += piece;
  const [first = '', second = ''] = text.split(/[\r\n]+/, 2);
  if (/^\s*\{/.test(second) && 'value' in parseOrdered(first)) return 'It has one object per line: use --format ndjson';
  const read = readRow(text, start);
  if ('problem' in read && read.at !== text.length) return `It ${read.problem}. ${oneArray}`;
  const members = 'value' in read && read.value instanceof Map ? [...read.value] : [];
  const lists = members.filter(([, value]) => Array.isArray(value) && value[0] instanceof Map);
  const ways = lists.map(([key]) => {
    const filter = quoteForShell(`.${/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)}`);
    return `If the rows are in its member ${JSON.stringify(key)}: ${jqLine(filter, name, 'rows.json')}. `;
  });
  return ways.join('') + oneArray;
}

function jqLine(filter: string, name: string, target: string): string {
  const source = name === 'standard input' ? 'FILE' : quoteForShell(name);
  return `jq ${filter} ${source} > ${source.endsWith(target) ? 'new-' : ''}${target}`;
}

/** Reads a row, or says what is wrong with it, and where: the column, and with `start` also the line. */
function readRow(row: string, start?: LineAndColumn) {
  const read = parseOrdered(row);
  if ('value' in read || read.fault === undefined) return read;
  const lines = row.slice(0, read.at).split('\n');
  const column = [...(lines.at(-1) ?? '')].length + (lines.length === 1 && start ? start.column : 1);
  const where = `${start ? `line ${start.line + lines.length - 1}, ` : ''}column ${column}`;
  return { ...read, problem: `${read.problem} at ${where}: ${read.fault}` };
}

/** The rows of a text with one JSON value per line; blank lines are skipped. @throws usage for an array, an object over several lines, a line over 1 MiB */
export async function* ndjsonRows(texts: AsyncIterable<string>, name: string): AsyncGenerator<Row[]> {
  const cutter = openLineCutter();
  let line = 0;
  let unfinishedSince = 0; // the line of an object without an end, or 0
  const rowIn = (text: string): Row[] => {
    line += 1;
    refuseLongLine(text, name, line);
    if (text.trim() === '') return [];
    if (line === 1 && text.trim().startsWith('[')) throw usage(`${name} is a JSON array.`, 'Use --format json');
    const read = readRow(text);
    if (unfinishedSince > 0 && 'problem' in read)
      throw usage(
        `${name} has an object over several lines: see line ${unfinishedSince}.`,
        `NDJSON has one per line: ${jqLine('-c .', name, 'rows.ndjson')}`,
      );
    unfinishedSince = 'problem' in read && read.at === text.length ? line : 0;
    return [{ line, text: () => text.trim(), ...read }];
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
