/** What a single character is, in words, for those that a person cannot see or cannot tell from another. */
import { visible } from '../output/visible.ts';

const names: ReadonlyMap<string, string> = new Map([
  [' ', 'a blank'],
  ['\t', 'a tab'],
  ['\n', 'a line end'],
  ['\u00a0', 'a no-break space'],
  ['\u00ad', 'a soft hyphen'],
  ['\u200b', 'a zero width space'],
  ['\u200c', 'a zero width non-joiner'],
  ['\u200d', 'a zero width joiner'],
  ['\u200e', 'a left-to-right mark'],
  ['\u200f', 'a right-to-left mark'],
  ['\u202f', 'a narrow no-break space'],
  ['\u2060', 'a word joiner'],
  ['\u3000', 'a wide blank'],
  ['\ufeff', 'a byte order mark'],
]);

const classes: readonly { readonly pattern: RegExp; readonly says: string }[] = [
  { pattern: /\p{Zs}/u, says: 'a blank of another width' },
  { pattern: /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u, says: 'a character that does not show' },
  { pattern: /\p{M}/u, says: 'a combining mark' },
];

const scripts: readonly { readonly pattern: RegExp; readonly says: string }[] = [
  { pattern: /\p{Script=Cyrillic}/u, says: 'a Cyrillic letter' },
  { pattern: /\p{Script=Greek}/u, says: 'a Greek letter' },
  { pattern: /[\uff01-\uff5e]/u, says: 'a full-width character' },
];

const cyrillic = { from: 'асеорхуіјѕԁһԛԝАВЕКМНОРСТХУЅІЈ', to: 'aceopxyijsdhqwABEKMHOPCTXYSlJ' };
const greek = { from: 'οανιυρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', to: 'oaviupABEZHlKMNOPTYX' };
const signs = { from: '‐‑‒–—−‘’ʼ“”01I|', to: "------'''\"\"Olll" };

const likenesses: ReadonlyMap<string, string> = new Map(
  [cyrillic, greek, signs].flatMap(({ from, to }) => {
    const letters = Array.from(to);
    return Array.from(from, (character, index): [string, string] => [character, letters[index] ?? character]);
  }),
);

/** The character that most people would read instead: `а` (Cyrillic) as `a`. Itself where there is none. A short list, no standard's. */
export function likeness(character: string): string {
  return likenesses.get(character) ?? character;
}

/** Code point and meaning of each character: `U+0430 (а, a Cyrillic letter)`, `U+200B (a zero width space)`. Safe to show. */
export function describeCharacters(text: string): string {
  return Array.from(text, describeCharacter).join(' ');
}

function describeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const unseen = names.get(character) ?? classes.find(({ pattern }) => pattern.test(character))?.says;
  if (unseen !== undefined) return `U+${code} (${unseen})`;
  const script = scripts.find(({ pattern }) => pattern.test(character))?.says;
  return `U+${code} (${[visible(character), script].filter(Boolean).join(', ')})`;
}
