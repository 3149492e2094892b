import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { yamlWriter } from '../../src/output/yaml.ts';
import { ada, bob, seen, users } from './memory.ts';

describe('yaml', () => {
  it('is one document for a list of several pages', async () => {
    const { stdout } = await seen(users({ items: [ada] }, { items: [] }, { items: [bob] }), { format: 'yaml' });
    expect(stdout).toBe(
      '- userId: u-1\n  name: Ada Lovelace\n  orgRole: admin\n- userId: u-2\n  name: Bob\n  orgRole: viewer\n',
    );
    expect(parseAllDocuments(stdout).length).toBe(1);
  });

  it('is an empty list for a list without items', async () => {
    expect(await seen(users({ items: [] }), { format: 'yaml' })).toEqual({ stdout: '[]\n', notices: [] });
  });

  it('quotes texts that YAML 1.1 reads as other types', async () => {
    const write = await yamlWriter();
    expect(
      write({ a: 'yes', b: 'off', c: '2026-01-01', d: '010', e: '1:30', f: 'null', g: '~', h: '1e3', i: 'plain' }),
    ).toBe('a: "yes"\nb: "off"\nc: "2026-01-01"\nd: "010"\ne: "1:30"\nf: "null"\ng: "~"\nh: "1e3"\ni: plain\n');
  });

  it('keeps long numbers, the order of fields, __proto__ and repeated values', async () => {
    const write = await yamlWriter();
    const shared = { x: 1 };
    const value = Object.assign(JSON.parse('{"b":1,"__proto__":{"z":2}}'), {
      big: 9007199254740993n,
      one: shared,
      two: shared,
    });
    expect(write(value)).toBe('b: 1\n__proto__:\n  z: 2\nbig: 9007199254740993\none:\n  x: 1\ntwo:\n  x: 1\n');
  });

  it('escapes control characters in names and values without changing them', async () => {
    const write = await yamlWriter();
    const value = {
      'k\u202e': 'a\u001b[31m\u009b\u2028',
      lines: 'one\ntwo\u0085',
      text: 'one\ntwo\n',
      'k\u2060': 'a\u00adb\u200b\u{e0041}',
    };
    const text = write(value);
    expect(text).toBe(
      '"k\\u202e": "a\\e[31m\\u009b\\u2028"\nlines: "one\\ntwo\\u0085"\ntext: |\n  one\n  two\n"k\\u2060": "a\\u00adb\\u200b\\U000e0041"\n',
    );
    expect(parse(text)).toEqual(value);
  });
});
