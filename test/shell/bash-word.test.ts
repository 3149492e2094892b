import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Quote, readBashLine } from '../../src/shell/bash-line.ts';
import { bashText } from '../../src/shell/bash-word.ts';

const quotes: readonly Quote[] = ['', '"', "'"];

/** What stands on the line: readline drops the opening quote where the text begins with one. */
function onTheLine(text: string, quote: Quote): string {
  const written = bashText(text, quote);
  return quote !== '' && written.startsWith(quote) ? written : `${quote}${written}`;
}

const hostile = fc.string({
  unit: fc.constantFrom(...'\'"`$(){}[]!;|&<>*?~#%\\ \t\n\r\x1b\x7fab1-=:,@/.é停\u00a0\u200b\u202e‘’'),
  minLength: 1,
  maxLength: 12,
});
const texts = fc.sample(hostile, { numRuns: 400, seed: 1 }).filter((text) => !text.includes('\0'));

describe.each(quotes)('a text that is written for bash behind %j', (quote) => {
  it('is read by bash as it was, whatever is in it', () => {
    const script = `printf '%s\\0' ${texts.map((text) => onTheLine(text, quote)).join(' ')}`;
    const read = execFileSync('bash', ['-c', script]).toString().split('\0').slice(0, -1);
    expect(read).toEqual(texts);
  });

  it('is one word of printable signs, which our own reader takes for what it was', () => {
    for (const text of texts) {
      const line = `iiot ${onTheLine(text, quote)}`;
      expect(readBashLine(line)).toMatchObject({ words: ['iiot'], current: text, quote: '', exact: true });
      expect(line).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u);
    }
  });
});

it('runs nothing of a text either where readline writes its beginning alone, which several have in common', () => {
  const commands = [
    'Pump $(touch x)',
    "'Oil';touch x #",
    '"Oil";touch x #',
    'w`touch x`',
    'a\'b"c`touch x`$(touch x)!e;touch x',
  ];
  const lines = commands.flatMap((text) =>
    quotes.flatMap((quote) => {
      const line = onTheLine(text, quote);
      return Array.from(line, (_, end) => `iiot ${line.slice(0, end)}`);
    }),
  );
  const script = 'iiot() { :; }; touch() { echo ran; }; while IFS= read -r line; do eval "$line"; done';
  const { stdout } = spawnSync('bash', ['-c', script], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  expect(stdout).toBe('');
});

describe('a line of bash', () => {
  it.each([
    ['iiot a --name "Pu', { words: ['iiot', 'a', '--name'], current: 'Pu', quote: '"', opened: 14, exact: true }],
    ["iiot a 'it'\\''s", { current: "it's", quote: "'", exact: true }],
    ['iiot a "x \\"y\\" \\$ \\z', { current: 'x "y" $ \\z', quote: '"', exact: true }],
    [
      'iiot $(echo "a )" b) `x y` ${z:-"}"} c',
      { words: ['iiot', '$(echo "a )" b)', '`x y`', '${z:-"}"}'], current: 'c' },
    ],
    ['iiot 2>/dev/null <in a >>fi', { words: ['iiot', 'a'], current: 'fi', redirected: true }],
    ['iiot a\\', { current: 'a', exact: true }],
    ['iiot ~/x', { exact: false }],
    ['iiot $HOME', { exact: false }],
    ['iiot "a!', { exact: false }],
    ['iiot {a,', { exact: false }],
    ['iiot a ', { words: ['iiot', 'a'], current: '' }],
  ])('is read as bash reads it: %s', (line, expected) => {
    expect(readBashLine(line)).toMatchObject(expected);
  });

  it.each(['iiot $(echo ', 'iiot "$(x', 'iiot `x', "iiot $'x", 'iiot ${x', 'iiot a # b', 'iiot a; b', 'iiot <(x'])(
    'is not completed where the cursor is at no word of it: %s',
    (line) => {
      expect(readBashLine(line)).toBeUndefined();
    },
  );
});
