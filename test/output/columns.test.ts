import { describe, expect, it } from 'vitest';
import { usage } from '../../src/failure.ts';
import { cellText, chooseColumns, valueAt } from '../../src/output/columns.ts';
import { ada, userColumns } from './memory.ts';

describe('the value at a dotted path', () => {
  const item = JSON.parse('{"a":{"b":{"c":1}},"a.b":{"x":2},"tags":["t0","t1"],"__proto__":{"p":3},"n":null}');

  it.each<[string, unknown]>([
    ['a.b.c', 1],
    ['a.b', { x: 2 }],
    ['tags.1', 't1'],
    ['__proto__.p', 3],
    ['n', null],
    ...['a.b.x', 'n.x', 'toString', 'a.constructor', ''].map((path): [string, unknown] => [path, undefined]),
  ])('%s is %j', (path, expected) => {
    expect(valueAt(item, path)).toEqual(expected);
  });

  it('is also found in a Map', () => {
    expect(valueAt({ customInfo: new Map([['site.hall', 'B']]) }, 'customInfo.site.hall')).toBe('B');
  });
});

describe('the text of a cell', () => {
  it.each([
    [null, ''],
    ['', ''],
    ['a\tb', 'a\tb'],
    [0, '0'],
    [false, 'false'],
    [['a', 1, null, true], 'a, 1, , true'],
    [[], ''],
    [['a, b'], '"a, b"'],
    [['a, "b"', 'c'], '"a, \\"b\\"", c'],
    [['"a', 'b"'], '"\\"a", b"'],
    [[9007199254740993n], '9007199254740993'],
    [undefined, ''],
    ['a, b', 'a, b'],
    [[{ a: 1 }], '[{"a":1}]'],
    [{ a: [1] }, '{"a":[1]}'],
  ])('%o becomes %j', (value, expected) => {
    expect(cellText(value)).toBe(expected);
  });
});

describe('the columns of a result', () => {
  const known = { columns: userColumns };

  it('are the declared ones without --columns', () => {
    expect(chooseColumns(known, undefined, [ada])).toEqual(userColumns);
  });

  it('are the fields of all items if none is declared', () => {
    const items = ['{"a":1}', '{"b":2,"a":3}'].map((text) => JSON.parse(text));
    const expected = ['a', 'b'].map((name) => ({ field: name, header: name, shows: 'time' }));
    expect(chooseColumns({ columns: [] }, undefined, [{ u: undefined }, ...items])).toEqual(expected);
  });

  it('are those of --columns in that order, including undeclared fields', () => {
    const items = [{ ...ada, extra: { deep: 1 } }];
    expect(chooseColumns(known, ['extra.deep', 'name'], items)).toEqual([
      { field: 'extra.deep', header: 'extra.deep' },
      { field: 'name', header: 'NAME' },
    ]);
  });

  it.each<[string, string]>([
    ...['USER ID', 'user id', 'userid', 'UserId', 'user-id'].map((word): [string, string] => [word, 'userId']),
    ['Role', 'orgRole'],
  ])('can be named by field or header in any letter case: %s', (word, field) => {
    expect(chooseColumns(known, [word], [ada])).toEqual([userColumns.find((column) => column.field === field)]);
  });

  it('can be fields of the schema that no item has', () => {
    const columns = chooseColumns({ ...known, fields: ['phone'] }, ['phone.country'], [ada]);
    expect(columns).toEqual([{ field: 'phone.country', header: 'phone.country' }]);
  });

  it('are, for `all`, the declared ones, then those of the schema, then all others', () => {
    const items = [
      { email: null, ...ada },
      { ...ada, UserId: 'u-1', phone: 1, 'a.b': 2, a: 3 },
    ];
    const fields = (requested: readonly string[]) =>
      chooseColumns({ ...known, fields: ['name', 'title', 'phone'] }, requested, items).map(({ field }) => field);
    const further = ['phone', 'email', 'UserId', 'a.b', 'a'];
    expect(fields(['all'])).toEqual(['userId', 'name', 'orgRole', ...further]);
    expect(fields(['orgRole', 'all'])).toEqual(['orgRole', 'userId', 'name', ...further]);
  });

  it('are not repeated for a field in another case or the parent of a declared path', () => {
    const columns = ['userId', 'site.hall'].map((field) => ({ field, header: field }));
    const items = [{ USERID: 'u-1', site: { hall: 'B' }, Email: 'a' }, { email: 'b' }];
    const fields = chooseColumns({ columns }, ['all'], items).map(({ field }) => field);
    expect(fields).toEqual(['userId', 'site.hall', 'Email']);
  });

  it('are limited to a thousand', () => {
    const item = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, at]));
    expect(chooseColumns({ columns: [] }, ['all'], [item])).toHaveLength(1000);
  });

  it('are accepted under any name if the list is empty', () => {
    expect(chooseColumns(known, ['whatever'], [])).toEqual([{ field: 'whatever', header: 'whatever' }]);
  });

  it('are refused if neither the command nor an item has them', () => {
    const details = ['nmae', 'constructor'].map((name) => ({
      option: '--columns',
      message: `unknown column "${name}"`,
    }));
    const hint = 'Columns: userId, name, orgRole, site';
    expect(() => chooseColumns(known, ['nmae', 'name', 'constructor'], [{ ...ada, site: 1 }])).toThrow(
      usage('The result has no columns "nmae", "constructor".', hint, details),
    );
  });
});
