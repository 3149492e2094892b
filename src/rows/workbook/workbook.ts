import { usage } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { codePointOf, unfit as unfitText } from '../../text/utf8.ts';
import { among, type CsvReading, emptyHeader, headerTest, readHeader, rowOf } from '../csv.ts';
import type { Row, Rows } from '../row.ts';
import type { Source } from '../source.ts';
import { odsRows } from './ods.ts';
import { columnName, type SheetReading, type SheetRow, xlsxRows } from './xlsx.ts';
import { largestPart, openArchive, tooLargeFailure } from './zip.ts';

export type WorkbookReading = CsvReading & {
  readonly format: 'xlsx' | 'ods';
  /** The first visible sheet if undefined. */
  readonly sheet?: string | undefined;
};

/**
 * The rows of a sheet, as `csvRows` returns them; a row's line is its number in the sheet. Empty rows at the end are not counted. It also
 * yields while it has found no rows yet, so that the caller can stop.
 * @throws usage for a file that is not such a workbook, for a missing sheet, and for an unusable header
 */
export async function* workbookRows(source: Source, reading: WorkbookReading): Rows & AsyncGenerator<readonly Row[]> {
  const { name } = source;
  const { format, required, headerRow, sheet, onHeader, empty, onOddity, onSheet } = reading;
  const isHeader = headerTest(reading);
  if (source.size > largestPart) throw tooLargeFailure(name);
  // Read it to the end once, to get its digest and to detect a changed file.
  for await (const _chunk of source.bytes()) yield [];
  const archive = await openArchive(source.file(), name, `Is it a workbook (.${format})? If not, give its --format`);
  const rowsOf = format === 'xlsx' ? xlsxRows : odsRows;
  const read = (more: Partial<SheetReading>) => rowsOf(archive, { name, sheet, ...more });
  let columns: readonly string[] | undefined;
  let last = 0;
  const onHidden = () => onSheet?.(`The sheet ${JSON.stringify(sheet)} is hidden.`);
  for await (const handful of read({ onMerged: () => onOddity?.('merged', ''), onHidden })) {
    const rows: Row[] = [];
    for (const found of handful) {
      const { line, cells, problem } = found;
      if (line < (headerRow ?? 1)) continue;
      if (cells.every((cell) => cell.trim() === '') && problem === undefined) continue;
      if (columns) {
        if (line > last + 1) empty?.(line - last - 1);
        rows.push(dataRow(found, columns, reading));
      } else {
        if (headerRow && line > headerRow) throw emptyHeader(name, `Row ${headerRow}`);
        const isFound = isHeader(cells);
        const instead = isFound ? undefined : yield* placeElsewhere(found, isHeader, read);
        const strange = unfitCell(cells, line);
        if (strange) throw usage(`${name}: ${strange}.`);
        columns = readHeader(cells, name, { required, separator: ',', instead });
        onHeader?.(columns, ',', instead);
        if (isFound && sheet === undefined && onSheet) yield* tellOthers(found, isHeader, read, onSheet);
      }
      last = line;
    }
    yield rows;
  }
  if (columns) return;
  if (headerRow) throw emptyHeader(name, `Row ${headerRow}`);
  const instead = yield* placeElsewhere({ sheet: '' }, isHeader, read);
  throw usage(`${name} has an empty sheet: its first row names the columns${among(required)}.`, instead);
}

type Read = (more: Partial<SheetReading>) => AsyncIterable<readonly SheetRow[]>;
type IsHeader = (cells: readonly string[]) => boolean;

/** Names the sheet that is read where others might be meant. */
async function* tellOthers(header: SheetRow, isHeader: IsHeader, read: Read, onSheet: (doubt: string) => void) {
  const others: string[] = [];
  for await (const rows of read({ every: 'heads' })) {
    yield [];
    for (const row of rows)
      if (row.sheet !== header.sheet && isHeader(row.cells)) others.push(JSON.stringify(row.sheet));
  }
  const [first, ...more] = others;
  const also = `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  if (first) onSheet(`The sheet ${JSON.stringify(header.sheet)} is read, not ${also}; use --sheet to read another.`);
}

/** No header stands further down. */
const lastHeader = 100;

/** Returns a hint if the column is below a title, or in another sheet. */
async function* placeElsewhere(
  header: Pick<SheetRow, 'sheet'>,
  isHeader: IsHeader,
  read: Read,
): AsyncGenerator<readonly Row[], string | undefined> {
  for (const every of [undefined, 'rows'] as const) {
    for await (const handful of read(every ? { every } : {})) {
      yield [];
      const found = handful.find((row) => row.line <= lastHeader && isHeader(row.cells));
      if (found?.sheet === header.sheet)
        return `The column names are in row ${found.line}: add --header-row=${found.line}`;
      if (found) return `The sheet ${JSON.stringify(found.sheet)} has it: --sheet=${quoteForShell(found.sheet)}`;
    }
  }
  return undefined;
}

function dataRow(
  { line, cells, problem, isHidden, unfit }: SheetRow,
  columns: readonly string[],
  { required, isId, numbersAsIds, onOddity }: WorkbookReading,
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
  wrong ??= unfitCell(texts, line);
  const row = rowOf(columns, texts, line, ',');
  if (wrong === undefined) return row;
  const key = problem?.startsWith('has ') ? texts[columns.indexOf(required ?? '')] : undefined;
  return { line, text: row.text, problem: wrong, ...(key && { key }) };
}

/** What is wrong with a row that has a character that no text has, where other programs garbled it. */
function unfitCell(cells: readonly string[], line: number): string | undefined {
  const at = cells.findIndex((cell) => unfitText.test(cell));
  if (at < 0) return undefined;
  const found = unfitText.exec(cells[at] ?? '')?.[0] ?? '';
  return `cell ${columnName(at)}${line} has the character ${codePointOf(found)}, which no text should have: enter it again`;
}
