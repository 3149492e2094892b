import { visible } from '../text/visible.ts';
import type { Found, ReadTab } from './tab.ts';

/**
 * The script gives the words without their quotes, and last the token under the cursor as it is typed. The answer ends each of its parts
 * with a NUL character: what to do, and for each value itself, a tab and what it is. fish quotes by itself.
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

/** What stands behind a tab is a description to fish; it leaves ~ as it is, and shows controls raw in a quote. */
function isExact(word: string, isWhole: boolean, token: string): boolean {
  if (word.includes('\t')) return false;
  if (isWhole && word.startsWith('~') && !/^["']/.test(token)) return false;
  return !/(?!\n)\p{Cc}/u.test(word) || !/["']/.test(token);
}

/** A token of fish as far as it is typed, without its quotes. */
function unquoted(token: string): string {
  return token.replace(/'((?:[^'\\]|\\.)*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.?)/gs, (_, ...groups) => {
    const [single, double, escaped] = groups as readonly (string | undefined)[]; // the three groups come first
    return single?.replace(/\\(['\\])/g, '$1') ?? double?.replace(/\\(["$\\])/g, '$1') ?? escaped ?? '';
  });
}
