import type { Schema } from '../../contract/schema.ts';

/** The arguments of the commands for a folder of templates. */
export const folderArguments = {
  dir: { type: 'string', value: 'DIR', isPath: true, description: 'Folder of the templates' },
  templates: {
    type: 'string',
    value: 'ID|FILE',
    optional: true,
    repeated: true,
    description: 'Only these, by id or by file',
  },
} as const;

/** What the statuses of its rows are called in a sum. */
const statusWords = {
  created: 'created',
  updated: 'updated',
  kept: 'kept',
  conflict: 'in conflict',
  failed: 'failed',
  unknown: 'of unknown outcome',
  'not-sent': 'not sent',
  'no-template': 'not on the platform',
} as const;

export type StatusRow = { readonly status: keyof typeof statusWords };

/** "45 templates: 43 created, 2 up to date." */
export function sumOf(rows: readonly StatusRow[], unchanged = 0): string {
  const counts = Object.entries(statusWords).map(
    ([each, word]) => [rows.filter(({ status }) => status === each).length, word] as const,
  );
  const parts = [...counts, [unchanged, 'up to date'] as const].filter(([count]) => count > 0);
  const total = rows.length + unchanged;
  return `${total === 1 ? '1 template' : `${total} templates`}: ${parts.map((part) => part.join(' ')).join(', ')}.`;
}

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
