import { type Read, writeText } from './texts.ts';

/**
 * Answers `iiot __complete SHELL …` from what the build has written, without loading the program.
 * @param read gives a text by its path in the package
 * @param require loads a file of the bundle
 * @returns false where the settings or the platform have to be asked
 */
export function answerTabFromText(
  words: readonly string[],
  process: NodeJS.Process,
  read: Read,
  require: NodeJS.Require,
): boolean {
  if (words[0] !== '__complete') return false;
  const text = read(grammarFile);
  if (text === undefined) return false;
  const { answerAtOnce } = require('./complete.cjs') as typeof import('../shell/complete.ts'); // built from it
  const answer = answerAtOnce(words.slice(1), JSON.parse(text) as Grammar); // the build has written it
  if (answer === undefined) return false;
  writeText(answer, process);
  return true;
}

type Grammar = Parameters<typeof import('../shell/complete.ts')['answerAtOnce']>[1];

/** What completions know without asking anybody. */
export const grammarFile = 'dist/completions.json';
