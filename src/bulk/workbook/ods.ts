import { longestRow } from '../row.ts';
import { type CellText, numberCell, plainNumber } from './numbers.ts';
import {
  columnName,
  isSameSheet,
  mostColumns,
  mostRows,
  noSheetFailure,
  OpenRow,
  type SheetReading,
  type SheetRow,
} from './xlsx.ts';
import { type Attributes, readXml, type XmlReader } from './xml.ts';
import { type Archive, tooLargeFailure } from './zip.ts';

/** As many as LibreOffice can have. */
const mostSheets = 10_000;

/** A row that is repeated a million times is given in parts, so that the caller can stop. */
const handful = 256;

/**
 * The rows of a table of an OpenDocument spreadsheet, by default the first. Formulas have their saved values. Yields also where there are
 * no rows yet, so that the caller can stop.
 * @throws usage for a missing table, and for a file that is not such a workbook
 */
export async function* odsRows(archive: Archive, reading: SheetReading): AsyncGenerator<readonly SheetRow[]> {
  const { name, sheet, every } = reading;
  let rows: RepeatedRow[] = [];
  const names: string[] = [];
  let isRead = false;
  let table: XmlReader = {};
  let [depth, isWanted] = [0, false];
  const reader: XmlReader = {
    open(tag, attributes) {
      if (tag === 'table') {
        depth += 1;
        if (depth > 1) return;
        const own = attributes['table:name'] ?? '';
        if (names.push(own) > mostSheets) throw tooLargeFailure(name);
        isWanted = every || (!isRead && (sheet === undefined || isSameSheet(own, sheet)));
        isRead ||= isWanted;
        table = tableReader(reading, own, (row) => rows.push(row));
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
    yield* inHandfuls(rows);
    rows = [];
  }
  if (!isRead) throw noSheetFailure(name, sheet, names);
}

type RepeatedRow = SheetRow & { readonly repeated: number };

function* inHandfuls(repeatedRows: readonly RepeatedRow[]): Generator<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for (const { repeated, ...row } of repeatedRows) {
    for (let more = 0; more < repeated; more += 1) {
      if (rows.push({ ...row, line: row.line + more }) === handful) yield rows.splice(0);
    }
  }
  yield rows;
}

type Cell = { readonly attributes: Attributes; readonly repeated: number; paragraphs: string[] };

function tableReader({ name, onMerged }: SheetReading, sheet: string, onRow: (row: RepeatedRow) => void): XmlReader {
  let [line, repeated, asides, isText, isHidden, at, row] = [0, 1, 0, false, false, 0, new OpenRow()];
  let cell: Cell | undefined;
  const add = (text: string) => {
    if (!isText || asides > 0 || !cell) return;
    if (row.grow(text.length)) cell.paragraphs.push((cell.paragraphs.pop() ?? '') + text);
  };
  function endCell({ attributes, repeated: times, paragraphs }: Cell): void {
    const found = readCell(attributes, paragraphs.join('\n'));
    if (attributes['calcext:value-type'] === 'error') {
      row.problem ??= `has the error ${found.text} in cell ${columnName(at)}${line + 1}`;
    }
    const end = at + times;
    for (; found.text !== '' && at < Math.min(end, mostColumns); at += 1) {
      row.grow(found.text.length);
      row.put(at, found);
    }
    at = end;
  }
  function endRow(): void {
    const times = row.cells.length === 0 && row.problem === undefined ? 0 : repeated;
    if (line + times > mostRows) throw tooLargeFailure(name);
    onRow({ sheet, line: line + 1, isHidden, ...row, repeated: times });
    line += repeated;
  }
  return {
    open(tag, attributes) {
      if (tag === 'table-row') {
        repeated = count(attributes['table:number-rows-repeated']);
        [row, at] = [new OpenRow(), 0];
        isHidden = ['collapse', 'filter'].includes(attributes['table:visibility'] ?? '');
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        cell = { attributes, repeated: count(attributes['table:number-columns-repeated']), paragraphs: [] };
        if (['rows', 'columns'].some((way) => count(attributes[`table:number-${way}-spanned`]) > 1)) onMerged?.();
      } else if (tag === 'annotation') asides += 1;
      else if (tag === 'p' && asides === 0) {
        if (row.grow(1)) cell?.paragraphs.push('');
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
function readCell(attributes: Attributes, shown: string): CellText {
  const value = attributes['office:value'] ?? '';
  switch (attributes['office:value-type']) {
    case 'date':
      return { text: (attributes['office:date-value'] ?? shown).replace(/\.0+$/, ''), unfit: { what: 'a date' } };
    case 'time':
      return { text: clockOf(attributes['office:time-value'] ?? '') ?? shown, unfit: { what: 'a time' } };
    case 'boolean':
      return { text: (attributes['office:boolean-value'] ?? shown).toUpperCase(), unfit: { what: 'a boolean' } };
    case 'float':
      // The sheet omits digits that do not fit.
      return numberCell(value, value && /^#*$|\dE[+-]?\d/i.test(shown) ? plainNumber(value) : shown);
    case 'percentage':
    case 'currency':
      return numberCell(value, shown);
    default:
      return { text: shown };
  }
}

/** "PT06H30M00S" as a time of day; undefined if it is longer than a day. */
function clockOf(duration: string): string | undefined {
  const [, hours = '', minutes = '', seconds = ''] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]0*)?S$/.exec(duration) ?? [];
  if (hours === '' || Number(hours) > 23) return undefined;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
