/** Completions in zsh: reads the words from completions/_iiot, and writes the answer for it. */
import { visible } from '../text/visible.ts';
import type { ReadTab, ResolvedCompletion } from './completion-at.ts';
import type { Candidate } from './grammar.ts';

/**
 * The script passes the words without their quotes, the one under the cursor last. Every part of the answer ends with a NUL character: the action,
 * the character after which the value begins, and for each value the value and its text in the list. zsh adds the quotes itself.
 */
export const readZshTab: ReadTab = (given) => ({
  line: { words: given.slice(0, -1), current: given.at(-1) ?? '' },
  format: (completion) => [...partsOf(completion), ''].join('\0'),
});

function partsOf(completion: ResolvedCompletion): readonly string[] {
  const sign = completion.before.at(-1) ?? '';
  if (completion.kind !== 'words') return completion.kind === 'nothing' ? [] : [completion.kind, sign];
  const { candidates, open } = completion;
  const isDescribed = candidates.some(({ says }) => says !== '');
  return [`${isDescribed ? 'rows' : 'words'}${open ? ' open' : ''}`, sign, ...rows(candidates)];
}

/** The values with their texts, in which the descriptions are aligned. */
function rows(candidates: readonly Candidate[]): readonly string[] {
  const shown = candidates.map(({ word }) => visible(word));
  const width = Math.min(Math.max(...shown.map(({ length }) => length), 0), widest);
  return candidates.flatMap(({ word, says }, index) => {
    const label = shown[index] ?? '';
    return [word, says === '' ? label : `${label.padEnd(width)}  -- ${visible(says)}`];
  });
}

const widest = 40;
