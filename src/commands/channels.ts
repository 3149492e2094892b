import { bodyOf } from '../command/body.ts';
import type { Change } from '../command/change.ts';
import { command } from '../command/command.ts';
import { organization, withNotFound } from '../command/target.ts';
import { updateChannel } from '../contract/channels.ts';
import type { Failure } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';
import { listOrCleared, type PartlyGiven, updateChange, updateSchema } from './update.ts';

const update = command({
  name: 'channels update',
  operation: updateChannel,
  description: `${updateChannel.description} Asks first if only some of the settings are given.`,
  changes: 'final',
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
    const part = partOf(body, input.bodyFile === undefined);
    const subject = { noun: 'channel', field: 'channelId', id: channelId, part };
    const change = updateChange(update, updateChannel, subject, body, context);
    for (const name of settingNames) {
      const text = input[name];
      if (typeof text === 'string')
        context.notice(`Note: --${settings[name].flag} is sent as the text "${text}", not as a number.`);
    }
    return { ...change, explain: (failure) => explain(failure, channelId, orgId) };
  },
});

const { properties: settings } = updateChannel.body.properties.commonSettings;
const settingNames = ['timeout', 'retryAttempts', 'retryDelay'] as const satisfies readonly (keyof typeof settings)[];

/** Settings are complete with all three. */
function partOf(body: object, isTyped: boolean): PartlyGiven {
  const given = fieldsOf(Object(fieldsOf(body).get('commonSettings')));
  const missing = settingNames.filter((name) => !given.has(name));
  return { field: 'commonSettings', missing, asks: isTyped && given.size > 0 && missing.length > 0, mayMerge: true };
}

function explain(failure: Failure, channelId: string, orgId: string): Failure {
  if (failure.kind === 'not_found') {
    const hint = `Channel ${channelId} was not found in organization ${orgId}; check the ID and --org`;
    return withNotFound(failure, [channelId, orgId], hint);
  }
  if (failure.kind !== 'channel_validation_failed') return failure;
  return failure.with({
    hint: 'The platform tested the channel and the test failed; the request was not retried. Check its configuration and its target',
  });
}

export const commands = [update];
