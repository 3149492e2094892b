/** Writes what is in the repository and comes from the definitions: `npm run texts`, or `npm run texts -- release` for what the next releases keep, too. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { groups } from '../src/commands/index.ts';
import { everyBranch, everyCommand } from '../src/shell/tree.ts';
import { llms, skill } from './agents.ts';
import { surface, surfaceText } from './surface.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const commands = await everyCommand(groups);
const frozen = `${surfaceText(await surface(groups, await everyBranch(groups), version))}\n`;

mkdirSync('skills/iiot', { recursive: true });
writeFileSync('skills/iiot/SKILL.md', skill(commands));
writeFileSync('docs/llms.txt', llms(commands, readFileSync('README.md', 'utf8')));
writeFileSync('docs/internals/surface.json', frozen);
if (process.argv[2] === 'release') writeFileSync('docs/internals/surface-released.json', frozen);
