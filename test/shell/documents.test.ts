import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualPages } from '../../src/shell/man.ts';
import { reference } from '../../src/shell/reference.ts';
import { everyBranch, everyCommand } from '../../src/shell/tree.ts';

const branches = await everyBranch(groups);
const names = (await everyCommand(groups)).map(({ name }) => name);
const pages = manualPages(branches, '0.1.0').map(({ name }) => name);

describe('the reference', () => {
  it('is in the repository as the definitions give it', () => {
    expect(readFileSync('docs/reference.md', 'utf8') === reference(branches), 'Run: npm run texts').toBe(true);
  });

  it('has a chapter on every command', () => {
    expect(names.filter((name) => !reference(branches).includes(`\n## iiot ${name}\n`))).toEqual([]);
  });
});

describe('the manual', () => {
  it('is named in package.json page by page, because npm links no others', () => {
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man?: unknown };
    expect(man).toEqual(pages.map((name) => `./man/${name}`));
  });

  it('has a page on every command', () => {
    expect(names.filter((name) => !pages.includes(`iiot-${name.replaceAll(' ', '-')}.1`))).toEqual([]);
  });
});
