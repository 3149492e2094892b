import type { Parser } from 'csv-parse';
import { Failure, usage } from '../failure.ts';
import { openLineCutter } from './lines.ts';
import { longestRow, type Row, type Rows } from './row.ts';

/** A row's cells, and the columns of the file. A column without a name has empty cells alone. */
export type Cells = { readonly columns: readonly string[]; readonly cells: readonly string[] };

type Read = {
  readonly records: readonly (readonly string[])[];
  /** Whether a cell may hold line ends: there has been a quote. */
  readonly quoted: boolean;
};

/**
 * The rows of a CSV text (RFC 4180; line ends CRLF, LF or CR). A row's value is its `Cells`, as many as there are columns; blank lines are no
 * rows. The only file that loads csv-parse.
 * @param required the column that there must be
 * @param heard is told the columns, once
 * @throws usage for a header that cannot be used, and for quoting that cannot be read, because nothing behind it can be trusted
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  name: string,
  required: string,
  heard: (columns: readonly string[]) => void = () => undefined,
): Rows & AsyncGenerator<readonly Row[], void> {
  let columns: readonly string[] | undefined;
  let line = 0;
  for await (const { records, quoted } of recordsOf(texts, name, () => line + 1)) {
    const rows: Row[] = [];
    for (const record of records) {
      const at = line + 1;
      line = at + (quoted ? lineEndsIn(record) : 0);
      if (record.length === 1 && record[0] === '') continue;
      if (columns) {
        rows.push(rowOf(columns, record, at));
      } else {
        columns = readHeader(record, name, required);
        heard(columns);
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (!columns) throw usage(`${name} is empty: a CSV file begins with its columns, "${required}" among them.`);
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

/**
 * The records of each piece of text together: a promise for each of them would cost more than to parse it. As long as there is no quote, lines
 * and commas are all there is to parse, and a parser that looks at each character would take five times as long.
 */
async function* recordsOf(
  texts: AsyncIterable<string>,
  name: string,
  nextLine: () => number,
): AsyncGenerator<Read, void> {
  const pieces = texts[Symbol.asyncIterator]();
  const cutter = openLineCutter();
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    if (piece.value.includes('"')) {
      yield* parsed(cutter.rest() + piece.value, { [Symbol.asyncIterator]: () => pieces }, name, nextLine);
      return;
    }
    yield { records: cutter.cut(piece.value).map((line) => line.split(',')), quoted: false };
    if (cutter.rest().length > longestRow) throw unreadable('CSV_MAX_RECORD_SIZE', name, nextLine());
  }
  const last = cutter.rest().replace(/\r$/, '');
  yield { records: [last.split(',')], quoted: false };
}

/** @param first where the texts begin: at a record */
async function* parsed(
  first: string,
  texts: AsyncIterable<string>,
  name: string,
  nextLine: () => number,
): AsyncGenerator<Read, void> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  });
  const before = nextLine() - 1;
  let fault: unknown;
  parser.on('error', (error) => {
    fault = error;
  });
  for await (const text of beginningWith(first, texts)) {
    const written = new Promise<void>((resolve) => parser.write(text, () => resolve()));
    const records = drained(parser);
    await written;
    if (fault !== undefined) throw asFailure(fault, name, before, nextLine());
    yield { records: records.concat(drained(parser)), quoted: true };
  }
  parser.end();
  try {
    const records: string[][] = [];
    for await (const record of parser) records.push(record);
    yield { records, quoted: true };
  } catch (error) {
    throw asFailure(error, name, before, nextLine());
  }
}

/** What the parser holds. */
function drained(parser: Parser): string[][] {
  const records: string[][] = [];
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

/** @param before lines that the parser has not seen */
function asFailure(error: unknown, name: string, before: number, nextLine: number): unknown {
  if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) return error;
  // For a quote without its end the parser names the last line.
  const at = error.code === 'CSV_QUOTE_NOT_CLOSED' || !('lines' in error) ? nextLine : before + Number(error.lines);
  return unreadable(String(error.code), name, at, error);
}

function unreadable(code: string, name: string, line: number, cause?: Error): Failure {
  const [what, hint] = troubles[code] ?? ['cannot be read as CSV', undefined];
  return new Failure('usage', `${name} ${what} at line ${line}.`, { ...(hint && { hint }), ...(cause && { cause }) });
}

async function* beginningWith(first: string, texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield first;
  yield* texts;
}

const quoting = 'A cell with quotes is written in quotes, and each quote in it twice: "7"" screen"';
const troubles: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  CSV_INVALID_CLOSING_QUOTE: ['has something behind the closing quote of a cell', quoting],
  INVALID_OPENING_QUOTE: ['has a quote in the middle of a cell that is not quoted', quoting],
  CSV_QUOTE_NOT_CLOSED: ['has a quoted cell that does not end; it begins', quoting],
  CSV_MAX_RECORD_SIZE: ['has a row longer than 1 MiB', 'A quote that is not closed may be the reason'],
};

function readHeader(columns: readonly string[], name: string, required: string): readonly string[] {
  for (const [index, column] of columns.entries()) {
    const first = columns.indexOf(column);
    if (column === '' || first === index) continue;
    throw usage(
      `${name} has the column "${column}" twice: it is column ${first + 1} and column ${index + 1}.`,
      'Keep one of them',
    );
  }
  if (columns.includes(required)) return columns;
  throw usage(`${name} has no column "${required}".`, headerHint(columns, required));
}

function headerHint(columns: readonly string[], required: string): string {
  const [only = ''] = columns;
  const mark = [';', '\t', '|'].find((separator) => columns.length === 1 && only.includes(separator));
  if (mark) return `Columns are separated by commas, and this file seems to use ${mark === '\t' ? 'tabs' : mark}`;
  const alike = columns.find((column) => column.trim().toLowerCase() === required.toLowerCase());
  if (alike !== undefined) return `Its column "${alike}" has to be written "${required}"`;
  return `Its first line has to name the columns; it names ${columns
    .slice(0, 10)
    .map((column) => `"${column}"`)
    .join(', ')}`;
}

function rowOf(columns: readonly string[], cells: readonly string[], line: number): Row {
  const text = () => csvLine(cells);
  if (cells.length !== columns.length) {
    return { line, text, problem: `has ${counted(cells.length)}, and the header ${counted(columns.length)}` };
  }
  const nameless = columns.includes('') ? columns.findIndex((column, at) => column === '' && cells[at] !== '') : -1;
  if (nameless >= 0) return { line, text, problem: `has a value in column ${nameless + 1}, which has no name` };
  return { line, text, value: { columns, cells } satisfies Cells };
}

function counted(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}

/** Cells as a line of a CSV file, without its end. */
export function csvLine(cells: readonly string[]): string {
  // A line of one empty cell would be a blank line, which is no row.
  if (cells.length === 1 && cells[0] === '') return '""';
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}
