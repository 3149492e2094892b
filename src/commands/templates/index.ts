import { checkRequest } from '../../command/body.ts';
import { command, examples } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { organization } from '../../command/target.ts';
import { boolean, text } from '../../contract/shared.ts';
import { listTemplates, updateTemplate } from '../../contract/templates.ts';
import { cellText, valueAt } from '../../output/columns.ts';
import { fieldsOf } from '../../text/record.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { listFlags, listResult, storedRecord } from '../list.ts';
import { rowsOf } from '../rows/rows-of.ts';
import { replacementNotes, type UpdateFacts, updateCommand } from '../update.ts';
import { folderCommands, pushedSchema } from './folder-commands.ts';
import { lookForUpdate } from './look.ts';

const listCommand = command({
  name: 'templates list',
  lists: { kind: 'templates', id: 'templateId' },
  shell: { completes: { name: 'template-names' } },
  operation: listTemplates,
  flags: listFlags,
  examples: examples({
    'iiot templates list --channel-type email': 'What is sent by email?',
    'iiot templates list --tag night --tag line-3 -o id': 'IDs for a script',
  }),
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
  examples: examples({
    'iiot templates update template_001 --subject "Line 3 is hot"': 'A new subject, and nothing else',
    'iiot templates update template_001 --channel-type email --channel-type teams': 'Replace the channel types',
    'iiot templates update template_001 --clear-tags': 'Remove all tags',
    'iiot templates update --rows tags.ndjson --dry-run': 'One template per row, all checked first; see iiot help rows',
  }),
  rows: rowsOf({
    one: 'template',
    many: 'templates',
    key: 'templateId',
    stored: listCommand,
    filesBy: 'send files with iiot templates push',
  }),
  preview: droppedValues,
  look: lookForUpdate,
  explain: (failure, { orgId }) =>
    failure.kind === 'not_found'
      ? failure.with({ hint: `See iiot templates list --org ${quoteForShell(orgId)}` })
      : failure,
});

/**
 * The values that the lists of a template lose: "Removes from tags: day, night." The stored values come from the list of templates, since the
 * interface has no other way; if they are not found, the notice only says that they are replaced.
 */
async function droppedValues({ orgId, id, body }: UpdateFacts, context: Context): Promise<readonly string[]> {
  const fields = fieldsOf(body);
  const given = ['channelTypes', 'tags'].filter((name) => fields.has(name));
  if (given.length === 0) return [];
  const stored = await storedRecord(listCommand, { orgId, id }, context);
  return given.flatMap((name) => {
    const [before, after] = [valueAt(stored, name), fields.get(name)];
    if (!Array.isArray(before) || !Array.isArray(after))
      return replacementNotes(updateTemplate, new Map([[name, after]]));
    const gone = before.filter((item) => !after.includes(item));
    return gone.length === 0 ? [] : [`Removes from ${name}: ${cellText(gone)}.`];
  });
}

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
  examples: examples({
    'iiot templates edit template_001': 'In your editor',
    'EDITOR="code --wait" iiot templates edit template_001': 'In an editor with a window',
  }),
  run: async (input, context) => (await import('./edit.ts')).runEdit(input, context),
});

export const commands = [listCommand, update, edit, ...folderCommands];
