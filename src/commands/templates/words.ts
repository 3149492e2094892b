import type { Schema } from '../../contract/schema.ts';

/** The arguments of the commands for a folder of templates. */
export const folderArguments = {
  dir: { type: 'string', value: 'DIR', description: 'Folder of the templates' },
  templates: {
    type: 'string',
    value: 'ID|FILE',
    optional: true,
    repeated: true,
    description: 'Only these, by id or by file',
  },
} as const;

/** The schema of a list with a row for each template; `more` are fields beside its id and its file. */
export function rowSchema(what: string, more: Readonly<Record<string, Schema>>): Schema {
  return {
    type: 'array',
    description: 'One row per template',
    items: {
      type: 'object',
      description: what,
      properties: {
        templateId: { type: 'string', description: 'Template' },
        file: { type: ['string', 'null'], description: 'Its file in the folder' },
        ...more,
      },
    },
  };
}
