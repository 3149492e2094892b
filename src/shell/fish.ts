/** Completions in fish, 3.0 and newer: reads the words from completions/iiot.fish, and writes the answer for it. */
import { visible } from '../text/visible.ts';
import type { ReadTab, ResolvedCompletion } from './completion-at.ts';

/**
 * The script passes the words without their quotes, and last the token under the cursor as typed. Every part of the answer ends with a NUL character:
 * the action, and for each value the value, a tab and a description. fish adds the quotes itself.
 */
export const readFishTab: ReadTab = (given) => {
  const token = given.at(-1) ?? '';
  return {
    line: { words: given.slice(0, -1), current: unquoted(token) },
    format: (completion) => [...partsOf(completion, token), ''].join('\0'),
  };
};

function partsOf(completion: ResolvedCompletion, token: string): readonly string[] {
  if (completion.kind === 'nothing') return [];
  if (completion.kind !== 'words') return [completion.kind, completion.before, completion.value];
  const safe = completion.candidates.filter(({ word }) => isExact(word, completion.before === '', token));
  return ['words', ...safe.map(({ word, says }) => `${completion.before}${word}\t${visible(says)}`)];
}

/** Whether fish inserts exactly this word. It takes the text after a tab for a description, does not escape ~, and shows control characters raw in quotes. */
function isExact(word: string, isWhole: boolean, token: string): boolean {
  if (word.includes('\t')) return false;
  if (isWhole && word.startsWith('~') && !/^["']/.test(token)) return false;
  return !/(?!\n)\p{Cc}/u.test(word) || !/["']/.test(token);
}

function unquoted(token: string): string {
  return token.replace(/'((?:[^'\\]|\\.)*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.?)/gs, (_, ...groups) => {
    const [single, double, escaped] = groups as readonly (string | undefined)[]; // the three groups come first
    return single?.replace(/\\(['\\])/g, '$1') ?? double?.replace(/\\(["$\\])/g, '$1') ?? escaped ?? '';
  });
}
