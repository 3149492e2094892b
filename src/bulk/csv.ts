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
};

/**
 * The rows of a CSV text (RFC 4180; line ends CRLF, LF or CR; any separator). A row's value is its `Cells`, one per column; column names are
 * trimmed.
 * @throws usage for an unusable header, and whenever `recordsOf` does
 */
export async function* csvRows(
  texts: AsyncIterable<string>,
  name: string,
  { required, delimiter, onHeader, empty }: CsvReading,
): Rows & AsyncGenerator<readonly Row[], void> {
  const table = await openTable(texts, required, delimiter);
  const { separator } = table;
  let columns: readonly string[] | undefined;
  let line = table.lines;
  for await (const { records, quoted } of recordsOf(table.texts, separator, { name, nextLine: () => line + 1 })) {
    const rows: Row[] = [];
    for (const record of records) {
      const at = line + 1;
      line = at + (quoted ? lineEndsIn(record) : 0);
      if (record.every(isBlank)) {
        if (columns && record.length > 1) empty?.(1);
      } else if (columns) {
        rows.push(rowOf(columns, record, at, separator));
      } else {
        columns = readHeader(record, name, { required, separator });
        onHeader?.(columns, separator);
      }
    }
    if (rows.length > 0) yield rows;
  }
  if (!columns) throw usage(`${name} is empty: a CSV file starts with its column names, "${required}" among them.`);
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

type HeaderRule = { readonly required: string; readonly separator: string };

/** The column names in a first row, trimmed. @throws usage if `required` is missing, or if a name occurs twice */
export function readHeader(cells: readonly string[], name: string, expected: HeaderRule): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  for (const [index, column] of columns.entries()) {
    const first = columns.indexOf(column);
    if (column === '' || first === index) continue;
    throw usage(
      `${name} has the column "${column}" twice: it is column ${first + 1} and column ${index + 1}.`,
      'Keep one of them',
    );
  }
  if (columns.includes(expected.required)) return columns;
  throw usage(`${name} has no column "${expected.required}".`, headerHint(columns, expected));
}

function headerHint(columns: readonly string[], { required, separator }: HeaderRule): string {
  const [only = ''] = columns;
  const other = separators.find((each) => columns.length === 1 && each !== separator && only.includes(each));
  if (other) return `It was read with ${spoken(separator)} between cells, and seems to have ${spoken(other)} there`;
  const alike = columns.find((column) => column.toLowerCase() === required.toLowerCase());
  if (alike !== undefined) return `Its column "${alike}" has to be written "${required}"`;
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
