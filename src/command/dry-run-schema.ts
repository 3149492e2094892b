/** The output of `--dry-run -o json`, for `iiot help COMMAND -o json`. */
import type { ObjectSchema, Schema } from '../contract/schema.ts';
import { boolean, integer, list, object, record, text, textOrNull } from '../contract/shared.ts';

/** The fields that a change replaces, in a dry run and in a result that is not a record of the platform. */
export const replacesSchema = list(
  'The fields that replace, or may replace, the whole of what is stored',
  text('Field, as the platform calls it'),
);

/** The result of a deletion: the ID. */
export function deletedSchema(id: string, description: string): Schema {
  return record('What was deleted', { [id]: text(description), deleted: boolean('True') });
}

const properties = {
  dryRun: boolean('True: nothing was sent'),
  request: record('The request that would be sent, without its token', {
    method: text('The method'),
    url: text('The address'),
    headers: { description: 'The headers that were given, an object; null where there are none' },
    contentType: textOrNull('The type of the body'),
    body: { description: 'The body: JSON as it is, anything else as its text' },
  }),
  curl: text('The same for curl, with the token in the variable IIOT_TOKEN'),
  replaces: replacesSchema,
  notes: list('What it replaces or removes, and what a dry run cannot tell', text('A sentence')),
} as const satisfies ObjectSchema['properties'];

export const dryRunSchema = record('The request that would be made', properties);

export const dryRunsSchema = list('The requests that would be made, in their order', dryRunSchema);

/** The output of a dry run of rows. */
export const dryRunOfEachSchema = list(
  'Each row with its key and its request, in their order',
  object(
    'A row',
    {
      line: integer('Line, or row of a sheet; row counts in a JSON array'),
      fields: list('The fields that it changes', text('Field')),
      ...properties,
      request: { description: 'The request, as without rows; null for a row that cannot be sent' },
      curl: textOrNull('The same for curl'),
      error: { description: 'What is wrong with it, an error; null where nothing is' },
    },
    { required: [...Object.keys(properties), 'line', 'fields', 'error'] },
  ),
);
