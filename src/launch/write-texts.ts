import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from '../commands/index.ts';
import { helpText } from '../shell/find-help.ts';
import { readGrammar } from '../shell/grammar.ts';
import { manualPages } from '../shell/man.ts';
import { referencePages } from '../shell/reference.ts';
import { topics } from '../shell/topics.ts';
import { flatten, loadBranches } from '../shell/tree.ts';
import { version } from '../version.ts';
import { grammarFile } from './texts.ts';

/** Writes completions, the manual and each command's help at 80 columns, for the build; and the reference for `npm run texts`, which names a folder for it. */
async function writeTexts(referenceFolder: string | undefined): Promise<void> {
  const root = join(__dirname, '..');
  const [help, manual] = ['dist/help', 'man'].map((name) => makeEmpty(join(root, name))) as [string, string];
  const tree = await loadBranches(groups);
  writeFileSync(join(root, grammarFile), JSON.stringify(readGrammar(tree)));
  const paths = [[], ...[...topics, ...tree.flatMap(flatten)].map(({ name }) => name.split(' '))];
  for (const path of paths)
    writeFileSync(join(help, `${path.join('.') || 'iiot'}.txt`), await helpText(groups, path, 80));
  for (const { name, text } of manualPages(tree, version)) writeFileSync(join(manual, name), text);
  if (referenceFolder === undefined) return;
  const folder = makeEmpty(referenceFolder);
  for (const { name, text } of referencePages(tree)) writeFileSync(join(folder, name), text);
}

/** Removes the pages of commands that no longer exist, too. */
function makeEmpty(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

void writeTexts(process.argv[2]);
