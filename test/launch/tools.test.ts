/** What `npm run build` says before it begins, where npm has left out the bundler or the part of it for this system. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { expect, it } from 'vitest';
import { folderForEach } from '../support/folder.ts';

const folder = folderForEach();

/** Output and exit code beside a bundler of this code, or beside none. */
function beside(bundler?: string): { readonly said: string; readonly exit: number | null } {
  const tools = realpathSync(folder.write('tools.cjs', readFileSync('build/tools.cjs')));
  if (bundler !== undefined) {
    mkdirSync(folder.at('node_modules/rolldown'), { recursive: true });
    folder.write('node_modules/rolldown/index.js', bundler);
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, [tools], { encoding: 'utf8' });
  return { said: `${stdout}${stderr}`.replaceAll(tools, '<tools>'), exit: status };
}

function notInstalled(reason: string): string {
  return `error: The tools that build iiot are not installed (${reason})\nhint: Run: npm ci --include=dev --include=optional\n`;
}

it('npm run build says what to type if the bundler or its native part is missing', () => {
  expect(beside()).toEqual({
    said: notInstalled("Cannot find package 'rolldown' imported from <tools>"),
    exit: 1,
  });
  expect(beside("throw new Error('Cannot find native binding. npm has a bug.\\nSee there');")).toEqual({
    said: notInstalled('Cannot find native binding'),
    exit: 1,
  });
});

it('npm run build says nothing if the bundler is installed', () => {
  expect(beside('')).toEqual({ said: '', exit: 0 });
});
