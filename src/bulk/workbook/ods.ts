import { longestRow } from '../row.ts';
import { plainNumber } from './numbers.ts';
import type { SheetRow } from './sheet-row.ts';
import { columnName, noSheetFailure } from './xlsx.ts';
import { type Attributes, readXml, type XmlReader } from './xml.ts';
import { type Archive, tooLargeFailure } from './zip.ts';

/** The limits of the programs that write such files. */
const [mostRows, mostColumns] = [1_048_576, 16_384];

/**
 * The rows of a table of an OpenDocument spreadsheet, by default the first. Formulas have their saved values.
 * @throws usage for a missing table, and for a file that is not such a workbook
 */
export async function* odsRows(archive: Archive, name: string, sheet?: string): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  const names: string[] = [];
  let isRead = false;
  const table = tableReader(name, (row) => rows.push(row));
  let [depth, isWanted] = [0, false];
  const reader: XmlReader = {
    open(tag, attributes) {
      if (tag === 'table') {
        depth += 1;
        if (depth > 1) return;
        names.push(attributes['table:name'] ?? '');
        isWanted = !isRead && (sheet === undefined || names.at(-1) === sheet);
        isRead ||= isWanted;
      } else if (isWanted && depth === 1) table.open?.(tag, attributes);
    },
    text(text) {
      if (isWanted && depth === 1) table.text?.(text);
    },
    close(tag) {
      if (tag === 'table') {
        depth -= 1;
        if (depth === 0) isWanted = false;
      } else if (isWanted && depth === 1) table.close?.(tag);
    },
  };
  for await (const _piece of readXml(archive.read('content.xml'), name, reader)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
  if (!isRead) throw noSheetFailure(name, sheet, names);
}

type Cell = { readonly attributes: Attributes; readonly repeated: number; paragraphs: string[] };

function tableReader(name: string, row: (row: SheetRow) => void): XmlReader {
  let [line, repeated, length, asides, isText] = [0, 1, 0, 0, false];
  let cells: string[] = [];
  let at = 0;
  let problem: string | undefined;
  let cell: Cell | undefined;
  const add = (text: string) => {
    if (!isText || asides > 0 || !cell) return;
    length += text.length;
    if (length > longestRow) problem ??= 'is longer than 1 MiB';
    else cell.paragraphs.push((cell.paragraphs.pop() ?? '') + text);
  };
  function endCell({ attributes, repeated: times, paragraphs }: Cell): void {
    const text = textOf(attributes, paragraphs.join('\n'));
    if (attributes['calcext:value-type'] === 'error') {
      problem ??= `has the error ${text} in cell ${columnName(at)}${line + 1}`;
    }
    if (text === '') {
      at += times;
      return;
    }
    for (const end = Math.min(at + times, mostColumns); at < end; at += 1) {
      while (cells.length < at) cells.push('');
      cells[at] = text;
      length += text.length;
    }
    if (length > longestRow) problem ??= 'is longer than 1 MiB';
  }
  function endRow(): void {
    const times = cells.length === 0 && problem === undefined ? 0 : repeated;
    if (line + times > mostRows) throw tooLargeFailure(name);
    for (let count = 1; count <= times; count += 1) row({ line: line + count, cells, problem });
    line += repeated;
  }
  return {
    open(tag, attributes) {
      if (tag === 'table-row') {
        repeated = count(attributes['table:number-rows-repeated']);
        [cells, at, problem, length] = [[], 0, undefined, 0];
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        cell = { attributes, repeated: count(attributes['table:number-columns-repeated']), paragraphs: [] };
      } else if (tag === 'annotation') asides += 1;
      else if (tag === 'p' && asides === 0) {
        cell?.paragraphs.push('');
        isText = true;
      } else if (tag === 's') add(' '.repeat(Math.min(count(attributes['text:c']), longestRow)));
      else if (tag === 'tab') add('\t');
      else if (tag === 'line-break') add('\n');
    },
    text: add,
    close(tag) {
      if (tag === 'p' && asides === 0) isText = false;
      else if (tag === 'annotation') asides -= 1;
      else if (tag === 'table-row') endRow();
      else if (cell && (tag === 'table-cell' || tag === 'covered-table-cell')) {
        endCell(cell);
        cell = undefined;
      }
    },
  };
}

function count(text: string | undefined): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 1;
}

/** The text as the sheet shows it, except where that depends on the locale. */
function textOf(attributes: Attributes, shown: string): string {
  const value = attributes['office:value'];
  switch (attributes['office:value-type']) {
    case 'date':
      return (attributes['office:date-value'] ?? shown).replace(/\.0+$/, '');
    case 'time':
      return clockOf(attributes['office:time-value'] ?? '') ?? shown;
    case 'boolean':
      return (attributes['office:boolean-value'] ?? shown).toUpperCase();
    case 'float':
      // The sheet omits digits that do not fit.
      return value !== undefined && (shown === '' || /\dE[+-]?\d/i.test(shown) || /^#+$/.test(shown))
        ? plainNumber(value)
        : shown;
    default:
      return shown;
  }
}

/** "PT06H30M00S" as a time of day; undefined if it is longer than a day. */
function clockOf(duration: string): string | undefined {
  const [, hours = '', minutes = '', seconds = ''] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]0*)?S$/.exec(duration) ?? [];
  if (hours === '' || Number(hours) > 23) return undefined;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
