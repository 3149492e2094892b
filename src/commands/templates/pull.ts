import { command } from '../../command/command.ts';
import { listTemplates } from '../../contract/templates.ts';
import { folderArguments, rowSchema } from './words.ts';

export const pull = command({
  name: 'templates pull',
  operation: { ...listTemplates, params: { orgId: listTemplates.params.orgId } },
  summary: 'Write the templates into files of a folder',
  description:
    'Writes every notification template of the organization into a file of DIR: its fields as YAML between two lines ---, and below ' +
    'them its content, as it ' +
    'is. A new file is named after the ID and the name of its template. The templateId in a file counts and not its name, so files can be ' +
    'renamed, and keep their names. What was pulled is recorded in DIR/.iiot, which ' +
    'belongs under version ' +
    'control with the files. A file that was changed here stays as it is. One that was changed here and on the platform is a conflict: ' +
    'it is reported and stays as it is, the others are written, and the exit code is 6. Nothing on the platform changes, and no file is ' +
    'removed.',
  ends: {
    not_found: 'the organization, or a template or file that was named',
    conflict: 'a template was changed here and on the platform',
    rejected: "the platform's list does not give the content of templates",
  },
  arguments: folderArguments,
  flags: { force: { type: 'boolean', description: 'Overwrite files that were changed here' } },
  examples: [
    { line: 'iiot templates pull templates', says: 'All of them, or what has changed since the last time' },
    { line: 'iiot templates pull templates template_001 --force', says: 'Give up what was changed here in one' },
  ],
  result: rowSchema('A file', {
    status: {
      type: 'string',
      enum: ['created', 'updated', 'kept', 'conflict', 'no-template'],
      description: 'What became of it; files that are up to date are left out',
    },
  }),
  run: async (input, context) => (await import('./pull-run.ts')).runPull(input, context),
});
