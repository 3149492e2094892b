import { command } from '../../command/command.ts';
import { listTemplates } from '../../contract/templates.ts';
import { folderArguments, rowSchema } from './words.ts';

export const diff = command({
  name: 'templates diff',
  operation: { ...listTemplates, params: { orgId: listTemplates.params.orgId } },
  summary: 'Show what a push would change',
  description:
    'Compares the files of DIR with the templates on the platform, and shows for each that differs what a push would change: lines with - are ' +
    'on the platform, lines with + are in the file. The exit code is 9 if a push would change something or be refused, so a merge ' +
    'request can check it. Also listed are templates that were changed on the platform since the pull, and files without a template and ' +
    'templates without a file, which a push does not touch. Reads only.',
  ends: {
    not_found: 'the organization, or a template or file that was named',
    rejected: "the platform's list does not give the content of templates",
  },
  finds: 'there are differences',
  arguments: folderArguments,
  examples: [
    { line: 'iiot templates diff templates', says: 'What is not on the platform yet?' },
    { line: 'iiot templates diff templates template_001 -o json', says: 'One template, for a program' },
  ],
  result: rowSchema('A template that differs', {
    status: {
      type: 'string',
      enum: ['changed', 'behind', 'conflict', 'no-template', 'no-file'],
      description:
        'changed: here; behind: on the platform; conflict: on both sides; no-template: not on the platform; no-file: not in the folder',
    },
    fields: {
      type: 'array',
      items: { type: 'string', description: 'Field, as the platform calls it' },
      description: 'What differs',
    },
    diff: { type: 'string', description: 'Unified diff, from the platform to the file' },
  }),
  run: async (input, context) => (await import('./diff-run.ts')).runDiff(input, context),
});
