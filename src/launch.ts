import { filesWithKeptCode } from './kept-code.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText } from './texts.ts';

/**
 * What runs first: answers from text where it can, and loads the program where it must.
 * @param folder of the bundle
 * @returns resolves when all is done and written; what the process still waits for then is for nobody
 */
export async function launch(process: NodeJS.Process, folder: string): Promise<void> {
  if (answerFromText(process.argv.slice(2), process)) return;
  const require = requireFrom(filesWithKeptCode(folder, process), process);
  const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from it
  await start(process);
}
