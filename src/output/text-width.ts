/** How many cells a text takes at a terminal: 2 for wide characters and emoji, 0 for combining characters. */

// Latin text takes one cell per character: most cells are like this, and their length is many times faster to get. The ellipsis is our own.
const simple = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…]*$/;
let measure: ((text: string) => number) | undefined;

/** What has been measured: measuring takes long, and what draws a table asks for every cell again and again. */
const known = new Map<string, number>();
const mostKnown = 5000;

/** No line holds a longer text: its length will do, and measuring the content of templates would take seconds. */
const longest = 1000;

/** Whether each of its characters takes one cell. */
export function isSimple(text: string): boolean {
  return simple.test(text);
}

/** Must be awaited before these texts are measured: loading the package for other than simple texts takes half as long as starting Node. */
export async function prepareWidths(texts: Iterable<string>): Promise<void> {
  if (measure !== undefined) return;
  for (const text of texts) {
    if (simple.test(text)) continue;
    measure = (await import('string-width')).default;
    return;
  }
}

export function textWidth(text: string): number {
  if (measure === undefined || text.length > longest || simple.test(text)) return text.length;
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const width = measure(text);
  known.set(text, width);
  return width;
}
