/** Finds cells that a spreadsheet has changed, and header rows between others, where files were put together. */
import { comparableName, plainName } from '../text/alike.ts';
import type { ColumnUse, Doubts } from './doubts.ts';

/** The longest text that a cell of a spreadsheet can have, in UTF-16 units. */
export const longestCell = 32_767;

/** A long number as spreadsheets and statistics programs write it: 1.23E+15. */
const roundedNumber = /^-?\d(?:[.,]\d+)?[Ee][+-]\d+$/;

/** A formula that makes a spreadsheet take a number for text: ="0012". */
const textFormula = /^="([^"]*)"$/;

/** Returns a function that gives the fault of a row, to follow "line 3". @param columns undefined for one left out @param numbersAsIds accepts rounded IDs */
export function cellChecker(columns: readonly (ColumnUse | undefined)[], numbersAsIds = false) {
  const labels = new Set(columns.map((column) => column?.label));
  const isKeyName = (cell = '', at = 0) => {
    const { use, label = '' } = columns[at] ?? {};
    // A batch may be called "name".
    return (
      use === 'key' && /id$/i.test(label) && cell.length < 4 * label.length && plainName(cell) === plainName(label)
    );
  };
  const isHeader = (cells: readonly string[]) => {
    const first = cells.map((cell, at) => (at === 0 ? cell.replace(/^\ufeff/, '') : cell));
    if (first.some(isKeyName)) return true;
    const given = labels.has(first[0]) ? first.filter((cell) => cell !== '') : [];
    return given.length > 1 && given.every((cell) => labels.has(cell));
  };
  return (cells: readonly string[]): string | undefined => {
    if (isHeader(cells)) return 'repeats the column names: remove it';
    for (const [at, text] of cells.entries()) {
      const column = columns[at];
      if (!column || (text.charCodeAt(0) !== 61 && !roundedNumber.test(text))) continue;
      const where = `in column "${column.label}"`;
      const [, inner] = textFormula.exec(text) ?? [];
      if (inner !== undefined) return `has the formula ${text} ${where}: write ${inner}`;
      if (isId(column) && !numbersAsIds && roundedNumber.test(text))
        return `has the rounded number ${text} ${where}: format the column as text and enter it again, or give --numbers-as-ids`;
    }
    return undefined;
  };
}

const isId = ({ use }: ColumnUse) => use === 'key' || use === 'id';

/** `placeOf` names the cell of a column; `separator` separates the values of a list. */
type CellNotes = { doubts: Doubts; placeOf: (column: number) => string; separator?: string | undefined };

export function noteCells(
  cells: readonly string[],
  columns: readonly (ColumnUse | undefined)[],
  { doubts, placeOf, separator }: CellNotes,
): void {
  for (const [at, text] of cells.entries()) {
    const column = columns[at];
    if (!column || text === '') continue;
    const { use, label } = column;
    const add = (kind: Parameters<Doubts['add']>[0], detail?: string) =>
      doubts.add(kind, { where: placeOf(at), label }, text, detail);
    if (text.length === longestCell) add('cut');
    if (/^'[=+@-]/.test(text)) add('apostrophe');
    if (formulaError.test(text)) add('error');
    if (formula.test(text)) add('formula');
    if (use === 'list' && !text.trimStart().startsWith('[')) {
      const parts = separator === undefined ? [text] : text.split(separator);
      if (isInBraces(text) || parts.some(looksSplit))
        add('list', separator ? ' that --list-separator does not separate' : ', and is sent as one');
      else if (separator === undefined && /[,、，]/.test(text)) add('comma');
    }
    if (use === 'key' && isTotal(text, label)) add('total');
    if (damagedNumber.test(text) || (!isId(column) && text.includes('+') && roundedNumber.test(text))) add('rounded');
  }
}

/** The result of a formula that fails, in the languages of spreadsheets: #N/A, #DIV/0!. */
const formulaError = /^#(?:N\/A|NV|ND|[A-ZÄÖÜÉ0-9/]{2,12}[!?])$/;

const formula = /^=(?:\$?[A-Z]{1,3}\$?\d|[A-Z][A-Z.]{1,20}\()/i;

/** A long number of which a spreadsheet has kept fifteen digits. */
const damagedNumber = /^[1-9]\d{14}000+$/;

/** Whether a text is a list as databases write it: {a,b}. */
const isInBraces = (text: string) => /^\{[^"]+\}$/.test(text) && text.includes(',');

/** Whether a text looks like several values: it has line ends, marks between words, or several addresses. */
const looksSplit = (text: string) =>
  /[\r\n;|；]/.test(text.trim()) || text.split(/[\s/]/).filter((word) => word.includes('@')).length > 1;

/** Whether a text names a row that adds up others: "Total: 3", "press-0001 Total". */
function isTotal(text: string, label: string): boolean {
  const words = comparableName(text)
    .split(/[\s*():：（）]/)
    .filter((word) => /\D/.test(word));
  // A batch may be called "Line total".
  const isOfId = /id$/i.test(label) && words.length > 1;
  return totals.has(words.join(' ')) || (isOfId && subtotals.includes(words.at(-1) ?? ''));
}

/** The words that Excel adds to the name of a group in a row of subtotals. */
const subtotals = ['total', 'ergebnis', '集計', '汇总', '요약'];

const totals: ReadonlySet<string> = new Set(
  (
    'total,totals,grand total,overall total,subtotal,sub-total,sum,average,count,summe,gesamt,gesamtsumme,insgesamt,zwischensumme,' +
    'ergebnis,gesamtergebnis,mittelwert,anzahl,total général,sous-total,somme,moyenne,total general,suma,totale,somma,totaal,totalt,' +
    'итого,всего,toplam,jumlah,tổng,tổng cộng,合計,総計,小計,平均,合计,总计,小计,總計,합계,총계,소계,평균,รวม,ยอดรวม,รวมทั้งหมด,ทั้งหมด'
  ).split(','),
);
