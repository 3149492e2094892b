/** Writes generated files of the repository: `npm run texts`, or `npm run texts -- release`, which also writes the surface that the next releases keep. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { groups } from '../src/commands/index.ts';
import { manualPages } from '../src/shell/man.ts';
import { commandsIn, loadBranches } from '../src/shell/tree.ts';
import { llms, skill } from './agents.ts';
import { surface, surfaceText } from './surface.ts';

const project = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const tree = await loadBranches(groups);
const commands = commandsIn(tree);
const frozen = `${surfaceText(await surface(groups, tree, project.version))}\n`;
const man = manualPages(tree, project.version).map(({ name }) => `./man/${name}`);

mkdirSync('skills/iiot', { recursive: true });
writeFileSync('skills/iiot/SKILL.md', skill(commands));
writeFileSync('docs/llms.txt', llms(commands, readFileSync('README.md', 'utf8')));
writeFileSync('docs/internals/surface.json', frozen);
writeFileSync('package.json', `${JSON.stringify({ ...project, man }, undefined, 2)}\n`);
if (process.argv[2] === 'release') writeFileSync('docs/internals/surface-released.json', frozen);
