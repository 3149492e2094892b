import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cells } from '../../src/rows/csv.ts';
import { type ColumnUse, openDoubts } from '../../src/rows/doubts.ts';
import { openSource } from '../../src/rows/source.ts';
import { plainNumber } from '../../src/rows/workbook/numbers.ts';
import { type WorkbookReading, workbookRows } from '../../src/rows/workbook/workbook.ts';
import { unfit } from '../../src/text/utf8.ts';
import { character } from '../support/any-text.ts';
import { failureOf } from '../support/failing.ts';
import { folderForEach } from '../support/folder.ts';
import { all } from './texts.ts';
import { odsParts, xlsxParts, zipOf } from './zip.ts';

const folder = folderForEach();

type Reading = Partial<Omit<WorkbookReading, 'columnAt'>> & {
  /** What a column is for, by its name. */
  readonly useOf?: (label: string) => ColumnUse['use'];
};

/** Line and cells, or line and problem, of each row. */
async function rowsIn(path: string, { format = 'xlsx', useOf, ...reading }: Reading = {}): Promise<unknown[]> {
  const source = openSource(path);
  let names: readonly string[] = [];
  const onHeader = (columns: readonly string[]) => {
    names = columns;
  };
  const columnAt = (at: number) => ({ label: names[at] ?? '', use: useOf?.(names[at] ?? '') ?? 'other' });
  try {
    const rows = await all(
      workbookRows(source, {
        format,
        required: 'deviceId',
        headerOption: '--header-row',
        onHeader,
        columnAt,
        ...reading,
      }),
    );
    return rows.map((row) => {
      if ('problem' in row) return [row.line, row.problem, ...(row.key ? [row.key] : [])];
      return [row.line, (row.value as Cells).cells]; // as they are made
    });
  } finally {
    source.close();
  }
}

const written = (bytes: Buffer) => folder.write('book', bytes);

const xlsx = (rows: string, more?: Record<string, string>, reading?: Reading) =>
  rowsIn(written(zipOf(xlsxParts(rows, more))), reading);
/** Of rows of one table. */
const ods = (rows: string, reading?: Reading) =>
  rowsIn(written(zipOf(odsParts(`<table:table>${rows}</table:table>`))), { format: 'ods', ...reading });
const odsCell = (value: string, more = '') => `<table:table-cell ${more}><text:p>${value}</text:p></table:table-cell>`;
const odsRow = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const odsTexts = (...values: readonly string[]) => odsRow(...values.map((value) => odsCell(value)));
const text = (value: string, at = '') => `<c${at && ` r="${at}"`} t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${text('deviceId')}${text('a')}</row>`;

describe('rows of a workbook', () => {
  it.each(['xlsx', 'ods'] as const)('have the text that LibreOffice shows, in %s', async (format) => {
    const counted: number[] = [];
    const empty = (rows: number) => void counted.push(rows);
    const first = 'press-0001 0007 2026-03-01 2026-03-01T13:45:00 06:30:00 12.5% 1234.50 TRUE 1241.5'.split(' ');
    expect(await rowsIn(`test/files/fleet.${format}`, { format, empty })).toEqual([
      [2, [...first, '5 € – "now" & <then>\nsecond  line']],
      [4, ['press-0002', '123456789012345', '', '', '', '', '0.3', 'FALSE', '', '007']],
    ]);
    expect(counted).toEqual([1]);
  });

  it.each(['xlsx', 'ods'] as const)('keep the text of any script, or are refused, in %s', async (format) => {
    const written = fc.string({ unit: character, minLength: 1, maxLength: 8 }).map((word) => `a${word}z`);
    const holds = (word: string) => !/[\0-\x1f\ufffe\uffff&<>]|_x[0-9a-f]{4}_| {2}/i.test(word);
    await fc.assert(
      fc.asyncProperty(written.filter(holds), async (word) => {
        const rows =
          format === 'xlsx'
            ? await xlsx(`${header}<row r="2">${text('p')}${text(word)}</row>`)
            : await ods(odsTexts('deviceId', 'a') + odsTexts('p', word));
        const wrong = [2, expect.stringMatching(/^cell B2 has the character U\+[0-9A-F]+,/)];
        expect(rows).toEqual([unfit.test(word) ? wrong : [2, ['p', word]]]);
      }),
      { examples: [['a\u009cz'], ['a\ufffdz'], ['設置場所ปั๊มน้ำ😀']] },
    );
  });

  it.each(['xlsx', 'ods'] as const)('come from the sheet of --sheet in any letter case, in %s', async (format) => {
    expect(await failureOf(rowsIn(`test/files/fleet.${format}`, { format, sheet: 'fleets' }))).toEqual({
      kind: 'usage',
      message: `test/files/fleet.${format} has no sheet "fleets".`,
      hint: 'Its sheets are "Fleet", "Other & more"',
    });
    const other = await rowsIn(`test/files/fleet.${format}`, { format, sheet: 'other & MORE' });
    expect(other).toEqual([2, 3].map((line) => [line, ['press-0003', '9']]));
  });

  it.each(['xlsx', 'ods'] as const)('come from a sheet whose name has another Unicode form, in %s', async (format) => {
    const rows = `${header}<row r="2">${text('press-1')}${text('x')}</row>`;
    const table = (name: string, row = '') => `<table:table table:name="${name}">${row}</table:table>`;
    for (const [stored, typed] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ].map((forms) => forms.map((form) => 'デバイス'.normalize(form)))) {
      const parts = xlsxParts(rows);
      const book =
        format === 'xlsx'
          ? { ...parts, 'xl/workbook.xml': String(parts['xl/workbook.xml']).replace('"One"', `"${stored}"`) }
          : odsParts(table('First') + table(stored ?? '', odsTexts('deviceId', 'a') + odsTexts('press-1', 'x')));
      expect(await rowsIn(written(zipOf(book)), { format, sheet: typed })).toEqual([[2, ['press-1', 'x']]]);
    }
  });

  it.each(['xlsx', 'ods'] as const)('are reported if they are hidden or have merged cells, in %s', async (format) => {
    const doubts = openDoubts();
    const rows = await rowsIn(`test/files/sheets.${format}`, { format, sheet: 'fleet data', doubts });
    expect(rows.map((row) => (row as unknown[])[1])).toEqual([
      ['press-0001', '1'],
      ['press-0002', '2'],
      ['press-0003', '3'],
      ['press-0004', '4'],
      ['press-0005', ''],
    ]);
    expect(doubts.questions()).toEqual([
      '2 hidden rows are sent, too (rows 3, 4).',
      'The sheet has merged cells (B5): only the first cell of each has the value.',
    ]);
  });

  it.each(['xlsx', 'ods'] as const)('lead to a hint with the sheet that has the column, in %s', async (format) => {
    expect(await failureOf(rowsIn(`test/files/sheets.${format}`, { format }))).toEqual({
      kind: 'usage',
      message: `test/files/sheets.${format} has no column "deviceId".`,
      hint: `The sheet "Fleet data" has it: --sheet='Fleet data'`,
    });
  });

  it('lead to a hint with the row of the column names below a title', async () => {
    const title = `<row r="1">${text('Plant fleet')}</row>`;
    const below = (line: number) => `<row r="${line}">${text('line')}${text(' deviceId ')}</row>`;
    const hint = async (rows: string) => (await failureOf(xlsx(rows))).hint;
    expect(await hint(title + below(3))).toBe('The column names are in row 3: add --header-row=3');
    expect(await hint(title + below(101))).toContain('to "deviceId": "Plant fleet"');
    const rows = odsTexts('Plant fleet') + odsRow('<table:table-cell/>') + odsTexts('line', 'deviceId');
    expect((await failureOf(ods(rows))).hint).toBe('The column names are in row 3: add --header-row=3');
  });

  it('lead to a hint with another sheet if the first one is empty', async () => {
    const named = (name: string, rows: string) => `<table:table table:name="${name}">${rows}</table:table>`;
    const sheets = named('Sheet1', '') + named('Fleet 2', odsTexts('deviceId', 'line') + odsTexts('press-1', '3'));
    const { message, hint } = await failureOf(rowsIn(written(zipOf(odsParts(sheets))), { format: 'ods' }));
    expect([message, hint]).toEqual([
      expect.stringContaining('has an empty sheet'),
      'The sheet "Fleet 2" has it: --sheet=\'Fleet 2\'',
    ]);
  });

  it('may have shared texts, formatted numbers and missing cells, as Excel writes them', async () => {
    const rows = [
      '<x:row xmlns:x="m"><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c r="D1" t="str"><x:f>1</x:f><x:v>d</x:v></x:c></x:row>',
      `<row>${text('press-1')}<c s="1"><v>7</v></c><c r="D2" s="2"><v>46082.572916666664</v></c></row>`,
      `<row r="5">${text('press-2', 'A5')}<c r="B5" s="3"><v>1.5</v></c><c r="D5" s="4"><v>1234567.891</v></c></row>`,
      '<row r="6" spans="1:4"><c r="A6" s="1"/></row>',
      `<row r="7">${text('press-3', 'A7')}<c r="B7"><v>1.2345678901234501E+20</v></c><c r="D7" t="d"><v>2026-03-01</v></c></row>`,
    ];
    expect(await xlsx(rows.join(''))).toEqual([
      [2, ['press-1', 'P-0007', '', '2026-03-01T13:45:00']],
      [5, ['press-2', '36:00:00', '', '1,234,567.89']],
      [7, ['press-3', '123456789012345010000', '', '2026-03-01']],
    ]);
  });

  it('have a date alike from every program, with its time if it has one', async () => {
    const styles = '<s><cellXfs><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></s>';
    const iso = ['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'];
    const cells = [0, 1].map((style) => `<c s="${style}"><v>46023</v></c>`);
    const rows = [...cells, ...iso.map((at) => `<c t="d"><v>${at}</v></c>`)].map(
      (cell) => `<row>${text('p')}${cell}</row>`,
    );
    const read = await xlsx(header + rows.join(''), { 'xl/styles.xml': styles });
    expect(read).toEqual([2, 3, 4, 5, 6].map((line) => [line, ['p', '2026-01-01']]));
    const dates = ['2026-01-01', '2026-01-01T00:00:00.000Z', '2026-01-01T06:30:00.000Z'].map((at) =>
      odsRow(odsCell('p'), odsCell('1/1/26', `office:value-type="date" office:date-value="${at}"`)),
    );
    expect(await ods(odsTexts('deviceId', 'a') + dates.join(''))).toEqual([
      [2, ['p', '2026-01-01']],
      [3, ['p', '2026-01-01']],
      [4, ['p', '2026-01-01T06:30:00']],
    ]);
  });

  it('may have the built-in date, time and fraction formats of Excel for Thailand', async () => {
    const [date, time, both] = ['46082', '0.572916666664', '46082.572916666664'];
    const shown = [
      ...[71, 72, 73, 74, 81].map((format) => [format, date, '2026-03-01'] as const),
      ...[75, 76, 78, 79, 80].map((format) => [format, time, '13:45:00'] as const),
      [77, both, '2026-03-01T13:45:00'] as const,
      ...[69, 70].map((format) => [format, '0.25', '1/4'] as const),
    ];
    const styles = `<styleSheet><cellXfs>${shown.map(([format]) => `<xf numFmtId="${format}"/>`).join('')}</cellXfs></styleSheet>`;
    const rows = shown.map(([format, value], at) => `<row>${text(`${format}`)}<c s="${at}"><v>${value}</v></c></row>`);
    const read = await xlsx(header + rows.join(''), { 'xl/styles.xml': styles });
    expect(read).toEqual(shown.map(([format, , text], at) => [at + 2, [String(format), text]]));
  });

  it('are invalid for a value that cannot be sent, with its cell', async () => {
    const rows = [
      `<row r="2">${text('press-1', 'A2')}<c r="B2" t="e"><v>#N/A</v></c></row>`,
      `<row r="3">${text('press-2', 'A3')}<c r="B3"><f>NOW()</f></c></row>`,
      `<row r="4">${text('press-3', 'A4')}${text('1', 'B4')}${text('2', 'C4')}</row>`,
      `<row r="5">${text('press-4', 'A5')}${text('x'.repeat(1024 * 1024), 'B5')}</row>`,
    ];
    expect(await xlsx(header + rows.join(''))).toEqual([
      [2, 'has the error #N/A in cell B2', 'press-1'],
      [3, 'has a formula without a saved value in cell B3', 'press-2'],
      [4, 'has 3 cells; the header has 2'],
      [5, 'is longer than 1 MiB'],
    ]);
    const error = odsCell('#N/A', 'office:value-type="string" calcext:value-type="error"');
    const formula = '<table:table-cell table:formula="of:=[.A1]"/>';
    const odsRows = [error, formula].map((cell) => odsRow(odsCell('p'), cell));
    expect(await ods(odsTexts('deviceId', 'a') + odsRows.join(''))).toEqual([
      [2, 'has the error #N/A in cell B2', 'p'],
      [3, 'has a formula without a saved value in cell B3', 'p'],
    ]);
  });

  it('lose comments and keep every digit in an OpenDocument sheet', async () => {
    const cells = [
      '<table:table-cell table:number-columns-repeated="2"><office:annotation><text:p>note</text:p></office:annotation></table:table-cell>',
      odsCell('1.23E+14', 'office:value-type="float" office:value="123456789012345"'),
      odsCell('36:00', 'office:value-type="time" office:time-value="PT36H00M00S"'),
      odsCell('a<text:s text:c="3"/>b<text:tab/><text:span>c</text:span><text:line-break/>d'),
      '<table:table-cell table:number-columns-repeated="16000"/>',
    ];
    const rest =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await ods(odsTexts('deviceId', 'x', 'y', 'z', 'note') + odsRow(...cells) + rest)).toEqual([
      [2, ['', '', '123456789012345', '36:00', 'a   b\tc\nd']],
    ]);
  });
});

const [tooLarge, damaged] = [/is larger than a workbook that can be imported\.$/, /it is damaged\.$/];
type Hostile = readonly [name: string, bytes: Buffer, sentence: RegExp];

describe('a hostile workbook', () => {
  it.each<Hostile>([
    ['a text', Buffer.from('deviceId,a\n1,2\n'), /cannot be read as a workbook: /],
    ['another archive', zipOf({ 'a.txt': 'a' }), /has no part xl\/workbook\.xml\.$/],
    [
      'a million nested elements',
      zipOf(xlsxParts(`<row>${'<a>'.repeat(1_000_000)}${'</a>'.repeat(1_000_000)}</row>`)),
      damaged,
    ],
    ['broken XML', zipOf(xlsxParts('<row><c>')), damaged],
    ['other bytes than UTF-8', zipOf({ ...xlsxParts(''), 'xl/one.xml': Buffer.from([0x3c, 0xff]) } as never), damaged],
    ['no rows', zipOf(xlsxParts('')), /has an empty sheet: its first row names the columns, "deviceId" among them\.$/],
    ['a header without devices', zipOf(xlsxParts(`<row>${text('device')}</row>`)), /has no column "deviceId"\.$/],
    [
      'entities that grow',
      zipOf(
        xlsxParts('', {
          'xl/one.xml': '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>',
        }),
      ),
      damaged,
    ],
    [
      'a part longer than its declared size',
      zipOf(xlsxParts(`${header}<row>${' '.repeat(100_000)}</row>`), 1000),
      /cannot be read as/,
    ],
    [
      'a list of styles without end',
      zipOf(xlsxParts('', { 'xl/styles.xml': `<s><cellXfs>${'<xf/>'.repeat(3_500_000)}</cellXfs></s>` })),
      tooLarge,
    ],
    [
      'a list of sheets without end',
      zipOf(xlsxParts('', { 'xl/workbook.xml': `<w>${'<sheet/>'.repeat(2_200_000)}</w>` })),
      tooLarge,
    ],
    [
      'a number format that takes a minute to understand',
      zipOf(
        xlsxParts('', {
          'xl/styles.xml': `<s><numFmts><numFmt numFmtId="200" formatCode="${'[$-'.repeat(200_000)}"/></numFmts></s>`,
        }),
      ),
      /has a number format of more than 255 characters, which no cell has\.$/,
    ],
    ...['1048577', '1e9', '-7', '0', 'NaN', '0.5', '1'].map(
      (r): Hostile => [`a row ${r} after row 1`, zipOf(xlsxParts(`${header}<row r="${r}"/>`)), damaged],
    ),
    ...['XFE2', 'ZZZ2', 'A2'].map(
      (r): Hostile => [
        `a cell ${r} after B2`,
        zipOf(xlsxParts(`${header}<row r="2"><c r="B2"/><c r="${r}"/></row>`)),
        damaged,
      ],
    ),
    [
      'two parts of one name',
      Buffer.from(
        zipOf(xlsxParts(header, { 'xl/on2.xml': 'other' }))
          .toString('latin1')
          .replaceAll('xl/on2.xml', 'xl/one.xml'),
        'latin1',
      ),
      /has two parts named xl\/one\.xml\.$/,
    ],
    [
      'two parts whose names differ in case alone',
      zipOf(xlsxParts(header, { 'xl/One.xml': 'other' })),
      /has two parts named xl\/One\.xml\.$/,
    ],
    ['a gigabyte', zipOf(xlsxParts(header), 1024 ** 3 + 1), tooLarge],
    [
      'a tag without an end',
      zipOf(xlsxParts('', { 'xl/one.xml': `<worksheet><c r="${'A'.repeat(5_000_000)}"/></worksheet>` })),
      damaged,
    ],
    [
      'too many texts',
      zipOf(xlsxParts('', { 'xl/texts.xml': `<sst>${`<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(70)}</sst>` })),
      tooLarge,
    ],
  ])('is refused for %s', async (_, bytes, sentence) => {
    const { kind, message } = await failureOf(rowsIn(written(bytes)));
    expect([kind, message]).toEqual(['usage', expect.stringMatching(sentence)]);
  });

  it.each([
    [699, 1_000_000],
    [2, 600_000],
  ])('is refused at a row that uses a shared text %i times if its length is %i', async (times, length) => {
    const shared = 'x'.repeat(length);
    const texts = { 'xl/texts.xml': `<sst><si><t>${shared}</t></si></sst>` };
    const using = (count: number) => `${header}<row r="2">${text('p')}${'<c t="s"><v>0</v></c>'.repeat(count)}</row>`;
    expect(await xlsx(using(times), texts)).toEqual([[2, 'is longer than 1 MiB']]);
    expect(await xlsx(using(1), texts)).toEqual([[2, ['p', shared]]]);
  });

  it('is read in parts if one row is repeated a million times', async () => {
    const wide = `<table:table-cell table:number-columns-repeated="16383"/>${odsCell('z')}`;
    const rows = `${odsTexts('deviceId')}<table:table-row table:number-rows-repeated="1000000">${wide}</table:table-row>`;
    const source = openSource(written(zipOf(odsParts(`<table:table>${rows}</table:table>`))));
    try {
      let [most, count] = [0, 0];
      for await (const handful of workbookRows(source, { format: 'ods', required: 'deviceId' })) {
        most = Math.max(most, handful.length);
        count += handful.length;
        if (count > 1000) break;
      }
      expect(most).toBeLessThan(2000);
    } finally {
      source.close();
    }
  });

  it.each([
    ['shared texts', { 'xl/texts.xml': `<sst>${'<x/><si><t>a</t></si>'.padEnd(2000).repeat(2000)}</sst>` }],
    ['a sheet', { 'xl/one.xml': `<w>${header}${'<x/>'.repeat(1_000_000)}</w>` }],
  ])('notices Ctrl-C between the pieces of nearly empty %s', async (_, parts) => {
    const source = openSource(written(zipOf(xlsxParts(header, parts))));
    let [handfuls, isPressed] = [0, false];
    // Reading yields often, and whoever reads lets signals be handled each time.
    for await (const _ of workbookRows(source, { format: 'xlsx', required: 'deviceId' })) {
      await new Promise(setImmediate);
      if (isPressed) break;
      handfuls += 1;
      if (handfuls === 100) setImmediate(() => (isPressed = true));
    }
    expect([handfuls, isPressed]).toEqual([100, true]);
    source.close();
  });

  it.each([
    ['paragraphs in a cell', `<table:table-cell>${'<text:p/>'.repeat(1_100_000)}</table:table-cell>`],
    ['blanks', odsCell('<text:s text:c="999999999"/>'.repeat(9))],
  ])('is refused at the row that has a million %s', async (_, cell) => {
    expect(await ods(odsTexts('deviceId') + odsRow(cell))).toEqual([[2, 'is longer than 1 MiB']]);
  });

  const repeated = `<table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999"><text:p>deviceId</text:p></table:table-cell></table:table-row>`;
  it.each([
    [
      'ten thousand sheets',
      () => odsParts(`<table:table>${'</table:table><table:table>'.repeat(10_000)}</table:table>`),
    ],
    ['a row repeated a billion times', () => odsParts(`<table:table>${repeated}</table:table>`)],
    [
      'a directory of 18 MB',
      () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}${'x'.repeat(60_000)}`, ''])),
    ],
  ])('is refused for %s', async (_, parts) => {
    const format = 'content.xml' in parts() ? 'ods' : 'xlsx';
    expect((await failureOf(rowsIn(written(zipOf(parts())), { format }))).message).toMatch(tooLarge);
  });
});

const ids = ['deviceId'];
const useOf = (column: string) => (ids.includes(column) ? 'id' : 'other');

describe('an ID in a workbook', () => {
  // Made with openpyxl 3.0, and the .ods of it by LibreOffice 7.4.
  it.each(['xlsx', 'ods'] as const)(
    'is the same in the file and on the sheet, or is refused, in %s',
    async (format) => {
      const many = (digits: number) => `is a number of ${digits} digits; spreadsheets keep 15`;
      const doubts = openDoubts();
      const file = `test/files/device-ids.${format}`;
      const rows = await rowsIn(file, { format, useOf, doubts });
      const way = ': format the column as text and enter it again';
      const option = ', or give --numbers-as-ids';
      const boolean = format === 'xlsx' ? 'is a boolean' : 'is the number 1, shown as "TRUE"';
      // openpyxl writes sixteen digits of it, and LibreOffice fifteen.
      const iccid = format === 'xlsx' ? '89490200001234570000' : '89490200001234600000';
      expect(rows).toEqual([
        [2, ['press-0001', iccid]],
        [3, `cell A3 ${many(16)}${way}${option}`],
        [4, `cell A4 ${many(20)}${way}${option}`],
        [5, `cell A5 ${many(20)}${way}${option}`],
        [6, ['356938035643809', '1234567890123456']],
        [7, ['4006381333931', '0.3']],
        [8, ['0007', '7']],
        [9, `cell A9 is a fraction${way}${option}`],
        [10, `cell A10 ${boolean}${way}`],
        [11, `cell A11 is a date${way}`],
        [12, `cell A12 is a time${way}`],
        [13, `cell A13 is the number 1234, shown as "1,234"${way}${option}`],
        [14, `cell A14 is the number 12, shown as "1200%"${way}${option}`],
        [15, ['1234567890123456', '00712']],
        [16, ['00712', 'j']],
      ]);
      expect(doubts.notes()).toEqual([
        `Cell B2, iccid: "${iccid}" may have lost digits in a spreadsheet, which keeps 15 (and 1 row more).`,
      ]);
      const taken = (await rowsIn(file, { format, useOf, numbersAsIds: true })).map((row) => (row as unknown[])[1]);
      const before = `press-0001 1234567890123456 ${iccid} ${iccid} 356938035643809 4006381333931 0007 1.5`;
      expect(taken.map((row) => (Array.isArray(row) ? row[0] : row))).toEqual([
        ...before.split(' '),
        ...[`cell A10 ${boolean}${way}`, `cell A11 is a date${way}`, `cell A12 is a time${way}`],
        ...['1234', '12', '1234567890123456', '00712'],
      ]);
    },
  );

  it('is missing in the failed row if it is refused', async () => {
    const columns = [{ label: 'deviceId', use: 'key' } as const];
    const source = openSource('test/files/device-ids.xlsx');
    const rows = await all(
      workbookRows(source, { format: 'xlsx', required: 'deviceId', columnAt: (at) => columns[at] }),
    );
    source.close();
    const failed = rows.filter((row) => 'problem' in row).map((row) => row.text());
    expect(failed).toEqual([
      '1.234567890123456E+15,89490200001234567890',
      '8.949020000123457E+19,b',
      '8.949020000123457E+19,c',
      '1.5E+0,d',
      ',e',
      ',f',
      ',g',
      '1.234E+3,h',
      '1.2E+1,i',
    ]);
  });

  it('is refused for a date, a broken number or a boolean in its cell', async () => {
    const cell = (at: string, type: string, value: string) => `<c r="${at}" t="${type}"><v>${value}</v></c>`;
    const rows = [
      `<row r="2">${cell('A2', 'd', '2026-03-01')}${text('a')}</row>`,
      `<row r="3">${cell('A3', 'n', 'x')}${text('a')}</row>`,
      `<row r="4">${cell('A4', 'b', '1')}${text('a')}</row>`,
    ];
    const read = await xlsx(header + rows.join(''), {}, { useOf });
    const reasons = ['a date', 'not a number that can be read', 'a boolean'];
    expect(read).toEqual(reasons.map((why, at) => [at + 2, expect.stringContaining(`cell A${at + 2} is ${why}:`)]));
  });

  const formats: Readonly<Record<string, (number: bigint) => string>> = {
    General: String,
    '@': String,
    '0': String,
    '0000': (number) => String(number).padStart(4, '0'),
    '000000000000000': (number) => String(number).padStart(15, '0'),
    '"L2-"0000': (number) => `L2-${String(number).padStart(4, '0')}`,
    '#,##0': (number) => number.toLocaleString('en'),
    '0.00': (number) => `${number}.00`,
    '0%': (number) => `${number}00%`,
    '000-00-0000': (number) =>
      String(number)
        .padStart(9, '0')
        .replace(/(\d\d)(\d{4})$/, '-$1-$2'),
  };
  const isKept = (format: string) => !['#,##0', '0.00', '0%'].includes(format);
  const anyNumber = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 21n }),
    fc.bigInt({ min: 0n, max: 10n ** 16n }),
    fc.bigInt({ min: 0n, max: 99_999n }),
  );
  const escaped = (pattern: string) => pattern.replaceAll('"', '&quot;');

  it('is what the sheet shows, or is refused, for any number and format', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyNumber, fc.constantFrom(...Object.keys(formats)), fc.boolean())),
        async (cells) => {
          const names = Object.keys(formats);
          const styles = `<s><numFmts>${names.map((name, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escaped(name)}"/>`).join('')}</numFmts><cellXfs>${names.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></s>`;
          const rows = cells.map(
            ([number, format, hasExponent]) =>
              `<row><c s="${names.indexOf(format)}"><v>${hasExponent ? Number(number).toExponential().toUpperCase() : number}</v></c>${text('a')}</row>`,
          );
          const shownIn = ([number, format, hasExponent]: (typeof cells)[number]) =>
            formats[format]?.(hasExponent ? BigInt(Number(number)) : number) ?? '';
          const ofOds = cells.map(([number, format]) => {
            const value = `office:value-type="float" office:value="${number}"`;
            return odsRow(odsCell(shownIn([number, format, false]), value), odsCell('a'));
          });
          const read = [
            await xlsx(header + rows.join(''), { 'xl/styles.xml': styles }, { useOf }),
            await ods(odsTexts('deviceId', 'a') + ofOds.join(''), { useOf }),
          ];
          for (const [index, cell] of cells.entries()) {
            const expected =
              cell[0] < 10n ** 15n && (isKept(cell[1]) || (cell[1] === '#,##0' && cell[0] < 1000n))
                ? [shownIn(cell), 'a']
                : expect.stringMatching(
                    new RegExp(`^cell A${index + 2} is (a|the) number .*: format the column as text`),
                  );
            expect([read[0]?.[index], read[1]?.[index]]).toEqual([
              [index + 2, expected],
              [index + 2, expected],
            ]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a number', () => {
  it.each([
    ['007', '007'],
    ['0.30000000000000004', '0.3'],
    ['1E-7', '0.0000001'],
    ['-1.5E3', '-1500'],
    ['1.7976931348623157E+308', `17976931348623157${'0'.repeat(292)}`],
    ['9007199254740992', '9007199254740992'],
    ['89490200001234567890', '89490200001234567890'],
    ['8.9490200001234567E+19', '89490200001234567000'],
    ['.5', '0.5'],
    ['.', '.'],
    ['123456789012345.6', '123456789012346'],
    ['0.1234567890123456', '0.123456789012346'],
    ['x', 'x'],
  ])('%j is shown as %j if it has no format', (value, expected) => {
    expect(plainNumber(value)).toBe(expected);
  });
});
