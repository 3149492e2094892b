import { compact } from '../text/json-write.ts';
import { isHolder } from '../text/record.ts';
import { visible } from '../text/visible.ts';
import { cellText, valueAt } from './columns.ts';
import type { Column, Form } from './result.ts';

const formula = /^[=+\-@\t\r\n|\uff1d\uff0b\uff0d\uff20]/;
/** Where a cell begins for a spreadsheet that separates at semicolons, as in many languages, or at tabs; it heeds no quotes inside of a cell. */
const laterFormula = /[;\t\r\n]"?(?=[=+\-@|\uff1d\uff0b\uff0d\uff20])/g;
const number = /^[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const risk = 'Spreadsheets run cells that begin with = + - or @: use --for-spreadsheet';
const special = /[",\r\n]/;
/** Matches anything that needs one of the three, in the cells of a row joined with spaces. */
const anyOfThem = /[",\r\n]|(?:^|[ ;\t])[=+\-@\t|\uff1d\uff0b\uff0d\uff20]/;

/**
 * Comma-separated values by RFC 4180: a header of field names, CRLF after each record, nested values as JSON, empty for null. For a spreadsheet there
 * is a byte order mark before them, and a cell that it could take for a formula gets a leading apostrophe; numbers stay numbers. At a terminal control
 * characters are escaped and the mark is left out; anywhere else values are exact.
 */
export function csvForm(columns: readonly Column[], forSpreadsheet: boolean, isTerminal: boolean) {
  let headerIsOut = false;
  let isRisky = false;

  const defused = (text: string) => {
    const kept = forSpreadsheet ? text.replace(laterFormula, "$&'") : text;
    if (!formula.test(text) || number.test(text)) return kept;
    isRisky ||= !forSpreadsheet;
    return forSpreadsheet ? `'${kept}` : kept;
  };
  // A single empty cell would be an empty line, which readers skip.
  const isAlone = columns.length === 1;
  const cell = (text: string) => {
    const shown = isTerminal ? visible(defused(text)) : defused(text);
    return special.test(shown) || (isAlone && shown === '') ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  const write = (rows: string[][]) => {
    const header = headerIsOut || columns.length === 0 ? [] : [columns.map(({ field }) => field)];
    const mark = forSpreadsheet && !isTerminal && !headerIsOut ? '\ufeff' : '';
    headerIsOut = true;
    // Tests all cells of a page at once: most need no escaping.
    const isPlain =
      !isTerminal && !isAlone && !anyOfThem.test([...header, ...rows].map((row) => row.join(' ')).join(' '));
    return mark + [...header, ...rows].map((row) => `${(isPlain ? row : row.map(cell)).join(',')}\r\n`).join('');
  };
  return {
    columns,
    page: (items: readonly unknown[]) =>
      write(items.map((item) => columns.map(({ field }) => csvText(valueAt(item, field))))),
    end: () => (headerIsOut ? '' : write([])),
    remark: () => (isRisky ? risk : undefined),
  } satisfies Form;
}

function csvText(value: unknown): string {
  return isHolder(value) ? compact(value) : cellText(value);
}
