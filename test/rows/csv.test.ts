import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cells, csvHead, csvLine, csvRows } from '../../src/rows/csv.ts';
import type { Row } from '../../src/rows/row.ts';
import { failureOf } from '../support/failing.ts';
import { expectLinear } from '../support/linear.ts';
import { all, cut, endless, pieces, refusal } from './texts.ts';

const rowsOf = (text: string, length = 7) =>
  csvRows(pieces(cut(text, length)), 'fleet.csv', { required: 'deviceId', headerOption: '--header-row' });

async function cellsOf(text: string, length?: number): Promise<unknown[]> {
  return (await all(rowsOf(text, length))).map((row) => [row.line, 'problem' in row ? row.problem : cells(row)]);
}

function cells(row: Row): readonly string[] {
  return 'value' in row ? (row.value as Cells).cells : [];
}

/** The separator of one of these texts. */
function separatorIn(text: string, delimiter: string | undefined): string {
  return delimiter ?? /sep=(.)/i.exec(text)?.[1] ?? ',';
}

describe('rows of a CSV file', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR alone', '\r'],
  ])('may end with %s, also inside a quoted cell, and keep the line numbers of the file', async (_, end) => {
    const text = ['deviceId,note', '1,"a', 'b ""c"""', '', '', '2,', '3,d'].join(end);
    const expected = [
      [2, ['1', `a${end}b "c"`]],
      [6, ['2', '']],
      [7, ['3', 'd']],
    ];
    for (const length of [1, 2, 3, 1000]) expect(await cellsOf(text, length)).toEqual(expected);
    expect(await cellsOf(text + end)).toEqual(expected);
  });

  it('are invalid with fewer or more cells than the header', async () => {
    expect(await cellsOf('note,deviceId\na,1\nb\nc,3,4\n')).toEqual([
      [2, ['a', '1']],
      [3, 'has 1 cell; the header has 2'],
      [4, 'has 3 cells; the header has 2'],
    ]);
  });

  it('may have empty cells in a column without a name', async () => {
    expect(await cellsOf('deviceId,,\n1,,\n2,,x\n')).toEqual([
      [2, ['1', '', '']],
      [3, 'has a value in column 3, which has no name'],
    ]);
  });

  it('report the column names and the separator once', async () => {
    const heard: unknown[] = [];
    const reading = { required: 'deviceId', onHeader: (...told: unknown[]) => heard.push(told) };
    await all(csvRows(pieces(['deviceId;a\n', '1;2\n']), 'fleet.csv', reading));
    expect(heard).toEqual([[['deviceId', 'a'], ';', undefined]]);
  });

  it.each([
    ['deviceId,a;b|c\n1,2\n', ['1', '2']],
    ['a;deviceId\n1,5;2\n', ['1,5', '2']],
    ['deviceId\ta\n1\t2,3;4\n', ['1', '2,3;4']],
    ['a|b,c|deviceId\n1|2|3\n', ['1', '2', '3']],
    ['"a;b";"deviceId"\n"1,2;3";4\n', ['1,2;3', '4']],
    [' Device ID ; a\n1; 2\n', ['1', ' 2']],
    ['\r\n;;\r\n"a\nb";deviceId\r\n1;2\r\n', ['1', '2']],
    ['deviceId\n1,2;3\n', 'has 2 cells; the header has 1'],
  ])('are split at the separator of their header: %j', async (text, expected) => {
    for (const length of [1, 3, 1000])
      expect((await cellsOf(text, length)).map((row) => (row as unknown[])[1])).toEqual([expected]);
  });

  it.each([
    ['its first line', 'sep=;\ndeviceId;a\n1;2,3\n', undefined, [3, ['1', '2,3']]],
    ['its first line', 'SEP=^\r\ndeviceId^a\r\n1^2\r\n', undefined, [3, ['1', '2']]],
    ['its first line', '"sep=\t"\ndeviceId\ta\n1\t2\n', undefined, [3, ['1', '2']]],
    ['--delimiter', 'sep=,\ndeviceId;a\n1;2,3\n', ';', [3, ['1', '2,3']]],
    ['--delimiter', 'deviceId#a,b\n1#"2#3"\n', '#', [2, ['1', '2#3']]],
  ])('are split at the separator that %s names: %j', async (_, text, delimiter, expected) => {
    for (const length of [1, 3, 1000]) {
      const rows = await all(csvRows(pieces(cut(text, length)), 'fleet.csv', { required: 'deviceId', delimiter }));
      expect(rows.map((row) => [row.line, cells(row)])).toEqual([expected]);
      const head = csvHead(delimiter === '#' ? ['deviceId', 'a,b'] : ['deviceId', 'a'], separatorIn(text, delimiter));
      const again = await all(csvRows(pieces([head, rows[0]?.text() ?? '']), 'failed.csv', { required: 'deviceId' }));
      expect(again.map(cells)).toEqual(rows.map(cells));
    }
  });

  it.each([
    ['deviceId,a\n1,2\n,\n , \n\n3,4\n,\n', 3],
    ['deviceId,a\n1,"2"\n"",""\n3,4\n', 1],
  ])('are left out and counted if they are empty: %j', async (text, expected) => {
    let counted = 0;
    const empty = (rows: number) => {
      counted += rows;
    };
    const rows = await all(csvRows(pieces(cut(text, 4)), 'fleet.csv', { required: 'deviceId', empty }));
    expect([rows.map((row) => cells(row)[0]), counted]).toEqual([['1', '3'], expected]);
  });

  const empty = 'fleet.csv is empty: a CSV file starts with its column names, "deviceId" among them.';
  it.each([
    ['', empty],
    ['\n\n', empty],
    ['deviceId,a,b,a\n', 'fleet.csv has the column "a" twice: it is column 2 and column 4.'],
    ['deviceId,a\n1,"b\n2,c\n', 'fleet.csv has a quoted cell that does not end; it begins at line 2.'],
    ['deviceId,a\n1,b\n2,"c"d\n', 'fleet.csv has text after the closing quote of a cell at line 3.'],
    ['deviceId,a\n1,7" screen\n', 'fleet.csv has a quote in the middle of a cell that is not quoted at line 2.'],
  ])('are not read from an invalid file: %j', async (text, sentence) => {
    expect(await refusal(rowsOf(text))).toBe(sentence);
  });

  it.each([
    ['a,divice ID\n1,2\n', 'Rename its column "divice ID" to "deviceId"'],
    ['デバイスID,a\n1,2\n', 'Rename one of its columns to "deviceId": "デバイスID", "a"'],
    ['a,b\n1,2\n', expect.stringContaining('to "deviceId": "a", "b"')],
    ['Plant fleet\n\ndeviceId,a\n1,2\n', 'The column names are on line 3: add --header-row=3'],
    ['Plant fleet\r\na;deviceId\r\n1;2\r\n', expect.stringMatching(/ 2: .*=2$/)],
    ['"Plant\nfleet"\n"deviceId","a"\n1,2\n3,4\n', expect.stringMatching(/ 3: .*=3$/)],
    ['a;deviceId\n', 'Its cells seem to be separated by ";", not by tabs', '\t'],
  ])('lead to a hint if the column deviceId is not found in %j', async (text, hint, delimiter?: string) => {
    const reading = { required: 'deviceId', headerOption: '--header-row', delimiter };
    const { kind, message, hint: given } = await failureOf(all(csvRows(pieces([text]), 'fleet.csv', reading)));
    expect([kind, message, given]).toEqual(['usage', 'fleet.csv has no column "deviceId".', hint]);
  });

  it('may have a hundred thousand columns, which are compared in linear time', () =>
    expectLinear(
      (length) => ['deviceId', ...Array.from({ length }, (_, at) => at.toString(36))].join(','),
      140_000,
      (columns) => all(rowsOf(`${columns}\n`, 1_000_000)),
    ));

  it('end with an error at a row longer than 1 MiB', async () => {
    const rows = csvRows(endless('deviceId,a\n1,'), 'fleet.csv', { required: 'deviceId' });
    expect(await refusal(rows)).toBe('fleet.csv has a row longer than 1 MiB at line 2.');
  });

  it('are the rows that another CSV library wrote, and can be written back', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r\n', ' ', 'é', '=', '😀') });
    const table = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 30 }),
        async (rows, end, length) => {
          const delimiter = [',', ';', '\t', '|'][length % 4] ?? ',';
          const form = { record_delimiter: end, quoted_match: /[\r\n]/, delimiter };
          const read = await all(rowsOf(stringify([['deviceId', 'a'], ...rows], form), length));
          const filled = rows.filter((cells) => cells.some((each) => each.trim() !== ''));
          expect(read.map(cells)).toEqual(filled);
          // What is written back is what was read.
          const again = csvHead(['deviceId', 'a'], delimiter) + read.map((row) => row.text()).join('\n');
          expect((await all(rowsOf(again))).map(cells)).toEqual(filled);
        },
      ),
    );
  });
});

describe('a line of CSV', () => {
  it('quotes only the cells that need it, and is never blank', () => {
    expect([csvLine(['a', 'b c']), csvLine(['a,b', '"', 'c\nd']), csvLine(['']), csvLine(['', ''])]).toEqual([
      'a,b c',
      '"a,b","""","c\nd"',
      '""',
      ',',
    ]);
    expect(csvLine(['a;b', 'c,d'], ';')).toBe('"a;b";c,d');
  });
});
