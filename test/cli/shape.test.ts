import { describe, expect, it } from 'vitest';
import { checkShape } from '../../src/cli/write.ts';
import type { OutputShape } from '../../src/output/result.ts';

describe('the output shape', () => {
  it.each<[OutputShape]>([
    [{ format: 'table' }],
    [{ format: 'table', columns: ['a', 'b.c'] }],
    [{ format: 'csv', columns: ['a'], forSpreadsheet: true }],
    [{ format: 'json' }],
    [{ format: 'id', quiet: true }],
  ])('may be %j', async (shape) => {
    await expect(checkShape(shape)).resolves.toBeDefined();
  });

  const byJq = "Choose fields with --jq, as in --jq '.[].userId'.";
  it.each<[string, OutputShape, string?]>([
    ['-o json', { format: 'json' }, byJq],
    ['-o ndjson', { format: 'ndjson' }, byJq],
    ['-o yaml', { format: 'yaml' }, byJq],
    ['-o id', { format: 'id' }, 'Leave out --columns, or choose -o csv.'],
    ['--jq', { format: 'table', jq: '.' }],
  ])('cannot have --columns with %s', async (where, shape, hint) => {
    await expect(checkShape({ ...shape, columns: ['userId'] })).rejects.toMatchObject({
      kind: 'usage',
      message: `--columns works with table and csv, not ${where}.`,
      facts: { details: [{ option: '--columns', message: `not with ${where}` }], ...(hint && { hint }) },
    });
  });

  it.each<[OutputShape, string]>([
    [{ format: 'table' }, '-o table'],
    [{ format: 'json' }, '-o json'],
    [{ format: 'id' }, '-o id'],
    [{ format: 'json', jq: '.' }, '--jq alone'],
  ])('cannot have --for-spreadsheet with %j', async (shape, where) => {
    await expect(checkShape({ ...shape, forSpreadsheet: true })).rejects.toMatchObject({
      kind: 'usage',
      message: `--for-spreadsheet works with csv, not ${where}.`,
      facts: { hint: 'Use -o csv', details: [{ option: '--for-spreadsheet', message: `not with ${where}` }] },
    });
    await expect(checkShape({ ...shape, format: 'csv', forSpreadsheet: true })).resolves.toBeDefined();
  });

  it.each([[[]], [['a', '']]])('cannot have the columns %j', async (columns) => {
    await expect(checkShape({ format: 'table', columns })).rejects.toMatchObject({
      kind: 'usage',
      message: '--columns needs field names.',
    });
  });
});
