import { usage } from '../../failure.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { codePointOf, unfit as unfitText } from '../../text/utf8.ts';
import { longestCell } from '../cells.ts';
import { among, emptyHeaderFailure, headerHint, headerTest, isTitle, readHeader } from '../column-names.ts';
import { type CsvReading, rowOf } from '../csv.ts';
import type { ColumnUse, Doubts } from '../doubts.ts';
import { columnName, type Row, type Rows } from '../row.ts';
import type { Source } from '../source.ts';
import { odsRows } from './ods.ts';
import { type SheetReading, type SheetRow, xlsxRows } from './xlsx.ts';
import { largestPart, openArchive, tooLargeFailure } from './zip.ts';

export type WorkbookReading = CsvReading & {
  readonly format: 'xlsx' | 'ods';
  /** The first visible sheet if undefined. */
  readonly sheet?: string | undefined;
  /** The use of a column, counted from 0, once the header is read; undefined for one that is left out. */
  readonly columnAt?: ((column: number) => ColumnUse | undefined) | undefined;
  /** Accepts fractions and long numbers as IDs, with their digits in the file. */
  readonly numbersAsIds?: boolean | undefined;
  readonly doubts?: Doubts | undefined;
};

/**
 * The rows of a sheet, as `csvRows` gives them. A row's line is its number in the sheet. Empty rows at the end are not counted. Also yields without rows,
 * so that the caller can stop.
 * @throws usage for a file that is not such a workbook, for a missing sheet, and for an unusable header
 */
export async function* workbookRows(source: Source, reading: WorkbookReading): Rows & AsyncGenerator<readonly Row[]> {
  const { name } = source;
  const { format, required, headerRow, sheet, onHeader, empty, doubts } = reading;
  const isHeader = headerTest(reading);
  if (source.size > largestPart) throw tooLargeFailure(name);
  // Read to the end once, to get the digest and to notice a changed file.
  for await (const _chunk of source.bytes()) yield [];
  const archive = await openArchive(source.file(), name, `Is it a workbook (.${format})? If not, give its --format`);
  const rowsOf = format === 'xlsx' ? xlsxRows : odsRows;
  const read = (more: Partial<SheetReading>) => rowsOf(archive, { name, sheet, ...more });
  const merged: [line: number, column: number][] = [];
  const onMerged = (...area: [number, number]) => void (merged.length < mostAreas && merged.push(area));
  let columns: readonly string[] | undefined;
  let [head, last] = [0, 0];
  const onHidden = () => doubts?.ask(`The sheet ${JSON.stringify(sheet)} is hidden.`);
  for await (const handful of read({ onMerged, onHidden })) {
    const rows: Row[] = [];
    for (const found of handful) {
      const { line, cells, problem, facts } = found;
      if (line < (headerRow ?? 1)) continue;
      if (cells.every((cell) => cell.trim() === '') && problem === undefined && !facts) continue;
      if (columns) {
        if (line > last + 1) empty?.(line - last - 1);
        rows.push(dataRow(found, columns, reading));
      } else {
        if (headerRow && line > headerRow) throw emptyHeaderFailure(name, `Row ${headerRow}`);
        const isFound = isHeader(cells);
        const instead = isFound ? undefined : yield* findHeaderElsewhere(found, isHeader, read, reading.headerOption);
        const unfit = unfitCell(cells, line);
        if (unfit) throw usage(`${name}: ${unfit}.`);
        head = line;
        columns = readHeader(cells, name, { required, separator: ',', instead });
        onHeader?.(columns, ',', instead);
        if (doubts)
          doubts.hidden.columns = columns.flatMap((_, at) =>
            found.hides(at) ? (reading.columnAt?.(at)?.label ?? []) : [],
          );
        if (isFound && sheet === undefined && doubts) yield* askAboutOtherSheets(found, isHeader, read, doubts);
      }
      last = line;
    }
    yield rows;
  }
  // Merged cells of a title or of columns that are left out do not count.
  const areas = merged.filter(([line, column]) => line > head && line <= last && reading.columnAt?.(column));
  doubts?.hidden.merged.push(...areas.map(([line, column]) => `${columnName(column)}${line}`));
  if (columns) return;
  if (headerRow) throw emptyHeaderFailure(name, `Row ${headerRow}`);
  const instead = yield* findHeaderElsewhere({ sheet: '', cells: [] }, isHeader, read, reading.headerOption);
  throw usage(`${name} has an empty sheet: its first row names the columns${among(required)}.`, instead);
}

type Read = (more: Partial<SheetReading>) => AsyncIterable<readonly SheetRow[]>;
type IsHeader = (cells: readonly string[]) => boolean;

/** Asks about the sheet that is read if another has the column, too. */
async function* askAboutOtherSheets(header: SheetRow, isHeader: IsHeader, read: Read, doubts: Doubts) {
  const others: string[] = [];
  for await (const rows of read({ every: 'heads' })) {
    yield [];
    for (const row of rows)
      if (row.sheet !== header.sheet && isHeader(row.cells)) others.push(JSON.stringify(row.sheet));
  }
  const [first, ...more] = others;
  const also = `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  if (first) doubts.ask(`The sheet ${JSON.stringify(header.sheet)} is read, not ${also}; use --sheet to read another.`);
}

/** The largest number of areas of merged cells that are looked at. */
const mostAreas = 10_000;

/** A header is not looked for below this row. */
const lastHeader = 100;

/** Looks for the header below a title and in other sheets. Returns a hint if it finds it. */
async function* findHeaderElsewhere(
  header: Pick<SheetRow, 'sheet' | 'cells'>,
  isHeader: IsHeader,
  read: Read,
  headerOption: string | undefined,
): AsyncGenerator<readonly Row[], string | undefined> {
  let likely: number | undefined;
  for (const every of [undefined, 'rows'] as const) {
    for await (const handful of read(every ? { every } : {})) {
      yield [];
      const rows = handful.filter(({ line }) => line <= lastHeader);
      const found = rows.find((row) => isHeader(row.cells));
      if (!every && isTitle(header.cells)) likely ??= rows.find(({ cells }) => !isTitle(cells))?.line;
      if (found?.sheet === header.sheet) return headerHint(`in row ${found.line}`, found.line, true, headerOption);
      if (found) return `The sheet ${JSON.stringify(found.sheet)} has it: --sheet=${quoteForShell(found.sheet)}`;
    }
  }
  return likely === undefined ? undefined : headerHint(`in row ${likely}`, likely, false, headerOption);
}

function dataRow(found: SheetRow, columns: readonly string[], reading: WorkbookReading): Row {
  const { line, cells, problem, isHidden } = found;
  const { required, columnAt, doubts } = reading;
  if (isHidden) doubts?.hidden.rows.push(line);
  const padded = cells.length < columns.length ? [...cells, ...Array(columns.length - cells.length).fill('')] : cells;
  const { texts, wrong: unfit } = fitToColumns(padded, found, reading);
  const long = texts.findIndex((text, at) => text.length === longestCell && columnAt?.(at));
  const cut =
    long < 0
      ? undefined
      : `cell ${columnName(long)}${line} is as long as a spreadsheet's cell can be, and may be cut off`;
  const wrong = problem ?? unfit ?? cut ?? unfitCell(texts, line);
  const row = rowOf(columns, texts, line, ',');
  if (wrong === undefined) return row;
  const key = unfit?.startsWith('has ') ? texts[columns.indexOf(required ?? '')] : undefined;
  return { line, text: row.text, problem: wrong, ...(key && { key }) };
}

/** Fits the cells of a row to the uses of their columns, and notes doubtful ones. `wrong` says why a cell does not fit. */
function fitToColumns(
  cells: readonly string[],
  { line, facts = new Map() }: Pick<SheetRow, 'line' | 'facts'>,
  { columnAt, numbersAsIds, doubts }: WorkbookReading,
): { readonly texts: readonly string[]; readonly wrong: string | undefined } {
  const texts = [...cells];
  let wrong: string | undefined;
  for (const [at, { flaw, nature, digits, isRounded, isOutdated }] of facts) {
    const column = columnAt?.(at);
    const text = cells[at] ?? '';
    if (!column) continue;
    const place = { where: `cell ${columnName(at)}${line}`, label: column.label };
    if (flaw) wrong ??= `has ${flaw} in ${place.where}`;
    if (isOutdated) doubts?.add('outdated', place, text);
    if (nature === undefined) continue;
    if (column.use === 'key' || column.use === 'id') {
      if (numbersAsIds && digits !== undefined) texts[at] = digits;
      else {
        const option = digits === undefined ? '' : ', or give --numbers-as-ids';
        wrong ??= `${place.where} is ${nature}: format the column as text and enter it again${option}`;
        // In the file of failed rows, the cell must not become an ID that can be sent.
        texts[at] = digits === undefined ? '' : Number(digits).toExponential().toUpperCase();
      }
    } else if (column.use === 'number') {
      if (digits === undefined || digits !== text.replace(/[.,'\s\u2019]/g, ''))
        wrong ??= `${place.where} is ${nature}: enter it again as a whole number without a format`;
      else {
        texts[at] = digits;
        doubts?.add('number', place, text, digits);
      }
    } else if (isRounded) doubts?.add('rounded', place, text);
    else if (column.use !== 'other' && (digits === undefined || text.endsWith('%')))
      doubts?.add('converted', place, text, text.endsWith('%') ? 'a percentage' : nature);
  }
  return { texts, wrong };
}

/** Names a cell with a character that no text has, because another program garbled it. Undefined if there is none. */
function unfitCell(cells: readonly string[], line: number): string | undefined {
  const at = cells.findIndex((cell) => unfitText.test(cell));
  if (at < 0) return undefined;
  const found = unfitText.exec(cells[at] ?? '')?.[0] ?? '';
  return `cell ${columnName(at)}${line} has the character ${codePointOf(found)}, which no text should have: enter it again`;
}
