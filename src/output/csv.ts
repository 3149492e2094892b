import { countedRows } from '../text/group-digits.ts';
import { compact } from '../text/json-write.ts';
import { isHolder } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { cellText, idOf, namedFields, valueAt } from './columns.ts';
import type { Column, Form } from './result.ts';

const formulaStart = /^[=+\-@\t\r\n|\uff1d\uff0b\uff0d\uff20]/;
/** A formula after a semicolon, tab or line end inside of a cell, where a spreadsheet of many languages begins another cell, despite quotes. */
const formulaInside = /[;\t\r\n]"?(?=[=+\-@|\uff1d\uff0b\uff0d\uff20])/g;
const numberText = /^[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const riskRemark = 'Spreadsheets run cells that begin with = + - or @: use --for-spreadsheet';
const limitRemark = 'Spreadsheets cut off what is longer than 32,767 characters';
const longestCell = 32_767;
const needsQuotes = /[",\r\n]/;

/**
 * Comma-separated values by RFC 4180: a header of field names, CRLF after each record, nested values as JSON, empty for null. For a spreadsheet, the
 * text begins with a byte order mark, and a cell that could be taken for a formula gets a leading apostrophe; numbers stay numbers. At a terminal,
 * control characters are escaped and the mark is left out. Anywhere else values are exact.
 * @param id the field that names an item in a warning
 */
export function csvForm(columns: readonly Column[], forSpreadsheet: boolean, isTerminal: boolean, id: string) {
  let headerIsOut = false;
  let isRisky = false;
  const longCells = { first: '', rows: 0 };
  const fields = columns.map(({ field }) => field);

  const isFormula = (text: string) => formulaStart.test(text) && !numberText.test(text);
  const defuse = (text: string) => `${isFormula(text) ? "'" : ''}${text.replace(formulaInside, "$&'")}`;
  const makeSafe = forSpreadsheet ? defuse : (text: string) => text;
  const rowOf = (item: unknown) => {
    const values = fields.map((field) => valueAt(item, field));
    const row = values.map((value) => makeSafe(isHolder(value) ? compact(value) : cellText(value)));
    const long = fields.filter((_, at) => (row[at] ?? '').length > longestCell);
    if (long.length === 0) return row;
    longCells.first ||= `${namedFields(long)} of ${visible(cellText(idOf(item, id) ?? 'one row'))}`;
    longCells.rows += 1;
    return row;
  };
  // A single empty cell would be an empty line, which readers skip.
  const isOnlyColumn = columns.length === 1;
  const cell = (text: string) => {
    isRisky ||= !forSpreadsheet && isFormula(text);
    const shown = isTerminal ? visible(text) : text;
    return needsQuotes.test(shown) || (isOnlyColumn && shown === '') ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  const write = (rows: string[][]) => {
    const header = headerIsOut || columns.length === 0 ? [] : [fields.map(makeSafe)];
    const mark = forSpreadsheet && !isTerminal && !headerIsOut ? '\ufeff' : '';
    headerIsOut = true;
    return mark + [...header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
  };
  return {
    columns,
    page: (items: readonly unknown[]) => write(items.map(rowOf)),
    end: () => (headerIsOut ? '' : write([])),
    remark: () => (isRisky ? riskRemark : undefined),
    footer: () => {
      const others = longCells.rows > 1 ? ` and ${countedRows(longCells.rows - 1)} more` : '';
      return longCells.rows > 0 ? `${limitRemark}: ${longCells.first}${others}` : undefined;
    },
  } satisfies Form;
}
