import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { person } from '../support/world.ts';

const pages = ['', 'docs/', 'docs/internals/']
  .flatMap((folder) => readdirSync(folder || '.').map((name) => `${folder}${name}`))
  .filter((name) => name.endsWith('.md'));

describe('the pages of the repository', () => {
  it.each(pages)('%s names only files that exist', (page) => {
    const text = readFileSync(page, 'utf8');
    const named = [...text.matchAll(/`((?:src|test|bin|build|bench|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each(pages)('%s links to pages that exist', (page) => {
    const text = readFileSync(page, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(page), path)))).toEqual([]);
  });

  it('have filters for Terraform that print a map of strings', async () => {
    const text = readFileSync('docs/contract.md', 'utf8');
    const filters = [...text.matchAll(/`--jq '([^']+)'`/g)].map(([, filter = '']) => filter);
    const someone = person();
    const commands = ['profiles show', 'orgs users list --limit 2'];
    const printed = [];
    for (const [index, command] of commands.entries())
      printed.push((await someone.iiot([...command.split(' '), '--jq', filters[index] ?? ''])).stdout);
    someone.leave();
    const [one, list] = printed.map((json) => JSON.parse(json));
    expect(list).toEqual({ ada: 'admin', 'user-0001': 'viewer' });
    expect(new Set(Object.values(one).map((value) => typeof value))).toEqual(new Set(['string']));
  });

  it('include docs/internals/architecture.md, which names every folder of src', () => {
    const text = readFileSync('docs/internals/architecture.md', 'utf8');
    const rooms = readdirSync('src').filter((name) => name !== 'version.ts');
    expect(rooms.filter((room) => !text.includes(`src/${room}`))).toEqual([]);
  });
});

/** What comments cite is in the repository. */
const files = ['src', 'test', 'bench', 'build'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') })),
);
const comments = files.flatMap(({ name, text }) =>
  (text.match(/^\s*(?:\/\/|\/?\*).*$(?:\n^\s*(?:\/\/|\*).*$)*/gm) ?? []).map((raw) => ({
    name,
    text: raw.replace(/\n\s*(?:\/\/|\*)/g, ''),
  })),
);

describe('a comment', () => {
  it('cites only headings that docs/contract.md has', () => {
    const headings = [...readFileSync('docs/contract.md', 'utf8').matchAll(/^## (.+)$/gm)].map(
      ([, heading]) => heading,
    );
    const cited = comments.flatMap(({ name, text }) =>
      [...text.matchAll(/docs\/contract\.md, ("[^"]+"(?: and "[^"]+")*)/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/"([^"]+)"/g)].map(([, heading]) => ({ name, heading })),
      ),
    );
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
  });

  it('names only documents of the repository', () => {
    // A name in quotation marks is an example.
    const wrong = comments.flatMap(({ name, text }) =>
      [...text.matchAll(/(?<![\w./{<"])((?:docs\/(?:internals\/)?)?[a-z][\w-]*\.md)\b/g)]
        .map(([, path = '']) => ({ name, path }))
        .filter(
          ({ path }) => !existsSync(path) && !existsSync(`docs/${path}`) && !existsSync(`docs/internals/${path}`),
        ),
    );
    expect(wrong).toEqual([]);
  });
});
