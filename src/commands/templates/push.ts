import { command } from '../../command/command.ts';
import { updateTemplate } from '../../contract/templates.ts';
import { folderArguments, rowSchema } from './words.ts';

const { body: _fromFiles, ...operation } = updateTemplate;

export const push = command({
  name: 'templates push',
  operation,
  summary: 'Update the templates that differ from their files',
  description:
    'Updates the templates on the platform that differ from their files in DIR, and only the fields that differ. Every file is checked first: ' +
    'if one is wrong, nothing is sent. A template that was changed on the platform since the pull is a conflict, and then nothing is sent ' +
    'either, unless --force is given. Asks once for all templates. No template is created or deleted. If a template fails, or a file ' +
    'has no template, the others are still updated and the exit code is 9. A field that a file leaves out stays ' +
    'as it is.',
  changes: 'final',
  ends: {
    conflict: 'a template was changed on the platform since the pull; nothing was sent',
    partial: 'some templates were not updated',
  },
  arguments: folderArguments,
  flags: { force: { type: 'boolean', description: 'Overwrite what was changed on the platform since the pull' } },
  examples: [
    {
      line: 'iiot templates push templates --dry-run',
      says: 'Check the files, and see what would change',
    },
    { line: 'iiot templates push templates template_001 --yes', says: 'One template, without a question' },
    { line: 'iiot templates push templates --yes', says: 'From a CI job' },
  ],
  result: rowSchema('A template', {
    status: {
      type: 'string',
      enum: ['updated', 'failed', 'unknown', 'not-sent', 'no-template'],
      description: 'What happened to it; unknown: it may have been updated',
    },
    updated: {
      type: 'array',
      items: { type: 'string', description: 'Field, as the platform calls it' },
      description: 'What was to be updated',
    },
    error: { type: ['string', 'null'], description: 'Why it was not updated' },
  }),
  run: async (input, context) => (await import('./push-run.ts')).runPush(input, context),
});
