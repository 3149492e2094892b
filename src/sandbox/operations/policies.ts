import * as contract from '../../contract/policies.ts';
import { type Handler, invalidField } from '../handler.ts';
import { changeFields, findOrganization, findRecord, guidKey } from './find.ts';

export const updatePolicy: Handler<typeof contract.updatePolicy> = ({ orgId, alertPolicyId, body }, { world }) => {
  const fields = Object.keys(contract.updatePolicy.body.properties);
  // A body without any changeable field (only isEnabled, for example) changes nothing: "At least one field must be present."
  if (!fields.some((field) => field in body)) throw invalidField('', `needs at least one of ${fields.join(', ')}`);
  const organization = findOrganization(world, orgId);
  const policy = findRecord(world.policies, organization, 'Alert policy', guidKey(alertPolicyId));
  // "404 … a notification.channelIds or templateId entry does not exist in the org"
  const { channelIds = [], templateId } = body.notification ?? {};
  for (const channelId of channelIds) findRecord(world.channels, organization, 'Channel', String(channelId));
  if (templateId !== undefined) findRecord(world.templates, organization, 'Template', templateId);
  changeFields(policy, body, contract.updatePolicy.body);
  // "an enabled policy is republished at once for evaluation"
  if (policy.isEnabled) policy.publications += 1;
  const { publications: _, ...shown } = policy;
  return { status: 200, body: shown };
};
