/** What comments cite is in the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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
