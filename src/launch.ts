import { filesWithKeptCode } from './kept-code.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText } from './texts.ts';

/**
 * What runs first: answers from text where it can, and loads the program where it must.
 * @param folder of the bundle
 */
export function launch(process: NodeJS.Process, folder: string): void {
  if (answerFromText(process.argv.slice(2), process)) return;
  if (!hasBuiltinModules(process)) {
    process.stderr.write(
      `iiot needs Node 20.18.1 or newer, and this is ${process.version}.\nSee: https://nodejs.org\n`,
    );
    process.exitCode = 1;
    return;
  }
  const require = requireFrom(filesWithKeptCode(folder, process), process);
  const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from it
  void start(process);
}

/** Node 18 has no such function, and would end with its own words. */
function hasBuiltinModules(process: Partial<NodeJS.Process>): boolean {
  return process.getBuiltinModule !== undefined;
}
