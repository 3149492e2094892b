import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { memorySink, pagesOf, seen, terminal, users } from './memory.ts';

const value = { 'a "b': 'x: true, 1', n: [-1.5e3, null, true], o: {} };
const record = { kind: 'record', value, jsonByDefault: true } as const;
const plain = `${JSON.stringify(value, null, 2)}\n`;

describe('a response that is JSON by default', () => {
  it('has the same text with colour and without', async () => {
    const { stdout } = await seen(record, { format: 'table' }, terminal(80, true));
    expect(stripVTControlCharacters(stdout)).toBe(plain);
    expect(stdout).toContain('\u001b[1m"a \\"b"\u001b[22m: \u001b[32m"x: true, 1"\u001b[39m');
    expect(stdout).toContain('\u001b[36m-1.5e3\u001b[39m'.replace('-1.5e3', '-1500'));
    expect(stdout).toContain('\u001b[33mnull\u001b[39m');
    expect((await seen(record, { format: 'table' }, terminal())).stdout).toBe(plain);
  });

  it('is JSON for a list, whole or in pages', async () => {
    const items = [{ userId: 'ada' }];
    const all = `${JSON.stringify(items, null, 2)}\n`;
    expect((await seen({ ...record, value: items }, { format: 'table' }, terminal())).stdout).toBe(all);
    const list = { ...users(), pages: pagesOf({ items }), jsonByDefault: true };
    const { stdout } = await seen(list, { format: 'table' }, terminal(80, true));
    expect(JSON.parse(stripVTControlCharacters(stdout))).toEqual(items);
  });

  it('has no colour in a pipe', async () => {
    expect((await seen(record, { format: 'table' }, memorySink())).stdout).toBe(plain);
  });

  it('is a table with --columns', async () => {
    const wide = { ...record, value: [{ userId: 'ada', name: 'Ada' }] };
    expect((await seen(wide, { format: 'table', columns: ['name'] }, terminal())).stdout).not.toContain('{');
    expect((await seen(wide, { format: 'table', columns: ['name'] }, memorySink())).stdout).toBe('Ada\n');
  });
});
