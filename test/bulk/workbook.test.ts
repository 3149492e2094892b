import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cells } from '../../src/bulk/csv.ts';
import { openSource } from '../../src/bulk/source.ts';
import { plainNumber } from '../../src/bulk/workbook/numbers.ts';
import { workbookRows } from '../../src/bulk/workbook/workbook.ts';
import { failureOf } from '../support/failing.ts';
import { all } from './texts.ts';
import { odsParts, xlsxParts, zipOf } from './zip.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'workbook-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Reading = { readonly format?: 'xlsx' | 'ods'; readonly sheet?: string; readonly empty?: (rows: number) => void };

/** Line and cells, or line and problem, of each row. */
async function rowsIn(path: string, { format = 'xlsx', ...reading }: Reading = {}): Promise<unknown[]> {
  const source = openSource(path);
  try {
    const rows = await all(workbookRows(source, { format, required: 'deviceId', ...reading }));
    return rows.map((row) => [row.line, 'problem' in row ? row.problem : (row.value as Cells).cells]); // as they are made
  } finally {
    source.close();
  }
}

function written(bytes: Buffer): string {
  const path = join(folder, 'book');
  writeFileSync(path, bytes);
  return path;
}

const xlsx = (rows: string, more?: Record<string, string>) => rowsIn(written(zipOf(xlsxParts(rows, more))));
const ods = (tables: string) => rowsIn(written(zipOf(odsParts(tables))), { format: 'ods' });
const text = (value: string, at = '') => `<c${at && ` r="${at}"`} t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${text('deviceId')}${text('a')}</row>`;

describe('rows of a workbook', () => {
  it.each(['xlsx', 'ods'] as const)('are as LibreOffice has written and shown them, in %s', async (format) => {
    let counted = 0;
    const empty = (rows: number) => {
      counted += rows;
    };
    expect(await rowsIn(`test/files/fleet.${format}`, { format, empty })).toEqual([
      [
        2,
        [
          'press-0001',
          '0007',
          '2026-03-01',
          '2026-03-01T13:45:00',
          '06:30:00',
          '12.5%',
          '1234.50',
          'TRUE',
          '1241.5',
          '5 € – "now" & <then>\nsecond  line',
        ],
      ],
      [4, ['press-0002', '123456789012345', '', '', '', '', '0.3', 'FALSE', '', '007']],
    ]);
    expect(counted).toBe(1);
    const other = [
      [2, ['press-0003', '9']],
      [3, ['press-0003', '9']],
    ];
    expect(await rowsIn(`test/files/fleet.${format}`, { format, sheet: 'Other & more' })).toEqual(other);
  });

  it.each(['xlsx', 'ods'] as const)('are of a sheet that is there, in %s', async (format) => {
    expect(await failureOf(rowsIn(`test/files/fleet.${format}`, { format, sheet: 'fleet' }))).toEqual({
      kind: 'usage',
      message: `test/files/fleet.${format} has no sheet "fleet".`,
      hint: 'Its sheets are "Fleet", "Other & more"',
    });
  });

  it('have texts, numbers in their formats, and cells that lie apart, as Excel writes them', async () => {
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
      [7, ['press-3', '123456789012345000000', '', '2026-03-01']],
    ]);
  });

  it('name what cannot be sent by its cell', async () => {
    const rows = [
      `<row r="2">${text('press-1', 'A2')}<c r="B2" t="e"><v>#N/A</v></c></row>`,
      `<row r="3">${text('press-2', 'A3')}<c r="B3"><f>NOW()</f></c></row>`,
      `<row r="4">${text('press-3', 'A4')}${text('1', 'B4')}${text('2', 'C4')}</row>`,
      `<row r="5">${text('press-4', 'A5')}${text('x'.repeat(1024 * 1024), 'B5')}</row>`,
    ];
    expect(await xlsx(header + rows.join(''))).toEqual([
      [2, 'has the error #N/A in cell B2'],
      [3, 'has a formula without a saved value in cell B3'],
      [4, 'has 3 cells; the header has 2'],
      [5, 'is longer than 1 MiB'],
    ]);
    const cell = (value: string, more = '') => `<table:table-cell ${more}><text:p>${value}</text:p></table:table-cell>`;
    const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
    const error = 'office:value-type="string" calcext:value-type="error"';
    expect(
      await ods(
        `<table:table>${row(cell('deviceId') + cell('a'))}${row(cell('p') + cell('#N/A', error))}</table:table>`,
      ),
    ).toEqual([[2, 'has the error #N/A in cell B2']]);
  });

  it('of an OpenDocument sheet have no comments, and as many digits as there are', async () => {
    const cells = [
      '<table:table-cell table:number-columns-repeated="2"><office:annotation><text:p>note</text:p></office:annotation></table:table-cell>',
      '<table:table-cell office:value-type="float" office:value="123456789012345"><text:p>1.23E+14</text:p></table:table-cell>',
      '<table:table-cell office:value-type="time" office:time-value="PT36H00M00S"><text:p>36:00</text:p></table:table-cell>',
      '<table:table-cell><text:p>a<text:s text:c="3"/>b<text:tab/><text:span>c</text:span><text:line-break/>d</text:p></table:table-cell>',
      '<table:table-cell table:number-columns-repeated="16000"/>',
    ];
    const header = ['deviceId', 'x', 'y', 'z', 'note'].map(
      (name) => `<table:table-cell><text:p>${name}</text:p></table:table-cell>`,
    );
    const rows = [header, cells].map((row) => `<table:table-row>${row.join('')}</table:table-row>`).join('');
    const rest =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await ods(`<table:table>${rows}${rest}</table:table>`)).toEqual([
      [2, ['', '', '123456789012345', '36:00', 'a   b\tc\nd']],
    ]);
  });
});

describe('a workbook that means no good', () => {
  it.each([
    ['a text', Buffer.from('deviceId,a\n1,2\n'), /cannot be read as a workbook: /],
    ['another archive', zipOf({ 'a.txt': 'a' }), /has no part xl\/workbook\.xml\.$/],
    [
      'a million elements in each other, of which nothing is wrong but the number',
      zipOf(xlsxParts(`<row>${'<a>'.repeat(1_000_000)}${'</a>'.repeat(1_000_000)}</row>`)),
      /it is damaged\.$/,
    ],
    ['broken XML', zipOf(xlsxParts('<row><c>')), /it is damaged\.$/],
    [
      'other bytes than UTF-8',
      zipOf({ ...xlsxParts(''), 'xl/one.xml': Buffer.from([0x3c, 0xff]) } as never),
      /it is damaged\.$/,
    ],
    ['no rows', zipOf(xlsxParts('')), /has an empty sheet: its first row names the columns, "deviceId" among them\.$/],
    ['a header without devices', zipOf(xlsxParts(`<row>${text('device')}</row>`)), /has no column "deviceId"\.$/],
    [
      'entities that grow',
      zipOf(
        xlsxParts('', {
          'xl/one.xml': '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>',
        }),
      ),
      /it is damaged\.$/,
    ],
    [
      'more in it than it says',
      zipOf(xlsxParts(`${header}<row>${' '.repeat(100_000)}</row>`), 1000),
      /cannot be read as a workbook: /,
    ],
    ['a gigabyte', zipOf(xlsxParts(header), 1024 ** 3 + 1), /is larger than a workbook that can be imported\.$/],
    [
      'a tag without an end',
      zipOf(xlsxParts('', { 'xl/one.xml': `<worksheet><c r="${'A'.repeat(5_000_000)}"/></worksheet>` })),
      /it is damaged\.$/,
    ],
    [
      'too many texts',
      zipOf(xlsxParts('', { 'xl/texts.xml': `<sst>${`<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(70)}</sst>` })),
      /is larger than a workbook that can be imported\.$/,
    ],
  ])('is refused for %s', async (_, bytes, sentence) => {
    const { kind, message } = await failureOf(rowsIn(written(bytes)));
    expect([kind, message]).toEqual(['usage', expect.stringMatching(sentence)]);
  });

  it('cannot make a billion rows of one', async () => {
    const row = (repeated: number) =>
      `<table:table-row table:number-rows-repeated="${repeated}"><table:table-cell table:number-columns-repeated="999999999"><text:p>deviceId</text:p></table:table-cell></table:table-row>`;
    expect((await failureOf(ods(`<table:table>${row(999_999_999)}</table:table>`))).message).toMatch(/is larger than/);
  });
});

describe('a number', () => {
  it.each([
    ['0', '0'],
    ['007', '007'],
    ['-5', '-5'],
    ['0.30000000000000004', '0.3'],
    ['1E-7', '0.0000001'],
    ['-1.5E3', '-1500'],
    ['1.7976931348623157E+308', `179769313486232${'0'.repeat(294)}`],
    ['123456789012345.6', '123456789012346'],
    ['0.1234567890123456', '0.123456789012346'],
    ['', ''],
    ['x', 'x'],
  ])('%j without a format is told as %j', (value, expected) => {
    expect(plainNumber(value)).toBe(expected);
  });
});
