import * as contract from '../../contract/templates.ts';
import type { Handler } from '../handler.ts';
import { invalidField } from '../route-response.ts';
import type { Template } from '../world/world.ts';
import { changeFields, findOrganization, findRecord } from './find.ts';

const defaultPage = 20;

const listTemplates: Handler<typeof contract.listTemplates> = (input, { world }) => {
  const { orgId } = findOrganization(world, input.orgId);
  const skip = input.skipCount ?? 0;
  const found = [...world.templates.values()].filter(
    (template) => template.orgId === orgId && matches(template, input),
  );
  return {
    status: 200,
    body: { items: found.slice(skip, skip + (input.maxResultCount ?? defaultPage)), totalCount: found.length },
  };
};

type Filter = Parameters<Handler<typeof contract.listTemplates>>[0];

/**
 * The interface does not show how the filters match: here by part of the name, ignoring case, as for users; a template must have all of the tags.
 */
function matches(template: Template, { name, channelType, tags = [] }: Filter): boolean {
  if (name && !template.name.toLowerCase().includes(name.toLowerCase())) return false;
  if (channelType && !template.channelTypes.includes(channelType)) return false;
  return tags.every((tag) => template.tags.includes(tag));
}

/** Lists replace the stored ones. A body without fields changes nothing, and the interface does not forbid it. */
const updateTemplate: Handler<typeof contract.updateTemplate> = ({ orgId, templateId, body }, { world }) => {
  const mistake = variableMistake(body.content ?? '');
  if (mistake) throw invalidField('content', mistake);
  const template = findRecord(world.templates, findOrganization(world, orgId), 'Template', templateId);
  changeFields(template, body, contract.updateTemplate.body);
  return { status: 200, body: template };
};

/**
 * "invalid variable syntax is rejected", but the interface does not show the syntax. Here a variable is a name in double braces, as in
 * "{{deviceName}}" or "{{ press.line-1 }}"; opening braces must be closed, and single braces have no meaning.
 */
function variableMistake(content: string): string | undefined {
  const rest = content.replace(/\{\{[ \t\r\n]*[\p{ID_Start}_][\p{ID_Continue}\p{N}.・･-]*[ \t\r\n]*\}\}/gu, '');
  if (rest.includes('{{')) return 'has a variable that does not close or has no name: write {{name}}';
  return rest.includes('}}') ? 'closes a variable that was not opened: write {{name}}' : undefined;
}

export const handlers = { 'templates.list': listTemplates, 'templates.update': updateTemplate };
