import { usage } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { among, type CsvReading, readHeader, rowOf } from '../csv.ts';
import type { Row, Rows } from '../row.ts';
import type { Source } from '../source.ts';
import { odsRows } from './ods.ts';
import { columnName, type SheetReading, type SheetRow, xlsxRows } from './xlsx.ts';
import { largestPart, openArchive, tooLargeFailure } from './zip.ts';

export type WorkbookReading = CsvReading & {
  readonly format: 'xlsx' | 'ods';
  /** The first sheet if undefined. */
  readonly sheet?: string | undefined;
};

/**
 * The rows of a sheet, as `csvRows` returns them; a row's line is its number in the sheet. Empty rows at the end are not counted. It also
 * yields while it has found no rows yet, so that the caller can stop.
 * @throws usage for a file that is not such a workbook, for a missing sheet, and for an unusable header
 */
export async function* workbookRows(source: Source, reading: WorkbookReading): Rows & AsyncGenerator<readonly Row[]> {
  const { name } = source;
  const { format, required, sheet, onHeader, empty, onOddity } = reading;
  if (source.size > largestPart) throw tooLargeFailure(name);
  // Read it to the end once, to get its digest and to detect a changed file.
  for await (const _chunk of source.bytes()) yield [];
  const archive = await openArchive(source.file(), name, `Is it a workbook (.${format})? If not, give its --format`);
  const rowsOf = format === 'xlsx' ? xlsxRows : odsRows;
  const read = (more: Partial<SheetReading>) => rowsOf(archive, { name, sheet, ...more });
  let columns: readonly string[] | undefined;
  let last = 0;
  for await (const handful of read({ onMerged: () => onOddity?.('merged', '') })) {
    const rows: Row[] = [];
    for (const found of handful) {
      const { line, cells, problem } = found;
      if (cells.every((cell) => cell.trim() === '') && problem === undefined) continue;
      if (columns) {
        if (line > last + 1) empty?.(line - last - 1);
        rows.push(dataRow(found, columns, reading));
      } else {
        const isFound = required === undefined || hasColumn(found, required);
        const instead = isFound ? undefined : yield* placeElsewhere(found, required, read);
        columns = readHeader(cells, name, { required, separator: ',', instead });
        onHeader?.(columns, ',');
      }
      last = line;
    }
    yield rows;
  }
  if (!columns) throw usage(`${name} has an empty sheet: its first row names the columns${among(required)}.`);
}

function hasColumn({ cells }: SheetRow, required: string): boolean {
  return cells.some((cell) => cell.trim() === required);
}

/** No header stands further down. */
const lastHeader = 100;

/** Returns a hint if the column is below a title, or in another sheet. */
async function* placeElsewhere(
  header: SheetRow,
  required: string,
  read: (more: Partial<SheetReading>) => AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly Row[], string | undefined> {
  for (const every of [false, true]) {
    for await (const handful of read({ every })) {
      yield [];
      const found = handful.find((row) => row.line <= lastHeader && hasColumn(row, required));
      if (found?.sheet === header.sheet) return `Row ${found.line} has it: remove the rows above`;
      if (found) return `The sheet ${JSON.stringify(found.sheet)} has it: --sheet ${quoteForShell(found.sheet)}`;
    }
  }
  return undefined;
}

function dataRow(
  { line, cells, problem, isHidden, unfit }: SheetRow,
  columns: readonly string[],
  { isId, numbersAsIds, onOddity }: WorkbookReading,
): Row {
  let texts = cells.length < columns.length ? [...cells, ...Array(columns.length - cells.length).fill('')] : cells;
  let wrong = problem;
  if (isHidden) onOddity?.('hidden', '');
  for (const [at, { what, digits, isRounded }] of unfit ?? []) {
    const where = `cell ${columnName(at)}${line}`;
    if (!isId?.(columns[at] ?? '')) {
      if (isRounded) onOddity?.('rounded', where);
    } else if (numbersAsIds && digits !== undefined) texts = texts.with(at, digits);
    else {
      const option = digits === undefined ? '' : ', or give --numbers-as-ids';
      wrong ??= `${where} is ${what}: format the column as text and enter it again${option}`;
      // Among the rows that failed, it must not become an ID that is sent.
      texts = texts.with(at, digits === undefined ? '' : Number(digits).toExponential().toUpperCase());
    }
  }
  const row = rowOf(columns, texts, line, ',');
  return wrong === undefined ? row : { line, text: row.text, problem: wrong };
}
