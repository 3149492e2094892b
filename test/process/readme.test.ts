import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForAll } from '../support/fixtures.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { openTerminal } from '../support/pseudo-terminal.ts';

const documents = [...readdirSync('.'), ...readdirSync('docs').map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, shown: consoleOf(readFileSync(name, 'utf8')) }))
  .filter(({ shown }) => shown.length > 0);

type Shown = { readonly line: string; readonly output: string };

/** The commands of a document's console blocks, each with what it is said to print. */
function consoleOf(text: string): Shown[] {
  return [...text.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [line = '', ...output] = part.split('\n');
        return { line, output: output.join('\n') };
      }),
  );
}

const server = madeForAll(() => startServer());
const home = homeForAll(() => machineOf(server));

/** The folder in which the lines of a document are typed: a copy of the folder of its files if it has one. */
function folderOf(document: string): string {
  const files = document.replace(/\.md$/, '');
  if (!existsSync(files)) return process.cwd();
  if (!existsSync(home.at(files))) cpSync(files, home.at(files), { recursive: true });
  return home.at(files);
}

async function typed(line: string, cwd = process.cwd(), isAsked = false): Promise<string> {
  // What a person sees: nothing in it is wider than the blocks of these documents.
  const session = openTerminal('sh', ['-c', line], {
    env: { ...home.env, LANG: 'C.UTF-8' },
    columns: 160,
    cwd,
  });
  if (isAsked) {
    await session.waitFor('(y/N)');
    session.type('y\r');
  }
  await session.exit;
  const screen = await session.screen();
  return screen === '' ? '' : `${screen}\n`;
}

it.each(documents)('the console blocks of $name show what is printed', async (document) => {
  for (const { line, output } of document.shown) {
    // "…" stands for what differs from run to run.
    const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const isAsked = /^\? .* Yes$/m.test(output);
    const printed = await typed(line, folderOf(document.name), isAsked);
    expect(printed, line).toMatch(new RegExp(`^${parts.join('[^\\n]*')}$`));
  }
});

describe('the CI jobs of the documents', () => {
  const text = ['README.md', 'docs/ci.md'].map((name) => readFileSync(name, 'utf8')).join('');
  const blocks = [...text.matchAll(/```(yaml|groovy)\n([\s\S]*?)```/g)].map(([, , block = '']) => block);
  const [gitHub = '', gitLab = '', jenkins = ''] = blocks;

  it.each([
    ['GitHub', gitHub, /run: (iiot .*)/],
    ['GitLab', gitLab, /- (iiot .*)/],
    ['Jenkins', jenkins, /sh '(IIOT_CLIENT_ID=.*)'/],
  ])('list the users with the line of %s', async (_, block, step) => {
    const [, line = ''] = step.exec(block) ?? [];
    // As Jenkins installs it.
    mkdirSync(home.at('.iiot'), { recursive: true });
    if (!existsSync(home.at('.iiot/bin/iiot'))) symlinkSync(home.at('bin'), home.at('.iiot/bin'));
    const variables = `IIOT_CLIENT_USR=${ids.clientId}; IIOT_CLIENT_PSW=${ids.clientSecret}; cd ${home.folder}`;
    expect(await typed(`${variables}; ${line}`)).toBe('');
    const [head = '', ...users] = home.read('users.csv').trimEnd().split('\r\n');
    expect([head.split(',').slice(0, 3), users.length > 0]).toEqual([['\ufeffuserId', 'name', 'orgRole'], true]);
    rmSync(home.at('users.csv'));
  });
});
