import { describe, expect, it } from 'vitest';
import { compact, compactLines, pretty, wellFormed } from '../../src/text/json-write.ts';

describe('written JSON', () => {
  it('keeps the order of keys, __proto__ and unknown fields', () => {
    const value = JSON.parse('{"b":1,"__proto__":{"x":true},"a":null,"constructor":"c","toString":[]}');
    expect(compact(value)).toBe('{"b":1,"__proto__":{"x":true},"a":null,"constructor":"c","toString":[]}');
  });

  it('has the keys of a Map in their order', () => {
    expect(
      compact(
        new Map<string, unknown>([
          ['10', 'a'],
          ['9', null],
          ['__proto__', 'b'],
        ]),
      ),
    ).toBe('{"10":"a","9":null,"__proto__":"b"}');
  });

  it('is the same as from JSON.stringify for values without long numbers', () => {
    const value = {
      s: 'é"\\/\b\u001f😀',
      n: [0, -0, 1.5, 1e21, Number.NaN],
      u: undefined,
      f: false,
      deep: [[[]]],
      '': 1,
    };
    expect(compact(value)).toBe(JSON.stringify(value));
    expect(pretty(value)).toBe(JSON.stringify(value, undefined, 2));
  });

  it('has the same lines whether or not a value has a long number', () => {
    const values = [{ a: 'x\u001b\u202e', b: [] }, { c: undefined, d: null }, 'text', [1.5, '\ud800']];
    const lines = values.map((value) => `${compact(value)}\n`).join('');
    expect(compactLines(values)).toBe(lines);
    expect(compactLines([...values, 9007199254740993n])).toBe(`${lines}9007199254740993\n`);
    expect(lines).toBe('{"a":"x\\u001b\\u202e","b":[]}\n{"d":null}\n"text"\n[1.5,"\\ud800"]\n');
  });

  it.each([
    ['in strings', [{ a: '},{' }, { b: 'x' }]],
    ['in lists', [{ a: [{ b: 1 }, { c: 2 }] }, {}]],
    ['between values that are not objects', [[{}, {}], 'x},{y', 3]],
    ['nowhere', [{ a: 1 }]],
    ['in an empty list', []],
    ['between objects alone', [{ a: 1 }, { b: { c: 2 } }, {}]],
  ])('has one line per value with "},{" %s', (_, values) => {
    expect(compactLines(values).split('\n')).toEqual([...values.map((value) => JSON.stringify(value)), '']);
  });

  it('has the same form whether or not a page has long numbers', () => {
    const items = [{ a: [], b: { c: 'x' } }, {}, ['y']];
    expect(pretty(items)).toBe(pretty([...items, 1n]).replace(',\n  1\n]', '\n]'));
  });

  it.each([
    [
      'a\u001b\u007f\u009b\u0085\u202e\u2028\ufeff\u200e😀\u200d',
      'a\\u001b\\u007f\\u009b\\u0085\\u202e\\u2028\\ufeff\\u200e😀\u200d',
    ],
    ['a\u00adb\u200bc\u2060\u2061\u2062\u2063\u2064d', 'a\\u00adb\\u200bc\\u2060\\u2061\\u2062\\u2063\\u2064d'],
    ['a\u{e0041}\u{e007f}', 'a\\udb40\\udc41\\udb40\\udc7f'],
    ['plain', 'plain'],
  ])('escapes control and invisible characters without changing the value: %j', (text, json) => {
    expect(compact(text)).toBe(`"${json}"`);
    expect(JSON.parse(compact(text))).toBe(text);
  });

  it('has lone surrogates as escapes, or as U+FFFD from wellFormed', () => {
    expect(compact('\ud800x')).toBe('"\\ud800x"');
    expect(wellFormed({ '\udfff': '\ud800x😀' })).toBe('{"\ufffd":"\ufffdx😀"}');
  });
});
