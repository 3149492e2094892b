import { visible } from '../text/visible.ts';
import { briefText, isDay, zoneSuffix } from './brief.ts';
import { cellText, isExact, namedFields, valueAt } from './columns.ts';
import { columnGap, type FittedColumns, fitColumns, type TextRow, widenColumns } from './fit-columns.ts';
import { type Paint, paintFor } from './paint.ts';
import type { Column, Form, Sink } from './result.ts';
import { cutText, isolated, prepareWidths } from './text-width.ts';

// The first rows decide on the layout, and are held in memory until then. Later rows are written at once, in the same layout unless an ID is wider.
const rowsThatDecide = 200;

type TableView = {
  /** Field whose cells are coloured, and whose column is never dropped. */
  readonly id: string;
  readonly sink: Sink;
  /** The columns that were requested. Unless all were, their values are exact, and shown even if they are empty. */
  readonly asked?: readonly string[] | undefined;
  /** Fields that are left out on purpose, and not named in the footer. */
  readonly known?: readonly string[] | undefined;
  readonly now: number;
};

/** A list at a terminal: a header, columns fitted to the terminal's width, coloured IDs. Its footer lists the columns that did not fit. */
export async function tableForm(
  columns: readonly Column[],
  { id, sink, asked, known = [], now }: TableView,
): Promise<Form> {
  const exact = isExact(asked);
  const [drawRows, paint] = await Promise.all([openDrawing(), paintFor(sink.color)]);
  const dayColumns = new Set<number>();
  const filledColumns = new Set<number>();
  let waiting: TextRow[] = [];
  let fitted: FittedColumns | undefined;

  const rowOf = (item: unknown) =>
    columns.map((column, at) => {
      const value = valueAt(item, column.field);
      const text = visible(exact ? cellText(value) : briefText(value, column, now));
      if (text !== '') filledColumns.add(at);
      if (isDay(text, value)) dayColumns.add(at);
      return text;
    });
  const painters = columns.map(({ field }) => (field === id ? paint.id : undefined));
  const fitCells = (rows: readonly TextRow[], layout: FittedColumns) =>
    rows.map((cells) => fittedCells(cells, columns, layout, painters));
  const beginTable = async (grows: boolean) => {
    const rows = waiting;
    waiting = [];
    // In a list with more rows, any time may be shown as a day later.
    const isZoned = ({ field, header, shows }: Column, at: number) =>
      dayColumns.has(at) || (grows && shows === 'time' && header !== field);
    const header = columns.map((column, at) => visible(column.header) + (isZoned(column, at) ? zoneSuffix : ''));
    await prepareWidths([header, ...rows].flat());
    const options = { id, room: sink.columns, grows, keepsEmpty: exact, requested: asked !== undefined };
    fitted = fitColumns(columns, [header, ...rows], options);
    const headings = columns.map(() => paint.heading);
    const first = fittedCells(header, columns, fitted, headings);
    return drawRows([first, ...fitCells(rows, fitted)], fitted.widths);
  };
  const continueTable = async (rows: readonly TextRow[], layout: FittedColumns) => {
    await prepareWidths(rows.flat());
    fitted = widenColumns(columns, rows, layout, sink.columns);
    return drawRows(fitCells(rows, fitted), fitted.widths);
  };
  return {
    columns,
    async page(items) {
      const rows = items.map(rowOf);
      if (fitted) return continueTable(rows, fitted);
      waiting = waiting.concat(rows);
      return waiting.length < rowsThatDecide ? '' : beginTable(true);
    },
    end: () => (waiting.length === 0 ? '' : beginTable(false)),
    footer(others) {
      const hiddenColumns = columns.filter((_, at) => filledColumns.has(at) && !fitted?.shown.includes(at));
      const names = [
        ...hiddenColumns.map((column) => column.header),
        ...(exact ? [] : others.filter((name) => !known.includes(name))),
      ];
      if (names.length === 0) return undefined;
      return `Not shown: ${namedFields(names)} (use ${asked ? '-o csv' : '--columns all'})`;
    },
  };
}

type Painters = readonly (Paint[keyof Paint] | undefined)[];

function fittedCells(cells: TextRow, columns: readonly Column[], { shown, widths }: FittedColumns, painters: Painters) {
  return shown.map((at, place) => {
    const cell = cells[at] ?? '';
    const text = isolated(columns[at]?.keep === 'whole' ? cell : cutText(cell, widths[place] ?? 1));
    return painters[at]?.(text) ?? text;
  });
}

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const chars = { ...Object.fromEntries(borders.split(' ').map((name) => [name, ''])), middle: columnGap };
const tableStyle = { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true };

/** The number of rows drawn at a time, which keeps the time linear: cli-table3 looks at all cells above each cell, and at a whole cell for each of its lines. */
const mostRows = 16;

/** cli-table3 shortens every cell to 10 characters for a debug message that is never shown. A mark of that width leaves nothing to shorten. */
const wideMark = '…'.repeat(10);

// Spaces at the end of a line. Matches only from the first of several, so the time is linear.
const blanksAtEnds = /(?<! ) +$/gm;

/** Loads cli-table3, and returns a function that draws rows in columns of these widths, one line each. The cells fit, and may be coloured. */
async function openDrawing(): Promise<(rows: readonly TextRow[], widths: readonly number[]) => string> {
  const { default: Table } = await import('cli-table3');
  return (rows, widths) => {
    let text = '';
    for (let at = 0; at < rows.length; at += mostRows) {
      const some = rows.slice(at, at + mostRows);
      const table = new Table({ chars, style: tableStyle, colWidths: [...widths], truncate: wideMark });
      // Cells take longer than lines in a cell, so each column becomes a single cell.
      table.push(widths.map((_, place) => some.map((cells) => cells[place] ?? '').join('\n')));
      text += `${table.toString().replace(blanksAtEnds, '')}\n`;
    }
    return text;
  };
}
