import { withNotFound } from '../command/target.ts';
import { updateChannel } from '../contract/channels.ts';
import { fieldsOf, type JsonRecord } from '../text/record.ts';
import { rowsOf } from './rows/rows-of.ts';
import { type PartlyGiven, updateCommand } from './update.ts';

const { properties: settings } = updateChannel.body.properties.commonSettings;
const settingNames = ['timeout', 'retryAttempts', 'retryDelay'] as const satisfies readonly (keyof typeof settings)[];

const update = updateCommand({
  operation: updateChannel,
  noun: 'channel',
  hidesSecrets: true,
  description: `${updateChannel.description} Tables and terminals show its secrets as ***. Asks first if only some settings are given.`,
  flags: {
    clearDescription: { type: 'boolean', sets: 'description', description: 'Empty the description' },
    clearRecipients: { type: 'boolean', sets: 'recipients', description: 'Remove all default recipients' },
    clearTags: { type: 'boolean', sets: 'tags', description: 'Remove all tags' },
  },
  examples: {
    'iiot channels update channel_email --disabled': 'Silence a channel',
    'iiot channels update --rows silent.csv --dry-run': 'One channel per row, all checked first; see iiot help rows',
  },
  rows: rowsOf({ one: 'channel', many: 'channels', key: 'channelId' }),
  part: partialSettings,
  notes: (input) =>
    settingNames
      .filter((name) => typeof input[name] === 'string')
      .map((name) => `Note: --${settings[name].flag} is sent as the text "${input[name]}", not as a number.`),
  explain(failure, { id, orgId }) {
    if (failure.kind === 'not_found') {
      const hint = `Channel ${id} was not found in organization ${orgId}; check the ID and --org`;
      return withNotFound(failure, [id, orgId], hint);
    }
    if (failure.kind !== 'channel_validation_failed' || failure.facts.fate === 'unknown') return failure;
    return failure.with({
      hint: 'The platform tested the channel and the test failed; the request was not retried. Check its configuration and its target',
    });
  },
});

/** Says which of the three settings are missing: commonSettings may replace all of them. */
function partialSettings(body: object, { bodyFile }: JsonRecord): PartlyGiven {
  const { commonSettings, config, recipients } = Object.fromEntries(fieldsOf(body));
  const given = fieldsOf(Object(commonSettings));
  const missing = settingNames.filter((name) => !given.has(name));
  const asks = bodyFile === undefined && given.size > 0 && missing.length > 0;
  const destinations = [config, bodyFile === undefined ? [] : { recipients }];
  return { field: 'commonSettings', missing, asks, mayMerge: true, goesTo: destinations };
}

export const commands = [update];
