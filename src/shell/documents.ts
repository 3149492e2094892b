import { version } from '../version.ts';
import { readGrammar } from './grammar.ts';
import { manualPages } from './man.ts';
import { reference } from './reference.ts';
import { type Shell, scriptFiles } from './script-files.ts';
import { scriptWriters } from './scripts.ts';
import { everyBranch } from './tree.ts';

/** Every file of the project that is written from the definitions: its path and its text. `npm run texts` writes them. */
export async function writtenDocuments(): Promise<ReadonlyMap<string, string>> {
  const [grammar, branches] = await Promise.all([readGrammar(), everyBranch()]);
  const documents = new Map<string, string>();
  for (const [shell, file] of Object.entries(scriptFiles)) {
    documents.set(`completions/${file}`, scriptWriters[shell as Shell](grammar)); // entries() widens the keys
  }
  for (const { name, text } of manualPages(branches, version)) documents.set(`man/${name}`, text);
  return documents.set('docs/reference.md', reference(branches));
}

/** What package.json says of the manual: every page, in order, for npm to install. */
export function manualOf(documents: ReadonlyMap<string, string>): readonly string[] {
  return [...documents.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
}
