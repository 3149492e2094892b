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

  it.each([
    ['{"a":"1","a":"2"}', 'has the key "a" twice in one object'],
    ['{"a":{"b":1,"\\u0062":2}}', 'has the key "b" twice in one object'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'is nested more than 64 levels deep, which no platform reads'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'is nested more than 64 levels deep, which no platform reads'],
  ])('is refused, with the problem: %.40s', (text, problem) => {
    expect(parseOrdered(text)).toMatchObject({ problem });
  });

  const python = 'JSON has double quotes, true, false and null; Python writes it with json.dumps';
  const noNumber = 'JSON has neither NaN nor Infinity: write null or a number';
  const noValue = 'it is neither a text in double quotes nor a number, true, false or null';
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
    ['{"a":1,}', 7, 'remove the comma before it'],
    ['[1, ]', 4, 'remove the comma before it'],
    ['{"a" 1}', 5, 'a colon is missing'],
    ['{"a":1 "b":2}', 7, 'a comma or } is missing'],
    ['{"a":"x"y"}', 8, 'a comma or } is missing'],
    ['[1}', 2, 'a comma or ] is missing'],
    ['{1:2}', 1, 'a name must be in double quotes'],
    ['{"a":1} {"a":2}', 8, 'it should have ended before'],
    ['{"a":"x}', 5, 'the text that begins here does not end'],
    ['{"a":"x\ty"}', 7, 'in a text this character is \\t'],
    ['{"a":"x\ny"}', 7, 'in a text this character is \\n'],
    ['{"a":"C:\\Users"}', 8, 'in a text this character is \\\\'],
    ['{"a":"C:\\\\x\\q"}', 11, 'in a text this character is \\\\'],
    ['{"a":"\\u12g4"}', 6, 'in a text this character is \\\\'],
    ['{a:1}', 1, noValue],
    ['{"a":01}', 5, noValue],
    ['{"a":,"b":1}', 5, noValue],
    ['{"a":\u00a01}', 5, noValue],
  ])('is refused, with the first fault and its position: %s', (text, at, fault) => {
    expect(parseOrdered(text)).toEqual({ problem: 'is not JSON', at, fault });
  });

  it('is what JSON.parse reads, and nothing else', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.5',
      'true',
      'nul',
      ' ',
      '\\',
      '\\u0041',
      "'",
      '\t',
    );
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
      [4, 'is not JSON at column 6: it ends too early'],
      [5, [['a', '😀']]],
    ];
    for (const length of [1, 2, 7, 1000]) expect(plain(await all(ndjson(text, length)))).toEqual(expected);
    expect(plain(await all(ndjson(text + end)))).toEqual(expected);
  });

  it('can be written back as they are', async () => {
    expect((await all(ndjson(' {"a": "1"} \n{\n'))).map((row) => row.text())).toEqual(['{"a": "1"}', '{']);
  });

  it('are one line each: several lines and an array are named, with what to do', async () => {
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

  it('are cut off in one line without harm to the next', async () => {
    expect(plain(await all(ndjson('{"a":\n{}\n{"b":[\n{"c":1}')))).toEqual([
      [1, 'is not JSON at column 6: it ends too early'],
      [2, []],
      [3, 'is not JSON at column 7: it ends too early'],
      [4, [['c', 1]]],
    ]);
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
    ['[1', 'fleet.json ends in the middle of its array: see line 1, column 2.'],
    ['[1,\n "a]', 'fleet.json ends in the middle of its array: see line 2, column 2.'],
    ['[1,]', 'fleet.json has a comma without a row: see line 1, column 4.'],
    ['[,1]', 'fleet.json has a comma without a row: see line 1, column 2.'],
    ['[1,\n,2]', 'fleet.json has a comma without a row: see line 2, column 1.'],
    ['[1]\n[2]', 'fleet.json has text after its array: see line 2, column 1.'],
    ['[1}]', 'fleet.json has an unmatched closing bracket: see line 1, column 3.'],
  ])('are refused as a whole for %j', async (text, sentence) => {
    for (const length of [1, 1000]) expect(await refusal(json(text, length))).toBe(sentence);
  });

  it('tell the first fault in an element by its place in the file', async () => {
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
  ])('are not an object, which may hold them in a member: %s', async (text, hint) => {
    for (const length of [3, 1000]) expect(await failureOf(all(json(text, length)))).toMatchObject({ hint });
  });

  it('are taken out of an object into another file', async () => {
    const text = '{"results":[{"deviceId":"a"}]}';
    for (const [name, hint] of [
      ['standard input', inMember('"results"', '.results', 'FILE')],
      ["it's rows.json", inMember('"results"', '.results', "'it'\\''s rows.json'", 'rows.json')],
      ['old/rows.json', inMember('"results"', '.results', 'old/rows.json', 'new-rows.json')],
    ] as const)
      expect(await failureOf(all(jsonRows(pieces([text]), name)))).toMatchObject({ hint: hint + single });
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
    expect(await refusal(rows)).toBe('fleet.json has a row longer than 1 MiB: see line 2, column 1.');
  });
});
