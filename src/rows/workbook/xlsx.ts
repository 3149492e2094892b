import { usage } from '../../failure.ts';
import { comparableName } from '../../text/alike.ts';
import { longestRow } from '../row.ts';
import { type CellFacts, type CellText, isoText, openNumbers, type Style } from './numbers.ts';
import { readWhole, readXml, type XmlReader } from './xml.ts';
import { type Archive, tooLargeFailure } from './zip.ts';

/** A row of a sheet; `cells` ends with the last non-empty one. */
export type SheetRow = {
  readonly sheet: string;
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem: string | undefined;
  readonly isHidden: boolean;
  /** Whether a column, counted from 0, is hidden in the sheet. */
  readonly hides: (column: number) => boolean;
  /** Facts about cells, by their columns, counted from 0. */
  readonly facts: ReadonlyMap<number, CellFacts> | undefined;
};

export type SheetReading = {
  /** The name of the file. */
  readonly name: string;
  /** In any case; the first visible sheet if undefined. */
  readonly sheet?: string | undefined;
  /** Reads all visible sheets, or of each the first row that is not empty, instead of one sheet. */
  readonly every?: 'rows' | 'heads';
  readonly onHidden?: (() => void) | undefined;
  /** Called for each area of merged cells, with the line and the column of its first cell. Columns count from 0. */
  readonly onMerged?: ((line: number, column: number) => void) | undefined;
};

/** The limits for the texts of a workbook, which are in memory together: their length in UTF-16 units, and their number. */
const [mostText, mostTexts] = [64 * 1024 * 1024, 4_000_000];

/** In bytes, unpacked. The lists of sheets and of styles are in memory, too. */
const longestList = 16 * 1024 * 1024;

/** The limit of Excel. Some longer formats would take minutes to parse. */
const longestNumberFormat = 255;

/**
 * The rows of a sheet of an Excel workbook (ECMA-376), by default the first visible one. Formulas have their saved values. Also yields without rows, so
 * that the caller can stop.
 * @throws usage for a missing sheet, and for a file that is not such a workbook
 */
export async function* xlsxRows(archive: Archive, reading: SheetReading): AsyncGenerator<readonly SheetRow[]> {
  const { name } = reading;
  const book = await readBook(archive, name);
  const styles = await readStyles(archive, name, book.partOf('styles'));
  const textsPart = book.partOf('sharedStrings');
  const texts = textsPart === undefined ? [] : yield* readTexts(archive, name, textsPart);
  const numbers = await openNumbers(book.is1904);
  for (const { name: sheet, part } of book.sheetsFor(reading)) {
    let rows: SheetRow[] = [];
    const totals = reading.every ? undefined : await readTotalsRows(archive, name, part);
    const reader = sheetReader({
      ...{ sheet, totals, isOutdated: book.isOutdated },
      textAt: (index) => texts[index] ?? '',
      numberCell: (value, style) => numbers(value, styles[style] ?? ''),
      onRow: (row) => rows.push(row),
      onMerged: reading.onMerged,
    });
    for await (const _piece of readXml(archive.read(part), name, reader)) {
      const head = reading.every === 'heads' ? rows.find(hasCells) : undefined;
      yield head ? [head] : rows;
      rows = [];
      if (head) break;
    }
  }
}

export const hasCells = ({ cells }: SheetRow): boolean => cells.some((cell) => cell.trim() !== '');

type Sheet = { readonly name: string; readonly part: string; readonly isHidden: boolean };
type Relation = { readonly type: string; readonly target: string };

async function readBook(archive: Archive, name: string) {
  const main = (await readRelations(archive, name, '')).values();
  const path = [...main].find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  const relations = await readRelations(archive, name, path);
  const sheets: Sheet[] = [];
  const flags = { is1904: false, isOutdated: false };
  await readWhole(archive.read(path, longestList), name, {
    open(tag, attributes) {
      if (tag === 'workbookPr') flags.is1904 = isOn(attributes.date1904);
      if (tag === 'calcPr') flags.isOutdated = isOn(attributes.fullCalcOnLoad);
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const relation = tag === 'sheet' ? relations.get(id) : undefined;
      const { name: sheet = '', state = 'visible' } = attributes;
      if (relation?.type.endsWith('/worksheet'))
        sheets.push({ name: sheet, part: relation.target, isHidden: state !== 'visible' });
    },
  });
  return {
    ...flags,
    partOf: (kind: string) => [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target,
    sheetsFor({ sheet, every, onHidden }: SheetReading): readonly Sheet[] {
      const found = sheets.filter((each) =>
        every || sheet === undefined ? !each.isHidden : comparableName(each.name) === comparableName(sheet),
      );
      if (found[0]?.isHidden) onHidden?.();
      if (found[0]) return every ? found : [found[0]];
      const names = sheets.map((each) => each.name);
      throw noSheetFailure(name, sheet, names);
    },
  };
}

function isOn(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

export function noSheetFailure(name: string, sheetName: string | undefined, sheets: readonly string[]) {
  if (sheetName === undefined) return usage(`${name} has no sheet with cells.`);
  const listed = sheets.slice(0, 20).map((sheet) => JSON.stringify(sheet));
  return usage(`${name} has no sheet ${JSON.stringify(sheetName)}.`, `Its sheets are ${listed.join(', ')}`);
}

async function readRelations(archive: Archive, name: string, part: string): Promise<ReadonlyMap<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const path = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  const found = new Map<string, Relation>();
  if (!archive.has(path)) return found;
  await readWhole(archive.read(path, longestList), name, {
    open(tag, { Id = '', Type = '', Target = '' }) {
      if (tag !== 'Relationship') return;
      found.set(Id, { type: Type, target: new URL(Target, `zip:///${part}`).pathname.slice(1) });
    },
  });
  return found;
}

/** Reads the totals rows of the tables in a sheet, with the names of the tables. */
async function readTotalsRows(archive: Archive, name: string, part: string): Promise<ReadonlyMap<number, string>> {
  const rows = new Map<number, string>();
  for (const { type, target } of (await readRelations(archive, name, part)).values()) {
    if (!type.endsWith('/table') || !archive.has(target)) continue;
    await readWhole(archive.read(target, longestList), name, {
      open(tag, { ref = '', displayName = '', totalsRowCount = '0' }) {
        const last = Number(ref.split(/[A-Z]+/).at(-1));
        for (let above = 0; tag === 'table' && above < Number(totalsRowCount) && above < 10; above += 1)
          rows.set(last - above, displayName);
      },
    });
  }
  return rows;
}

async function readStyles(archive: Archive, name: string, part: string | undefined): Promise<readonly Style[]> {
  const patterns = new Map<string, string>();
  const styles: Style[] = [];
  if (part === undefined) return styles;
  let isCells = false;
  await readWhole(archive.read(part, longestList), name, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (formatCode.length > longestNumberFormat)
        throw usage(`${name} has a number format of more than ${longestNumberFormat} characters, which no cell has.`);
      if (tag === 'numFmt') patterns.set(numFmtId, formatCode);
      if (tag === 'cellXfs') isCells = true;
      if (tag === 'xf' && isCells) styles.push(patterns.get(numFmtId) ?? Number(numFmtId));
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return styles;
}

async function* readTexts(archive: Archive, name: string, part: string): AsyncGenerator<readonly SheetRow[], string[]> {
  const texts: string[] = [];
  let [text, length] = ['', 0];
  const reader = textReader((piece) => {
    length += piece.length;
    if (length > mostText) throw tooLargeFailure(name);
    text += piece;
  });
  const pieces = readXml(archive.read(part), name, {
    ...reader,
    close(tag) {
      reader.close?.(tag);
      if (tag !== 'si') return;
      if (texts.length === mostTexts) throw tooLargeFailure(name);
      // Copied, because a part of a string keeps the whole piece of the file in memory.
      texts.push(unescaped(Buffer.from(text).toString()));
      text = '';
    },
  });
  for await (const _piece of pieces) yield [];
  return texts;
}

/** A reader that passes on the text of `t` elements, without phonetic hints. */
function textReader(onText: (text: string) => void): XmlReader {
  let [isText, isPhonetic] = [false, false];
  const turn = (tag: string, isOn: boolean) => {
    if (tag === 't') isText = isOn;
    if (tag === 'rPh') isPhonetic = isOn;
  };
  return {
    open: (tag) => turn(tag, true),
    close: (tag) => turn(tag, false),
    text: (text) => {
      if (isText && !isPhonetic) onText(text);
    },
  };
}

/** Unescapes characters that XML cannot contain, such as _x000D_. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type SheetContext = Pick<SheetReading, 'onMerged'> & {
  readonly sheet: string;
  readonly totals: ReadonlyMap<number, string> | undefined;
  /** Whether the values of formulas have to be calculated again. */
  readonly isOutdated: boolean;
  readonly textAt: (index: number) => string;
  readonly numberCell: (value: string, style: number) => CellText;
  readonly onRow: (row: SheetRow) => void;
};

type XlsxCell = { type: string; style: number; value?: string; inline: string; hasFormula: boolean };

export const noValue = 'a formula without a saved value';

export class OpenRow {
  readonly cells: string[] = [];
  facts: Map<number, CellFacts> | undefined;
  problem: string | undefined;
  private length = 0;

  /** Counts more characters of the row. Returns false if there are too many. */
  grow(by: number): boolean {
    this.length += by;
    if (this.length > longestRow) this.problem ??= 'is longer than 1 MiB';
    return this.length <= longestRow;
  }

  put(at: number, { text, facts }: CellText): void {
    if (text === '' && !facts?.flaw) return;
    while (this.cells.length < at) this.cells.push('');
    this.cells[at] = text;
    if (facts) this.facts = (this.facts ?? new Map()).set(at, facts);
  }
}

function sheetReader({ sheet, totals, isOutdated, textAt, numberCell, onRow, onMerged }: SheetContext): XmlReader {
  const hidden: (readonly [from: number, to: number])[] = [];
  const hides = (column: number) => hidden.some(([from, to]) => column >= from && column <= to);
  const state = { line: 0, at: 0, isHidden: false, row: new OpenRow() };
  let isValue = false;
  let cell: XlsxCell | undefined;
  const inline = textReader((text) => {
    if (cell) cell.inline += text;
  });
  const readCell = ({ type, value = '', style, inline: own }: XlsxCell): CellText => {
    if (type === 'inlineStr') return { text: unescaped(own) };
    if (type === 's') return { text: textAt(Number(value)) };
    if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', facts: { nature: 'a boolean' } };
    if (type === 'd') return { text: isoText(value), facts: { nature: 'a date' } };
    return type === 'n' && value !== '' ? numberCell(value, style) : { text: unescaped(value) };
  };
  function endCell(ended: XlsxCell): void {
    const { type, value, hasFormula } = ended;
    const { text, facts } = readCell(ended);
    // A formula that gives an empty text has a value.
    const isEmpty = hasFormula && !value && !(type === 'str' && value === '');
    const flaw = type === 'e' ? `the error ${value}` : isEmpty ? noValue : undefined;
    const isKnown = flaw === undefined && !(hasFormula && isOutdated);
    const found = { text, facts: isKnown ? facts : { ...facts, flaw, isOutdated: hasFormula && isOutdated } };
    if (state.row.grow(text.length - (value ?? '').length - ended.inline.length)) state.row.put(state.at, found);
    state.at += 1;
  }
  return {
    open(tag, attributes) {
      if (tag === 'row') {
        state.line = checkOrder(Number(attributes.r ?? state.line + 1), state.line + 1, mostRows);
        [state.row, state.at] = [new OpenRow(), 0];
        state.isHidden = isOn(attributes.hidden) || Number(attributes.ht ?? 1) === 0;
        if (totals?.has(state.line))
          state.row.problem = `is the totals row of the table ${totals.get(state.line)}: remove it`;
      } else if (tag === 'col') {
        const isUnseen = isOn(attributes.hidden) || Number(attributes.width ?? 1) === 0;
        if (isUnseen && hidden.length < mostColumns)
          hidden.push([Number(attributes.min) - 1, Number(attributes.max) - 1]);
      } else if (tag === 'c') {
        state.at = checkOrder(columnOf(attributes.r) ?? state.at, state.at, mostColumns - 1);
        const { t: type = 'n', s: style = 0 } = attributes;
        cell = { type, style: Number(style), inline: '', hasFormula: false };
      } else if (tag === 'v' && cell) [isValue, cell.value] = [true, ''];
      else if (tag === 'f' && cell) cell.hasFormula = true;
      else if (tag === 'mergeCell') onMerged?.(Number(/\d+/.exec(attributes.ref ?? '')), columnOf(attributes.ref) ?? 0);
      else inline.open?.(tag, attributes);
    },
    text(text) {
      if (!state.row.grow(text.length)) return;
      if (isValue && cell) cell.value = (cell.value ?? '') + text;
      else inline.text?.(text);
    },
    close(tag) {
      if (tag === 'v') isValue = false;
      else if (tag === 'c' && cell) {
        endCell(cell);
        cell = undefined;
      } else if (tag === 'row') onRow({ sheet, hides, line: state.line, isHidden: state.isHidden, ...state.row });
      else inline.close?.(tag);
    },
  };
}

/** The last row and column (XFD) that a sheet can have. */
export const [mostRows, mostColumns] = [1_048_576, 16_384];

function checkOrder(place: number, least: number, most: number): number {
  if (Number.isInteger(place) && place >= least && place <= most) return place;
  throw new Error('a row or cell out of order, or beyond the last');
}

function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
