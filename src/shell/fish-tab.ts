import { visible } from '../text/visible.ts';
import type { Found, ReadTab } from './tab.ts';

/**
 * The script passes the words without their quotes, and last the token under the cursor as typed. Every part of the answer ends with a NUL character:
 * the action, and for each value the value, a tab and a description. fish adds the quotes itself.
 */
export const readFishTab: ReadTab = (given) => {
  const token = given.at(-1) ?? '';
  return {
    line: { words: given.slice(0, -1), current: unquoted(token) },
    answer: (found) => [...partsOf(found, token), ''].join('\0'),
  };
};

function partsOf(found: Found, token: string): readonly string[] {
  if (found.kind === 'nothing') return [];
  if (found.kind !== 'words') return [found.kind, found.before, found.value];
  const safe = found.candidates.filter(({ word }) => isExact(word, found.before === '', token));
  return ['words', ...safe.map(({ word, says }) => `${found.before}${word}\t${visible(says)}`)];
}

/** fish takes everything after a tab for a description; it does not escape ~, and shows control characters raw inside quotes. */
function isExact(word: string, isWhole: boolean, token: string): boolean {
  if (word.includes('\t')) return false;
  if (isWhole && word.startsWith('~') && !/^["']/.test(token)) return false;
  return !/(?!\n)\p{Cc}/u.test(word) || !/["']/.test(token);
}

/** The typed part of a fish token, without its quotes. */
function unquoted(token: string): string {
  return token.replace(/'((?:[^'\\]|\\.)*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.?)/gs, (_, ...groups) => {
    const [single, double, escaped] = groups as readonly (string | undefined)[]; // the three groups come first
    return single?.replace(/\\(['\\])/g, '$1') ?? double?.replace(/\\(["$\\])/g, '$1') ?? escaped ?? '';
  });
}
