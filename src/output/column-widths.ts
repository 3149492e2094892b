import { isSimple, textWidth } from './text-width.ts';

/** What lies between two columns of a table. */
export const gap = '  ';
/** No column is narrower, whatever the terminal. */
export const narrowest = 6;

/** Made for the first text that needs it: it takes longer to make than to use. */
let segmenter: Intl.Segmenter | undefined;

/** The text if it fits into so many cells (at least 1), else its beginning and "…", never half a glyph. */
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
  /** Never narrower than that. */
  readonly whole: boolean;
  /** Cells that it gets in any case, where it has so many: its header, say. */
  readonly least?: number;
};

/**
 * Widths for the columns of a table in so many cells. The widest are narrowed first, whole ones never, none below six:
 * where that is too much, lines are longer than the terminal. With `grows`, rows to come may be longer than those
 * measured: the room that is left goes to the columns that can be cut.
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

/** The width at which all that is wider must be cut, so that all of it together fits. */
function highestShare(requests: readonly WidthRequest[], free: number): number {
  // Who needs more than an equal share, gets it, and the others share what is left.
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
