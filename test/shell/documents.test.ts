import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualPages } from '../../src/shell/man.ts';
import { referencePages } from '../../src/shell/reference.ts';
import { loadBranches, loadCommands } from '../../src/shell/tree.ts';

const branches = await loadBranches(groups);
const names = (await loadCommands(groups)).map(({ name }) => name);
const pages = manualPages(branches, '0.1.0').map(({ name }) => name);

describe('the reference', () => {
  it('is generated from the definitions, with a page for each command', () => {
    const made = referencePages(branches);
    expect(made.map(({ name }) => name)).toEqual([
      'README.md',
      ...names.map((name) => `iiot-${name.replaceAll(' ', '-')}.md`),
    ]);
    expect(readdirSync('docs/reference').sort(), 'Run: npm run texts').toEqual(made.map(({ name }) => name).sort());
    const other = made.filter(({ name, text }) => readFileSync(`docs/reference/${name}`, 'utf8') !== text);
    expect(
      other.map(({ name }) => name),
      'Run: npm run texts',
    ).toEqual([]);
  });
});

describe('the manual', () => {
  it('is listed in package.json page by page', () => {
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man?: unknown };
    expect(man).toEqual(pages.map((name) => `./man/${name}`));
  });

  it('has a page on every command', () => {
    expect(names.filter((name) => !pages.includes(`iiot-${name.replaceAll(' ', '-')}.1`))).toEqual([]);
  });
});
