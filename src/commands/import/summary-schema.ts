import type { Schema } from '../../contract/schema.ts';

const count = (description: string) => ({ type: 'integer', description }) as const;

export const summarySchema: Schema = {
  type: 'object',
  description: 'Number of rows by outcome; with -o ndjson and -o csv, one line per row instead',
  properties: {
    total: count('Rows in all'),
    done: count('Rows that the platform accepted'),
    failed: count('Rows that it refused, or that cannot be sent'),
    skipped: count('Rows that an earlier run finished'),
    notSent: count('Rows that were not sent'),
    empty: count('Rows without a value, which are not sent and not counted elsewhere'),
    unknown: count('Rows that may have been applied, though no response confirms it'),
  },
};
