import { bodyOf } from '../command/body.ts';
import type { Change } from '../command/change.ts';
import { command } from '../command/command.ts';
import { organization } from '../command/target.ts';
import { updateChannel } from '../contract/channels.ts';
import type { Failure } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';
import { listOrCleared, replacementNotes, updateChange, updateSchema } from './update.ts';

const update = command({
  name: 'channels update',
  operation: updateChannel,
  changes: 'reversible',
  result: updateSchema('channelId', updateChannel),
  arguments: { channelId: { type: 'string', description: 'Channel (channel_xxx)' } },
  flags: {
    clearRecipients: { type: 'boolean', description: 'Remove all default recipients' },
    clearTags: { type: 'boolean', description: 'Remove all tags' },
  },
  examples: [
    { line: 'iiot channels update channel_email --disable', says: 'Silence a channel' },
    {
      line: 'iiot channels update channel_email --recipient night@factory.example --recipient day@factory.example',
      says: 'Replace its default recipients',
    },
  ],
  async run(input, context): Promise<Change> {
    const { channelId } = input;
    const orgId = organization(context);
    const body = await bodyOf(update, input, context, async () => ({
      recipients: listOrCleared('recipient', input.recipients, input.clearRecipients),
      tags: listOrCleared('tag', input.tags, input.clearTags),
    }));
    const subject = { noun: 'channel', field: 'channelId', id: channelId };
    return {
      ...updateChange(update, updateChannel, subject, body, context),
      announce: replacementNotes(body, replacedBy(body)),
      explain: (failure) => explain(failure, channelId, orgId),
    };
  },
});

/** The interface does not say whether settings are merged, so warn unless all of them are given. */
function replacedBy(body: object): readonly string[] {
  const settings = fieldsOf(body).get('commonSettings');
  const { properties } = updateChannel.body.properties.commonSettings;
  const given = typeof settings === 'object' && settings !== null ? fieldsOf(settings) : new Map();
  const isWhole = Object.keys(properties).every((name) => given.has(name));
  return ['config', 'recipients', 'tags', ...(isWhole ? [] : ['commonSettings'])];
}

function explain(failure: Failure, channelId: string, orgId: string): Failure {
  if (failure.kind === 'not_found') {
    return failure.with({
      hint: `Channel ${channelId} was not found in organization ${orgId}; check the ID and --org`,
    });
  }
  if (failure.kind !== 'channel_validation_failed') return failure;
  return failure.with({
    hint: 'The platform tested the channel and the test failed; the request was not retried. Check its configuration and its target',
  });
}

export const commands = [update];
