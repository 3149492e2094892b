import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from '../commands/index.ts';
import { helpText } from '../shell/find-help.ts';
import { readGrammar } from '../shell/grammar.ts';
import { topics } from '../shell/topics.ts';
import { everyBranch, flatten } from '../shell/tree.ts';
import { grammarFile } from './answer-tab.ts';

/** Run by the build: writes the completions, and the help of every command at 80 columns, for the launcher to show. */
async function writeTexts(): Promise<void> {
  const folder = join(__dirname, 'help');
  mkdirSync(folder, { recursive: true });
  const tree = await everyBranch(groups);
  writeFileSync(join(__dirname, '..', grammarFile), JSON.stringify(readGrammar(tree)));
  const branches = tree.flatMap(flatten);
  const paths = [[], ...[...topics, ...branches].map(({ name }) => name.split(' '))];
  for (const path of paths)
    writeFileSync(join(folder, `${path.join('.') || 'iiot'}.txt`), await helpText(groups, path, 80));
}

void writeTexts();
