/** Entry point of the single-file executable, which embeds the files that the package has beside it. */
import { getAsset, getRawAsset } from 'node:sea';
import { ignoreError } from '../text/ignore-error.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText, answerTabFromText } from './texts.ts';

const words = process.argv.slice(2);
// Node throws for a file that is not embedded.
const read = (path: string) => ignoreError(() => getAsset(path, 'utf8'));
const bytesOf = (path: string) => Buffer.from(getRawAsset(path) as ArrayBuffer); // the bytes of a file

if (!answerFromText(words, process, read)) {
  const require = requireFrom(
    {
      source: (name) => bytesOf(`dist/${name}`).toString(),
      compiled: (name) => ignoreError(() => bytesOf(`compiled/${name}`)),
    },
    process,
  );
  if (!answerTabFromText(words, process, read, require)) {
    const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from that file
    // The executable is Node and the program in one, so no script follows it when it is called again.
    void start(process, [process.execPath], read);
  }
}
