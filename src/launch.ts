import { keepCompiled } from './compile-cache.ts';
import { answerFromText } from './texts.ts';

/**
 * What runs first: answers from text where it can, and loads the program where it must.
 * @returns resolves when all is done and written; what the process still waits for then is for nobody
 */
export async function launch(
  process: NodeJS.Process,
  load: () => { start(process: NodeJS.Process): Promise<void> },
): Promise<void> {
  if (answerFromText(process.argv.slice(2), process)) return;
  keepCompiled(process);
  await load().start(process);
}
