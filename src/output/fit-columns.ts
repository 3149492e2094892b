import { fitWidths, gap, narrowest, total } from './column-widths.ts';
import type { Column } from './result.ts';
import { textWidth } from './text-width.ts';

/** The columns of a table that are shown, by index, and the width of each. */
export type FittedColumns = { readonly shown: readonly number[]; readonly widths: readonly number[] };

type FitOptions = {
  /** Field of the column that is never dropped. */
  readonly id: string;
  readonly room: number;
  /** Set if more rows follow. */
  readonly grows: boolean;
  /** Set if columns without a value are shown too. */
  readonly keepsEmpty: boolean;
  /** Set if the columns were requested: they are narrowed before any is dropped, and those on the right are dropped first. */
  readonly requested: boolean;
};

type Candidate = { readonly at: number; readonly column: Column; readonly natural: number; readonly header: number };
type Width = (candidate: Candidate) => number;

/** Below this width a text is hardly readable; a `long` one should have room for words and a UUID, such as "organization 3f2504e0-…". */
const readable = { cut: 14, long: 52 } as const;

/**
 * Fits columns into this many cells: the ID, then those without a `dropOrder` from the left, then the others, the highest `dropOrder` first, each if
 * there is room for it. Those with a `dropOrder` are shown only if all are readable; without them, the remaining columns are narrowed.
 * @param rows the header, and the rows that decide
 */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { id, room, grows, keepsEmpty, requested }: FitOptions,
): FittedColumns {
  const [header = [], ...body] = rows;
  const hasValues = (at: number) => body.some((cells) => (cells[at] ?? '') !== '');
  const orderOf = ({ field, dropOrder = last }: Column) => (field === id ? Infinity : requested ? last : dropOrder);
  const candidates = columns
    .map((column, at) => ({ at, column, natural: widest(rows, at), header: textWidth(header[at] ?? '') }))
    .filter(({ column, at }) => keepsEmpty || column.field === id || hasValues(at));
  let stay: readonly Candidate[] = [];
  for (const each of candidates.toSorted((a, b) => orderOf(b.column) - orderOf(a.column))) {
    const least = orderOf(each.column) < last ? comfortable : tight;
    if (stay.length === 0 || needed([...stay, each], least) <= room) stay = [...stay, each];
  }
  stay = stay.toSorted((a, b) => a.at - b.at);
  const least = needed(stay, comfortable) > room ? tight : comfortable;
  const requests = stay.map((each) => ({
    natural: each.natural,
    whole: each.column.keep === 'whole',
    least: least(each),
  }));
  return { shown: stay.map(({ at }) => at), widths: fitWidths(requests, room, grows) };
}

/** The order of a column that is dropped only if the terminal is narrower than all of them. */
const last = Number.MAX_SAFE_INTEGER;

/** The same columns for further rows: one that is never cut grows to its widest cell, and the others give it the room. */
export function widenColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { shown, widths }: FittedColumns,
  room: number,
): FittedColumns {
  const requests = shown.map((at, place) => {
    const width = widths[place] ?? 1;
    const whole = columns[at]?.keep === 'whole';
    return { natural: whole ? Math.max(width, widest(rows, at)) : width, whole };
  });
  const grows = requests.some(({ natural }, place) => natural > (widths[place] ?? 1));
  return grows ? { shown, widths: fitWidths(requests, room) } : { shown, widths };
}

function widest(rows: readonly (readonly string[])[], at: number): number {
  return rows.reduce((most, cells) => Math.max(most, textWidth(cells[at] ?? '')), 0);
}

function needed(candidates: readonly Candidate[], least: Width): number {
  return total(candidates.map(least)) + gap.length * (candidates.length - 1);
}

function comfortable({ column: { keep }, natural, header }: Candidate): number {
  return keep === 'whole' ? natural : Math.min(natural, Math.max(header, readable[keep ?? 'cut']));
}

function tight({ column, natural }: Candidate): number {
  return column.keep === 'whole' ? natural : Math.min(natural, narrowest);
}
