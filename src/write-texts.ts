import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpText } from './shell/find-help.ts';
import { topics } from './shell/topics.ts';
import { everyBranch, flat } from './shell/tree.ts';

/** Run by the build: writes the help of every command at 80 columns, for the launcher to show. */
async function writeTexts(): Promise<void> {
  const folder = join(__dirname, 'help');
  mkdirSync(folder, { recursive: true });
  const branches = (await everyBranch()).flatMap(flat);
  const paths = [[], ...[...topics, ...branches].map(({ name }) => name.split(' '))];
  for (const path of paths) writeFileSync(join(folder, `${path.join('.') || 'iiot'}.txt`), await helpText(path, 80));
}

void writeTexts();
