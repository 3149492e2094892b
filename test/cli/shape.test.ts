import { describe, expect, it } from 'vitest';
import { checked } from '../../src/cli/write.ts';
import type { OutputShape } from '../../src/output/result.ts';

describe('the output shape', () => {
  it.each<[OutputShape]>([
    [{ format: 'table' }],
    [{ format: 'table', columns: ['a', 'b.c'] }],
    [{ format: 'csv', columns: ['a'], forSpreadsheet: true }],
    [{ format: 'json' }],
    [{ format: 'id', quiet: true }],
  ])('%j is accepted', async (shape) => {
    await expect(checked(shape)).resolves.toBeDefined();
  });

  it.each(['json', 'ndjson', 'yaml'] as const)('has no --columns with %s', async (format) => {
    await expect(checked({ format, columns: ['userId'] })).rejects.toMatchObject({
      kind: 'usage',
      message: `--columns works with table and csv, not -o ${format}.`,
      facts: {
        hint: "Choose fields with --jq, as in --jq '.[].userId'.",
        details: [{ option: '--columns', message: `not with -o ${format}` }],
      },
    });
  });

  it.each<[OutputShape, string]>([
    [{ format: 'table' }, '-o table'],
    [{ format: 'json' }, '-o json'],
    [{ format: 'id' }, '-o id'],
    [{ format: 'json', jq: '.' }, '--jq alone'],
  ])('has --for-spreadsheet only with csv: not %j', async (shape, where) => {
    await expect(checked({ ...shape, forSpreadsheet: true })).rejects.toMatchObject({
      kind: 'usage',
      message: `--for-spreadsheet works with csv, not ${where}.`,
      facts: { hint: 'Use -o csv', details: [{ option: '--for-spreadsheet', message: `not with ${where}` }] },
    });
    await expect(checked({ ...shape, format: 'csv', forSpreadsheet: true })).resolves.toBeDefined();
  });

  it('has no --columns with ids', async () => {
    await expect(checked({ format: 'id', columns: ['a'] })).rejects.toMatchObject({
      kind: 'usage',
      message: '--columns works with table and csv, not -o id.',
      facts: { hint: 'Leave out --columns, or choose -o csv.' },
    });
  });

  it('has no --columns with --jq', async () => {
    await expect(checked({ format: 'table', columns: ['a'], jq: '.' })).rejects.toMatchObject({
      kind: 'usage',
      message: '--columns works with table and csv, not --jq.',
    });
  });

  it.each([[[]], [['a', '']]])('has no --columns %j', async (columns) => {
    await expect(checked({ format: 'table', columns })).rejects.toMatchObject({
      kind: 'usage',
      message: '--columns needs field names.',
    });
  });
});
