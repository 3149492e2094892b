import { csvRows } from './csv.ts';
import { jsonRows, ndjsonRows } from './json.ts';
import type { Row, RowFormat, Rows } from './row.ts';
import type { Source } from './source.ts';
import { decodeText } from './text.ts';
import type { WorkbookReading } from './workbook/workbook.ts';

type ReadOptions = Omit<WorkbookReading, 'format'> & {
  readonly format: RowFormat;
  /** A name that `encodingNamed` returns; UTF-8 if undefined. */
  readonly encoding?: string | undefined;
  /** Called with a sentence that says how a text that is not UTF-8 was read. */
  readonly onRead?: ((sentence: string) => void) | undefined;
};

/** The rows of a source, from its beginning. @throws usage if the source as a whole cannot be read */
export function readRows(source: Source, { format, encoding, onRead, ...reading }: ReadOptions): Rows {
  if (format === 'xlsx' || format === 'ods') return loadWorkbookRows(source, { format, ...reading });
  const texts = decodeText(source, encoding, onRead);
  if (format === 'csv') return csvRows(texts, source.name, reading);
  return (format === 'json' ? jsonRows : ndjsonRows)(texts, source.name);
}

async function* loadWorkbookRows(source: Source, reading: WorkbookReading): AsyncGenerator<readonly Row[]> {
  const { workbookRows } = await import('./workbook/workbook.ts');
  yield* workbookRows(source, reading);
}
