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
  const state: State = { ...beginning };
  for await (const text of texts) {
    const rows = elements(text, state, name).map(rowOf);
    if (rows.length > 0) yield rows;
  }
  if (state.place === 'before') throw wrong(name, 'is not a JSON array', state.line);
  if (state.place === 'inside') throw wrong(name, 'ends in the middle of its array', state.line);
}

type Element = { readonly line: number; readonly text: string };

function rowOf({ line, text }: Element): Row {
  return { line, text: () => text, ...parseOrdered(text) };
}

/** The state of the splitting between two pieces of the text. */
type State = {
  place: 'before' | 'inside' | 'behind';
  line: number;
  /** The line where the current element begins; 0 before its first character. */
  began: number;
  depth: number;
  isString: boolean;
  isEscaped: boolean;
  /** The part of the current element from earlier pieces. */
  held: string;
  count: number;
};

const beginning: State = {
  place: 'before',
  line: 1,
  began: 0,
  depth: 0,
  isString: false,
  isEscaped: false,
  held: '',
  count: 0,
};

/** The elements that end in this piece. Looks at quotes and brackets only: the content is parsed later. */
function elements(text: string, state: State, name: string): Element[] {
  const found: Element[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\n') state.line += 1;
    if (state.isString) followString(character, state);
    else if (state.place !== 'inside') {
      if (enters(character, state, name)) from = at + 1;
    } else if (state.depth === 0 && (character === ',' || character === ']')) {
      const element = close(state.held + text.slice(from, at), character, state, name);
      if (element) found.push(element);
      from = at + 1;
    } else followValue(character, state, name);
  }
  if (state.place === 'inside') hold(text.slice(from), state, name);
  return found;
}

function followString(character: string, state: State): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (character === '\\') state.isEscaped = true;
  else if (character === '"') state.isString = false;
}

function followValue(character: string, state: State, name: string): void {
  if (/\s/.test(character)) return;
  if (state.began === 0) state.began = state.line;
  if (character === '"') state.isString = true;
  else if (character === '{' || character === '[') state.depth += 1;
  else if (character === '}' || character === ']') state.depth -= 1;
  if (state.depth < 0) throw wrong(name, 'has an unmatched closing bracket', state.line);
}

function enters(character: string, state: State, name: string): boolean {
  if (/\s/.test(character)) return false;
  if (state.place === 'behind') throw wrong(name, 'has text after its array', state.line);
  if (character !== '[') throw wrong(name, 'is not a JSON array', state.line);
  state.place = 'inside';
  return true;
}

function close(text: string, character: string, state: State, name: string): Element | undefined {
  const element = { line: state.began, text: text.trim() };
  refuseLong(element.text, state, name);
  if (character === ']') state.place = 'behind';
  state.began = 0;
  state.held = '';
  // "[]" has no element; in "[1,]" and "[,1]" one is missing.
  if (element.text === '' && character === ']' && state.count === 0) return undefined;
  if (element.text === '') throw wrong(name, 'has a comma without a row', state.line);
  state.count += 1;
  return element;
}

function hold(text: string, state: State, name: string): void {
  state.held += text;
  refuseLong(state.held, state, name);
}

function refuseLong(text: string, state: State, name: string): void {
  if (text.length > longestRow) throw wrong(name, 'has a row longer than 1 MiB', state.began || state.line);
}

function wrong(name: string, what: string, line: number) {
  return usage(
    `${name} ${what}: see line ${line}.`,
    'JSON is one array of rows; for one object per line, use --format ndjson',
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
    refuseLongLines([...lines, cutter.rest()], name, count);
    count += lines.length;
    yield lines;
  }
  const rest = cutter.rest();
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}

function refuseLongLines(lines: readonly string[], name: string, before: number): void {
  const index = lines.findIndex((line) => line.length > longestRow);
  if (index < 0) return;
  throw usage(
    `${name} has a line longer than 1 MiB: line ${before + index + 1}.`,
    'NDJSON has one row per line; for an array, use --format json',
  );
}
