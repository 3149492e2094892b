import { usage } from '../../failure.ts';
import { type CsvReading, readHeader, rowOf } from '../csv.ts';
import type { Row, Rows } from '../row.ts';
import type { Source } from '../source.ts';
import { openArchive } from './zip.ts';

export type WorkbookReading = CsvReading & {
  readonly format: 'xlsx' | 'ods';
  /** The first where it is undefined. */
  readonly sheet?: string | undefined;
};

/**
 * The rows of a sheet, as `csvRows` gives them; a row's line is its number in the sheet. Rows of empty cells behind the last that is not are
 * not counted.
 * @throws usage for a file that is not such a workbook, for a sheet that is not there, and for a header that cannot be used
 */
export async function* workbookRows(source: Source, reading: WorkbookReading): Rows & AsyncGenerator<readonly Row[]> {
  // Read to its end once, so that its digest is known, and whether it is the file of before.
  for await (const _chunk of source.bytes());
  const { name } = source;
  const { format, required, sheet, heard, empty } = reading;
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
        heard?.(columns, ',');
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
