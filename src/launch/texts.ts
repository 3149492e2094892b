import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grammar } from '../shell/grammar.ts';
import { type Shell, scriptFiles } from '../shell/script-files.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { version } from '../version.ts';
import { mayBeTerminal, writeNow } from './standard-output.ts';

/** Answers `--version`, `--help` and `completion SHELL` from texts of the build, without loading the program. @returns false if no such text answers */
export function answerFromText(words: readonly string[], process: NodeJS.Process, read: ReadText = readBuilt): boolean {
  const text = textForWords(words, process, read);
  if (text === undefined) return false;
  writeText(text, process);
  return true;
}

/** Writes to standard output, if possible without opening it as a stream. */
function writeText(text: string, process: NodeJS.Process): void {
  const bytes = Buffer.from(text);
  const written = mayBeTerminal(1) ? 0 : writeNow(1, bytes);
  if (written !== 'all') writeLater(bytes.subarray(written), process);
}

function writeLater(bytes: Buffer, process: NodeJS.Process): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'EOF') return; // the reader has gone away
    process.stderr.write(`error: The text could not be written (${code}).\n`);
    process.exitCode = 1;
  });
  process.stdout.write(bytes);
}

/** Answers `iiot __complete SHELL …` from a text of the build, without loading the program. @returns false if that needs the settings or the platform */
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

export const grammarFile = 'dist/completions.json';

/** A text that the build has written, by its path in the package. */
type ReadText = (path: string) => string | undefined;

function textForWords(words: readonly string[], process: NodeJS.Process, read: ReadText): string | undefined {
  if (words.length === 1 && ['--version', '-V', '-v', 'version'].includes(words[0] ?? '')) return `${version}\n`;
  if (words.length === 2 && words[0] === 'completion') return completionText(words[1] ?? '', read);
  const path = helpPath(words);
  if (!path || process.env.COLUMNS !== undefined || isNarrow(process)) return undefined;
  return read(`dist/help/${path.join('.') || 'iiot'}.txt`);
}

function completionText(shell: string, read: ReadText): string | undefined {
  const file = Object.hasOwn(scriptFiles, shell) ? scriptFiles[shell as Shell] : undefined; // guaranteed by hasOwn
  return file && read(`completions/${file}`);
}

/** Reads a text of the build; undefined if there is none, as for an alias or a mistake, which only the program knows. */
export function readBuilt(path: string): string | undefined {
  return ignoreError(() => readFileSync(join(__dirname, '..', path), 'utf8'));
}

function isNarrow(process: NodeJS.Process): boolean {
  return mayBeTerminal(1) && process.stdout.isTTY && process.stdout.columns < 80;
}

function helpPath(words: readonly string[]): readonly string[] | undefined {
  if (words.length === 0) return [];
  const isHelp = words[0] === 'help';
  if (!isHelp && !/^(--help|-h)$/.test(words.at(-1) ?? '')) return undefined;
  const path = isHelp ? words.slice(1) : words.slice(0, -1);
  return path.every((word) => /^[a-z][a-z0-9-]*$/.test(word)) ? path : undefined;
}
