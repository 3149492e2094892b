/** A sentence that people see is compared whole in one test, so that changing a word of it turns one test red. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

type Text = { readonly text: string; readonly place: string };

/** How many times a sentence of src/ stands in a test other than its own. This may only fall. */
const left = 9;

it('compare each sentence of src/ whole in one place', () => {
  const twice = [...placesOf(sentencesOf('src'), textsOf('test'))];
  const more = twice.reduce((sum, [, places]) => sum + places.length - 1, 0);
  const list = twice.map(([sentence, places]) => `${sentence}\n  ${places.join(' ')}`).join('\n');
  expect(more, `${more} sentences stand in a second test; compare a code or a name there:\n${list}`).toBe(left);
});

it('find a second test that has a piece of a sentence', () => {
  const tests = [
    { text: 'error: The file x.csv has no rows that can be sent.', place: 'one' },
    { text: '/no rows that can be sent/', place: 'two' },
    { text: 'no rows', place: 'three' },
  ];
  expect(placesOf(['no rows that can be sent'], tests)).toEqual(
    new Map([['no rows that can be sent', ['one', 'two']]]),
  );
});

/** The pieces of texts between their values that have five words or more, but for the data of the sandbox and lines to type. */
function sentencesOf(folder: string): string[] {
  const texts = textsOf(folder).filter(({ place }) => !place.startsWith('src/sandbox/world/'));
  const pieces = texts.map(({ text }) => text.trim()).filter((text) => !text.startsWith('iiot '));
  return [...new Set(pieces.filter((text) => (text.match(/\S*\p{L}{2}\S*/gu)?.length ?? 0) >= 5))];
}

function placesOf(sentences: readonly string[], texts: readonly Text[]): Map<string, string[]> {
  const all = texts.map(({ text }) => text).join('\n');
  const known = sentences.filter((sentence) => all.indexOf(sentence) !== all.lastIndexOf(sentence));
  const places = (sentence: string) => texts.filter(({ text }) => text.includes(sentence)).map(({ place }) => place);
  return new Map(known.map((sentence) => [sentence, places(sentence)]));
}

/** The literals of all files below a folder, templates in the pieces between their values, and regular expressions as they are written. */
function textsOf(folder: string): Text[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    const found: Text[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isImportDeclaration(node)) return;
      if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)) {
        const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
        found.push({ text: node.text.replace(/\s+/g, ' '), place });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}
