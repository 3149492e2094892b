import { readFileSync } from 'node:fs';
import { ignoreError } from '../text/ignore-error.ts';
import { filesWithCodeCache } from './code-cache.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText, answerTabFromText, builtText } from './texts.ts';

/** Runs first: answers from text if possible, and loads the program only if needed. @param folder of the bundle */
export function launch(process: NodeJS.Process, folder: string): void {
  const words = process.argv.slice(2);
  if (answerFromText(words, process)) return;
  // Node 18 lacks this function, and would fail with a message of Node's.
  if ((process as Partial<NodeJS.Process>).getBuiltinModule === undefined) {
    process.stderr.write(
      `error: iiot needs Node 20.18.1 or newer, but this is ${process.version}.\nhint: See https://nodejs.org\n`,
    );
    process.exitCode = 1;
    return;
  }
  const source = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
  // This file is so small that looking for cached code would take longer.
  const uncompiled = requireFrom({ source, compiled: () => undefined }, process);
  if (answerTabFromText(words, process, builtText, uncompiled)) return;
  const files = filesWithCodeCache(folder, process);
  const require = requireFrom(files, process);
  const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from that file
  void start(process, undefined, builtText, () => ignoreError(() => files.keep?.()));
}
