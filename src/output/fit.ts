/** Text by the cells it takes on a terminal. */
export type Measure = {
  /** Cells that the text takes: 2 for wide characters and emoji, 0 for what combines. */
  width(text: string): number;
  /** The text if it fits into so many cells (at least 1), else its beginning and "…", never half a glyph. */
  cut(text: string, room: number): string;
};

/** What lies between two columns of a table. */
export const gap = '  ';
const narrowest = 6;

// Latin text, a cell each: what most cells hold, and many times faster to measure by its length. The ellipsis is ours.
const simple = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…]*$/;

export async function loadMeasure(): Promise<Measure> {
  const { default: stringWidth } = await import('string-width');
  const segmenter = new Intl.Segmenter('en');
  const width = (text: string) => (simple.test(text) ? text.length : stringWidth(text));
  return {
    width,
    cut(text, room) {
      if (simple.test(text)) return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
      let read = '';
      let kept = '';
      let cells = 0;
      for (const { segment } of segmenter.segment(text)) {
        cells += width(segment);
        if (cells > room) return `${kept}…`;
        read += segment;
        if (cells < room) kept = read;
      }
      return text;
    },
  };
}

export type Wish = {
  /** Cells of its widest text. */
  readonly natural: number;
  /** Never narrower than that. */
  readonly whole: boolean;
};

/**
 * Widths for the columns of a table in so many cells. The widest are narrowed first, whole ones never, none below six:
 * where that is too much, lines are longer than the terminal. With `grows`, rows to come may be longer than those
 * measured: the room that is left goes to the columns that can be cut.
 */
export function fitWidths(wishes: readonly Wish[], room: number, grows = false): number[] {
  const flexible = wishes.filter(({ whole }) => !whole).map(({ natural }) => natural);
  const fixed = wishes.filter(({ whole }) => whole).map(({ natural }) => natural);
  const free = room - total(fixed) - gap.length * (wishes.length - 1);
  const most = highestShare(flexible, free);
  const spare = free - total(flexible.map((natural) => Math.min(natural, most)));
  const extra = grows && spare > 0 ? Math.floor(spare / flexible.length) : 0;
  return wishes.map(({ natural, whole }) => (whole ? natural : Math.min(natural, most) + extra));
}

/** The width at which all that is wider must be cut, so that all of it together fits. */
function highestShare(naturals: readonly number[], free: number): number {
  let left = free;
  let remaining = naturals.length;
  for (const natural of naturals.toSorted((a, b) => a - b)) {
    const share = Math.floor(left / remaining);
    if (natural > share) return Math.max(share, narrowest);
    left -= natural;
    remaining -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
