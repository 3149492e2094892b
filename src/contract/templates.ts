import { operation } from './operation.ts';
import { anything, channelType, channelTypeNames, orgId } from './shared.ts';

export const template = {
  title: 'Template',
  type: 'object',
  description: 'A notification template; further fields pass through',
  properties: {
    templateId: { type: 'string', description: 'Identifier' },
    name: { type: 'string', description: 'Name' },
    subject: { description: 'Subject, used by email only' },
    content: { description: 'Text' },
    channelTypes: { description: 'Channel types it is for' },
    tags: { description: 'Tags' },
  },
} as const;

export const listTemplates = operation({
  id: 'templates.list',
  summary: 'List the notification templates',
  description: "Lists the organization's notification templates. Reads only.",
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/notifications/templates',
  security: 'bearer',
  params: {
    orgId,
    skipCount: {
      in: 'query',
      type: 'integer',
      minimum: 0,
      default: 0,
      flag: 'skip',
      description: 'Templates to skip',
    },
    maxResultCount: {
      in: 'query',
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      flag: 'page-size',
      description: 'Templates to ask for at a time',
    },
    name: { in: 'query', type: 'string', description: 'Only templates with this name' },
    channelType: { in: 'query', type: 'string', enum: channelTypeNames, description: 'Only templates for this type' },
    tags: {
      in: 'query',
      type: 'array',
      items: { type: 'string', description: 'Tag' },
      flag: 'tag',
      description: 'Only templates with this tag',
    },
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
  params: { orgId, templateId: { in: 'path', type: 'string', required: true, description: 'Template (template_xxx)' } },
  body: {
    type: 'object',
    description: 'The fields to change',
    properties: {
      name: { type: 'string', maxLength: 200, description: 'New name' },
      subject: { type: 'string', maxLength: 500, description: 'New subject; only email uses it' },
      content: {
        type: 'string',
        maxLength: 50_000,
        whole: 'text',
        description: 'New text; may have template variables',
      },
      channelTypes: {
        type: 'array',
        items: channelType,
        flag: 'channel-type',
        whole: 'list of channel types',
        description: 'Channel type it is for; replaces the whole list',
      },
      tags: anything('Tag; replaces the whole list', 'tag', 'list of tags'),
    },
  },
  responses: { 200: 'Updated', 400: 'Invalid field or template variable', 404: 'Template not found' },
});

export const operations = [listTemplates, updateTemplate] as const;
