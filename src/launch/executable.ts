/** The entry point of the single-file executable, in which the files of the package are embedded. */
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
    // To run it again takes no script: the executable is Node and the program in one.
    void start(process, [process.execPath], read);
  }
}
