/** The output of `--dry-run -o json`, for `iiot help COMMAND -o json`. */
import type { ObjectSchema, Schema } from '../contract/schema.ts';

/** What a dry run, and a result that is not the platform's record, say of a change that replaces something. */
export const replacesSchema = {
  type: 'array',
  description: 'The fields that replace, or may replace, the whole of what is stored',
  items: { type: 'string', description: 'Field, as the platform calls it' },
} as const satisfies Schema;

/** What a command returns that deleted something: its ID. */
export function deletedSchema(id: string, description: string): Schema {
  return {
    type: 'object',
    description: 'What was deleted',
    required: [id, 'deleted'],
    properties: { [id]: { type: 'string', description }, deleted: { type: 'boolean', description: 'True' } },
  };
}

const properties = {
  dryRun: { type: 'boolean', description: 'True: nothing was sent' },
  request: {
    type: 'object',
    description: 'The request that would be sent, without its token',
    properties: {
      method: { type: 'string', description: 'The method' },
      url: { type: 'string', description: 'The address' },
      headers: { description: 'The headers that were given, an object; null where there are none' },
      contentType: { type: ['string', 'null'], description: 'The type of the body' },
      body: { description: 'The body: JSON as it is, anything else as its text' },
    },
    required: ['method', 'url', 'headers', 'contentType', 'body'],
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
  required: Object.keys(properties),
} as const satisfies Schema;

/** For a command that sends several: the requests in order. */
export const dryRunsSchema = {
  type: 'array',
  description: 'The requests that would be made, in their order',
  items: dryRunSchema,
} as const satisfies Schema;

/** For rows: the request of each, and what is wrong with it. */
export const dryRunOfEachSchema = {
  type: 'array',
  description: 'Each row with its key and its request, in their order',
  items: {
    type: 'object',
    description: 'A row',
    properties: {
      line: { type: 'integer', description: 'Line, or row of a sheet; row counts in a JSON array' },
      fields: {
        type: 'array',
        description: 'The fields that it changes',
        items: { type: 'string', description: 'Field' },
      },
      ...properties,
      request: { description: 'The request, as without rows; null for a row that cannot be sent' },
      curl: { type: ['string', 'null'], description: 'The same for curl' },
      error: { description: 'What is wrong with it, an error; null where nothing is' },
    },
    required: [...Object.keys(properties), 'line', 'fields', 'error'],
  },
} as const satisfies Schema;
