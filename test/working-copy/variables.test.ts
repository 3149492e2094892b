import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOddBraces, fillIn, neverCloses } from '../../src/working-copy/variables.ts';
import { expectLinear } from '../support/linear.ts';

const values = new Map([
  ['name', 'Press 7'],
  ['device.line', '3'],
  ['größe_1-x', '$&{{name}}'],
]);

describe('the variables of a template', () => {
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
  ])('are replaced: %j becomes %j', (source, text) => {
    expect(fillIn(source, values).text).toBe(text);
  });

  it.each(['ชื่อเครื่อง', 'ค่า', 'データ・値', 'ﾃﾞｰﾀ･値', '〇番', '설비명', 'größe²', 'a.b-c_1', 'ガス圧'.normalize('NFD')])(
    'may have the name %s in any Unicode form',
    (name) => {
      const value = new Map([[name.normalize('NFC'), '1']]);
      expect(fillIn(`{{${name}}} {{ ${name.normalize('NFD')} }}`, value)).toMatchObject({ text: '1 1', missing: [] });
      expect(fillIn(`{{${name}}}`, new Map()).variables).toEqual([name.normalize('NFC')]);
    },
  );

  it.each([
    ['{{\u00a0name }}', '{{\\u{a0}name }} (write {{name}})'],
    ['{{\u3000größe\u3000}}', '{{\\u{3000}größe\\u{3000}}} (write {{größe}})'],
    ['{{na\u200bme}}', '{{na\\u{200b}me}} (write {{name}})'],
    ['｛｛name｝｝', '｛｛name｝｝ (write {{name}})'],
    ['{{ name ｝}', '{{ name ｝} (write {{name}})'],
    ['｛｛ no name ｝｝', '｛｛ no name ｝｝'],
    ['｛｛', '｛｛ (without }})'],
    ['{{1name}}', '{{1name}}'],
    ['{{name is hot:', '{{name is hot: (without }})'],
  ])('are not recognized in %j, and the notice says what to write', (odd, words) => {
    const { text, variables, notUnderstood } = fillIn(`a\n${odd} {{time}}`, values);
    expect([text, variables, notUnderstood.map(describeOddBraces)]).toEqual([
      `a\n${odd} {{time}}`,
      ['time'],
      [`line 2: ${words}`],
    ]);
  });

  it('are listed with those that have no value, and odd ones with their line', () => {
    expect(fillIn('{{name}} {{time}}\n{{name}} {{#if a.b}}\n{{time}} {{', values)).toEqual({
      text: 'Press 7 {{time}}\nPress 7 {{#if a.b}}\n{{time}} {{',
      variables: ['name', 'time'],
      missing: ['time'],
      notUnderstood: [
        { text: '{{#if a.b}}', line: 2 },
        { text: '{{', line: 3 },
      ],
    });
  });

  it('are not changed without a value', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '{{', '}}', 'a', '.', ' ', '\n', '#', '1') });
    fc.assert(fc.property(text, (source) => fillIn(source, new Map()).text === source));
  });

  it.each([
    ...['{{a}} {"b":{"c":1}}', '{{a b}} {{#c}}', '{{{a}}}', '{{{{a}}}}', 'x\n{{a {{b}}', 'a}} b'],
    ...['{{ "{{" }}a{{ "}}" }}', '{{`{{ $labels.instance }}`}}', '{{/* as in {{ a }} */}}', '{{!-- {{a}} --}}'],
  ])('are all closed in %j', (source) => {
    expect(neverCloses(source)).toBe(false);
  });

  it.each(['{{', 'x\n{{a', '{{a}}\n\n{{ b }', '{{a}} {{{b}'])('are not all closed in %j', (source) => {
    expect(neverCloses(source)).toBe(true);
  });

  it.each(['{{a', '{{', '{{a ', '{{{a}', '{{ }', '｛｛a ', '｛｛ ｝'])(
    'are searched in a long text of %s in linear time',
    (piece) =>
      expectLinear(
        (length) => piece.repeat(length / piece.length),
        262_144,
        (source) => expect(fillIn(source, new Map()).text).toBe(source),
      ),
  );
});
