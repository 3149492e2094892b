import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fill, unclosedLine } from '../../src/working-copy/variables.ts';
import { expectLinear } from '../support/linear.ts';

const values = new Map([
  ['name', 'Press 7'],
  ['device.line', '3'],
  ['größe_1-x', '$&{{name}}'],
]);

describe('variables', () => {
  it.each([
    ['{{name}} is hot', 'Press 7 is hot'],
    ['{{ name }}{{\tname\n}}', 'Press 7Press 7'],
    ['{{device.line}} {{größe_1-x}}', '3 $&{{name}}'],
    ['{name} {{{name}}} }} {', '{name} {{{name}}} }} {'],
    ['{{#if name}}{{name}}{{/if}}', '{{#if name}}Press 7{{/if}}'],
    ['{{ name | upper }} {{name', '{{ name | upper }} {{name'],
    ['{{a {{name}} b}}', '{{a Press 7 b}}'],
    ['{"a":{"b":{"c":"{{name}}"}}}', '{"a":{"b":{"c":"Press 7"}}}'],
    ['{{{{name}}}}', '{{{{name}}}}'],
    ['{{}} {{ }} {{1a}} {{.a}}', '{{}} {{ }} {{1a}} {{.a}}'],
  ])('%j becomes %j', (source, text) => {
    expect(fill(source, values).text).toBe(text);
  });

  it('are named: all of them, those without a value, and what is not understood with its line', () => {
    expect(fill('{{name}} {{time}}\n{{name}} {{#if a.b}}\n{{time}} {{', values)).toEqual({
      text: 'Press 7 {{time}}\nPress 7 {{#if a.b}}\n{{time}} {{',
      variables: ['name', 'time'],
      missing: ['time'],
      notUnderstood: [
        { text: '{{#if a.b}}', line: 2 },
        { text: '{{', line: 3 },
      ],
    });
  });

  it('leave any text as it is where no value is given', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '{{', '}}', 'a', '.', ' ', '\n', '#', '1') });
    fc.assert(fc.property(text, (source) => fill(source, new Map()).text === source));
  });

  it('are found in a hostile text of 50,000 characters', () => {
    for (const piece of ['{{ ', '{', '}}', '{{a', '{{a}', '{{ a }} ']) {
      const source = piece.repeat(50_000 / piece.length);
      expect(fill(source, new Map()).text).toBe(source);
      unclosedLine(source);
    }
  });

  it.each([
    ['{{a}} {"b":{"c":1}}', undefined],
    ['{{a b}} {{#c}}', undefined],
    ['{{{a}}}', undefined],
    ['x\n{{a', 2],
    ['x\n{{a {{b}}', 2],
    ['{{a}}\n\n{{', 3],
  ])('finds in %j the line of one that does not close, if there is one', (source, line) => {
    expect(unclosedLine(source)).toBe(line);
  });

  it.each(['{{a', '{{', '{{a ', '{{{a}', '{{ }'])('goes through a long text of %s in linear time', (piece) =>
    expectLinear(
      (length) => piece.repeat(length / piece.length),
      262_144,
      (source) => expect(fill(source, new Map()).text).toBe(source),
    ),
  );
});
