import { describe, expect, it } from 'vitest';
import { compact, compactLines, escapeUnsafe, pretty, wellFormed } from '../../src/text/json-write.ts';

describe('JSON', () => {
  it('keeps the order of keys, __proto__ and unknown fields', () => {
    const value = JSON.parse('{"b":1,"__proto__":{"x":true},"a":null,"constructor":"c","toString":[]}');
    expect(compact(value)).toBe('{"b":1,"__proto__":{"x":true},"a":null,"constructor":"c","toString":[]}');
  });

  it('prints whole numbers beyond 2^53 as their digits', () => {
    expect(compact({ big: 9007199254740993n, list: [-18446744073709551615n] })).toBe(
      '{"big":9007199254740993,"list":[-18446744073709551615]}',
    );
  });

  it('writes a dictionary that is a Map in its order', () => {
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

  it('indents by two spaces a level', () => {
    expect(pretty({ a: [1, { b: 'x' }], none: [], empty: {} })).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x"\n    }\n  ],\n  "none": [],\n  "empty": {}\n}',
    );
  });

  it('agrees with JSON.stringify on everything that has no long number', () => {
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

  it('writes lines alike whether one of their values has a long number or none', () => {
    const values = [{ a: 'x\u001b\u202e', b: [] }, { c: undefined, d: null }, 'text', [1.5, '\ud800']];
    const lines = values.map((value) => `${compact(value)}\n`).join('');
    expect(compactLines(values)).toBe(lines);
    expect(compactLines([...values, 9007199254740993n])).toBe(`${lines}9007199254740993\n`);
    expect(lines).toBe('{"a":"x\\u001b\\u202e","b":[]}\n{"d":null}\n"text"\n[1.5,"\\ud800"]\n');
  });

  it.each([
    ['in their texts', [{ a: '},{' }, { b: 'x' }]],
    ['in their lists', [{ a: [{ b: 1 }, { c: 2 }] }, {}]],
    ['between what are no objects', [[{}, {}], 'x},{y', 3]],
    ['nowhere', [{ a: 1 }]],
    ['between objects alone', [{ a: 1 }, { b: { c: 2 } }, {}]],
  ])('writes each value on its own line, with "},{" %s', (_, values) => {
    expect(compactLines(values).split('\n')).toEqual([...values.map((value) => JSON.stringify(value)), '']);
  });

  it('writes no line for no values', () => {
    expect(compactLines([])).toBe('');
  });

  it('writes a whole page as it writes its items', () => {
    const items = [{ a: [], b: { c: 'x' } }, {}, ['y']];
    expect(pretty(items)).toBe(pretty([...items, 1n]).replace(',\n  1\n]', '\n]'));
  });

  it('escapes what a terminal could act on, and stays the same value', () => {
    const text = 'a\u001b\u007f\u009b\u0085\u202e\u2028\ufeff\u200e😀\u200d';
    const json = compact(text);
    expect(json).toBe('"a\\u001b\\u007f\\u009b\\u0085\\u202e\\u2028\\ufeff\\u200e😀\u200d"');
    expect(JSON.parse(json)).toBe(text);
    expect(escapeUnsafe('"plain"')).toBe('"plain"');
  });

  it('escapes what hides a text inside of another, and stays the same value', () => {
    const text = 'a\u00adb\u200bc\u2060\u2061\u2062\u2063\u2064d\u{e0041}\u{e007f}';
    const json = compact(text);
    expect(json).toBe('"a\\u00adb\\u200bc\\u2060\\u2061\\u2062\\u2063\\u2064d\\udb40\\udc41\\udb40\\udc7f"');
    expect(JSON.parse(json)).toBe(text);
  });

  it('escapes lone surrogates, and replaces them for a parser that refuses them', () => {
    expect(compact('\ud800x')).toBe('"\\ud800x"');
    expect(wellFormed({ '\udfff': '\ud800x😀' })).toBe('{"\ufffd":"\ufffdx😀"}');
  });
});
