import { type ReadText, writeText } from './texts.ts';

/**
 * Answers `iiot __complete SHELL …` from a text that the build has written, without loading the program.
 * @param read returns a text by its path in the package
 * @param require loads a file of the bundle
 * @returns false if the answer needs the settings or the platform
 */
export function answerTabFromText(
  words: readonly string[],
  process: NodeJS.Process,
  read: ReadText,
  require: NodeJS.Require,
): boolean {
  if (words[0] !== '__complete') return false;
  const text = read(grammarFile);
  if (text === undefined) return false;
  const { answerAtOnce } = require('./complete.cjs') as typeof import('../shell/complete.ts'); // built from that file
  const answer = answerAtOnce(words.slice(1), JSON.parse(text) as Grammar); // written by the build
  if (answer === undefined) return false;
  writeText(answer, process);
  return true;
}

type Grammar = Parameters<typeof import('../shell/complete.ts')['answerAtOnce']>[1];

/** The completions that need neither settings nor platform. */
export const grammarFile = 'dist/completions.json';
