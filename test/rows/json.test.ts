import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRows, ndjsonRows } from '../../src/rows/json.ts';
import { parseOrdered } from '../../src/text/json.ts';
import { all, cut, endless, pieces, plain, plainValue, refusal } from './texts.ts';

const ndjson = (text: string, length = 5) => ndjsonRows(pieces(cut(text, length)), 'fleet.ndjson');
const json = (text: string, length = 5) => jsonRows(pieces(cut(text, length)), 'fleet.json');

describe('a JSON value', () => {
  it('keeps the order of its keys, and keys such as __proto__ and constructor', () => {
    const text = '{"10":"a","9":"b","__proto__":null,"constructor":"c","":"d","e.f":{"g":[1,true,"h"]}}';
    expect(parseOrdered(text)).toEqual({
      value: new Map<string, unknown>([
        ['10', 'a'],
        ['9', 'b'],
        ['__proto__', null],
        ['constructor', 'c'],
        ['', 'd'],
        ['e.f', new Map([['g', [1, true, 'h']]])],
      ]),
    });
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it.each([
    ['{"a":"1","a":"2"}', 'has the key "a" twice in one object'],
    ['{"a":{"b":1,"\\u0062":2}}', 'has the key "b" twice in one object'],
    ['{"a":1', 'is not JSON'],
    ["{'a':1}", 'is not JSON'],
    ['{"a":1,}', 'is not JSON'],
    ['{"a":NaN}', 'is not JSON'],
    ['{"a":1} {"a":2}', 'is not JSON'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'is nested more than 64 levels deep, which no platform reads'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'is nested more than 64 levels deep, which no platform reads'],
  ])('is refused, with the problem: %.40s', (text, problem) => {
    expect(parseOrdered(text)).toMatchObject({ problem });
  });

  it('is what JSON.parse reads, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const found = parseOrdered(JSON.stringify(value, null, 1));
        expect('value' in found && plainValue(found.value)).toEqual(asPairs(JSON.parse(JSON.stringify(value))));
      }),
    );
  });
});

function asPairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPairs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, inner]) => [key, asPairs(inner)]);
}

describe('rows of an NDJSON file', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR alone', '\r'],
  ])('end with %s, which may be missing after the last one', async (_, end) => {
    const text = ['{"a":"1"}', '', '  ', '{"a":', ' {"a":"😀"} '].join(end);
    const expected = [
      [1, [['a', '1']]],
      [4, 'is not JSON'],
      [5, [['a', '😀']]],
    ];
    for (const length of [1, 2, 7, 1000]) expect(plain(await all(ndjson(text, length)))).toEqual(expected);
    expect(plain(await all(ndjson(text + end)))).toEqual(expected);
  });

  it('can be written back as they are', async () => {
    expect((await all(ndjson(' {"a": "1"} \n{\n'))).map((row) => row.text())).toEqual(['{"a": "1"}', '{']);
  });

  it('are not read beyond a line of 1 MiB', async () => {
    const rows = ndjsonRows(endless('{}\n{"a":"'), 'fleet.ndjson');
    expect(await refusal(rows)).toBe('fleet.ndjson has a line longer than 1 MiB: line 2.');
  });
});

describe('rows of a JSON file', () => {
  it('are the elements of its array, with the line where each begins', async () => {
    const text = '\n [ {"a": "[1,2]}\\"" },\n\n{"b":\n {"c": [1, 2]}}\n, null,3 ] \n';
    const expected = [
      [2, [['a', '[1,2]}"']]],
      [4, [['b', [['c', [1, 2]]]]]],
      [6, null],
      [6, 3],
    ];
    for (const length of [1, 2, 3, 1000]) expect(plain(await all(json(text, length)))).toEqual(expected);
  });

  it.each([['[]'], [' [ \n ] ']])('are none in %j', async (text) => {
    expect(await all(json(text))).toEqual([]);
  });

  it('continue after an invalid element', async () => {
    expect(plain(await all(json('[{"a" "b"},\n{"a":1,"a":2},\n5]')))).toEqual([
      [1, 'is not JSON'],
      [2, 'has the key "a" twice in one object'],
      [3, 5],
    ]);
  });

  it.each([
    ['', 'fleet.json is not a JSON array: see line 1.'],
    ['5', 'fleet.json is not a JSON array: see line 1.'],
    ['{"deviceId":"a"}', 'fleet.json is an object, not a JSON array: see line 1.'],
    ['[1', 'fleet.json ends in the middle of its array: see line 1.'],
    ['[1,\n"a]', 'fleet.json ends in the middle of its array: see line 2.'],
    ['[1,]', 'fleet.json has a comma without a row: see line 1.'],
    ['[,1]', 'fleet.json has a comma without a row: see line 1.'],
    ['[1,\n,2]', 'fleet.json has a comma without a row: see line 2.'],
    ['[1]\n[2]', 'fleet.json has text after its array: see line 2.'],
    ['[1}]', 'fleet.json has an unmatched closing bracket: see line 1.'],
  ])('are refused as a whole for %j', async (text, sentence) => {
    for (const length of [1, 1000]) expect(await refusal(json(text, length))).toBe(sentence);
  });

  it('are the elements of any array, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 3 })),
        fc.constantFrom(0, 2),
        fc.integer({ min: 1, max: 20 }),
        async (values, indent, length) => {
          const rows = await all(json(JSON.stringify(values, null, indent), length));
          expect(rows.map((row) => ('value' in row ? plainValue(row.value) : row.problem))).toEqual(
            asPairs(JSON.parse(JSON.stringify(values))),
          );
        },
      ),
    );
  });

  it('are not read beyond a row of 1 MiB', async () => {
    const rows = jsonRows(endless('[\n"'), 'fleet.json');
    expect(await refusal(rows)).toBe('fleet.json has a row longer than 1 MiB: see line 2.');
  });
});
