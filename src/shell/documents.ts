import type { Groups } from '../command/command.ts';
import { version } from '../version.ts';
import { manualPages } from './man.ts';
import { reference } from './reference.ts';
import { type Shell, scriptFiles } from './script-files.ts';
import { completionScripts } from './scripts.ts';
import { everyBranch } from './tree.ts';

/** Every file of the project that is generated from the definitions, by path. `npm run texts` writes them. */
export async function writtenDocuments(groups: Groups): Promise<ReadonlyMap<string, string>> {
  const branches = await everyBranch(groups);
  const documents = new Map<string, string>();
  for (const [shell, file] of Object.entries(scriptFiles)) {
    documents.set(`completions/${file}`, completionScripts[shell as Shell]); // entries() widens the keys
  }
  for (const { name, text } of manualPages(branches, version)) documents.set(`man/${name}`, text);
  return documents.set('docs/reference.md', reference(branches));
}

/** The `man` field of package.json: every page, in order, for npm to install. */
export function manualOf(documents: ReadonlyMap<string, string>): readonly string[] {
  return [...documents.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
}
