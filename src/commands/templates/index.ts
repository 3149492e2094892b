import { checkRequest } from '../../command/body.ts';
import { command } from '../../command/command.ts';
import { organization } from '../../command/target.ts';
import { listTemplates, updateTemplate } from '../../contract/templates.ts';
import { quoteForShell } from '../../text/shell-lines.ts';
import { listFlags, listResult } from '../list.ts';
import { updateCommand } from '../update.ts';
import { droppedValues } from './dropped-values.ts';
import { folderCommands } from './folder-commands.ts';

const listCommand = command({
  name: 'templates list',
  operation: listTemplates,
  flags: listFlags,
  completes: { name: 'template-names' },
  examples: [
    { line: 'iiot templates list --channel-type email', says: 'What is sent by email?' },
    { line: 'iiot templates list --tag night --tag line-3 --all -o id', says: 'IDs for a script' },
  ],
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
  flags: {
    contentFile: { type: 'string', value: 'FILE', description: 'File with the new text; - is standard input' },
    clearTags: { type: 'boolean', description: 'Remove all tags' },
    clearChannelTypes: { type: 'boolean', description: 'Remove all channel types' },
  },
  examples: [
    { line: 'iiot templates update template_001 --subject "Line 3 is hot"', says: 'A new subject, and nothing else' },
    {
      line: 'iiot templates update template_001 --channel-type email --channel-type teams',
      says: 'Replace the channel types',
    },
    { line: 'iiot templates update template_001 --clear-tags', says: 'Remove all tags' },
  ],
  preview: droppedValues,
  explain: (failure, { orgId }) =>
    failure.kind === 'not_found'
      ? failure.with({ hint: `See iiot templates list --org ${quoteForShell(orgId)}` })
      : failure,
});

export const commands = [listCommand, update, ...folderCommands];
