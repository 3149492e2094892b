import { type BashLine, readBashLine } from './bash-line.ts';
import { bashText } from './bash-word.ts';
import type { ReadTab, ResolvedCompletion } from './tab.ts';

/**
 * The script passes the line before and after the cursor, and the text that readline will replace. The answer is a line with the action, and one line
 * for each replacement.
 */
export const readBashTab: ReadTab = ([before = '', behind = '', replaced = '']) => {
  const line = readBashLine(before);
  if (!line) return undefined;
  return {
    line: { words: line.words.slice(1), current: line.current },
    format: (completion) =>
      line.redirected ? 'file\n' : formatReply(completion, line, placeOf(line, before, behind, replaced)),
  };
};

/** The state of the line before the text that readline replaces. */
type ReplacedPlace = Pick<BashLine, 'current' | 'quote'>;

/** Undefined if readline and bash disagree about quoting: then no replacement is safe. */
function placeOf(line: BashLine, before: string, behind: string, replaced: string): ReplacedPlace | undefined {
  const at = before.length - replaced.length;
  const start = before.endsWith(replaced) ? readBashLine(before.slice(0, at)) : undefined;
  if (!start || !line.exact || start.words.length !== line.words.length || start.quote !== line.quote) return undefined;
  const isQuote = /["']/.test(before.charAt(at - 1));
  if (start.quote === '') return !isQuote && /^(?:$|[\s;|&)])/.test(behind) ? start : undefined;
  const isOpenedHere = start.opened === at - 1 && line.opened === start.opened;
  return isOpenedHere && /^["']?(?:$|[\s;|&)])/.test(behind) ? start : undefined;
}

function formatReply(
  completion: ResolvedCompletion,
  { current, exact }: BashLine,
  place: ReplacedPlace | undefined,
): string {
  if (completion.kind !== 'words') {
    if (completion.kind === 'file') return 'file\n';
    return completion.kind === 'command' && exact && /^[\w./+-]*$/.test(current) ? `command\n${current}\n` : '';
  }
  if (!place) return '';
  const words = completion.candidates
    .map(({ word }) => completion.before + word)
    .filter((word) => word.startsWith(current));
  const texts = words.map((word) => bashText(word.slice(place.current.length), place.quote));
  return [completion.open ? 'open' : 'words', ...new Set(texts), ''].join('\n');
}
