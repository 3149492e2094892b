import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsEarly, outlineOf, parseLossless, parseSafely } from '../../src/text/json.ts';
import { compact, jsonText } from '../../src/text/json-write.ts';
import { character } from '../support/any-text.ts';
import { expectLinear } from '../support/linear.ts';

it('parseLossless reads every value as JSON.parse does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ stringUnit: character }), async (value) => {
      const text = JSON.stringify(value);
      const parsed = await parseLossless(text);
      // Numbers of many digits come back in another form; what is written of them is the same.
      if (!/\d{16}|\d[eE]/.test(text)) expect(parsed).toEqual(JSON.parse(text));
    }),
    { numRuns: 100 },
  );
});

it.each([
  ['9007199254740991', '9007199254740991'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['1e3', '1000'],
  ['1e999', '1e999'],
  ['0.1', '0.1'],
  ['3.141592653589793238462643383279', '3.141592653589793'],
])('parseLossless reads the number %s as %s', async (text, written) => {
  expect(String(await parseLossless(text))).toBe(written);
});

it('numbers that no double can hold are written as they were read', async () => {
  const text = '{"a":1e999,"b":[0.99999999999999999,12345678901234567.5],"c":1e-400,"d":-9007199254740993}';
  const value = await parseLossless(text);
  expect(compact(value)).toBe(text);
  expect(jsonText(value)).toBe(text);
});

it('parseLossless does not take digits in strings for numbers', async () => {
  const text = '{"id":"12345678901234567890","hex":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","n":1.5}';
  expect(outlineOf(text).long).toBe(false);
  expect(await parseLossless(text)).toEqual(JSON.parse(text));
});

it.each([
  ...['x', '{', '[1', '[1]]', '{"a":1,}', '{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"b":[{"a":1,"a":2}]}'],
  `${'['.repeat(201)}${']'.repeat(201)}`,
])('parseLossless refuses %.30s', async (text) => {
  await expect(parseLossless(text)).rejects.toBeInstanceOf(SyntaxError);
});

it.each<[string, unknown]>([
  ['', undefined],
  [' \n', undefined],
  ['\ufeff[1]', [1]],
  ['{"a":{"a":{"a":1}},"b":{"a":2}}', { a: { a: { a: 1 } }, b: { a: 2 } }],
  ['{"a:b,{[":"\\\\\\":]}"}', { 'a:b,{[': '\\":]}' }],
  [`${'['.repeat(200)}${']'.repeat(200)}`, JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)],
])('parseLossless reads %.30s', async (text, value) => {
  expect(await parseLossless(text)).toEqual(value);
});

it('endsEarly is true for every part of an object or list, and false for the whole', () => {
  const values = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(values, fc.boolean(), (value, spaced) => {
      const text = JSON.stringify(value, undefined, spaced ? 2 : undefined);
      // One expectation for all lengths: each takes longer than what it looks at.
      const whole = Array.from({ length: text.length }, (_, at) => at + 1).filter(
        (length) => !endsEarly(text.slice(0, length)),
      );
      expect(whole).toEqual([text.length]);
    }),
    { numRuns: 20 },
  );
});

it.each(['', 'hello', '<html>', '5', '"x"', 'null', '[]', '{}', ']'])('endsEarly is false for "%s"', (text) => {
  expect(endsEarly(text)).toBe(false);
});

it('endsEarly takes linear time', () =>
  expectLinear(
    (length) => `[${'{"a":"\\\\\\"b"},'.repeat(length)}1]`,
    230_000,
    (text) => expect(endsEarly(text)).toBe(false),
  ));

describe('parseSafely', () => {
  const wrongAt = (byte: number, line = 1) => `it is not valid JSON at byte ${byte}, line ${line}`;
  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['\uFEFF', 'it is empty'],
    ['SECRETWORD', wrongAt(0)],
    ['{"a":"SECRETWORD"', wrongAt(17)],
    ['{"a":"SECRETWORD', wrongAt(5)],
    ['{"ä":\n1,}', wrongAt(9, 2)],
    ['{"a":', wrongAt(5)],
    ['{"SECRETWORD in JSON at position 3": x}', wrongAt(37)],
    ['['.repeat(100_000) + ']'.repeat(100_000), wrongAt(64)],
  ])('reports only the place of the error in %.40j', (text, wrong) => {
    expect(parseSafely(text)).toEqual({ wrong });
  });

  it('accepts a byte order mark', () => {
    expect(parseSafely('\uFEFF{"a":[1,null]}')).toEqual({ value: { a: [1, null] } });
  });

  it('keeps __proto__ as a key, and adds no keys', () => {
    const parsed = parseSafely('{"__proto__":{"a":1},"list":[{"b":2}]}');
    const value = 'value' in parsed ? parsed.value : undefined;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'list']);
    expect('constructor' in Object(value)).toBe(false);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1},"list":[{"b":2}]}');
  });
});
