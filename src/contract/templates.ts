import { operation } from './operation.ts';
import { anything, channelType, channelTypeNames, inPath, inQuery, integer, object, orgId, text } from './shared.ts';

export const template = object(
  'A notification template; further fields pass through',
  {
    templateId: text('Identifier'),
    name: text('Name'),
    // The interface shows no types for these fields of a response.
    subject: { description: 'Subject, used by email only' },
    content: { description: 'Text' },
    channelTypes: { description: 'Channel types it is for' },
    tags: { description: 'Tags' },
  },
  { title: 'Template' },
);

export const listTemplates = operation({
  id: 'templates.list',
  summary: 'List the notification templates',
  description: "Lists the organization's notification templates. Reads only.",
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/notifications/templates',
  security: 'bearer',
  params: {
    orgId,
    skipCount: inQuery(integer('Templates to skip', { minimum: 0, default: 0, flag: 'skip' })),
    maxResultCount: inQuery(
      integer('Templates to ask for at a time', { minimum: 1, maximum: 100, default: 20, flag: 'page-size' }),
    ),
    name: inQuery(text('Only templates with this name')),
    channelType: inQuery(text('Only templates for this type', { enum: channelTypeNames })),
    tags: { in: 'query', type: 'array', items: text('Tag'), flag: 'tag', description: 'Only templates with this tag' },
  },
  responses: { 200: 'A page of templates', 400: 'Invalid pagination parameters' },
  responseSchema: { type: 'array', items: template, description: 'The templates' },
});

export const updateTemplate = operation({
  id: 'templates.update',
  summary: 'Change some fields of a notification template',
  description:
    'Changes only the fields that are given. Channel types and tags replace the whole list that is stored. ' +
    'The platform checks the variables in the content and rejects a wrong one.',
  method: 'PATCH',
  path: '/api/v1/orgs/{orgId}/notifications/templates/{templateId}',
  security: 'bearer',
  params: { orgId, templateId: inPath('Template (template_xxx)') },
  body: object('The fields to change', {
    name: text('New name', { maxLength: 200 }),
    subject: text('New subject; only email uses it', { maxLength: 500 }),
    content: text('New text; may have template variables', { maxLength: 50_000, whole: 'text' }),
    channelTypes: {
      type: 'array',
      items: channelType,
      flag: 'channel-type',
      whole: 'list of channel types',
      description: 'Channel type it is for; replaces the whole list',
    },
    tags: anything('Tag; replaces the whole list', 'tag', 'list of tags'),
  }),
  responses: { 200: 'Updated', 400: 'Invalid field or template variable', 404: 'Template not found' },
});
