import { describe, expect, it } from 'vitest';
import { usage } from '../../src/failure.ts';
import { cellText, chooseColumns, valueAt } from '../../src/output/columns.ts';
import { ada, userColumns } from './memory.ts';

describe('the value at a dotted path', () => {
  const item = JSON.parse('{"a":{"b":{"c":1}},"a.b":{"x":2},"tags":["t0","t1"],"__proto__":{"p":3},"n":null}');

  it.each([
    ['a.b.c', 1],
    ['a.b', { x: 2 }],
    ['tags.1', 't1'],
    ['__proto__.p', 3],
    ['n', null],
  ])('%s is %j', (path, expected) => {
    expect(valueAt(item, path)).toEqual(expected);
  });

  it.each(['a.b.x', 'n.x', 'toString', 'a.constructor', ''])('"%s" is not one', (path) => {
    expect(valueAt(item, path)).toBeUndefined();
  });

  it('is looked up in a Map too', () => {
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
  ])('%o is %j', (value, expected) => {
    expect(cellText(value)).toBe(expected);
  });
});

describe('the columns of a result', () => {
  const known = { columns: userColumns };

  it('are the declared ones unless others are asked for', () => {
    expect(chooseColumns(known, undefined, [ada])).toEqual(userColumns);
  });

  it('are the fields of all first items where none is declared', () => {
    expect(
      chooseColumns({ columns: [] }, undefined, [
        { a: 1, u: undefined },
        { b: 2, a: 3 },
      ]),
    ).toEqual([
      { field: 'a', header: 'a', shows: 'time' },
      { field: 'b', header: 'b', shows: 'time' },
    ]);
  });

  it('are those asked for, in their order, with fields that only the items have', () => {
    const items = [{ ...ada, extra: { deep: 1 } }];
    expect(chooseColumns(known, ['extra.deep', 'name'], items)).toEqual([
      { field: 'extra.deep', header: 'extra.deep' },
      { field: 'name', header: 'NAME' },
    ]);
  });

  it.each(['USER ID', 'user id', 'userid', 'UserId', 'user-id'])('may be called %s', (word) => {
    const [column] = chooseColumns(known, [word], [ada]);
    expect(column).toBe(userColumns[0]);
  });

  it('may be called by the header, where that is another word than the field', () => {
    expect(chooseColumns(known, ['Role'], [ada])).toEqual([{ field: 'orgRole', header: 'ROLE' }]);
  });

  it('may be fields of the schema that no item has', () => {
    const columns = chooseColumns({ ...known, fields: ['phone'] }, ['phone.country'], [ada]);
    expect(columns).toEqual([{ field: 'phone.country', header: 'phone.country' }]);
  });

  it('are all of them for `all`: the declared ones, those of the schema, and the others in the order they come, empty ones too', () => {
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

  it('count a field in another case, and one that holds a declared path, as shown', () => {
    const columns = ['userId', 'site.hall'].map((field) => ({ field, header: field }));
    const items = [{ USERID: 'u-1', site: { hall: 'B' }, Email: 'a' }, { email: 'b' }];
    const fields = chooseColumns({ columns }, ['all'], items).map(({ field }) => field);
    expect(fields).toEqual(['userId', 'site.hall', 'Email']);
  });

  it('are a thousand at most, for a platform that names every value', () => {
    const item = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key-${at}`, at]));
    expect(chooseColumns({ columns: [] }, ['all'], [item])).toHaveLength(1000);
  });

  it('are not judged where there is nothing to judge by', () => {
    expect(chooseColumns(known, ['whatever'], [])).toEqual([{ field: 'whatever', header: 'whatever' }]);
  });

  it('are refused where nothing knows them', () => {
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
