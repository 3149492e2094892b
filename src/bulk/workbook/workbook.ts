import { usage } from '../../failure.ts';
import { type CsvReading, readHeader, rowOf } from '../csv.ts';
import type { Row, Rows } from '../row.ts';
import type { Source } from '../source.ts';
import { openArchive } from './zip.ts';

export type WorkbookReading = CsvReading & {
  readonly format: 'xlsx' | 'ods';
  /** The first sheet if undefined. */
  readonly sheet?: string | undefined;
};

/**
 * The rows of a sheet, as `csvRows` returns them; a row's line is its number in the sheet. Empty rows at the end are not counted.
 * @throws usage for a file that is not such a workbook, for a missing sheet, and for an unusable header
 */
export async function* workbookRows(source: Source, reading: WorkbookReading): Rows & AsyncGenerator<readonly Row[]> {
  // Read it to the end once, to get its digest and to detect a changed file.
  for await (const _chunk of source.bytes());
  const { name } = source;
  const { format, required, sheet, onHeader, empty } = reading;
  const archive = await openArchive(source.file(), name, `Is it a workbook (.${format})? If not, give its --format`);
  const rowsOf = format === 'xlsx' ? (await import('./xlsx.ts')).xlsxRows : (await import('./ods.ts')).odsRows;
  let columns: readonly string[] | undefined;
  let last = 0;
  for await (const handful of rowsOf(archive, name, sheet)) {
    const rows: Row[] = [];
    for (const { line, cells, problem } of handful) {
      if (cells.every((cell) => cell.trim() === '') && problem === undefined) continue;
      if (columns) {
        if (line > last + 1) empty?.(line - last - 1);
        const row = rowOf(columns, filled(cells, columns.length), line, ',');
        rows.push(problem === undefined ? row : { line, text: row.text, problem });
      } else {
        columns = readHeader(cells, name, { required, separator: ',' });
        onHeader?.(columns, ',');
      }
      last = line;
    }
    if (rows.length > 0) yield rows;
  }
  if (!columns) throw usage(`${name} has an empty sheet: its first row names the columns, "${required}" among them.`);
}

function filled(cells: readonly string[], length: number): readonly string[] {
  return cells.length < length ? [...cells, ...new Array<string>(length - cells.length).fill('')] : cells;
}
