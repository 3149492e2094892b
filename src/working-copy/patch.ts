import { differenceOf, lookOf } from '../text/alike.ts';
import type { GoodFile } from './folder.ts';
import { openFrontMatter } from './front-matter.ts';
import { changeable, type TemplateDocument } from './template.ts';

/** With more different lines than this, the diff is the whole old and the whole new text: finding common lines would take too long. */
const mostEdits = 2000;

/** Loads the package for diffs, and returns a function that makes unified diffs. */
export async function openPatch() {
  const frontMatter = await openFrontMatter();
  const { createTwoFilesPatch } = await import('../text/diff.ts');
  const textOf = (template: TemplateDocument) => frontMatter.write({ ...template, fields: changeableOf(template) });
  /** Shows what an update would change, as the diff from the platform's template to the file's. */
  return (stored: TemplateDocument, { name, template }: GoodFile): string => {
    const full = { ...template, fields: new Map([...changeableOf(stored), ...changeableOf(template)]) };
    const [from, to] = [textOf(stored), textOf(full)];
    const names = [`platform/${name}`, `folder/${name}`] as const;
    const patch = createTwoFilesPatch(...names, from, to, undefined, undefined, {
      context: 3,
      maxEditLength: mostEdits,
    });
    return addLookalikes((patch ?? wholePatch(names, from, to)).replace(/^=+\n/, ''));
  };
}

function changeableOf({ fields }: TemplateDocument): Map<string, unknown> {
  return new Map(changeable.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}

/** Adds notes on changed lines that look the same. They stand after the hunks, where programs that apply a patch ignore them. */
function addLookalikes(patch: string): string {
  const lines = patch.split('\n');
  const linesOf = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : []));
  const look = (line: string) => lookOf(line, ['width', 'form', 'spaces', 'dashes']);
  const removed = new Map(linesOf('-').map((line) => [look(line), line]));
  const notes = linesOf('+').flatMap((line) => {
    const before = removed.get(look(line)) ?? line;
    return before === line ? [] : [`# Looks the same, but differs in ${differenceOf(before, line)}: ${line.trim()}\n`];
  });
  return patch + notes.slice(0, 10).join('');
}

function wholePatch([one, other]: readonly [string, string], from: string, to: string): string {
  const [gone, come] = [from.split(/(?<=\n)/), to.split(/(?<=\n)/)];
  const head = `--- ${one}\n+++ ${other}\n@@ -1,${gone.length} +1,${come.length} @@\n`;
  return head + markLines('-', gone) + markLines('+', come);
}

function markLines(mark: string, lines: readonly string[]): string {
  return lines
    .map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`))
    .join('');
}
