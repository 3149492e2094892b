import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvForm } from '../../src/output/csv.ts';
import type { OutputShape, Result } from '../../src/output/result.ts';
import { character } from '../support/any-text.ts';
import { ada, bob, memorySink, seen, terminal, users } from './memory.ts';

const notice = 'Spreadsheets run cells that begin with = + - or @: use --for-spreadsheet';
const column = (field: string) => ({ field, header: field.toUpperCase() });

describe('csv', () => {
  it.each([
    ['two pages', [{ items: [ada] }, { items: [bob] }], 'u-1,Ada Lovelace,admin\r\nu-2,Bob,viewer\r\n'],
    ['an empty list', [{ items: [], total: 0 }], ''],
  ])('has a header of field names and a CRLF after each record for %s', async (_, pages, records) => {
    const result = await seen(users(...pages), { format: 'csv' });
    expect(result).toEqual({ stdout: `userId,name,orgRole\r\n${records}`, notices: [] });
  });

  it('quotes where necessary, and writes nested values as JSON', async () => {
    const form = await csvForm(['a', 'b', 'c', 'd', 'e'].map(column), false, false, 'a');
    const item = { a: 'x,"y"\nz', b: ['p', 'q'], c: { k: 9007199254740993n }, d: null, e: 'lone\rreturn' };
    expect(form.page([item])).toBe(
      'a,b,c,d,e\r\n"x,""y""\nz","[""p"",""q""]","{""k"":9007199254740993}",,"lone\rreturn"\r\n',
    );
  });

  it('escapes control characters at a terminal only', async () => {
    const risky = 'Oil\u001b[31m\u202e\u200b\nu-2,Bob,admin';
    const list = () => users({ items: [{ ...ada, name: risky }] });
    const shape = { format: 'csv' } as const;
    const shown = await seen(list(), shape, terminal());
    expect(shown.stdout).toBe('userId,name,orgRole\r\nu-1,"Oil\\u{1b}[31m\\u{202e}\\u{200b}↵u-2,Bob,admin",admin\r\n');
    expect((await seen(list(), shape)).stdout).toBe(`userId,name,orgRole\r\nu-1,"${risky}",admin\r\n`);
    const one = await seen({ kind: 'record', value: { '\u009b': '\u0007' } }, shape, terminal());
    expect(one.stdout).toBe('\\u{9b}\r\n\\u{7}\r\n');
  });

  it('is read back unchanged by another CSV library', async () => {
    const text = fc.oneof(
      fc.string({ unit: character }),
      fc.constantFrom('', '"', ',', '\r', '\n', '\r\n', '\u0000', '\ufeff'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.array(text, { minLength: 4, maxLength: 4 })),
        async (width, rows) => {
          const names = Array.from({ length: width }, (_, at) => `c${at}`);
          const form = await csvForm(names.map(column), false, false, 'a');
          const items = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
          const written = form.page(items) + form.end();
          const cells = rows.map((row) => row.slice(0, width));
          expect(parse(written, { record_delimiter: '\r\n' })).toEqual([names, ...cells]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('quotes and defuses single rows between others that need neither', async () => {
    const plain = { a: 'x', b: 'y z', c: 'a -1' };
    const page = [plain, { a: '=1', b: 'p,q', c: '' }, plain];
    const csv = 'a,b,c\r\nx,y z,a -1\r\n=1,"p,q",\r\nx,y z,a -1\r\n';
    const exact = csvForm(['a', 'b', 'c'].map(column), false, false, 'a');
    expect([exact.page(page), exact.remark()]).toEqual([csv, notice]);
    const safe = csvForm(['a', 'b', 'c'].map(column), true, false, 'a');
    expect([safe.page(page), safe.remark()]).toEqual([`\ufeff${csv.replace('=1', "'=1")}`, undefined]);
  });

  it('defuses formulas behind semicolons, tabs and line ends too', () => {
    const safe = csvForm([column('a'), column('b')], true, false, 'a');
    const rows = [
      { a: 'x;=1', b: 'x;"=1' },
      { a: 'x\t+1', b: 'x\n@A' },
      { a: 'x;-5', b: 'x; y-1' },
    ];
    expect(safe.page(rows)).toBe('\ufeffa,b\r\nx;\'=1,"x;""\'=1"\r\nx\t\'+1,"x\n\'@A"\r\nx;\'-5,x; y-1\r\n');
    const exact = csvForm([column('a'), column('b')], false, false, 'a');
    expect(exact.page(rows)).toBe('a,b\r\nx;=1,"x;""=1"\r\nx\t+1,"x\n@A"\r\nx;-5,x; y-1\r\n');
  });

  it.each(['=1+1', '+49 30', '-cmd', '@SUM(A1)', '\tx', '\rx', '\nx', '|calc', '＝1', '＋1', '－1', '＠x'])(
    'defuses a cell that begins with %j only for --for-spreadsheet',
    async (risky) => {
      const safe = await csvForm([column('a'), column('b')], true, false, 'a');
      const exact = await csvForm([column('a'), column('b')], false, false, 'a');
      const read = (text: string) => parse(text, { record_delimiter: '\r\n', from_line: 2, relax_quotes: false });
      expect(read(safe.page([{ a: risky, b: 'x=1' }]))).toEqual([[`'${risky}`, 'x=1']]);
      expect(read(exact.page([{ a: risky, b: 'x=1' }]))).toEqual([[risky, 'x=1']]);
      expect([safe.remark(), exact.remark()]).toEqual([undefined, notice]);
    },
  );

  it('leaves negative numbers as numbers for --for-spreadsheet', async () => {
    const form = await csvForm([column('a'), column('b'), column('c')], true, false, 'a');
    const page = [{ a: -5, b: '-1.5e3', c: -9007199254740993n }];
    expect(form.page(page)).toBe('\ufeffa,b,c\r\n-5,-1.5e3,-9007199254740993\r\n');
    expect(form.remark()).toBeUndefined();
  });

  const risky = { ...ada, name: '=1+1' };
  const record = { kind: 'record', value: risky } as const;
  const shape = { format: 'csv' } as const;

  it.each<[string, () => Result, OutputShape]>([
    ['a list', () => users({ items: [risky] }), shape],
    ['one record', () => record, shape],
    ['rows of --jq', () => users({ items: [risky] }), { ...shape, jq: '.[] | {name}' }],
  ])('warns a person that spreadsheets run the formulas in %s', async (_what, result, shape) => {
    for (const stdout of [terminal, memorySink]) {
      expect((await seen(result(), shape, stdout(), true)).notices).toEqual([notice]);
      expect((await seen(result(), shape, stdout(), false)).notices).toEqual([]);
    }
    for (const more of [{ quiet: true }, { forSpreadsheet: true }])
      expect((await seen(result(), { ...shape, ...more }, terminal())).notices).toEqual([]);
  });

  describe('the CSV warning for texts too long for spreadsheets', () => {
    const limits = 'Spreadsheets cut off what is longer than 32,767 characters';
    const named = (name: unknown, userId = 'u-1') => ({ ...ada, userId, name });
    const fits = named('x'.repeat(32_767));
    const long = (userId: string) => named('😀'.repeat(16_384), userId);
    const noticesOf = async (items: readonly unknown[], more: Partial<OutputShape> = {}) =>
      (await seen(users({ items }), { ...shape, ...more })).notices;

    it('names the fields of the first row, and counts the other rows', async () => {
      expect(await noticesOf([fits])).toEqual([]);
      expect(await noticesOf([fits, long('u\u001b-2'), bob])).toEqual([`${limits}: name of u\\u{1b}-2`]);
      const both = { ...long('u-2'), tags: ['x'.repeat(32_764)] };
      expect(await noticesOf([fits, both, long('u-3')])).toEqual([`${limits}: name, tags of u-2 and 1 row more`]);
      expect(await noticesOf([long('u-2')], { quiet: true })).toEqual([]);
    });

    it('appears once for all pages, for one record and for rows of jq', async () => {
      const pages = users({ items: [long('u-1')] }, { items: [bob] }, { items: [long('u-3')] });
      expect((await seen(pages, shape)).notices).toEqual([`${limits}: name of u-1 and 1 row more`]);
      expect((await seen({ ...record, value: long('u-2'), id: 'userId' }, shape)).notices).toEqual([
        `${limits}: name of u-2`,
      ]);
      expect(await noticesOf([long('u-2')], { jq: '.[] | {name}' })).toEqual([`${limits}: name of one row`]);
      expect(await noticesOf([long('u-2')], { jq: '.[] | {userId, name}' })).toEqual([`${limits}: name of u-2`]);
    });

    it('counts the apostrophe that --for-spreadsheet adds', async () => {
      const formula = [named(`=${'x'.repeat(32_766)}`)];
      expect(await noticesOf(formula)).toEqual([]);
      expect(await noticesOf(formula, { forSpreadsheet: true })).toEqual([`${limits}: name of u-1`]);
    });
  });

  const safe = { ...shape, forSpreadsheet: true };

  it('begins with one byte order mark for --for-spreadsheet, however many pages', async () => {
    const { stdout } = await seen(users({ items: [risky] }, { items: [bob] }), safe);
    expect(stdout).toBe("\ufeffuserId,name,orgRole\r\nu-1,'=1+1,admin\r\nu-2,Bob,viewer\r\n");
    const filtered = await seen(users({ items: [risky, bob] }), { ...safe, jq: '.[] | {name}' });
    expect(filtered.stdout).toBe("\ufeffname\r\n'=1+1\r\nBob\r\n");
  });

  it('has no byte order mark at a terminal or without --for-spreadsheet', async () => {
    expect((await seen(users({ items: [bob] }), safe, terminal())).stdout).toMatch(/^userId,/);
    expect((await seen(users({ items: [bob] }), shape)).stdout).toMatch(/^userId,/);
  });

  it('cannot be made of text from jq for --for-spreadsheet', async () => {
    const texts = { ...safe, jq: '.[] | [.name] | @csv' };
    await expect(seen(users({ items: [risky] }), texts)).rejects.toMatchObject({
      kind: 'usage',
      message: 'jq returned no objects; -o csv needs one per row.',
    });
    expect(await seen(users({ items: [risky] }), { ...safe, jq: 'empty' })).toEqual({ stdout: '', notices: [] });
  });
});
