import { describe, expect, it } from 'vitest';
import { loadMeasure } from '../../src/output/fit.ts';
import type { Column, Page } from '../../src/output/result.ts';
import { ada, bob, pagesOf, seen, terminal, users } from './memory.ts';

const table = { format: 'table' } as const;

const guid = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
const people = [
  {
    userId: guid,
    name: 'Augusta Ada King, Countess of Lovelace, born Byron',
    email: 'ada@example.com',
    note: 'first\nprogrammer',
  },
  { userId: guid.replace('3f', '4a'), name: '李明 👩‍👩‍👧‍👦', email: null, note: 'e\u0301te\u0301\u001b[31m' },
  { userId: guid.replace('3f', '5b'), name: 'משה', email: 'm@example.com', note: '' },
];
const columns: readonly Column[] = [
  { field: 'userId', header: 'USER ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'email', header: 'EMAIL' },
  { field: 'note', header: 'NOTE' },
];
const list = (...pages: Page[]) => ({ ...users(), columns, pages: pagesOf(...pages) });

describe('a table on a terminal', () => {
  it('of 60 columns keeps ids whole and cuts the rest', async () => {
    const { stdout } = await seen(list({ items: people }), table, terminal(60));
    expect(stdout).toBe(
      [
        'USER ID                               NAME    EMAIL   NOTE',
        '3f2504e0-4f89-11d3-9a0c-0305e82c3301  Augus…  ada@e…  first…',
        '4a2504e0-4f89-11d3-9a0c-0305e82c3301  李明 …          e\u0301te\u0301\\u…',
        '5b2504e0-4f89-11d3-9a0c-0305e82c3301  \u2068משה\u2069     m@exa…',
        '',
      ].join('\n'),
    );
  });

  it('of 100 columns shares them out', async () => {
    const { stdout } = await seen(list({ items: people }), table, terminal(100));
    expect(stdout).toBe(
      [
        'USER ID                               NAME                         EMAIL            NOTE',
        '3f2504e0-4f89-11d3-9a0c-0305e82c3301  Augusta Ada King, Countess…  ada@example.com  first↵programmer',
        '4a2504e0-4f89-11d3-9a0c-0305e82c3301  李明 👩‍👩‍👧‍👦                                       e\u0301te\u0301\\u{1b}[31m',
        '5b2504e0-4f89-11d3-9a0c-0305e82c3301  \u2068משה\u2069                          m@example.com',
        '',
      ].join('\n'),
    );
  });

  it('of 200 columns is as wide as it needs to be', async () => {
    const { stdout } = await seen(list({ items: people }), table, terminal(200));
    expect(stdout).toBe(
      [
        'USER ID                               NAME                                                EMAIL            NOTE',
        '3f2504e0-4f89-11d3-9a0c-0305e82c3301  Augusta Ada King, Countess of Lovelace, born Byron  ada@example.com  first↵programmer',
        '4a2504e0-4f89-11d3-9a0c-0305e82c3301  李明 👩‍👩‍👧‍👦                                                              e\u0301te\u0301\\u{1b}[31m',
        '5b2504e0-4f89-11d3-9a0c-0305e82c3301  \u2068משה\u2069                                                 m@example.com',
        '',
      ].join('\n'),
    );
  });

  it.each([20, 60, 80, 100, 132, 200])('of %i columns has its second column begin at one place', async (width) => {
    const { width: cells } = await loadMeasure();
    const { stdout } = await seen(list({ items: people }), table, terminal(width));
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => cells(line.slice(0, 38)))).toEqual([38, 38, 38, 38]);
    for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(Math.max(width, 36 + 3 * 8));
  });

  it.each([1, 3, 1_000_000_000])('of %i columns is written all the same', async (width) => {
    const { stdout } = await seen(list({ items: people }), table, terminal(width));
    expect(stdout.split('\n').length).toBe(5);
  });

  it('colours its header and its ids, and is as wide as without', async () => {
    const { stdout } = await seen(users({ items: [ada, bob] }), table, terminal(80, true));
    expect(stdout).toBe(
      [
        '\u001b[1mUSER ID\u001b[22m  \u001b[1mNAME        \u001b[22m  \u001b[1mROLE\u001b[22m',
        '\u001b[36mu-1    \u001b[39m  Ada Lovelace  admin',
        '\u001b[36mu-2    \u001b[39m  Bob           viewer',
        '',
      ].join('\n'),
    );
  });

  it('shows the columns that are asked for, in their order', async () => {
    const shape = { ...table, columns: ['orgRole', 'userId', 'site.hall'] };
    const { stdout } = await seen(users({ items: [{ ...ada, site: { hall: 'B' } }, bob] }), shape, terminal());
    expect(stdout).toBe('ROLE    USER ID  site.hall\nadmin   u-1      B\nviewer  u-2\n');
  });

  it('lets no control through, in any column or name of a field', async () => {
    const controls = [...Array(32).keys(), 127, ...Array.from({ length: 32 }, (_, at) => 128 + at)];
    const items = controls.map((code) => {
      const text = `a${String.fromCharCode(code)}b`;
      return { userId: text, name: text, orgRole: text };
    });
    for (const stdout of [terminal(), terminal(30)]) {
      await seen(users({ items }), table, stdout);
      expect(stdout.text()).toMatch(/^[\x20-\x7e\n↵…]*$/);
    }
    const record = { kind: 'record', value: Object.fromEntries(items.map(({ name }) => [name, name])) } as const;
    expect((await seen(record, table, terminal())).stdout).toMatch(/^[\x20-\x7e\n↵]*$/);
  });

  it('keeps the layout of its first two hundred rows, whatever comes later', async () => {
    const row = (at: number, name: string) => ({ userId: `u-${String(at).padStart(4, '0')}`, name, orgRole: 'admin' });
    const first = Array.from({ length: 200 }, (_, at) => row(at, 'Bob'));
    const stdout = terminal(40);
    await seen(users({ items: first }, { items: [row(200, 'a name far longer than all before')] }), table, stdout);
    const [head, later, ...others] = stdout.chunks.filter((chunk) => chunk !== '');
    expect(others).toEqual([]);
    expect(head?.split('\n').slice(0, 2)).toEqual(['USER ID  NAME            ROLE', 'u-0000   Bob             admin']);
    expect(later).toBe('u-0200   a name far lo…  admin\n');
  });
});

describe('the end of a list', () => {
  const fifty = Array.from({ length: 50 }, () => bob);

  it('says that it was cut, on a terminal and in a pipe', async () => {
    const notices = ['50 of 2,000 users: --all for the rest'];
    expect((await seen(users({ items: fifty, total: 2000 }), table, terminal())).notices).toEqual(notices);
    expect((await seen(users({ items: fifty, total: 2000 }), { format: 'ndjson' })).notices).toEqual(notices);
    expect((await seen(users({ items: fifty, total: 2000 }), { format: 'id' })).notices).toEqual(notices);
  });

  it('says so without a total too, where more is known to come', async () => {
    const { notices } = await seen(users({ items: fifty, more: true }), table);
    expect(notices).toEqual(['50 users, and there may be more: --all for the rest']);
  });

  it('counts all pages, and groups every three digits', async () => {
    const { notices } = await seen(users({ items: fifty, total: 1234567 }, { items: fifty, total: 1234567 }), table);
    expect(notices).toEqual(['100 of 1,234,567 users: --all for the rest']);
  });

  it('says nothing where the list is whole, nothing is missing after --skip, or with --quiet', async () => {
    expect((await seen(users({ items: fifty, total: 50 }), table)).notices).toEqual([]);
    expect((await seen(users({ items: fifty }), table)).notices).toEqual([]);
    expect((await seen(users({ items: fifty, total: 60, more: false }), table)).notices).toEqual([]);
    expect((await seen(users({ items: fifty, total: 2000 }), { ...table, quiet: true })).notices).toEqual([]);
  });

  it('is a sentence where there was nothing', async () => {
    const nothing = { stdout: '', notices: ['No users match'] };
    expect(await seen(users({ items: [], total: 0 }), table, terminal())).toEqual(nothing);
    expect(await seen(users({ items: [], total: 0 }), table)).toEqual(nothing);
    expect(await seen(users(), { ...table, quiet: true })).toEqual({ stdout: '', notices: [] });
  });
});

describe('one thing as a table', () => {
  const value = {
    templateId: 'template_1',
    tags: ['a', 'b'],
    settings: { retry: 3 },
    description: null,
    text: 'x\ny\tz',
  };
  const record = { kind: 'record', value, id: 'templateId' } as const;

  it('is a line a field on a terminal, values whole', async () => {
    expect((await seen(record, table, terminal(20))).stdout).toBe(
      'templateId   template_1\ntags         a, b\nsettings     {"retry":3}\ndescription\ntext         x↵y\\tz\n',
    );
  });

  it('has the headers that are declared', async () => {
    const declared = {
      ...record,
      columns: [
        { field: 'templateId', header: 'ID' },
        { field: 'tags', header: 'Tags' },
      ],
    };
    expect((await seen(declared, table, terminal())).stdout).toBe('ID    template_1\nTags  a, b\n');
  });

  it('is field, tab, value in a pipe', async () => {
    expect((await seen(record, table)).stdout).toBe(
      'templateId\ttemplate_1\ntags\ta, b\nsettings\t{"retry":3}\ndescription\t\ntext\tx\\ny\\tz\n',
    );
  });

  it('shows the fields that are asked for', async () => {
    const shape = { ...table, columns: ['settings.retry', 'templateId'] };
    expect((await seen(record, shape)).stdout).toBe('settings.retry\t3\ntemplateId\ttemplate_1\n');
  });
});

describe('a table in a pipe', () => {
  it('is tab-separated, without header, colour or cut, one line a row', async () => {
    const name = `${'long '.repeat(40)}\t\r\n\u001b\u202e\\`;
    const { stdout } = await seen(
      users({
        items: [
          { ...ada, name },
          { userId: 'u-9', name: null },
        ],
      }),
      table,
    );
    expect(stdout).toBe(`u-1\t${'long '.repeat(40)}\\t\\r\\n\\u{1b}\\u{202e}\\\tadmin\nu-9\t\t\n`);
  });

  it('colours ids where colour is forced', async () => {
    const stdout = { ...terminal(80, true), isTerminal: false };
    expect((await seen(users({ items: [bob] }), table, stdout)).stdout).toBe('\u001b[36mu-2\u001b[39m\tBob\tviewer\n');
  });
});
