import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualOf, writtenDocuments } from '../../src/shell/documents.ts';
import { everyCommand } from '../../src/shell/tree.ts';
import { installed } from '../support/shells.ts';

const run = promisify(execFile);
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

describe('the manual', () => {
  beforeAll(() => installed('man', 'groff'), 180_000);

  it.each([...documents.keys()].filter((path) => path.startsWith('man/')))(
    'renders %s without a warning',
    async (path) => {
      const { stdout, stderr } = await run('man', ['--warnings', '-E', 'UTF-8', '-l', path], {
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
      });
      expect(stderr).toBe('');
      expect(stdout).toContain('SYNOPSIS');
    },
  );

  it('shows what is typed as it is typed', async () => {
    const { stdout } = await run('man', ['-E', 'UTF-8', '-l', 'man/iiot-orgs-users-list.1'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '-c', MANPAGER: 'cat' },
    });
    const plain = stdout.replace(/.\u0008/g, '');
    expect(plain).toContain(`iiot orgs users list --name "o'neil" --sort name:desc`);
    expect(plain).toContain('--role admin|operator|viewer');
  });
});
