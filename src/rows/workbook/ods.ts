import { comparableName } from '../../text/alike.ts';
import { longestRow } from '../row.ts';
import { type CellText, isoText, numberCell, plainNumber } from './numbers.ts';
import {
  hasCells,
  mostColumns,
  mostRows,
  noSheetFailure,
  noValue,
  OpenRow,
  type SheetReading,
  type SheetRow,
} from './xlsx.ts';
import { type Attributes, readXml, type XmlReader } from './xml.ts';
import { type Archive, tooLargeFailure } from './zip.ts';

/** The limit of LibreOffice. */
const mostSheets = 10_000;

/** The number of rows given at a time: one may be repeated a million times, and the caller can stop. */
const rowsAtATime = 256;

/**
 * The rows of a table of an OpenDocument spreadsheet, by default the first visible one. Formulas have their saved values. Also yields without rows, so
 * that the caller can stop.
 * @throws usage for a missing table, and for a file that is not such a workbook
 */
export async function* odsRows(archive: Archive, reading: SheetReading): AsyncGenerator<readonly SheetRow[]> {
  const { name, sheet, every, onHidden } = reading;
  const hidden = new Set<string>();
  let rows: RepeatedRow[] = [];
  const names: string[] = [];
  let table: XmlReader = {};
  const state = { style: '', depth: 0, isRead: false, isWanted: false };
  const reader: XmlReader = {
    open(tag, attributes) {
      if (tag === 'style') state.style = `${attributes['style:family']} ${attributes['style:name']}`;
      const size = attributes['style:column-width'] ?? attributes['style:row-height'] ?? '';
      const isUnseen = attributes['table:display'] === 'false' || /^0(?:\.0+)?[a-z]/.test(size);
      if (isUnseen && tag.endsWith('-properties')) hidden.add(state.style);
      if (tag === 'table') {
        state.depth += 1;
        if (state.depth > 1) return;
        const own = attributes['table:name'] ?? '';
        const isHidden = hidden.has(`table ${attributes['table:style-name']}`);
        if (names.push(own) > mostSheets) throw tooLargeFailure(name);
        const isMeant = every || sheet === undefined ? !isHidden : comparableName(own) === comparableName(sheet);
        state.isWanted = isMeant && (every !== undefined || !state.isRead);
        if (state.isWanted && isHidden) onHidden?.();
        state.isRead ||= state.isWanted;
        table = tableReader(reading, own, hidden, (row) => {
          rows.push(row);
          if (every === 'heads' && hasCells(row)) state.isWanted = false;
        });
      } else if (state.isWanted && state.depth === 1) table.open?.(tag, attributes);
    },
    text(text) {
      if (state.isWanted && state.depth === 1) table.text?.(text);
    },
    close(tag) {
      if (tag === 'table') {
        state.depth -= 1;
        if (state.depth === 0) state.isWanted = false;
      } else if (state.isWanted && state.depth === 1) table.close?.(tag);
    },
  };
  for await (const _piece of readXml(archive.read('content.xml'), name, reader)) {
    yield* inHandfuls(rows);
    rows = [];
  }
  if (!state.isRead) throw noSheetFailure(name, sheet, names);
}

type RepeatedRow = SheetRow & { readonly repeated: number };

function* inHandfuls(repeatedRows: readonly RepeatedRow[]): Generator<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for (const { repeated, ...row } of repeatedRows) {
    for (let more = 0; more < repeated; more += 1) {
      if (rows.push({ ...row, line: row.line + more }) === rowsAtATime) yield rows.splice(0);
    }
  }
  yield rows;
}

type OdsCell = { readonly attributes: Attributes; readonly repeated: number; paragraphs: string[] };

/** @param hiddenStyles by family and name */
function tableReader(
  { name, onMerged }: SheetReading,
  sheet: string,
  hiddenStyles: ReadonlySet<string>,
  onRow: (row: RepeatedRow) => void,
): XmlReader {
  const hidden: (readonly [from: number, to: number])[] = [];
  const hides = (column: number) => hidden.some(([from, to]) => column >= from && column < to);
  const groups: boolean[] = [];
  const isHidden = (family: string, attributes: Attributes) =>
    ['collapse', 'filter'].includes(attributes['table:visibility'] ?? '') ||
    hiddenStyles.has(`${family} ${attributes['table:style-name']}`) ||
    groups.includes(true);
  const state = { columns: 0, line: 0, repeated: 1, isHidden: false, at: 0, row: new OpenRow() };
  let [annotations, isText] = [0, false];
  let cell: OdsCell | undefined;
  const addText = (text: string) => {
    if (!isText || annotations > 0 || !cell) return;
    if (state.row.grow(text.length)) cell.paragraphs.push((cell.paragraphs.pop() ?? '') + text);
  };
  function endCell({ attributes, repeated: times, paragraphs }: OdsCell): void {
    const found = readCell(attributes, paragraphs.join('\n'));
    const end = state.at + times;
    for (; (found.text !== '' || found.facts?.flaw) && state.at < Math.min(end, mostColumns); state.at += 1) {
      state.row.grow(found.text.length);
      state.row.put(state.at, found);
    }
    state.at = end;
  }
  function endRow(): void {
    const times = state.row.cells.length === 0 && state.row.problem === undefined ? 0 : state.repeated;
    if (state.line + times > mostRows) throw tooLargeFailure(name);
    onRow({ sheet, hides, line: state.line + 1, isHidden: state.isHidden, ...state.row, repeated: times });
    state.line += state.repeated;
  }
  return {
    open(tag, attributes) {
      if (tag === 'table-row') {
        state.repeated = count(attributes['table:number-rows-repeated']);
        [state.row, state.at] = [new OpenRow(), 0];
        state.isHidden = isHidden('table-row', attributes);
      } else if (tag === 'table-row-group' || tag === 'table-column-group')
        groups.push(attributes['table:display'] === 'false');
      else if (tag === 'table-column') {
        const end = state.columns + count(attributes['table:number-columns-repeated']);
        if (isHidden('table-column', attributes) && hidden.length < mostColumns) hidden.push([state.columns, end]);
        state.columns = end;
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        cell = { attributes, repeated: count(attributes['table:number-columns-repeated']), paragraphs: [] };
        if (['rows', 'columns'].some((way) => count(attributes[`table:number-${way}-spanned`]) > 1))
          onMerged?.(state.line + 1, state.at);
      } else if (tag === 'annotation') annotations += 1;
      else if (tag === 'p' && annotations === 0) {
        if (state.row.grow(1)) cell?.paragraphs.push('');
        isText = true;
      } else if (tag === 's') addText(' '.repeat(Math.min(count(attributes['text:c']), longestRow)));
      else if (tag === 'tab') addText('\t');
      else if (tag === 'line-break') addText('\n');
    },
    text: addText,
    close(tag) {
      if (tag === 'p' && annotations === 0) isText = false;
      else if (tag === 'annotation') annotations -= 1;
      else if (tag === 'table-row') endRow();
      else if (tag === 'table-row-group' || tag === 'table-column-group') groups.pop();
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

/** Reads a cell: its text as the sheet shows it, unless that depends on the locale. */
function readCell(attributes: Attributes, shown: string): CellText {
  const value = attributes['office:value'] ?? '';
  if (attributes['calcext:value-type'] === 'error') return { text: shown, facts: { flaw: `the error ${shown}` } };
  if (attributes['table:formula'] && !attributes['office:value-type'] && shown === '')
    return { text: '', facts: { flaw: noValue } };
  switch (attributes['office:value-type']) {
    case 'date':
      return { text: isoText(attributes['office:date-value'] ?? shown), facts: { nature: 'a date' } };
    case 'time':
      return { text: clockOf(attributes['office:time-value'] ?? '') ?? shown, facts: { nature: 'a time' } };
    case 'boolean':
      return { text: (attributes['office:boolean-value'] ?? shown).toUpperCase(), facts: { nature: 'a boolean' } };
    case 'float':
      // A sheet leaves out digits that do not fit.
      return numberCell(value, value && /^#*$|\dE[+-]?\d/i.test(shown) ? plainNumber(value) : shown);
    case 'percentage':
    case 'currency':
      return numberCell(value, shown);
    default:
      return { text: shown };
  }
}

/** A duration such as "PT06H30M00S" as a time of day; undefined if it is longer than a day. */
function clockOf(duration: string): string | undefined {
  const [, hours = '', minutes = '', seconds = ''] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]0*)?S$/.exec(duration) ?? [];
  if (hours === '' || Number(hours) > 23) return undefined;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
