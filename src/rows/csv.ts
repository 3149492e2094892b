import type { Parser } from 'csv-parse';
import { Failure, usage } from '../failure.ts';
import { plainName } from '../text/alike.ts';
import { among, emptyHeaderFailure, headerHint, headerTest, isTitle, readHeader, separators } from './column-names.ts';
import { longestRow, type Row } from './row.ts';
import { openLineCutter } from './text.ts';

/** A row's cells, and the columns of the file. A column without a name has only empty cells. */
export type Cells = { readonly columns: readonly string[]; readonly cells: readonly string[] };

export type CsvReading = {
  /** The required column, compared by `plainName`. If undefined, `onHeader` checks all columns, and a name may occur twice. */
  readonly required?: string | undefined;
  /** The separator between cells; if undefined, it is detected from the header. */
  readonly delimiter?: string | undefined;
  /** The line of the header, or its row in a sheet; if undefined, the first that is not empty. */
  readonly headerRow?: number | undefined;
  readonly headerOption?: string | undefined;
  /** Whether cells are a header, if no column is required. */
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined;
  /** Called once with the columns and their separator, and with a hint if the header seems to be further down. */
  readonly onHeader?: ((columns: readonly string[], separator: string, below?: string) => void) | undefined;
  /** Called with the number of rows that were skipped because all cells are empty. */
  readonly empty?: ((rows: number) => void) | undefined;
};

/** The rows of a CSV text (RFC 4180; CRLF, LF or CR; any separator), as `Cells`. @throws usage for an unusable header, and as `recordsOf` does */
export async function* csvRows(texts: AsyncIterable<string>, name: string, reading: CsvReading) {
  const { required, headerRow = 1, onHeader, empty } = reading;
  const isHeader = headerTest(reading);
  const table = await openTable(texts, reading);
  const { separator } = table;
  // A hint if the header is below a title.
  const headerBelow = (records: readonly (readonly string[])[], at: number) => {
    const lines = records.map((cells) => cells.flatMap((cell) => cell.split(/[,;\t|]/)));
    const sure = lines.findIndex(isHeader);
    const index = sure < 0 && isTitle(lines[0]) ? lines.findIndex((cells) => !isTitle(cells)) : sure;
    if (index < 1) return undefined;
    const below = records.slice(0, index).reduce((sum, cells) => sum + 1 + countLineEnds(cells), at);
    return headerHint(`on line ${below}`, below, sure >= 0, reading.headerOption);
  };
  let columns: readonly string[] | undefined;
  let line = table.lines;
  for await (const { records, quoted } of readRecords(table.texts, separator, { name, nextLine: () => line + 1 })) {
    const rows: Row[] = [];
    for (const [index, record] of records.entries()) {
      const at = line + 1;
      line = at + (quoted ? countLineEnds(record) : 0);
      if (record.every((cell) => cell.trim() === '')) {
        if (columns && record.length > 1) empty?.(1);
      } else if (columns) {
        rows.push(rowOf(columns, record, at, separator));
      } else {
        if (at > Math.max(headerRow, table.lines + 1) && reading.headerRow)
          throw emptyHeaderFailure(name, `Line ${headerRow}`);
        const instead = headerBelow(records.slice(index), at);
        columns = readHeader(record, name, { required, separator, instead });
        onHeader?.(columns, separator, instead);
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (!columns && reading.headerRow) throw emptyHeaderFailure(name, `Line ${headerRow}`);
  if (!columns) throw usage(`${name} is empty: a CSV file starts with its column names${among(required)}.`);
}

function countLineEnds(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

export function rowOf(columns: readonly string[], cells: readonly string[], line: number, separator: string): Row {
  const text = () => csvLine(cells, separator);
  if (cells.length !== columns.length) {
    const found = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    return { line, text, problem: `has ${found}; the header has ${columns.length}` };
  }
  const nameless = columns.includes('') ? columns.findIndex((column, at) => column === '' && cells[at] !== '') : -1;
  if (nameless >= 0) return { line, text, problem: `has a value in column ${nameless + 1}, which has no name` };
  return { line, text, value: { columns, cells } satisfies Cells };
}

/** Cells as a line of a CSV file, without the line end. */
export function csvLine(cells: readonly string[], separator = ','): string {
  // A single empty cell would give a blank line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return '""';
  const isPlain = (cell: string) => !/["\r\n]/.test(cell) && !cell.includes(separator);
  return cells.map((cell) => (isPlain(cell) ? cell : `"${cell.replaceAll('"', '""')}"`)).join(separator);
}

/** The first lines of a CSV file, from which readers recognize the separator. */
export function csvHead(columns: readonly string[], separator: string): string {
  const isFound = separators.some((each) => each === separator);
  return `${isFound ? '' : `sep=${separator}\n`}${csvLine(columns, separator)}\n`;
}

/**
 * Reads a CSV text as far as its header, and determines the separator: the given one, else that of a first line "sep=;", which some programs
 * write, else the one with which the header has the column `required`.
 * @returns the separator, the texts without a line "sep=;" and the lines above the header row, and how many lines are left out
 */
async function openTable(texts: AsyncIterable<string>, { required, delimiter, headerRow = 1 }: CsvReading) {
  const pieces = texts[Symbol.asyncIterator]();
  const above = { lines: 0, mark: '' };
  let [head, header] = ['', undefined as string | undefined];
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    head += piece.value;
    if (above.lines === 0) above.mark = separatorLine.exec(head)?.[0] ?? '';
    const { rest, count } = withoutLines(head, headerRow - 1 - above.lines);
    head = rest;
    above.lines += count;
    header = above.lines < headerRow - 1 ? undefined : firstLineOf(head);
    if (header !== undefined || head.length > longestRow) break;
  }
  const mark = above.lines === 0 ? above.mark : '';
  const named = separatorLine.exec(above.mark)?.[1];
  const separator = delimiter ?? named ?? separatorOf(header ?? head.slice(mark.length), required);
  return { separator, texts: prepend(head.slice(mark.length), pieces), lines: above.lines + Number(mark !== '') };
}

/** A text without its first lines, at most `most`, and how many were left out. */
function withoutLines(text: string, most: number): { readonly rest: string; readonly count: number } {
  let [from, count] = [0, 0];
  for (const { index, 0: end } of count < most ? text.matchAll(lineEnd) : []) {
    if (count === most) break;
    count += 1;
    from = index + end.length;
  }
  return { rest: text.slice(from), count };
}

/** A line end, but not a CR at the end of a piece, which may be half of one. */
const lineEnd = /\r\n|\n|\r(?=[\s\S])/g;

const separatorLine = /^"?sep=([^\r\n"])"?[ \t]*(?:\r\n|\n|\r)/i;

async function* prepend(first: string, pieces: AsyncIterator<string>): AsyncGenerator<string, void> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => pieces };
}

/** The first line that is not empty. Undefined as long as it may be incomplete. */
function firstLineOf(text: string): string | undefined {
  let [begin, isQuoted] = [separatorLine.exec(text)?.[0].length ?? 0, false];
  for (let at = begin; at < text.length - 1; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted || (character !== '\n' && character !== '\r')) continue;
    const line = text.slice(begin, at);
    if (/[^\s,;|"]/.test(line)) return line;
    begin = at + 1;
  }
  return undefined;
}

function separatorOf(header: string, required?: string): string {
  const readings = separators.map((separator) => ({ separator, columns: splitHeader(header, separator) }));
  const own = plainName(required ?? '');
  const found = readings.find(({ columns }) => columns.some((column) => plainName(column) === own));
  // If none has that column, the separator with the most columns serves the error message.
  return (found ?? readings.reduce((best, other) => (other.columns.length > best.columns.length ? other : best)))
    .separator;
}

/** The column names in a line, read precisely enough to recognize one of them. */
export function splitHeader(header: string, separator: string): string[] {
  const columns: string[] = [];
  let [column, isQuoted] = ['', false];
  for (const character of header) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      columns.push(column.trim());
      column = '';
    } else column += character;
  }
  return [...columns, column.trim()];
}

type Records = {
  readonly records: readonly (readonly string[])[];
  /** Whether cells may contain line ends: there has been a quote. */
  readonly quoted: boolean;
};

/**
 * Gives the records of each piece of text together: a promise for each record would take longer than parsing it. Up to the first quote, it splits lines
 * at separators, because csv-parse would take five times as long. The only file that loads csv-parse.
 * @throws usage for invalid quoting, after which nothing can be trusted, and for a row of more than 1 MiB
 */
async function* readRecords(
  texts: AsyncIterable<string>,
  separator: string,
  place: { readonly name: string; readonly nextLine: () => number },
): AsyncGenerator<Records, void> {
  const pieces = texts[Symbol.asyncIterator]();
  const cutter = openLineCutter();
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    if (piece.value.includes('"')) {
      const rest = prepend(cutter.rest() + piece.value, pieces);
      yield* parseRecords(rest, separator, place);
      return;
    }
    yield { records: cutter.cut(piece.value).map((line) => line.split(separator)), quoted: false };
    if (cutter.rest().length > longestRow) throw unreadableCsv('CSV_MAX_RECORD_SIZE', place.name, place.nextLine());
  }
  const last = cutter.rest().replace(/\r$/, '');
  yield { records: [last.split(separator)], quoted: false };
}

/** @param texts starting with a whole record */
async function* parseRecords(
  texts: AsyncIterable<string>,
  separator: string,
  { name, nextLine }: Parameters<typeof readRecords>[2],
): AsyncGenerator<Records, void> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  });
  const before = nextLine() - 1;
  let fault: unknown;
  parser.on('error', (error) => {
    fault = error;
  });
  for await (const text of texts) {
    const written = new Promise<void>((resolve) => parser.write(text, () => resolve()));
    const records = readParsed(parser);
    await written;
    if (fault !== undefined) throw csvFailure(fault, name, before, nextLine());
    yield { records: records.concat(readParsed(parser)), quoted: true };
  }
  parser.end();
  const rest = parser.toArray().catch((error) => {
    throw csvFailure(error, name, before, nextLine());
  });
  yield { records: await rest, quoted: true };
}

function readParsed(parser: Parser): string[][] {
  const records: string[][] = [];
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

/** The failure for an error of csv-parse. @param before the number of lines that it has not seen */
function csvFailure(error: unknown, name: string, before: number, nextLine: number): unknown {
  if (error instanceof Failure || !(error instanceof Error) || !('code' in error)) return error;
  // For an unclosed quote, the parser reports the last line.
  const at = error.code === 'CSV_QUOTE_NOT_CLOSED' || !('lines' in error) ? nextLine : before + Number(error.lines);
  // The text before the quote.
  const isFormula = 'field' in error && error.field === '=';
  return unreadableCsv(isFormula ? 'FORMULA' : String(error.code), name, at, error);
}

function unreadableCsv(code: string, name: string, line: number, cause?: Error): Failure {
  const [what, hint] = csvProblems[code] ?? ['cannot be read as CSV', undefined];
  return new Failure('usage', `${name} ${what} at line ${line}.`, { hint, cause });
}

const quoting = 'Put a cell that contains quotes in quotes, and double each quote in it: "7"" screen"';
const csvProblems: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  CSV_INVALID_CLOSING_QUOTE: ['has text after the closing quote of a cell', quoting],
  FORMULA: ['has a formula instead of a text', 'Write the text alone: 0012 instead of ="0012"'],
  INVALID_OPENING_QUOTE: ['has a quote in the middle of a cell that is not quoted', quoting],
  CSV_QUOTE_NOT_CLOSED: ['has a quoted cell that does not end; it begins', quoting],
  CSV_MAX_RECORD_SIZE: ['has a row longer than 1 MiB', 'A quote that is not closed may be the reason'],
};
