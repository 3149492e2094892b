import { usage } from '../../failure.ts';
import { longestRow } from '../row.ts';
import { openNumbers, type Style } from './numbers.ts';
import type { SheetRow } from './sheet-row.ts';
import { type Attributes, readWhole, readXml, type XmlReader } from './xml.ts';
import { type Archive, tooLargeFailure } from './zip.ts';

/** The limit for all texts of a workbook, which are in memory together, in UTF-16 units. */
const mostText = 64 * 1024 * 1024;

/**
 * The rows of a sheet of an Excel workbook (ECMA-376), by default the first. Formulas have their saved values.
 * @throws usage for a missing sheet, and for a file that is not such a workbook
 */
export async function* xlsxRows(archive: Archive, name: string, sheet?: string): AsyncGenerator<readonly SheetRow[]> {
  const book = await readBook(archive, name);
  const styles = await readStyles(archive, name, book.partOf('styles'));
  const texts = await readTexts(archive, name, book.partOf('sharedStrings'));
  const numbers = await openNumbers(book.is1904);
  const part = book.sheetPart(sheet);
  let rows: SheetRow[] = [];
  const reader = sheetReader({
    textAt: (index) => texts[index] ?? '',
    numberText: (value, style) => numbers(value, styles[style] ?? ''),
    row: (row) => rows.push(row),
  });
  for await (const _piece of readXml(archive.read(part), name, reader)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

type Sheet = { readonly name: string; readonly id: string };
type Relation = { readonly type: string; readonly target: string };

async function readBook(archive: Archive, name: string) {
  const main = (await relationsOf(archive, name, '')).values();
  const path = [...main].find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(archive, name, path);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readWhole(archive.read(path), name, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (tag === 'sheet') sheets.push({ name: attributes.name ?? '', id: ending(attributes, 'id') });
    },
  });
  const tables = sheets.filter(({ id }) => relations.get(id)?.type.endsWith('/worksheet'));
  return {
    is1904,
    partOf: (kind: string) => [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target,
    sheetPart(sheetName: string | undefined): string {
      const found = sheetName === undefined ? tables[0] : tables.find((sheet) => sheet.name === sheetName);
      const target = found && relations.get(found.id)?.target;
      if (target) return target;
      throw noSheetFailure(
        name,
        sheetName,
        tables.map((sheet) => sheet.name),
      );
    },
  };
}

export function noSheetFailure(name: string, sheetName: string | undefined, sheets: readonly string[]) {
  if (sheetName === undefined) return usage(`${name} has no sheet with cells.`);
  const listed = sheets.slice(0, 20).map((sheet) => JSON.stringify(sheet));
  return usage(`${name} has no sheet ${JSON.stringify(sheetName)}.`, `Its sheets are ${listed.join(', ')}`);
}

/** The relationships of a part, by their ids. */
async function relationsOf(archive: Archive, name: string, part: string): Promise<ReadonlyMap<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const path = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  const found = new Map<string, Relation>();
  if (!archive.has(path)) return found;
  await readWhole(archive.read(path), name, {
    open(tag, { Id = '', Type = '', Target = '' }) {
      if (tag !== 'Relationship') return;
      found.set(Id, { type: Type, target: new URL(Target, `zip:///${part}`).pathname.slice(1) });
    },
  });
  return found;
}

/** The attribute with this name and any prefix: r:id. */
function ending(attributes: Attributes, name: string): string {
  return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1] ?? '';
}

/** The number format of each cell style. */
async function readStyles(archive: Archive, name: string, part: string | undefined): Promise<readonly Style[]> {
  const patterns = new Map<string, string>();
  const styles: Style[] = [];
  if (part === undefined) return styles;
  let isCells = false;
  await readWhole(archive.read(part), name, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
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

async function readTexts(archive: Archive, name: string, part: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  let [text, length] = ['', 0];
  const reader = textReader((piece) => {
    length += piece.length;
    if (length > mostText) throw tooLargeFailure(name);
    text += piece;
  });
  await readWhole(archive.read(part), name, {
    ...reader,
    close(tag) {
      reader.close?.(tag);
      if (tag !== 'si') return;
      texts.push(unescaped(text));
      text = '';
    },
  });
  return texts;
}

/** Passes on the text of `t` elements, without phonetic hints. */
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

/** Characters that XML cannot contain are written as _x000D_. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type Sheets = {
  readonly textAt: (index: number) => string;
  readonly numberText: (value: string, style: number) => string;
  readonly row: (row: SheetRow) => void;
};

type Cell = { type: string; style: number; at: number; value: string; inline: string; hasFormula: boolean };

function sheetReader({ textAt, numberText, row }: Sheets): XmlReader {
  let [line, at, isValue, length] = [0, 0, false, 0];
  let cells: string[] = [];
  let problem: string | undefined;
  let cell: Cell | undefined;
  const inline = textReader((text) => {
    if (cell) cell.inline += text;
  });
  const textOf = ({ type, value, style, inline: own, hasFormula, at: column }: Cell): string => {
    if (type === 'inlineStr') return unescaped(own);
    const where = `in cell ${columnName(column)}${line}`;
    if (type === 'e') problem ??= `has the error ${value} ${where}`;
    if (hasFormula && value === '') problem ??= `has a formula without a saved value ${where}`;
    if (type === 's') return textAt(Number(value));
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    return type === 'n' && value !== '' ? numberText(value, style) : unescaped(value);
  };
  return {
    open(tag, attributes) {
      if (tag === 'row') {
        line = Number(attributes.r ?? line + 1);
        [cells, problem, at, length] = [[], undefined, 0, 0];
      } else if (tag === 'c') {
        at = columnOf(attributes.r) ?? at;
        cell = {
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          at,
          value: '',
          inline: '',
          hasFormula: false,
        };
      } else if (tag === 'v') isValue = true;
      else if (tag === 'f' && cell) cell.hasFormula = true;
      else inline.open?.(tag, attributes);
    },
    text(text) {
      length += text.length;
      if (length > longestRow) problem ??= 'is longer than 1 MiB';
      else if (isValue && cell) cell.value += text;
      else inline.text?.(text);
    },
    close(tag) {
      if (tag === 'v') isValue = false;
      else if (tag === 'c' && cell) {
        const text = textOf(cell);
        if (text !== '') {
          while (cells.length < at) cells.push('');
          cells[at] = text;
        }
        at += 1;
        cell = undefined;
      } else if (tag === 'row') row({ line, cells, problem });
      else inline.close?.(tag);
    },
  };
}

/** The last column that a sheet can have is XFD. */
const mostColumns = 16_384;

function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.min(column, mostColumns) - 1;
}

/** 0 is A, 26 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}
