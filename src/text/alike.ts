/** The form in which hand-written names are compared: without case, width, blanks, hyphens and underscores. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** The form in which chosen names are compared, so that two names never mean the same file on a file system that ignores case. */
export function comparableName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export const notNfc = 'not in the Unicode form NFC: macOS often writes accents as separate characters';

/** The ways in which texts can differ and look alike, and how to remove each difference. */
const likenesses: Readonly<Record<string, (text: string) => string>> = {
  width: (text) => text.replace(/[\u3000\uff01-\uffee]+/g, (wide) => wide.normalize('NFKC')),
  form: (text) => text.normalize('NFC'),
  spaces: (text) => (text.endsWith('\r') ? text : text.replace(/[^\S\u3000]/g, ' ').trimEnd()),
  dashes: (text) => text.replace(/[\u2010-\u2015\u2212\u30fc\ufe58\ufe63]/g, '-'),
  case: (text) => text.toLowerCase(),
};

const everyLikeness = Object.keys(likenesses);

/** A text without these differences. Texts that look alike give the same. */
export function lookOf(text: string, without = everyLikeness): string {
  return without.reduce((look, name) => likenesses[name]?.(look) ?? look, text);
}

/** The differences between two texts that look alike: "width and dashes". */
export function differenceOf(one: string, other: string): string {
  const comparisons = everyLikeness.map((name) => [name, everyLikeness.filter((each) => each !== name)] as const);
  return comparisons.flatMap(([name, rest]) => (lookOf(one, rest) === lookOf(other, rest) ? [] : [name])).join(' and ');
}
