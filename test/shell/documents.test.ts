import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualOf, writtenDocuments } from '../../src/shell/documents.ts';
import { everyCommand } from '../../src/shell/tree.ts';

const remedy = 'It is not what the definitions give. Run: npm run texts';
const documents = await writtenDocuments(groups);

describe('what is written from the definitions', () => {
  it.each([...documents])('is in the repository as it should be: %s', (path, text) => {
    expect(readFileSync(path, 'utf8') === text, `${path}: ${remedy}`).toBe(true);
  });

  it('is all there is in the folders of completions and the manual', () => {
    const found = ['completions', 'man'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
    const written = [...documents.keys()].filter((path) => !path.startsWith('docs/'));
    expect(found.toSorted(), remedy).toEqual(written.toSorted());
  });

  it('is named in package.json, so that npm installs the manual', () => {
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man?: unknown };
    expect(man, remedy).toEqual(manualOf(documents));
    expect(man).toEqual(expect.arrayContaining(['./man/iiot.1', './man/iiot-orgs-users-list.1']));
  });

  it('has a page and a chapter on every command', async () => {
    const names = (await everyCommand(groups)).map(({ name }) => name);
    const pages = names.filter((name) => !documents.has(`man/iiot-${name.replaceAll(' ', '-')}.1`));
    const chapters = names.filter((name) => !documents.get('docs/reference.md')?.includes(`\n## iiot ${name}\n`));
    expect({ pages, chapters }).toEqual({ pages: [], chapters: [] });
  });
});
