/** The pages of the manual, read by the programs that a person reads them with. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualPages } from '../../src/shell/man.ts';
import { loadBranches } from '../../src/shell/tree.ts';
import { folderForEach } from '../support/folder.ts';
import { lacks } from '../support/lacking.ts';

const pages = manualPages(await loadBranches(groups), '0.1.0');
const folder = folderForEach();

const withoutManual = lacks('man', 'groff');

beforeEach(() => {
  for (const { name, text } of pages) folder.write(name, text);
});

/** What a terminal shows of pages, without bold. */
async function read(names: readonly string[]) {
  const { stdout, stderr } = await promisify(execFile)('man', ['--warnings', '-E', 'UTF-8', '-l', ...names], {
    cwd: folder.at('.'),
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
  });
  expect(stderr).toBe('');
  return stdout.replace(/.\u0008/g, '');
}

it.skipIf(withoutManual)('every page of the manual is rendered without a warning', async () => {
  const text = await read(pages.map(({ name }) => name));
  expect(text.match(/^SYNOPSIS$/gm)).toHaveLength(pages.length);
});

it.skipIf(withoutManual)('the manual shows what to type unchanged', async () => {
  const text = await read(['iiot-orgs-users-list.1']);
  expect(text).toContain(`iiot orgs users list --name "o'neil" --sort name:desc`);
  expect(text).toContain('--role admin|operator|viewer');
});

it.skipIf(withoutManual)('the manual has plain quotes, and the folder of the settings on Windows', async () => {
  const text = await read(['iiot.1']);
  expect(text).toContain("in addition to the system's");
  expect(text).toMatch(/\n {7}Windows\n {14}%APPDATA%\\iiot\\Config\n/);
  expect(pages[0]?.text).not.toMatch(/\\\((aq|dq)/);
});

it('every page of a command in the manual refers to iiot(1) for common options', () => {
  const texts = pages.map(({ text }) => text).filter((text) => text.includes('.SH EXIT STATUS'));
  const lacking = texts.filter(
    (text) => !/^\.SH OPTIONS$[\s\S]*The options of every command are in iiot\(1\)\./m.test(text),
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(lacking).toEqual([]);
});
