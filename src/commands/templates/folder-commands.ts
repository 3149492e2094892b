import { command } from '../../command/command.ts';
import type { Schema } from '../../contract/schema.ts';
import { listTemplates, updateTemplate } from '../../contract/templates.ts';

const listOf = (item: string, description: string): Schema => ({
  type: 'array',
  items: { type: 'string', description: item },
  description,
});

/** The arguments of the commands for a folder of templates. */
const folderArguments = {
  dir: { type: 'string', value: 'DIR', isPath: true, description: 'Folder of the templates' },
  templates: {
    type: 'string',
    value: 'ID|FILE',
    optional: true,
    repeated: true,
    description: 'Only these, by id or by file',
  },
} as const;

/** Where the files go, and with which values. */
const sendFlags = {
  match: { type: 'string', enum: ['name'], description: 'Find the templates of another organization by their name' },
  map: { type: 'string', value: 'FILE', description: 'Find them by a CSV file with the columns name and templateId' },
  values: { type: 'string', value: 'FILE', description: 'YAML or JSON with texts for ${NAME} in the files' },
} as const;

/** How the commands end that read what is stored. */
const readEnds = {
  not_found: 'the organization, or a template or file that was named',
  rejected: "the platform's list does not give the content of templates",
};

const pull = command({
  name: 'templates pull',
  withheld: 'writes files',
  alone: 'a folder is for one organization',
  operation: listTemplates,
  flagsOnly: true,
  summary: 'Write the templates into files of a folder',
  description:
    'Writes every notification template of the organization into a file of DIR: its fields as YAML between two lines ---, and below them its ' +
    'content, as it is. A new file is named after the ID and the name of its template. The templateId in a file counts and not its name, so ' +
    'files can be renamed, and keep their names. What was pulled is recorded in DIR/.iiot, which belongs under version control with the files. A ' +
    'file that was changed here stays as it is. One that was changed here and on the platform is a conflict: it is reported and stays as it is, ' +
    'the others are written, and the exit code is 6. Nothing on the platform changes, and no file is removed.',
  ends: { ...readEnds, conflict: 'a template was changed here and on the platform' },
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
  run: async (input, context) => (await import('./pull.ts')).runPull(input, context),
});

const diff = command({
  name: 'templates diff',
  operation: listTemplates,
  flagsOnly: true,
  summary: 'Show what a push would change',
  description:
    'Compares the files of DIR with the templates on the platform, and shows for each that differs what a push would change: lines with - are on ' +
    'the platform, lines with + are in the file. The exit code is 9 if a push would change something or be refused, so a merge request can check ' +
    'it. Also listed are templates that were changed on the platform since the pull, and files without a template and templates without a file, ' +
    'which a push does not touch. Reads only.',
  ends: readEnds,
  finds: 'there are differences',
  arguments: folderArguments,
  flags: sendFlags,
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
    fields: listOf('Field, as the platform calls it', 'What differs'),
    diff: { type: 'string', description: 'Unified diff, from the platform to the file' },
  }),
  run: async (input, context) => (await import('./diff.ts')).runDiff(input, context),
});

const push = command({
  name: 'templates push',
  withheld: 'sends the content of files, confirmed once for all of them',
  alone: 'a folder is for one organization',
  operation: updateTemplate,
  flagsOnly: true,
  summary: 'Update the templates that differ from their files',
  description:
    'Updates the templates on the platform that differ from their files in DIR, and only the fields that differ. Every file is checked first: if ' +
    'one is wrong, nothing is sent. A template that was changed on the platform since the pull is a conflict, and then nothing is sent either, ' +
    'unless --force is given. Asks once for all templates. No template is created or deleted. If a template fails, or a file has no template, ' +
    'the others are still updated and the exit code is 9. A field that a file leaves out stays as it is. With --match name or --map FILE, the ' +
    'files go to the templates of another organization. If a name is missing there or occurs twice, nothing is sent. Names are never changed. ' +
    'What the first push to a template replaces is shown; later ones find conflicts. With --values, ${NAME} is replaced in contents and fields.',
  changes: 'final',
  ends: {
    conflict: 'a template was changed on the platform since the pull; nothing was sent',
    partial: 'some templates were not updated',
  },
  arguments: folderArguments,
  flags: {
    force: { type: 'boolean', description: 'Overwrite what was changed on the platform since the pull' },
    ...sendFlags,
  },
  examples: [
    { line: 'iiot templates push templates --dry-run', says: 'Check the files, and see what would change' },
    { line: 'iiot templates push templates template_001 --yes', says: 'One template, without a question' },
    { line: 'iiot templates push templates --yes', says: 'From a CI job' },
    {
      line: 'iiot templates push templates template_001 --org 33333333-3333-4333-8333-333333333333 --match name --values prod.yaml --yes',
      says: 'To the template of the same name in another organization',
    },
  ],
  result: rowSchema('A template', {
    status: {
      type: 'string',
      enum: ['updated', 'failed', 'unknown', 'not-sent', 'no-template'],
      description: 'What happened to it; unknown: it may have been updated',
    },
    updated: listOf('Field, as the platform calls it', 'What was to be updated'),
    error: { type: ['string', 'null'], description: 'Why it was not updated' },
  }),
  run: async (input, context) => (await import('./push.ts')).runPush(input, context),
});

const preview = command({
  name: 'templates preview',
  alone: 'it shows one template',
  operation: listTemplates,
  flagsOnly: true,
  summary: 'Show a template with its variables filled in',
  description:
    'Prints the content of a template with values in place of its variables: {{name}}, {{ device.name }}. A file is read from disk, and nothing ' +
    'is sent to the platform; an ID is looked up in the list of templates. Values are inserted as they are, without escaping. Variables without ' +
    'a value are left as they are and listed, and so is anything else in double braces: the platform may accept more than names. With --serve, ' +
    'DIR opens in a browser: every template, its variables to fill in, and how it looks, updated when a file is saved. HTML is shown without ' +
    'scripts and without network access. Only this machine can reach the page, and only under the address that is printed. Ctrl-C stops it.',
  ends: { ...readEnds, not_found: 'there is no such template' },
  arguments: {
    source: {
      type: 'string',
      value: 'FILE|ID',
      isPath: true,
      description: 'File of a template, or its ID; DIR with --serve',
    },
  },
  flags: {
    var: {
      type: 'object',
      additionalProperties: { type: 'string', description: 'Value' },
      description: 'Value of a variable',
    },
    serve: { type: 'boolean', forAgents: 'never', description: 'Show the folder in a browser' },
    port: {
      type: 'integer',
      value: 'N',
      forAgents: 'never',
      minimum: 0,
      maximum: 65_535,
      description: 'Port for --serve, by default any free one',
    },
  },
  examples: [
    {
      line: 'iiot templates preview templates/template_001-pressure-low.txt --var deviceName="Press 7" --var value=81',
      says: 'A file, before it is pushed',
    },
    { line: 'iiot templates preview template_001', says: 'What is on the platform, and which variables it has' },
    { line: 'iiot templates preview templates --serve', says: 'All of a folder, in a browser' },
  ],
  result: {
    type: 'object',
    description: 'The template, filled in',
    properties: {
      templateId: { type: 'string', description: 'Template' },
      file: { type: ['string', 'null'], description: 'Its file' },
      subject: { description: 'Subject, filled in' },
      content: { type: 'string', description: 'Content, filled in' },
      variables: listOf('Variable', 'Its variables, in the order in which they come'),
      missing: listOf('Variable', 'Variables without a value'),
      unused: listOf('Variable', 'Values without a variable'),
      notUnderstood: listOf('Variable', 'What is in double braces and is not a name'),
      url: { type: 'string', format: 'uri', description: 'With --serve: the address of the page' },
    },
  },
  run: async (input, context) => (await import('./preview.ts')).runPreview(input, context),
});

export const folderCommands = [pull, diff, push, preview];

/** The schema of a list with a row for each template; `more` are fields beside its id and its file. */
function rowSchema(what: string, more: Readonly<Record<string, Schema>>): Schema {
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
