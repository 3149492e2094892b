/** A sentence that people see is compared whole in one test, so that changing a word of it turns one test red. */
import { expect, it } from 'vitest';
import { type Text, textsOf } from './support/texts.ts';

/** How many times a sentence of src/ stands in a test other than its own. This may only fall. */
const left = 8;

it('compare each sentence of src/ whole in one place', () => {
  const twice = [...placesOf(sentencesOf('src'), textsOf('test'))];
  const more = twice.reduce((sum, [, places]) => sum + places.length - 1, 0);
  const list = twice.map(([sentence, places]) => `${sentence}\n  ${places.join(' ')}`).join('\n');
  expect(more, `${more} sentences stand in a second test; compare a code or a name there:\n${list}`).toBe(left);
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
