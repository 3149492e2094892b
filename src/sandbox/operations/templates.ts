import * as contract from '../../contract/templates.ts';
import { type Handler, invalidField } from '../handler.ts';
import type { Template } from '../world/world.ts';
import { changeFields, findOrganization, findRecord } from './find.ts';

export const listTemplates: Handler<typeof contract.listTemplates> = (input, { world }) => {
  const { orgId } = findOrganization(world, input.orgId);
  const skip = input.skipCount ?? 0;
  const found = [...world.templates.values()].filter(
    (template) => template.orgId === orgId && matches(template, input),
  );
  return {
    status: 200,
    body: { items: found.slice(skip, skip + (input.maxResultCount ?? 20)), totalCount: found.length },
  };
};

type Filter = Parameters<Handler<typeof contract.listTemplates>>[0];

/** The interface does not show how the filters match: here by part of the name, ignoring case, as for users; a template must have all of the tags. */
function matches(template: Template, { name, channelType, tags = [] }: Filter): boolean {
  if (name && !template.name.toLowerCase().includes(name.toLowerCase())) return false;
  if (channelType && !template.channelTypes.includes(channelType)) return false;
  return tags.every((tag) => template.tags.includes(tag));
}

/** Lists replace the stored ones. A body without fields changes nothing, and the interface does not forbid it. */
export const updateTemplate: Handler<typeof contract.updateTemplate> = ({ orgId, templateId, body }, { world }) => {
  // "invalid variable syntax is rejected", but the interface does not show the syntax. Here it is invalid only if no "}}" follows the last "{{".
  const last = body.content?.lastIndexOf('{{') ?? -1;
  if (last >= 0 && !body.content?.includes('}}', last))
    throw invalidField('content', 'has a variable that does not close: write {{name}}');
  const template = findRecord(world.templates, findOrganization(world, orgId), 'Template', templateId);
  changeFields(template, body, contract.updateTemplate.body);
  return { status: 200, body: template };
};
