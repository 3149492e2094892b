import { usage } from '../failure.ts';
import { recordsOf } from './csv-records.ts';
import type { Row, Rows } from './row.ts';
import { openTable, separators } from './separator.ts';

/** A row's cells, and the columns of the file. A column without a name has only empty cells. */
export type Cells = { readonly columns: readonly string[]; readonly cells: readonly string[] };

export type CsvReading = {
  /** The required column. */
  readonly required: string;
  /** The separator between cells; if undefined, it is detected from the header. */
  readonly delimiter?: string | undefined;
  /** Called once with the columns and their separator. */
  readonly onHeader?: ((columns: readonly string[], separator: string) => void) | undefined;
  /** Called with the number of rows that were skipped because all cells are empty. */
  readonly empty?: ((rows: number) => void) | undefined;
  /** The columns with IDs, where a number that a spreadsheet may have changed is refused. */
  readonly ids?: readonly string[] | undefined;
  /** Takes such numbers, in a workbook with the digits in the file. */
  readonly numbersAsIds?: boolean | undefined;
  /** Called for what is read all the same: a hidden row, an area of merged cells, a number that has lost digits. */
  readonly onOddity?: ((what: Oddity, where: string) => void) | undefined;
};

export type Oddity = 'hidden' | 'merged' | 'rounded';

/**
 * The rows of a CSV text (RFC 4180; line ends CRLF, LF or CR; any separator). A row's value is its `Cells`, one per column; column names are
 * trimmed.
 * @throws usage for an unusable header, and whenever `recordsOf` does
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  name: string,
  reading: CsvReading,
): Rows & AsyncGenerator<readonly Row[], void> {
  const { required, delimiter, onHeader, empty } = reading;
  const table = await openTable(texts, required, delimiter);
  const { separator } = table;
  let columns: readonly string[] | undefined;
  let line = table.lines;
  for await (const { records, quoted } of recordsOf(table.texts, separator, { name, nextLine: () => line + 1 })) {
    const rows: Row[] = [];
    for (const [index, record] of records.entries()) {
      const at = line + 1;
      line = at + (quoted ? lineEndsIn(record) : 0);
      if (record.every(isBlank)) {
        if (columns && record.length > 1) empty?.(1);
      } else if (columns) {
        rows.push(withoutRoundedId(rowOf(columns, record, at, separator), record, columns, reading));
      } else {
        const instead = headerBelow(records.slice(index), at, required);
        columns = readHeader(record, name, { required, separator, instead });
        onHeader?.(columns, separator);
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (!columns) throw usage(`${name} is empty: a CSV file starts with its column names, "${required}" among them.`);
}

/** Where there is a title above the header. */
function headerBelow(records: readonly (readonly string[])[], line: number, required: string): string | undefined {
  const isHeader = (cells: readonly string[]) =>
    cells.some((cell) => cell.split(/[,;\t|]/).some((name) => name.trim() === required));
  const index = records.findIndex(isHeader);
  if (index < 1) return undefined;
  const lines = records.slice(0, index).reduce((sum, cells) => sum + 1 + lineEndsIn(cells), line);
  return `Line ${lines} has it: remove the lines above`;
}

/** What spreadsheets write into CSV for a number of more than eleven digits. */
const rounded = /^-?\d(?:[.,]\d+)?E[+-]\d+$/;

function withoutRoundedId(
  row: Row,
  cells: readonly string[],
  columns: readonly string[],
  { ids, numbersAsIds, onOddity }: CsvReading,
): Row {
  let problem: string | undefined;
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at] ?? '';
    if (!cell.includes('E') || !rounded.test(cell)) continue;
    const column = columns[at] ?? '';
    if (!ids?.includes(column)) {
      if (cell.includes('E+')) onOddity?.('rounded', `line ${row.line}`);
    } else if (!numbersAsIds)
      problem ??= `has the rounded number ${cell} in column "${column}": format the column as text and enter it again, or give --numbers-as-ids`;
  }
  return problem === undefined ? row : { line: row.line, text: row.text, problem };
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

type HeaderRule = {
  readonly required: string;
  readonly separator: string;
  /** Where the column was found instead, as a hint. */
  readonly instead?: string | undefined;
};

/** The column names in a first row, trimmed. @throws usage if `required` is missing, or if a name occurs twice */
export function readHeader(cells: readonly string[], name: string, expected: HeaderRule): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    const first = places.get(column) ?? index;
    places.set(column, first);
    if (column === '' || first === index) continue;
    throw usage(
      `${name} has the column "${column}" twice: it is column ${first + 1} and column ${index + 1}.`,
      'Keep one of them',
    );
  }
  if (columns.includes(expected.required)) return columns;
  throw usage(`${name} has no column "${expected.required}".`, headerHint(columns, expected));
}

function headerHint(columns: readonly string[], { required, separator, instead }: HeaderRule): string {
  const alike = columns.find((column) => column.toLowerCase() === required.toLowerCase());
  if (alike !== undefined) return `Its column "${alike}" has to be written "${required}"`;
  if (instead !== undefined) return instead;
  const [only = ''] = columns;
  const other = separators.find((each) => columns.length === 1 && each !== separator && only.includes(each));
  if (other) return `It was read with ${spoken(separator)} between cells, and seems to have ${spoken(other)} there`;
  return `Its first line has to name the columns; it names ${columns
    .slice(0, 10)
    .map((column) => `"${column}"`)
    .join(', ')}`;
}

function spoken(separator: string): string {
  return separator === '\t' ? 'tabs' : `"${separator}"`;
}

/** A row with its cells, or a problem if they do not match the columns. */
export function rowOf(columns: readonly string[], cells: readonly string[], line: number, separator: string): Row {
  const text = () => csvLine(cells, separator);
  if (cells.length !== columns.length) {
    return { line, text, problem: `has ${counted(cells.length)}; the header has ${columns.length}` };
  }
  const nameless = columns.includes('') ? columns.findIndex((column, at) => column === '' && cells[at] !== '') : -1;
  if (nameless >= 0) return { line, text, problem: `has a value in column ${nameless + 1}, which has no name` };
  return { line, text, value: { columns, cells } satisfies Cells };
}

function counted(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}

/** Cells as a line of a CSV file, without the line end. */
export function csvLine(cells: readonly string[], separator = ','): string {
  // A single empty cell would give a blank line, which readers skip.
  if (cells.length === 1 && cells[0] === '') return '""';
  const isPlain = (cell: string) => !/["\r\n]/.test(cell) && !cell.includes(separator);
  return cells.map((cell) => (isPlain(cell) ? cell : `"${cell.replaceAll('"', '""')}"`)).join(separator);
}

/** The beginning of a CSV file, so that readers use that separator. */
export function csvHead(columns: readonly string[], separator: string): string {
  const isFound = separators.some((each) => each === separator);
  return `${isFound ? '' : `sep=${separator}\n`}${csvLine(columns, separator)}\n`;
}
