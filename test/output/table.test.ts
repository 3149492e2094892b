import { describe, expect, it } from 'vitest';
import type { Column, OutputShape, Page } from '../../src/output/result.ts';
import { textWidth } from '../../src/output/text-width.ts';
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

describe('a table at a terminal', () => {
  it('keeps whole IDs on later pages that are wider than those of the first page', async () => {
    const page = (first: string) => ({
      items: Array.from({ length: 200 }, (_, at) => ({
        userId: `${first}${at}`,
        name: 'A name that is long '.repeat(4),
      })),
    });
    const { stdout } = await seen(users(page('u-'), page('user-of-another-plant-')), table, terminal(60));
    const lines = stdout.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(
      [...page('u-').items, ...page('user-of-another-plant-').items].map(({ userId }) => userId),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBe(59);
  });

  it.each([
    [
      60,
      [
        'USER ID                               NAME        EMAIL',
        '3f2504e0-4f89-11d3-9a0c-0305e82c3301  Augusta A…  ada@exam…',
        '4a2504e0-4f89-11d3-9a0c-0305e82c3301  李明 👩‍👩‍👧‍👦',
        '5b2504e0-4f89-11d3-9a0c-0305e82c3301  \u2068משה\u2069         m@exampl…',
      ],
    ],
    [
      100,
      [
        'USER ID                               NAME                        EMAIL            NOTE',
        '3f2504e0-4f89-11d3-9a0c-0305e82c3301  Augusta Ada King, Countes…  ada@example.com  first↵programmer',
        '4a2504e0-4f89-11d3-9a0c-0305e82c3301  李明 👩‍👩‍👧‍👦                                      e\u0301te\u0301\\u{1b}[31m',
        '5b2504e0-4f89-11d3-9a0c-0305e82c3301  \u2068משה\u2069                         m@example.com',
      ],
    ],
  ])('of %i columns keeps whole IDs and cuts other columns as necessary', async (width, lines) => {
    expect((await seen(list({ items: people }), table, terminal(width))).stdout).toBe(`${lines.join('\n')}\n`);
  });

  it('drops another column before it cuts a UUID in a text', async () => {
    const long: readonly Column[] = [
      { field: 'userId', header: 'USER ID', keep: 'whole' },
      { field: 'name', header: 'ABOUT', keep: 'long' },
      { field: 'email', header: 'AS', dropOrder: 1 },
    ];
    const item = { userId: 'u-1', name: `organization ${guid}`, email: 'ada@plant.test' };
    const { stdout } = await seen({ ...list({ items: [item] }), columns: long }, table, terminal(73));
    expect(stdout).toContain(`organization ${guid}`);
  });

  it('leaves one position free if a cell is cut, for terminals with a wide "…"', async () => {
    const of = async (letters: number) => {
      const item = { userId: 'u-1', name: 'x'.repeat(letters), orgRole: 'admin' };
      const { stdout } = await seen(users({ items: [item] }), table, terminal(40));
      return stdout.split('\n')[1];
    };
    expect(await of(24)).toBe(`u-1      ${'x'.repeat(24)}  admin`);
    expect(await of(25)).toBe(`u-1      ${'x'.repeat(22)}…  admin`);
  });

  it('aligns the Thai and Lao letter AM', async () => {
    const names = ['น้ำมันต่ำ', 'ทำความสะอาด', 'ນ້ຳ', 'Bob'];
    const items = names.map((name) => ({ userId: 'u-1', name, orgRole: 'admin' }));
    const { stdout } = await seen(users({ items }), table, terminal());
    expect(stdout).toBe(
      [
        'USER ID  NAME         ROLE',
        'u-1      น้ำมันต่ำ       admin',
        'u-1      ทำความสะอาด  admin',
        'u-1      ນ້ຳ           admin',
        'u-1      Bob          admin',
        '',
      ].join('\n'),
    );
  });

  it.each([1, 3, 1_000_000_000])('has all rows in a terminal of %i columns', async (width) => {
    const { stdout } = await seen(list({ items: people }), table, terminal(width));
    expect(stdout.split('\n').length).toBe(5);
  });

  it('colours its header and IDs without changing the layout', async () => {
    const { stdout } = await seen(users({ items: [ada, bob] }), table, terminal(80, true));
    expect(stdout).toBe(
      [
        '\u001b[1mUSER ID\u001b[22m  \u001b[1mNAME\u001b[22m          \u001b[1mROLE\u001b[22m',
        '\u001b[36mu-1\u001b[39m      Ada Lovelace  admin',
        '\u001b[36mu-2\u001b[39m      Bob           viewer',
        '',
      ].join('\n'),
    );
  });

  it('keeps the layout of its first two hundred rows for later pages', async () => {
    const row = (at: number, name: string) => ({ userId: `u-${String(at).padStart(4, '0')}`, name, orgRole: 'admin' });
    const first = Array.from({ length: 200 }, (_, at) => row(at, 'Bob'));
    const stdout = terminal(40);
    await seen(users({ items: first }, { items: [row(200, 'a name far longer than all before')] }), table, stdout);
    const [head, later, ...others] = stdout.chunks.filter((chunk) => chunk !== '');
    expect(others).toEqual([]);
    expect(head?.split('\n').slice(0, 2)).toEqual(['USER ID  NAME           ROLE', 'u-0000   Bob            admin']);
    expect(later).toBe('u-0200   a name far l…  admin\n');
  });
});

describe('a table with too many columns for the terminal', () => {
  const credentials: readonly Column[] = [
    { field: 'id', header: 'CREDENTIAL ID', keep: 'whole' },
    { field: 'name', header: 'NAME' },
    { field: 'clientId', header: 'CLIENT ID', keep: 'whole', dropOrder: 3 },
    { field: 'createdAt', header: 'CREATED', keep: 'whole', shows: 'time', dropOrder: 1 },
    { field: 'expiredAt', header: 'EXPIRES', keep: 'whole', shows: 'time' },
    { field: 'scopes', header: 'SCOPES', dropOrder: 2 },
    { field: 'deviceIds', header: 'DEVICES' },
  ];
  const items = [
    {
      id: 'credential_001',
      name: '夜勤の機械 Nachtschicht der Halle B',
      clientId: guid,
      createdAt: '2025-12-31T23:00:00Z',
      expiredAt: '2027-02-20T10:00:00Z',
      scopes: ['device.read', 'device.write'],
      deviceIds: [],
    },
    { id: 'credential_002', name: 'ci', clientId: guid, createdAt: '2026-01-01T11:48:00', expiredAt: null },
  ];
  const shown = (width: number, shape: OutputShape = table, all: readonly object[] = items) =>
    seen({ ...list({ items: all }), id: 'id', columns: credentials }, shape, terminal(width));

  it.each([
    [
      60,
      [
        'CREDENTIAL ID   NAME              CREATED     EXPIRES (UTC)',
        'credential_001  夜勤の機械 Nach…  13 h ago    2027-02-20',
        'credential_002  ci                12 min ago',
      ],
      ['Not shown: CLIENT ID, SCOPES (use --columns all)'],
    ],
    [
      100,
      [
        'CREDENTIAL ID   NAME            CLIENT ID                             EXPIRES (UTC)  SCOPES',
        'credential_001  夜勤の機械 Na…  3f2504e0-4f89-11d3-9a0c-0305e82c3301  2027-02-20     device.read, …',
        'credential_002  ci              3f2504e0-4f89-11d3-9a0c-0305e82c3301',
      ],
      ['Not shown: CREATED (use --columns all)'],
    ],
  ])(
    'drops the least important columns at a width of %i, and names them in a notice',
    async (width, lines, notices) => {
      expect(await shown(width)).toEqual({ stdout: `${lines.join('\n')}\n`, notices });
    },
  );

  it('shows all columns at a width of 160 except an empty one', async () => {
    const lines = [
      'CREDENTIAL ID   NAME                                 CLIENT ID                             CREATED     EXPIRES (UTC)  SCOPES',
      'credential_001  夜勤の機械 Nachtschicht der Halle B  3f2504e0-4f89-11d3-9a0c-0305e82c3301  13 h ago    2027-02-20     device.read, device.write',
      'credential_002  ci                                   3f2504e0-4f89-11d3-9a0c-0305e82c3301  12 min ago',
    ];
    expect(await shown(160)).toEqual({ stdout: `${lines.join('\n')}\n`, notices: [] });
  });

  it('cuts the columns of --columns before it drops one', async () => {
    const columns = ['Credential ID', 'NAME', 'deviceids', 'expires'];
    expect(await shown(60, { ...table, columns })).toEqual({
      stdout: [
        'CREDENTIAL ID   NAME          DEVICES  EXPIRES',
        'credential_001  夜勤の機械 …           2027-02-20T10:00:00Z',
        'credential_002  ci',
        '',
      ].join('\n'),
      notices: [],
    });
    expect(await shown(40, { ...table, columns })).toEqual({
      stdout: [
        'CREDENTIAL ID   NAME            DEVICES',
        'credential_001  夜勤の機械 Na…',
        'credential_002  ci',
        '',
      ].join('\n'),
      notices: ['Not shown: EXPIRES (use -o csv)'],
    });
  });

  it('is never wider than the terminal', async () => {
    const odd = [
      '',
      'x'.repeat(200),
      '李明'.repeat(40),
      '👩‍👩‍👧‍👦'.repeat(30),
      'e\u0301'.repeat(90),
      'שלום '.repeat(30),
    ];
    const rows = odd.map((name) => ({ ...items[0], name, scopes: [name], deviceIds: [name] }));
    for (const width of [20, 40, 60, 80, 100, 140]) {
      const { stdout } = await shown(width, table, rows);
      const { stdout: asked } = await shown(width, { ...table, columns: credentials.map(({ field }) => field) }, rows);
      for (const line of `${stdout}${asked}`.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('names the columns whose first value comes after the layout is fixed', async () => {
    const empty = Array.from({ length: 200 }, () => ({ ...items[1], name: null }));
    const { notices } = await shown(120, table, [...empty]);
    expect(notices).toEqual([]);
    const later = list({ items: empty }, { items: [items[0]] });
    expect((await seen({ ...later, id: 'id', columns: credentials }, table, terminal(160))).notices).toEqual([
      'Not shown: NAME, EXPIRES, SCOPES (use --columns all)',
    ]);
  });
});

describe('a time in a table', () => {
  const times: readonly Column[] = [{ field: 'at', header: 'AT', keep: 'whole', shows: 'time' }];

  it.each([
    ['2026-01-01T12:00:00.400Z', 'now'],
    ['2026-01-01T11:59:18Z', '42 s ago'],
    ['2026-01-01T11:48:00Z', '12 min ago'],
    ['2026-01-01T12:48:00', 'in 48 min'],
    ['2026-01-01T15:00:00+02:00', 'in 1 h'],
    ['2025-12-31T11:00:00Z', '1 d ago'],
    ['2026-01-04T23:00:00Z', 'in 3 d'],
    ['2026-01-08T12:00:00Z', '2026-01-08', 'AT (UTC)'],
    ['2027-02-20T23:30:00-01:00', '2027-02-21', 'AT (UTC)'],
    ['2027-02-20', '2027-02-20'],
    ['never', 'never'],
    [1767268800, '1767268800'],
    ['2026-13-01T12:00:00Z', '2026-13-01T12:00:00Z'],
  ])('%s is shown as %s', async (at, says, heading = 'AT') => {
    const { stdout } = await seen({ ...list({ items: [{ at }] }), columns: times }, table, terminal());
    expect(stdout).toBe(`${heading}\n${says}\n`);
    expect((await seen({ ...list({ items: [{ at }] }), columns: times }, table)).stdout).toBe(`${at}\n`);
    const record = { kind: 'record', value: { at }, columns: times } as const;
    const label = heading.replace('AT', 'At');
    expect((await seen(record, table, terminal())).stdout).toBe(`${label}  ${says}\n`);
    expect((await seen(record, table)).stdout).toBe(`at\t${at}\n`);
  });

  it('has the time zone in its heading if a longer list follows', async () => {
    const recent = Array.from({ length: 200 }, () => ({ at: '2026-01-01T11:48:00Z', note: 'x' }));
    const columns = [...times, { field: 'note', header: 'NOTE' }];
    const { stdout } = await seen({ ...list({ items: recent }), columns }, table, terminal());
    expect(stdout.split('\n')[0]).toBe('AT (UTC)    NOTE');
  });

  it('can be chosen in --columns by its heading with the time zone', async () => {
    const result = { ...list({ items: [{ at: '2026-01-08T12:00:00Z', note: 'x' }] }), columns: times };
    const shape = { ...table, columns: ['At (UTC)'] };
    expect((await seen(result, shape, terminal())).stdout).toBe('AT\n2026-01-08T12:00:00Z\n');
  });
});

describe('the end of a list', () => {
  const fifty = Array.from({ length: 50 }, () => bob);

  const cut = ['50 of 2,000 users: --all for the rest'];

  it.each<[OutputShape, readonly Page[], readonly string[]]>([
    [table, [{ items: fifty, total: 2000 }], cut],
    [{ format: 'ndjson' }, [{ items: fifty, total: 2000 }], cut],
    [{ format: 'id' }, [{ items: fifty, total: 2000 }], cut],
    [{ ...table, quiet: true }, [{ items: fifty, total: 2000 }], []],
    [table, [{ items: fifty, more: true }], ['50 users, and there may be more: --all for the rest']],
    // All pages are counted, and every three digits grouped.
    [table, Array(2).fill({ items: fifty, total: 1234567 }), ['100 of 1,234,567 users: --all for the rest']],
    [table, [{ items: fifty, total: 50 }], []],
    [table, [{ items: fifty }], []],
    // Nothing is missing after --skip.
    [table, [{ items: fifty, total: 60, more: false }], []],
  ])('has a notice if the list was cut, also in a pipe: %j', async (shape, pages, notices) => {
    expect((await seen(users(...pages), shape)).notices).toEqual(notices);
    expect((await seen(users(...pages), shape, terminal())).notices).toEqual(notices);
  });

  it('is a sentence for an empty list', async () => {
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

  it('has one line per field with a value at a terminal', async () => {
    expect((await seen(record, table, terminal(20))).stdout).toBe(
      'Template ID  template_1\nTags         a, b\nSettings\n  retry      3\nText         x↵y\\tz\n',
    );
  });

  it('has uniform labels for fields of the interface, and other names unchanged', async () => {
    const names = ['baseUrl', 'clientCredentialId', 'deviceIds', 'HALL_B', 'site.hall', 'x'];
    const labelled = { kind: 'record', value: Object.fromEntries(names.map((name) => [name, 1])) } as const;
    const columns = [{ field: 'x', header: 'TIME ZONE' }];
    const { stdout } = await seen(labelled, table, terminal());
    expect(stdout.split('\n').map((line) => line.replace(/ +1$/, ''))).toEqual([
      'Base URL',
      'Client credential ID',
      'Device IDs',
      'HALL_B',
      'site.hall',
      'X',
      '',
    ]);
    expect((await seen({ ...labelled, columns }, table, terminal())).stdout).toBe('Time zone  1\n');
  });

  it('wraps long values at words, except IDs and secrets', async () => {
    const value = {
      templateId: 'a template of a long name',
      note: 'the hall behind 李明 the gate of the press',
      clientSecret: 'blanks may be a part of it, and of its end',
    };
    expect((await seen({ kind: 'record', value, id: 'templateId' }, table, terminal(38))).stdout).toBe(
      [
        'Template ID    a template of a long name',
        'Note           the hall behind 李明',
        '               the gate of the press',
        'Client secret  blanks may be a part of it, and of its end',
        '',
      ].join('\n'),
    );
  });

  it('has the declared headers', async () => {
    const declared = {
      ...record,
      columns: [
        { field: 'templateId', header: 'ID' },
        { field: 'tags', header: 'Tags' },
      ],
    };
    expect((await seen(declared, table, terminal())).stdout).toBe('ID    template_1\nTags  a, b\n');
  });

  it('has one line of field, tab and value per field in a pipe', async () => {
    expect((await seen(record, table)).stdout).toBe(
      'templateId\ttemplate_1\ntags\ta, b\nsettings\t{"retry":3}\ndescription\t\ntext\tx\\ny\\tz\n',
    );
  });

  it('shows the fields of --columns', async () => {
    const shape = { ...table, columns: ['settings.retry', 'templateId'] };
    expect((await seen(record, shape)).stdout).toBe('settings.retry\t3\ntemplateId\ttemplate_1\n');
  });
});

describe('a table in a pipe', () => {
  it('is tab-separated without header, colour or cuts', async () => {
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

  it('has coloured IDs with FORCE_COLOR', async () => {
    const stdout = { ...terminal(80, true), isTerminal: false };
    expect((await seen(users({ items: [bob] }), table, stdout)).stdout).toBe('\u001b[36mu-2\u001b[39m\tBob\tviewer\n');
  });
});
