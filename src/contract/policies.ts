import { operation } from './operation.ts';
import { anything, inPath, integer, object, orgId, text } from './shared.ts';

export const notification = {
  title: 'Notification',
  type: 'object',
  description: 'The whole notification configuration; replaces what is stored, no merge',
  whole: 'notification',
  properties: {
    channelIds: anything('Notification channel; replaces all', 'channel-id'),
    recipients: anything('Notification recipient; replaces all', 'recipient'),
    templateId: text('Template; replaces the whole notification'),
    variables: {
      type: 'object',
      flag: 'var',
      description: 'Variable of the template; replaces all',
      // The interface calls variables an object and shows no element: options give strings, a file may give anything.
      additionalProperties: { description: 'Value' },
    },
    subject: text('Inline subject; replaces the whole notification'),
    content: text('Inline body; replaces the whole notification'),
  },
  // "either templateId with variables, or subject with content". A template without variables needs none.
  dependentRequired: { subject: ['content'], content: ['subject'], variables: ['templateId'] },
  not: { anyOf: [{ required: ['templateId', 'subject'] }, { required: ['templateId', 'content'] }] },
} as const;

export const updatePolicy = operation({
  id: 'policies.update',
  summary: 'Change some fields of an alert policy',
  description:
    'Changes only the given fields. An enabled policy is published again at once. This cannot enable or disable it, or change its data streams. ' +
    'A notification replaces the whole stored one, never merged.',
  method: 'PATCH',
  path: '/api/v1/orgs/{orgId}/alert-policies/{alertPolicyId}',
  security: 'bearer',
  params: { orgId, alertPolicyId: inPath('Alert policy (UUID)', { format: 'guid' }) },
  body: object(
    'The fields to change',
    {
      policyName: text('New name', { flag: 'name' }),
      description: text('New description'),
      alertLevel: text('Trigger threshold, ">80" for example', { format: 'threshold' }),
      alertResetLevel: text('Reset threshold, "<75" for example', { format: 'threshold' }),
      delay: integer('Debounce delay in seconds', { minimum: 0, unit: 'seconds' }),
      notification,
    },
    { title: 'AlertPolicy', minProperties: 1 },
  ),
  responses: {
    200: 'Updated',
    400: 'Empty body, invalid field, or a notification with both templateId and subject or content',
    404: 'Policy not found, or a channel or template of the notification does not exist in the organization',
  },
});
