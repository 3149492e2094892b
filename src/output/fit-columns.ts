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
};

type Candidate = { readonly at: number; readonly column: Column; readonly natural: number; readonly header: number };

/** Below this width a text is hardly readable; a `long` one should have room for words and a UUID, such as "organization 3f2504e0-…". */
const readable = { cut: 14, long: 52 } as const;

/**
 * Fits columns into this many cells. First drops the columns with a `dropOrder`, in that order, then those on the right, but never the ID. The remaining
 * columns are narrowed.
 * @param rows the header, and the rows that decide
 */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { id, room, grows, keepsEmpty }: FitOptions,
): FittedColumns {
  const [header = [], ...body] = rows;
  const hasValues = (at: number) => body.some((cells) => (cells[at] ?? '') !== '');
  let stay = columns
    .map((column, at) => ({
      at,
      column,
      natural: rows.reduce((widest, cells) => Math.max(widest, textWidth(cells[at] ?? '')), 0),
      header: textWidth(header[at] ?? ''),
    }))
    .filter(({ column, at }) => keepsEmpty || column.field === id || hasValues(at));
  const drop = (gone: Candidate) => {
    stay = stay.filter((each) => each !== gone);
  };
  for (const each of inTurn(stay)) if (needed(stay, comfortable) > room) drop(each);
  for (const each of stay.toReversed()) if (needed(stay, tight) > room && mayGo(each, stay, id)) drop(each);
  const isTight = needed(stay, comfortable) > room;
  const requests = stay.map((each) => ({
    natural: each.natural,
    whole: each.column.keep === 'whole',
    least: isTight ? tight(each) : comfortable(each),
  }));
  return { shown: stay.map(({ at }) => at), widths: fitWidths(requests, room, grows) };
}

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
    if (!whole) return { natural: width, whole };
    return { natural: rows.reduce((widest, cells) => Math.max(widest, textWidth(cells[at] ?? '')), width), whole };
  });
  const grows = requests.some(({ natural }, place) => natural > (widths[place] ?? 1));
  return grows ? { shown, widths: fitWidths(requests, room) } : { shown, widths };
}

function inTurn(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ column }) => column.dropOrder !== undefined)
    .toSorted((a, b) => (a.column.dropOrder ?? 0) - (b.column.dropOrder ?? 0));
}

function mayGo({ column }: Candidate, stay: readonly Candidate[], id: string): boolean {
  return column.field !== id && stay.length > 1;
}

function needed(candidates: readonly Candidate[], least: (candidate: Candidate) => number): number {
  return total(candidates.map(least)) + gap.length * (candidates.length - 1);
}

function comfortable({ column: { keep }, natural, header }: Candidate): number {
  return keep === 'whole' ? natural : Math.min(natural, Math.max(header, readable[keep ?? 'cut']));
}

function tight({ column, natural }: Candidate): number {
  return column.keep === 'whole' ? natural : Math.min(natural, narrowest);
}
