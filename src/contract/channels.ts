import { operation } from './operation.ts';
import { anything, boolean, channelTypeNames, inPath, object, orgId, text } from './shared.ts';

export const updateChannel = operation({
  id: 'channels.update',
  summary: 'Change some fields of a notification channel',
  description:
    'Changes only the fields that are given; a given list or configuration replaces the stored one, and settings may too. ' +
    'The platform may test the channel first: a 503 without Retry-After is its verdict, and not retried.',
  method: 'PATCH',
  path: '/api/v1/orgs/{orgId}/notifications/channels/{channelId}',
  security: 'bearer',
  params: { orgId, channelId: inPath('Channel (channel_xxx)') },
  body: object(
    'The fields to change',
    {
      name: text('New name'),
      channelType: text('New type', { enum: channelTypeNames }),
      description: text('New description'),
      isEnabled: boolean('Enable the channel', { flag: 'enabled', negative: 'disabled' }),
      commonSettings: object(
        'Common settings',
        // The interface shows no types and units. Options take integers, the usual type of such fields. A body file may contain anything.
        {
          timeout: { flag: 'settings-timeout', description: "Timeout (platform's unit); may replace all" },
          retryAttempts: { flag: 'settings-retry-attempts', description: 'Retry attempts; may replace all' },
          retryDelay: { flag: 'settings-retry-delay', description: "Delay (platform's unit); may replace all" },
        },
        { whole: 'group of settings' },
      ),
      config: {
        type: 'object',
        flag: 'config-file',
        whole: 'configuration',
        description: 'Configuration; replaces the whole one',
      },
      templateId: text('Template'),
      recipients: anything('Default recipient; replaces all', 'recipient', 'list of recipients'),
      tags: anything('Tag; replaces the whole list', 'tag', 'list of tags'),
    },
    { title: 'Channel' },
  ),
  responses: {
    200: 'Updated',
    400: 'Invalid field',
    404: 'Channel not found',
    503: 'The channel could not be validated',
  },
  failures: { 503: 'channel_validation_failed' },
  repeat: 'told',
});
