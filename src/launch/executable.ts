/** Where the one-file program begins: what the package has in files beside it is inside of it here. */
import { getAsset, getRawAsset } from 'node:sea';
import { answerTabFromText } from './answer-tab.ts';
import { requireFrom } from './program-files.ts';
import { answerFromText } from './texts.ts';

const words = process.argv.slice(2);
const read = (path: string) => ignoreError(() => getAsset(path, 'utf8'));

if (!answerFromText(words, process, read)) {
  const require = requireFrom(
    {
      source: (name) => Buffer.from(getRawAsset(`dist/${name}`) as ArrayBuffer).toString(), // a file's bytes
      compiled: (name) => ignoreError(() => bytesOf(`compiled/${name}`)),
    },
    process,
  );
  if (!answerTabFromText(words, process, read, require)) {
    const { start } = require('./start.cjs') as typeof import('./start.ts'); // built from it
    // The file is Node and the program in one: there is no script to name when it is called again.
    void start(process, [process.execPath], read);
  }
}

function bytesOf(path: string): Uint8Array {
  return new Uint8Array(getRawAsset(path) as ArrayBuffer); // a file's bytes
}

/** Node throws for a file that is not inside. */
function ignoreError<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
