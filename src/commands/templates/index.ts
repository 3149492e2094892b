import { checkRequest } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { dryRunsSchema } from '../../command/dry-run-schema.ts';
import { organization } from '../../command/target.ts';
import type { Schema } from '../../contract/schema.ts';
import { boolean, integer, list, object, record, text, textOrNull } from '../../contract/shared.ts';
import { listTemplates, updateTemplate } from '../../contract/templates.ts';
import { cellText, valueAt } from '../../output/columns.ts';
import { fieldsOf, memberOf } from '../../text/record.ts';
import { optionForShell } from '../../text/shell-lines.ts';
import { findStoredRecord, listFlags, listResult } from '../list.ts';
import { rowsOf } from '../rows/rows-of.ts';
import { replacementNotes, type UpdateFacts, updateCommand } from '../update.ts';
import { lookForUpdate } from './look.ts';

const listCommand = command({
  name: 'templates list',
  lists: {
    kind: 'templates',
    id: 'templateId',
    describe(record) {
      const [id, name, types] = ['templateId', 'name', 'channelTypes'].map((field) => memberOf(record, field));
      return [`Template ${id} is "${name}", for ${cellText(types) || 'no channel type'}.`];
    },
  },
  shell: { completes: { name: 'template-names' } },
  operation: listTemplates,
  flags: listFlags,
  examples: {
    'iiot templates list --channel-type email': 'What is sent by email?',
    'iiot templates list --tag night --tag line-3 -o id': 'IDs for a script',
  },
  async run(input, context) {
    const { name, channelType, tags } = input;
    const filters = { orgId: organization(context), name, channelType, tags };
    checkRequest(listCommand, listTemplates, filters, context);
    return listResult(listTemplates, filters, input, context, {
      noun: 'templates',
      id: 'templateId',
      columns: [
        { field: 'templateId', header: 'TEMPLATE ID', keep: 'whole' },
        { field: 'name', header: 'NAME', keep: 'long' },
        { field: 'channelTypes', header: 'CHANNEL TYPES', dropOrder: 3 },
        { field: 'tags', header: 'TAGS', dropOrder: 2 },
        { field: 'subject', header: 'SUBJECT', dropOrder: 1 },
      ],
    });
  },
});

const update = updateCommand({
  operation: updateTemplate,
  noun: 'template',
  hasEditor: true,
  flags: {
    contentFile: text('File with the new text; - is standard input', { sets: 'content', value: 'FILE' }),
    clearSubject: boolean('Empty the subject', { sets: 'subject' }),
    clearContent: boolean('Empty the text', { sets: 'content' }),
    clearTags: boolean('Remove all tags', { sets: 'tags' }),
    clearChannelTypes: boolean('Remove all channel types', { sets: 'channelTypes' }),
  },
  examples: {
    'iiot templates update template_001 --subject "Line 3 is hot"': 'A new subject, and nothing else',
    'iiot templates update template_001 --channel-type email --channel-type teams': 'Replace the channel types',
    'iiot templates update template_001 --clear-tags': 'Remove all tags',
    'iiot templates update --rows tags.ndjson --dry-run': 'One template per row, all checked first; see iiot help rows',
  },
  rows: rowsOf({
    one: 'template',
    many: 'templates',
    key: 'templateId',
    stored: listCommand,
    filesBy: 'send files with iiot templates push',
  }),
  preview: findDroppedValues,
  look: lookForUpdate,
  explain: (failure, { orgId }) =>
    failure.kind === 'not_found'
      ? failure.with({ hint: `See iiot templates list ${optionForShell('org', orgId)}` })
      : failure,
});

/** Says what the lists of a template lose: "Removes from tags: day, night."; only that they are replaced if the stored template cannot be found. */
async function findDroppedValues({ orgId, id, body }: UpdateFacts, context: Context): Promise<readonly string[]> {
  const fields = fieldsOf(body);
  const listFields = ['channelTypes', 'tags'].filter((name) => fields.has(name));
  if (listFields.length === 0) return [];
  const stored = await findStoredRecord(listCommand, { orgId, id }, context);
  return listFields.flatMap((name) => {
    const [before, after] = [valueAt(stored, name), fields.get(name)];
    if (!Array.isArray(before) || !Array.isArray(after))
      return replacementNotes(updateTemplate, new Map([[name, after]]));
    const removed = before.filter((item) => !after.includes(item));
    return removed.length === 0 ? [] : [`Removes from ${name}: ${cellText(removed)}.`];
  });
}

/** The arguments of the commands for a folder of templates. */
const folderArguments = {
  dir: text('Folder of the templates', { value: 'DIR', isPath: true }),
  templates: text('Only these, by ID or by file', { value: 'ID|FILE', optional: true, repeated: true }),
} as const;

/** The options that say where the files go, and with which values. */
const sendFlags = {
  match: text('Find the templates of another organization by their name', { enum: ['name'] }),
  map: text('Find them with a CSV file that has the columns name and templateId', { value: 'FILE' }),
  values: text('YAML or JSON with texts for ${NAME} in the files', { value: 'FILE' }),
} as const;

/** The exit codes of commands that read the stored templates. */
const readEnds = {
  not_found: 'the organization or a named template or file is missing',
  rejected: "the platform's list does not give the content of templates",
};

const pull = command({
  name: 'templates pull',
  without: { agents: 'writes files', each: 'a folder is for one organization', fields: true },
  shell: { ends: { ...readEnds, conflict: 'a template was changed here and on the platform' } },
  operation: listTemplates,
  summary: 'Write the templates into files of a folder',
  description:
    'Writes every notification template of the organization into a file of DIR: its fields as YAML between two lines ---, and below them its ' +
    'content. A new file is named after the ID and the name of its template; you can rename it, because the templateId in it counts. ' +
    'What was pulled is recorded in DIR/.iiot, which belongs under version control with the files. A file that was changed here stays as it is. ' +
    'One that was changed here and on the platform is a conflict: it is reported, the others are written, and the exit code is 6.',
  arguments: folderArguments,
  flags: { force: boolean('Overwrite files that were changed here') },
  examples: {
    'iiot templates pull templates': 'All of them, or what has changed since the last time',
    'iiot templates pull templates template_001 --force': 'Discard what was changed here in one template',
  },
  result: rowSchema('A file', {
    status: text('What happened to it; files that are up to date are left out', {
      enum: ['created', 'updated', 'kept', 'conflict', 'no_template'],
    }),
  }),
  run: async (input, context) => (await import('./pull.ts')).runPull(input, context),
});

const diff = command({
  name: 'templates diff',
  without: { fields: true },
  shell: { ends: { ...readEnds, found: 'there are differences' } },
  operation: listTemplates,
  summary: 'Show what a push would change',
  description:
    'Compares the files of DIR with the templates on the platform, and shows what a push would change in each: lines with - are on ' +
    'the platform, lines with + are in the file. The exit code is 10 if a push would change something or be refused, so a merge request can check ' +
    'it. It also lists templates that were changed on the platform since the pull, files without a template, and templates without a ' +
    'file; a push does not touch the last two. Reads only.',
  arguments: folderArguments,
  flags: sendFlags,
  examples: {
    'iiot templates diff templates': 'What is not on the platform yet?',
    'iiot templates diff templates template_001 -o json': 'One template, for a program',
  },
  result: rowSchema('A template that differs', {
    status: text(
      'changed: here; behind: on the platform; conflict: on both sides; no_template: not on the platform; no_file: not in the folder',
      { enum: ['changed', 'behind', 'conflict', 'no_template', 'no_file'] },
    ),
    fields: list('What differs', text('Field, as the platform calls it')),
    diff: text('Unified diff, from the platform to the file'),
  }),
  run: async (input, context) => (await import('./diff.ts')).runDiff(input, context),
});

const pushedSchema = rowSchema('A template', {
  status: text('What happened to it; unknown: it may have been updated', {
    enum: ['done', 'failed', 'unknown', 'not_sent', 'no_template'],
  }),
  updated: list('What was to be updated', text('Field, as the platform calls it')),
  error: { description: 'Why it was not updated: its code, message, status and requestId; null if it was' },
});

const push = command({
  name: 'templates push',
  without: {
    agents: 'sends the content of files, confirmed once for all of them',
    each: 'a folder is for one organization',
    fields: true,
  },
  changes: { undoable: false, dryRun: dryRunsSchema },
  shell: {
    ends: {
      conflict: 'a template was changed on the platform since the pull; nothing was sent',
      partial: 'some templates were not updated',
    },
  },
  operation: updateTemplate,
  summary: 'Update the templates that differ from their files',
  description:
    'Updates the templates that differ from their files in DIR, and only the fields that differ; a field that a file leaves out stays as it is. ' +
    'Every file is checked first: if one is wrong, nothing is sent. A template that was changed on the platform since the pull is a conflict: ' +
    'nothing is sent unless --force is given. Asks once, for all. If a template fails, the others are still updated and the exit code is 9. ' +
    'With --match name or --map FILE, the files go to the templates of another organization, and with --values, ${NAME} is replaced in them.',
  arguments: folderArguments,
  flags: { force: boolean('Overwrite what was changed on the platform since the pull'), ...sendFlags },
  examples: {
    'iiot templates push templates --dry-run': 'Check the files, and see what would change',
    'iiot templates push templates template_001 --yes': 'One template, without a prompt',
    'iiot templates push templates --yes': 'From a CI job',
    'iiot templates push templates template_001 --org 33333333-3333-4333-8333-333333333333 --match name --values prod.yaml --yes':
      'To the template of the same name in another organization',
  },
  result: pushedSchema,
  run: async (input, context) => (await import('./push.ts')).runPush(input, context),
});

const preview = command({
  name: 'templates preview',
  without: { each: 'it shows one template', fields: true },
  shell: { ends: { ...readEnds, not_found: 'the template does not exist' } },
  operation: listTemplates,
  summary: 'Show a template with its variables filled in',
  description:
    'Prints the content of a template with values in place of its variables: {{name}}, {{ device.name }}. A file is read from disk, and nothing ' +
    'is sent to the platform; an ID is looked up in the list of templates. Values are inserted without escaping. Variables without a value are ' +
    'left as they are and listed. With --serve, DIR opens in a browser: every template, its variables to fill in, and how it looks, updated when ' +
    'a file is saved. Only this machine can reach the page, under the address that is printed, and HTML is shown without scripts.',
  arguments: { source: text('File of a template, or its ID; DIR with --serve', { value: 'FILE|ID', isPath: true }) },
  flags: {
    var: { type: 'object', additionalProperties: text('Value'), description: 'Value of a variable' },
    serve: boolean('Show the folder in a browser', { forAgents: 'never' }),
    port: integer('Port for --serve, by default any free one', {
      value: 'N',
      forAgents: 'never',
      minimum: 0,
      maximum: 65_535,
    }),
  },
  examples: {
    'iiot templates preview templates/template_001-pressure-low.txt --var deviceName="Press 7" --var value=81':
      'A file, before it is pushed',
    'iiot templates preview template_001': 'What is on the platform, and which variables it has',
    'iiot templates preview templates --serve': 'All of a folder, in a browser',
  },
  result: object('The template, filled in', {
    templateId: text('Template'),
    file: textOrNull('Its file'),
    subject: { description: 'Subject, filled in' },
    content: text('Content, filled in'),
    variables: list('Its variables, in order of appearance', text('Variable')),
    missing: list('Variables without a value', text('Variable')),
    unused: list('Values without a variable', text('Variable')),
    notUnderstood: list('Text in double braces that is not a name', text('Variable')),
    url: text('With --serve: the address of the page', { format: 'uri' }),
  }),
  run: async (input, context) => (await import('./preview.ts')).runPreview(input, context),
});

const edit = command({
  name: 'templates edit',
  without: { agents: 'opens an editor for a person', each: 'it opens an editor', fields: true },
  changes: { undoable: false, dryRun: 'none' },
  shell: {
    ends: {
      conflict: 'the template was changed on the platform meanwhile; nothing was sent',
      partial: 'it was not updated',
    },
  },
  operation: updateTemplate,
  summary: 'Change a template in an editor',
  description:
    'Opens the template as the file that a pull writes, in the editor of VISUAL or EDITOR, by default vi (notepad on Windows). Afterwards the text ' +
    'is checked, and opened again with the reason on top if it is wrong. Then it shows the difference, asks, and updates only the fields that ' +
    'differ. A field that is left out stays as it is. A text that is unchanged or empty is not sent. If the template was changed on the platform ' +
    'meanwhile, both changes are shown and nothing is sent. A text that was not sent is kept in a folder, and the push to continue is shown.',
  result: pushedSchema,
  arguments: { templateId: text('Template (template_xxx)') },
  examples: {
    'iiot templates edit template_001': 'In your editor',
    'EDITOR="code --wait" iiot templates edit template_001': 'In an editor with a window',
  },
  run: async (input, context) => (await import('./edit.ts')).runEdit(input, context),
});

/** The schema of a list with a row for each template. @param more the fields besides its ID and its file */
function rowSchema(what: string, more: Readonly<Record<string, Schema>>): Schema {
  const row = { templateId: text('Template'), file: textOrNull('Its file in the folder'), ...more };
  return list('One row per template', record(what, row));
}

export const commands = [listCommand, update, edit, pull, diff, push, preview];
