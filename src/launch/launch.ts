import { readFileSync } from 'node:fs';
import { ignoreError } from '../text/ignore-error.ts';
import { filesWithCodeCache } from './code-cache.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText, answerTabFromText, readBuilt } from './texts.ts';

/** The first function that runs: answers from a text if it can, else loads the program. @param folder of the bundle */
export function launch(process: NodeJS.Process, folder: string): void {
  const words = process.argv.slice(2);
  if (answerFromText(words, process)) return;
  // Without this check, Node 18 would fail with a message of its own.
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
  if (answerTabFromText(words, process, readBuilt, uncompiled)) return;
  const files = filesWithCodeCache(folder, process);
  const require = requireFrom(files, process);
  const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from that file
  void start(process, undefined, readBuilt, () => ignoreError(() => files.keep?.()));
}
