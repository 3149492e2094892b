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
 * Widths for the columns of a table in this many cells. Narrows the widest first, never `whole` ones, and none below six: if that is not enough,
 * lines get longer than the terminal. With `grows`, later rows may be longer than those measured, so the remaining room goes to the columns that can
 * be cut.
 */
export function fitWidths(requests: readonly WidthRequest[], room: number, grows = false): number[] {
  const flexible = requests.filter(({ whole }) => !whole);
  const fixed = requests.filter(({ whole }) => whole).map(({ natural }) => natural);
  const free = room - total(fixed) - gap.length * (requests.length - 1);
  const share = highestShare(flexible, free);
  const widths = requests.map((each) => (each.whole ? each.natural : narrowed(each, share)));
  const spare = free - total(widths.filter((_, at) => !requests[at]?.whole));
  const extra = grows && spare > 0 ? Math.floor(spare / flexible.length) : 0;
  return widths.map((width, at) => (requests[at]?.whole ? width : width + extra));
}

function narrowed({ natural, least = narrowest }: WidthRequest, share: number): number {
  return Math.min(natural, Math.max(share, least));
}

/** The width to which all wider columns have to be cut so that everything fits. */
function highestShare(requests: readonly WidthRequest[], free: number): number {
  // Columns that need more than an equal share get it, and the others share the rest.
  let left = free;
  let sharing = requests.toSorted((a, b) => a.natural - b.natural);
  for (;;) {
    const share = equalShare(sharing, left);
    const needy = sharing.filter(({ natural, least = narrowest }) => Math.min(natural, least) > share);
    if (needy.length === 0 || needy.length === sharing.length) return Math.max(share, narrowest);
    left -= total(needy.map(({ natural, least = narrowest }) => Math.min(natural, least)));
    sharing = sharing.filter((each) => !needy.includes(each));
  }
}

function equalShare(ascending: readonly WidthRequest[], free: number): number {
  let left = free;
  let remaining = ascending.length;
  for (const { natural } of ascending) {
    const share = Math.floor(left / remaining);
    if (natural > share) return share;
    left -= natural;
    remaining -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
