/** The output of `--dry-run -o json`, for `iiot help COMMAND -o json`. */
import type { ObjectSchema, Schema } from '../contract/schema.ts';

/** What a dry run, and a result that is not the platform's record, say of a change that replaces something. */
export const replacesSchema = {
  type: 'array',
  description: 'The fields that replace, or may replace, the whole of what is stored',
  items: { type: 'string', description: 'Field, as the platform calls it' },
} as const satisfies Schema;

const properties = {
  dryRun: { type: 'boolean', description: 'True: nothing was sent' },
  request: {
    type: 'object',
    description: 'The request that would be sent, without its token',
    properties: {
      method: { type: 'string', description: 'The method' },
      url: { type: 'string', description: 'The address' },
      headers: {
        type: 'object',
        description: 'The headers that were given',
        additionalProperties: { type: 'string', description: 'Its value' },
      },
      contentType: { type: 'string', description: 'The type of the body' },
      body: { description: 'The body: JSON as it is, anything else as its text' },
    },
    required: ['method', 'url'],
  },
  curl: { type: 'string', description: 'The same for curl, with the token in the variable IIOT_TOKEN' },
  replaces: replacesSchema,
  notes: {
    type: 'array',
    description: 'What it replaces or removes, and what a dry run cannot tell',
    items: { type: 'string', description: 'A sentence' },
  },
} as const satisfies ObjectSchema['properties'];

/** For a command that sends one request. */
export const dryRunSchema = {
  type: 'object',
  description: 'The request that would be made',
  properties,
  required: ['dryRun', 'request', 'curl'],
} as const satisfies Schema;

/** For a command that sends several: the requests in order. */
export const dryRunsSchema = {
  type: 'array',
  description: 'The requests that would be made, in their order',
  items: dryRunSchema,
} as const satisfies Schema;

/** For an import: the request of the first row. */
export const dryRunOfRowsSchema = {
  type: 'object',
  description: 'Number of rows, and the request for the first of them',
  properties: {
    rows: { type: 'integer', description: 'Rows in the file' },
    bad: { type: 'integer', description: 'Rows that would not be sent' },
    ...properties,
  },
  required: ['dryRun', 'rows', 'bad'],
} as const satisfies Schema;
