/** The glossary of CONTRIBUTING.md ("Words"), over everything that a person reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { manualPages } from '../../src/shell/man.ts';
import { loadBranches } from '../../src/shell/tree.ts';
import { version } from '../../src/version.ts';
import { textsOf } from '../support/texts.ts';

/** What is not said, and what is said for it. */
const unsaid: readonly (readonly [RegExp, string])[] = [
  [/\bsign(?:ed|s|ing)?[ -](?:in|out)s?\b(?![.'/-]\w)/gi, 'log in, log out'],
  [/\bunless told\b/gi, 'unless … is given'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\bthat is fine\b/gi, 'say what happens'],
  [/\bof other work\b/gi, 'for another import'],
  [/(?<!\bthere )\bis no (?!(?:longer|more|such)\b)(?:[A-Z]+|[a-z]+ )*[A-Za-z]+\b/gi, 'is not a'],
  [/\bnobody can be asked\b/gi, 'cannot prompt: not a terminal'],
  [/\bso many\b/gi, 'how many'],
  [/\bbehind it\b/gi, 'after it'],
  [/\bin trouble\b/gi, 'failing'],
  [/\bof unknown end\b/gi, 'of unknown outcome'],
  [/\bon a terminal\b/gi, 'at a terminal'],
  [/\bexists already\b/gi, 'already exists'],
  [/\bclient id\b/g, 'client ID'],
  [/\bstands? in for\b/gi, 'replace'],
  [/\blooks for the reason\b/gi, 'to find the cause, run'],
  [/\bbegins? anew\b/gi, 'start over'],
  [/\bnot written over\b/gi, 'not overwritten'],
  [/\bin a while\b/gi, 'later'],
  [/\bno use any more\b/gi, 'no longer needed'],
  [/\bwhoever runs\b/gi, 'the operator of'],
  [/\b(?:platform's|its|this|each|any|complete) answers?\b/gi, 'response'],
];

const pages = ['', 'docs/', 'docs/internals/']
  .flatMap((folder) => readdirSync(folder || '.').map((name) => `${folder}${name}`))
  .filter((name) => name.endsWith('.md'));

/** Each finding with what stands around it. */
function findingsIn(text: string): string[] {
  return unsaid.flatMap(([words, instead]) =>
    [...text.matchAll(words)].map(({ 0: found, index }) => {
      const around = text.slice(Math.max(0, index - 30), index + found.length + 30).replaceAll('\n', ' ');
      return `"${found}" in "${around}": ${instead}`;
    }),
  );
}

describe('the words of the glossary', () => {
  it.each(pages)('hold in %s', (page) => {
    expect(findingsIn(readFileSync(page, 'utf8'))).toEqual([]);
  });

  it('hold in every sentence that the program says', () => {
    // Data, and words that only programs read.
    const others = /^src\/(sandbox\/world\/names|text\/|version|quartz\/fields)/;
    const sentences = textsOf('src').filter(({ text, place }) => text.includes(' ') && !others.test(place));
    expect(sentences.length).toBeGreaterThan(3000);
    expect(sentences.flatMap(({ text, place }) => findingsIn(text).map((found) => `${place}: ${found}`))).toEqual([]);
  });

  it('hold in every page of the manual', async () => {
    const manual = manualPages(await loadBranches(groups), version);
    expect(manual.flatMap(({ text }) => findingsIn(text))).toEqual([]);
  });

  it('are seen where they do not hold, and "single sign-on" keeps its name', () => {
    expect(findingsIn('Sign in again.').length).toBe(1);
    expect(findingsIn('They signed out by single sign-on; it is no longer there.').length).toBe(1);
    expect(findingsIn('It is no regular file, and nobody signs in.').length).toBe(2);
    expect(findingsIn('Log in. It is no longer a file.')).toEqual([]);
  });
});

it('are at most 24,000 in all documents of the repository but the reference, and 4,000 in the decisions', () => {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const documents = [...readdirSync('.'), ...['docs', 'packaging', 'skills'].flatMap(below)].filter(
    (name) => name.endsWith('.md') && !name.startsWith(join('docs', 'reference')),
  );
  const counts = new Map(documents.map((page) => [page, readFileSync(page, 'utf8').trim().split(/\s+/).length]));
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  console.log(`Words: ${[...counts].map(([page, each]) => `${page} ${each}`).join(', ')}; ${total} in all`);
  expect(counts.get(join('docs', 'internals', 'decisions.md'))).toBeLessThanOrEqual(4000);
  expect(total).toBeLessThanOrEqual(24_000);
});
