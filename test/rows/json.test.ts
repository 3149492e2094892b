import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRows, ndjsonRows } from '../../src/rows/json.ts';
import { parseOrdered } from '../../src/text/json.ts';
import { failureOf } from '../support/failing.ts';
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

  const tooDeep = 'is nested more than 64 levels deep, which no platform reads';
  it.each([
    ['{"a":"1","a":"2"}', 'has the key "a" twice in one object'],
    ['{"a":{"b":1,"\\u0062":2}}', 'has the key "b" twice in one object'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, tooDeep],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, tooDeep],
  ])('is refused for a repeated key or too many levels: %.40s', (text, problem) => {
    expect(parseOrdered(text)).toMatchObject({ problem });
  });

  const python = 'Python writes it';
  const noNumber = 'neither NaN nor Infinity';
  const noValue = 'neither a text in double quotes nor a number';
  const comma = 'remove the comma';
  it.each([
    ['', 0, 'it ends too early'],
    ['{"a":1', 6, 'it ends too early'],
    ['{"a": ', 6, 'it ends too early'],
    ["{'a':1}", 1, python],
    ['{"a":\u201cx\u201d}', 5, python],
    ['{"a":1,"b":True}', 11, python],
    ['{"a":NaN}', 5, noNumber],
    ['{"a":-Infinity}', 5, noNumber],
    ['{"a":nan}', 5, noNumber],
    ['{"a":1,}', 7, comma],
    ['[1, ]', 4, comma],
    ['{"a" 1}', 5, 'a colon is missing'],
    ['{"a":1 "b":2}', 7, 'a comma or } is missing'],
    ['{"a":"x"y"}', 8, 'a comma or } is missing'],
    ['[1}', 2, 'a comma or ] is missing'],
    ['{1:2}', 1, 'a name must be in double quotes'],
    ['{"a":1} {"a":2}', 8, 'it should have ended before'],
    ['{"a":"x}', 5, 'begins here does not end'],
    ['{"a":"x\ty"}', 7, 'in a text this character is \\t'],
    ['{"a":"x\ny"}', 7, 'character is \\n'],
    ['{"a":"C:\\Users"}', 8, 'character is \\\\'],
    ['{"a":"C:\\\\x\\q"}', 11, 'character is \\\\'],
    ['{"a":"\\u12g4"}', 6, 'character is \\\\'],
    ['{a:1}', 1, noValue],
    ['{"a":01}', 5, noValue],
    ['{"a":,"b":1}', 5, noValue],
    ['{"a":\u00a01}', 5, noValue],
  ])('is refused with the position and the reason of its first error: %s', (text, at, fault) => {
    expect(parseOrdered(text)).toEqual({ problem: 'is not JSON', at, fault: expect.stringContaining(fault) });
  });

  it('is accepted or refused as JSON.parse does, whatever the characters', () => {
    const piece = fc.constantFrom(...'{}[],:"-\' \\\t'.split(''), '"a"', '1', '.5', 'true', 'nul', '\\u0041');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const read = parseOrdered(text);
        if ('value' in read) expect(() => JSON.parse(text)).not.toThrow();
        else if (read.problem === 'is not JSON') {
          expect(() => JSON.parse(text)).toThrow();
          expect([read.at >= 0 && read.at <= text.length, typeof read.fault]).toEqual([true, 'string']);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('has the same content as JSON.parse gives', () => {
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
  ])('may end with %s, which the last one may lack', async (_, end) => {
    const text = ['{"a":"1"}', '', '  ', '{"a":', ' {"a":"😀"} '].join(end);
    const expected = [
      [1, [['a', '1']]],
      [4, 'is not JSON at column 6: it ends too early'],
      [5, [['a', '😀']]],
    ];
    for (const length of [1, 2, 7, 1000]) expect(plain(await all(ndjson(text, length)))).toEqual(expected);
    expect(plain(await all(ndjson(text + end)))).toEqual(expected);
  });

  it('can be written back unchanged', async () => {
    expect((await all(ndjson(' {"a": "1"} \n{\n'))).map((row) => row.text())).toEqual(['{"a": "1"}', '{']);
  });

  it('need one line each; the error for other JSON has a hint', async () => {
    const pretty = '{\n  "deviceId": "a",\n  "customInfo": {}\n}\n{\n  "deviceId": "b"\n}\n';
    const several = (line: number, name = 'fleet.ndjson', target = 'rows.ndjson') => ({
      message: `${name} has an object over several lines: see line ${line}.`,
      hint: `NDJSON has one per line: jq -c . ${name === 'standard input' ? 'FILE' : name} > ${target}`,
    });
    expect(await failureOf(all(ndjson(pretty)))).toMatchObject(several(1));
    expect(await failureOf(all(ndjson(`{}\n\n${pretty}`)))).toMatchObject(several(3));
    for (const [name, target] of [
      ['standard input', 'rows.ndjson'],
      ['rows.ndjson', 'new-rows.ndjson'],
    ] as const)
      expect(await failureOf(all(ndjsonRows(pieces([pretty]), name)))).toMatchObject(several(1, name, target));
    const array = { message: 'fleet.ndjson is a JSON array.', hint: 'Use --format json' };
    for (const text of ['[{"a":"1"}]\n', '[\n{"a":"1"},\n{"a":"2"}\n]\n', ' []'])
      expect(await failureOf(all(ndjson(text)))).toMatchObject(array);
  });

  it('do not affect the next row if they end too early', async () => {
    expect(plain(await all(ndjson('{"a":\n{}\n{"b":[\n{"c":1}')))).toEqual([
      [1, 'is not JSON at column 6: it ends too early'],
      [2, []],
      [3, 'is not JSON at column 7: it ends too early'],
      [4, [['c', 1]]],
    ]);
  });

  it('end with an error at a line longer than 1 MiB', async () => {
    const rows = ndjsonRows(endless('{}\n{"a":"'), 'fleet.ndjson');
    expect(await refusal(rows)).toBe('fleet.ndjson has a line longer than 1 MiB: line 2.');
  });
});

describe('rows of a JSON file', () => {
  it('are the elements of its array, each with its line number', async () => {
    const text = '\n [ {"a": "[1,2]}\\"" },\n\n{"b":\n {"c": [1, 2]}}\n, null,3 ] \n';
    const expected = [
      [2, [['a', '[1,2]}"']]],
      [4, [['b', [['c', [1, 2]]]]]],
      [6, null],
      [6, 3],
    ];
    for (const length of [1, 2, 3, 1000]) expect(plain(await all(json(text, length)))).toEqual(expected);
  });

  it.each([['[]'], [' [ \n ] ']])('are empty for %j', async (text) => {
    expect(await all(json(text))).toEqual([]);
  });

  it('go on after an invalid element', async () => {
    expect(plain(await all(json('[{"a" "b"},\n{"a":1,"a":2},\n5]')))).toEqual([
      [1, 'is not JSON at line 1, column 7: a colon is missing'],
      [2, 'has the key "a" twice in one object'],
      [3, 5],
    ]);
  });

  it.each([
    ['', 'fleet.json is empty.'],
    [' \n', 'fleet.json is empty.'],
    ['5', 'fleet.json is not a JSON array: see line 1, column 1.'],
    ['\n {"deviceId":"a"}', 'fleet.json is an object, not a JSON array: see line 2, column 2.'],
    ['[1', expect.stringMatching(/middle of its array.* 1, column 2\.$/)],
    ['[1,\n "a]', 'fleet.json ends in the middle of its array: see line 2, column 2.'],
    ['[1,]', 'fleet.json has a comma without a row: see line 1, column 4.'],
    ['[,1]', 'fleet.json has a comma without a row: see line 1, column 2.'],
    ['[1,\n,2]', 'fleet.json has a comma without a row: see line 2, column 1.'],
    ['[1]\n[2]', 'fleet.json has text after its array: see line 2, column 1.'],
    ['[1}]', 'fleet.json has an unmatched closing bracket: see line 1, column 3.'],
  ])('are not read from an invalid file: %j', async (text, sentence) => {
    for (const length of [1, 1000]) expect(await refusal(json(text, length))).toEqual(sentence);
  });

  it('report the first error of an element with its line and column', async () => {
    const text = '[{"a":1}, {"b":NaN},\n {"c":\n  {"d":1,}}]';
    for (const length of [1, 4, 1000])
      expect(plain(await all(json(text, length)))).toEqual([
        [1, [['a', 1]]],
        [1, 'is not JSON at line 1, column 16: JSON has neither NaN nor Infinity: write null or a number'],
        [2, 'is not JSON at line 3, column 10: remove the comma before it'],
      ]);
  });

  const single =
    'JSON is one array of rows: put [ and ] around a single object; for one object per line, use --format ndjson';
  const inMember = (member: string, filter: string, file = 'fleet.json', target = 'rows.json') =>
    `If the rows are in its member ${member}: jq ${filter} ${file} > ${target}. `;
  it.each([
    ['{"deviceId":"a","customInfo":{"b":"1"}}', single],
    ['{"name":"a","tags":["b","c"]}', single],
    ['{"results":[{"deviceId":"a"}],"count":1}', `${inMember('"results"', '.results')}${single}`],
    [
      '{"ok":[{"a":1}],\n"my rows":[{"b":1}]}',
      `${inMember('"ok"', '.ok')}${inMember('"my rows"', `'."my rows"'`)}${single}`,
    ],
    ['{"a":"1"}\n{"a":"2"}\n', 'It has one object per line: use --format ndjson'],
    [
      "{'results':[{'deviceId':'a'}]}",
      `It is not JSON at line 1, column 2: JSON has double quotes, true, false and null; Python writes it with json.dumps. ${single}`,
    ],
    ['{"results":[{"deviceId":"a"}', single],
  ])('cannot be an object, and a hint says what to do: %s', async (text, hint) => {
    for (const length of [3, 1000]) expect(await failureOf(all(json(text, length)))).toMatchObject({ hint });
  });

  it('can be taken out of an object by the jq line of the hint', async () => {
    const text = '{"results":[{"deviceId":"a"}]}';
    for (const [name, hint] of [
      ['standard input', inMember('"results"', '.results', 'FILE')],
      ["it's rows.json", inMember('"results"', '.results', "'it'\\''s rows.json'", 'rows.json')],
      ['old/rows.json', inMember('"results"', '.results', 'old/rows.json', 'new-rows.json')],
    ] as const)
      expect(await failureOf(all(jsonRows(pieces([text]), name)))).toMatchObject({ hint: hint + single });
  });

  it('are the elements of any array, with any indentation', async () => {
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

  it('end with an error at a row longer than 1 MiB', async () => {
    const rows = jsonRows(endless('[\n"'), 'fleet.json');
    expect(await refusal(rows)).toMatch(/longer than 1 MiB: see line 2, column 1\.$/);
  });
});
