import { isSimple, textWidth } from './text-width.ts';

/** What lies between two columns of a table. */
export const gap = '  ';
/** The minimum width of a column, however narrow the terminal is. */
export const narrowest = 6;

/** Created for the first text that needs it, because creating it takes longer than using it. */
let segmenter: Intl.Segmenter | undefined;

/** The text if it fits into this many cells (at least 1), otherwise its beginning and "…". Never cuts a glyph in half. */
export function cutText(text: string, room: number): string {
  if (isSimple(text)) return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
  let read = '';
  let kept = '';
  let cells = 0;
  segmenter ??= new Intl.Segmenter('en');
  for (const { segment } of segmenter.segment(text)) {
    cells += textWidth(segment);
    if (cells > room) return `${kept}…`;
    read += segment;
    if (cells < room) kept = read;
  }
  return text;
}

type WidthRequest = {
  /** Cells of its widest text. */
  readonly natural: number;
  /** Set if it must not be cut. */
  readonly whole: boolean;
  /** The cells it always gets if it needs that many, for its header for example. */
  readonly least?: number;
};

/**
 * Widths for the columns of a table in this many cells. Narrows the widest first, never `whole` ones, and none below its least: if that is not enough,
 * lines get longer than the terminal. With `grows`, later rows may be longer than those measured, so the remaining room goes to the columns that can
 * be cut.
 */
export function fitWidths(requests: readonly WidthRequest[], room: number, grows = false): number[] {
  const least = requests.map(({ natural, whole, least: own = narrowest }) =>
    whole ? natural : Math.min(natural, own),
  );
  const widths = requests.map(({ natural }, at) => Math.min(natural, Math.max(room, least[at] ?? 0)));
  let spare = room - total(widths) - gap.length * (requests.length - 1);
  for (; spare < 0; spare += 1) {
    const most = Math.max(...widths.filter((width, at) => width > (least[at] ?? 0)));
    const at = widths.findLastIndex((width, place) => width === most && width > (least[place] ?? 0));
    if (at < 0) break;
    widths[at] = most - 1;
  }
  const flexible = requests.filter(({ whole }) => !whole).length;
  const extra = grows && spare > 0 ? Math.floor(spare / flexible) : 0;
  return widths.map((width, at) => (requests[at]?.whole ? width : width + extra));
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
