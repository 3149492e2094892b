import { cellText, valueAt } from './columns.ts';
import { fitWidths, gap, loadMeasure, type Measure } from './fit.ts';
import { membersOf } from './json.ts';
import { paintFor } from './paint.ts';
import type { Column, Form, Sink } from './result.ts';
import { visible } from './visible.ts';

// So many rows decide the widths. They wait in memory; all further rows go straight out in the same layout.
const rowsThatDecide = 200;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

type Row = readonly string[];
type Painter = (text: string) => string;

/** A list on a terminal: a header, columns fitted to the terminal's width, the ids coloured. */
export async function tableForm(columns: readonly Column[], id: string, sink: Sink): Promise<Form> {
  const measure = await loadMeasure();
  const paint = await paintFor(sink.color);
  const header = columns.map((column) => visible(column.header));
  const painters = columns.map(({ field }) => (field === id ? paint.id : unpainted));
  let waiting: Row[] = [];
  let widths: readonly number[] | undefined;

  const draw = (rows: readonly Row[], fitted: readonly number[]) =>
    rows.map((cells) => line(pad(cells, columns, fitted, measure), painters)).join('');
  const begin = (grows: boolean) => {
    widths = fitWidths(wishesOf(columns, [header, ...waiting], measure), sink.columns, grows);
    const first = line(
      pad(header, columns, widths, measure),
      columns.map(() => paint.heading),
    );
    const rest = draw(waiting, widths);
    waiting = [];
    return first + rest;
  };
  return {
    page(items) {
      const rows = items.map((item) => columns.map(({ field }) => visible(cellText(valueAt(item, field)))));
      if (widths) return draw(rows, widths);
      waiting = waiting.concat(rows);
      return waiting.length < rowsThatDecide ? '' : begin(true);
    },
    end: () => (waiting.length === 0 ? '' : begin(false)),
  };
}

/** One thing on a terminal: a line a field, name and value, the value as long as it is. */
export async function recordTable(value: object, columns: readonly Column[], id: string | undefined, sink: Sink) {
  const measure = await loadMeasure();
  const paint = await paintFor(sink.color);
  const shown = columns.length > 0 ? columns : membersOf(value).map(([field]) => ({ field, header: field }));
  const names = shown.map(({ header }) => visible(header));
  const width = Math.max(0, ...names.map((name) => measure.width(name)));
  return shown
    .map(({ field }, at) => {
      const name = padded(names[at] ?? '', width, measure);
      return line(
        [name, contained(visible(cellText(valueAt(value, field))))],
        [paint.heading, field === id ? paint.id : unpainted],
      );
    })
    .join('');
}

function wishesOf(columns: readonly Column[], rows: readonly Row[], measure: Measure) {
  return columns.map(({ keep }, at) => ({
    natural: rows.reduce((widest, cells) => Math.max(widest, measure.width(cells[at] ?? '')), 0),
    whole: keep === 'whole',
  }));
}

function pad(cells: Row, columns: readonly Column[], widths: readonly number[], measure: Measure): string[] {
  return cells.map((cell, at) => {
    const width = widths[at] ?? 0;
    const text = contained(columns[at]?.keep === 'whole' ? cell : measure.cut(cell, width));
    return at === cells.length - 1 ? text : padded(text, width, measure);
  });
}

function padded(text: string, width: number, measure: Measure): string {
  return text + ' '.repeat(Math.max(0, width - measure.width(text)));
}

/** Right-to-left text in an isolate, so that it turns around nothing but itself. */
function contained(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

function line(cells: readonly string[], painters: readonly Painter[]): string {
  return `${cells
    .map((cell, at) => (painters[at] ?? unpainted)(cell))
    .join(gap)
    .trimEnd()}\n`;
}

function unpainted(text: string): string {
  return text;
}
