import { visible } from '../text/visible.ts';
import type { Candidate } from './grammar.ts';
import type { Found, ReadTab } from './tab.ts';

/**
 * The script gives the words without their quotes, that under the cursor last. The answer ends each of its parts with a NUL character:
 * what to do, the sign behind which the value begins, and for each value itself and what the list shows for it. zsh quotes by itself.
 */
export const readZshTab: ReadTab = (given) => ({
  line: { words: given.slice(0, -1), current: given.at(-1) ?? '' },
  answer: (found) => [...partsOf(found), ''].join('\0'),
});

function partsOf(found: Found): readonly string[] {
  const sign = found.before.at(-1) ?? '';
  if (found.kind !== 'words') return found.kind === 'nothing' ? [] : [found.kind, sign];
  const { candidates, open } = found;
  const isDescribed = candidates.some(({ says }) => says !== '');
  return [`${isDescribed ? 'rows' : 'words'}${open ? ' open' : ''}`, sign, ...rows(candidates)];
}

/** Values, each with what is shown for it: descriptions stand below each other. */
function rows(candidates: readonly Candidate[]): readonly string[] {
  const shown = candidates.map(({ word }) => visible(word));
  const width = Math.min(Math.max(...shown.map(({ length }) => length), 0), widest);
  return candidates.flatMap(({ word, says }, index) => {
    const label = shown[index] ?? '';
    return [word, says === '' ? label : `${label.padEnd(width)}  -- ${visible(says)}`];
  });
}

const widest = 40;
