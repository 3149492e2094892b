import { csvRows } from './csv.ts';
import { jsonRows } from './json.ts';
import { ndjsonRows } from './ndjson.ts';
import type { Format, Rows } from './row.ts';
import type { Source } from './source.ts';
import { decoded } from './text.ts';

export type Reading = {
  readonly format: Format;
  /** The column that a CSV file must have. */
  readonly required: string;
  /** Is told a CSV file's columns. */
  readonly heard?: (columns: readonly string[]) => void;
};

/** The rows of a source, from its beginning. What makes it unreadable as a whole is a usage failure. */
export function readRows(source: Source, { format, required, heard }: Reading): Rows {
  const texts = decoded(source.bytes(), source.name);
  switch (format) {
    case 'csv':
      return csvRows(texts, source.name, required, heard);
    case 'ndjson':
      return ndjsonRows(texts, source.name);
    case 'json':
      return jsonRows(texts, source.name);
  }
}
