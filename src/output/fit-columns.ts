import type { Column } from './result.ts';
import { textWidth } from './text-width.ts';

export const columnGap = '  ';

/** The columns of a table that are shown, by index, and the width of each. */
export type FittedColumns = { readonly shown: readonly number[]; readonly widths: readonly number[] };

type FitOptions = {
  /** Field of the column that is never dropped. */
  readonly id: string;
  readonly room: number;
  /** Set if more rows follow, which may be wider. */
  readonly grows: boolean;
  readonly keepsEmpty: boolean;
  /** Set if the columns were requested: they are narrowed before any is dropped, from the right. */
  readonly requested: boolean;
};

export type TextRow = readonly string[];

/** The minimum width of a column, however narrow the terminal is. */
const narrowest = 6;

/** The width in cells that a text needs to be readable. A `long` one needs room for words and a UUID, such as "organization 3f2504e0-...". */
const readable = { cut: 14, long: 52 } as const;

/** The `dropOrder` of columns that have none, and are dropped last. */
const droppedLast = Number.MAX_SAFE_INTEGER;

/**
 * Chooses the columns that fit into `room` cells, and their widths. The ID and columns with an infinite `dropOrder` are always shown. Then come those
 * without a `dropOrder` from the left, and the others, the highest `dropOrder` first, each if there is room for it. A column with a `dropOrder` is shown
 * only if all are readable; those without one are narrowed.
 * @param rows the header, and the rows that decide on the layout
 */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly TextRow[],
  { id, room: whole, grows, keepsEmpty, requested }: FitOptions,
): FittedColumns {
  const [header = [], ...body] = rows;
  const candidates = columns
    .map(({ field, keep, dropOrder = droppedLast }, at) => {
      const natural = widest(rows, at);
      const most = Math.max(textWidth(header[at] ?? ''), readable[keep === 'long' ? 'long' : 'cut']);
      const isWhole = keep === 'whole';
      return {
        at,
        order: field === id ? Infinity : requested ? Math.max(droppedLast, dropOrder) : dropOrder,
        isWhole,
        natural,
        comfortable: isWhole ? natural : Math.min(natural, most),
        tight: isWhole ? natural : Math.min(natural, narrowest),
      };
    })
    .filter(({ at, order }) => keepsEmpty || order === Infinity || body.some((cells) => (cells[at] ?? '') !== ''));
  // If any text may be cut, one cell stays free: "…" takes two in some terminals.
  const room = grows || lineWidth(candidates.map(({ natural }) => natural)) > whole ? whole - 1 : whole;
  let kept: typeof candidates = [];
  for (const candidate of candidates.toSorted((a, b) => b.order - a.order)) {
    const extended = [...kept, candidate];
    const least = extended.map(({ comfortable, tight }) => (candidate.order < droppedLast ? comfortable : tight));
    if (candidate.order === Infinity || lineWidth(least) <= room) kept = extended;
  }
  kept = kept.toSorted((a, b) => a.at - b.at);
  const isTight = lineWidth(kept.map(({ comfortable }) => comfortable)) > room;
  const requests = kept.map(({ natural, comfortable, tight }) => ({ natural, least: isTight ? tight : comfortable }));
  const widths = narrow(requests, room);
  // The columns that can be cut share the cells that are left.
  const spare = grows ? Math.max(0, room - lineWidth(widths)) : 0;
  const extra = Math.floor(spare / kept.filter(({ isWhole }) => !isWhole).length);
  return {
    shown: kept.map(({ at }) => at),
    widths: widths.map((width, place) => (kept[place]?.isWhole ? width : width + extra)),
  };
}

/** The layout for further rows: a column that is never cut grows to its widest cell, and the others give up the room. */
export function widenColumns(
  columns: readonly Column[],
  rows: readonly TextRow[],
  { shown, widths }: FittedColumns,
  room: number,
): FittedColumns {
  const requests = shown.map((at, place) => {
    const width = widths[place] ?? 1;
    const isWhole = columns[at]?.keep === 'whole';
    const natural = isWhole ? Math.max(width, widest(rows, at)) : width;
    return { natural, least: isWhole ? natural : Math.min(natural, narrowest) };
  });
  const grows = requests.some(({ natural }, place) => natural > (widths[place] ?? 1));
  return grows ? { shown, widths: narrow(requests, room - 1) } : { shown, widths };
}

/** Narrows the widest columns first, and none below its least width, even if lines are then longer than the terminal. */
function narrow(requests: readonly { readonly natural: number; readonly least: number }[], room: number): number[] {
  const widths = requests.map(({ natural, least }) => Math.min(natural, Math.max(room, least)));
  for (let excess = lineWidth(widths) - room; excess > 0; excess -= 1) {
    const flexible = widths.map((width, at) => (width > (requests[at]?.least ?? 0) ? width : 0));
    const most = Math.max(...flexible);
    if (most <= 0) break;
    widths[flexible.lastIndexOf(most)] = most - 1;
  }
  return widths;
}

function widest(rows: readonly TextRow[], at: number): number {
  return rows.reduce((most, cells) => Math.max(most, textWidth(cells[at] ?? '')), 0);
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, columnGap.length * (widths.length - 1));
}
