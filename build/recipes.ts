/** Applies the recipes of CONTRIBUTING.md to a copy: the tests that they name fail until the diffs of `test/` are applied; then they pass, and everything compiles. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

type Change = { readonly file: string; readonly from: string; readonly to: string };

/** Inside of the project, so that the copy finds its packages. */
const copy = '.cache/recipes';
const copied = ['src', 'test', 'bench', 'build', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** `+++ FILE` begins a file of a diff, and `@@` another place in it. */
function changesIn(page: string): Change[] {
  const diffs = [...page.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, diff = '']) => diff);
  const files = diffs.flatMap((diff) => diff.split(/^\+\+\+ /m).slice(1));
  return files.flatMap((part) => {
    const [file = '', ...lines] = part.split('\n');
    const hunks = lines.join('\n').split(/^@@.*\n/m);
    return hunks.map((hunk) => ({ file, from: without('+', hunk), to: without('-', hunk) }));
  });
}

/** A hunk as it is before (`+`) or after it (`-`) is applied. */
function without(other: '+' | '-', hunk: string): string {
  const lines = hunk.trimEnd().split('\n');
  return lines.flatMap((line) => (line.startsWith(other) ? [] : `${line.slice(1)}\n`)).join('');
}

/** @throws Error if the file does not have the lines of the hunk exactly once */
function apply({ file, from, to }: Change): void {
  const parts = readFileSync(join(copy, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times:\n${from}`);
  writeFileSync(join(copy, file), parts.join(to));
}

/** Runs a program of a package in the copy. */
function run(program: string, ...words: readonly string[]) {
  return execa('node', [resolve('node_modules', program), ...words], { cwd: copy, all: true, reject: false });
}

function runTests(names: readonly string[]) {
  return run('vitest/vitest.mjs', 'run', '--project', 'rooms', '--maxWorkers=2', '--reporter=minimal', ...names);
}

for (const each of copied) {
  rmSync(join(copy, each), { recursive: true, force: true });
  cpSync(each, join(copy, each), { recursive: true });
}
const [recipes = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(/^## Change a sentence/m);
const tests = [...new Set(recipes.match(/\btest\/[\w/-]+\.test\.ts\b/g))];
const changes = changesIn(recipes);
const isOfTests = ({ file }: Change) => file.startsWith('test/');

changes.filter((each) => !isOfTests(each)).forEach(apply);
const before = await runTests(tests);
const passing = tests.filter((name) => !new RegExp(`FAIL .*${name}`).test(before.all));
if (passing.length > 0) throw new Error(`CONTRIBUTING.md says that these fail, and they pass: ${passing.join(', ')}`);
changes.filter(isOfTests).forEach(apply);
const compiled = run('typescript-7/bin/tsc', '--noEmit');
for (const { all, failed } of [await runTests(tests), await compiled]) {
  if (failed) throw new Error(`The recipes of CONTRIBUTING.md do not do what they say:\n${all}`);
}
