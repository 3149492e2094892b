import type * as contract from '../../contract/policies.ts';
import type { Handler } from '../handler.ts';
import { invalid } from '../route-response.ts';
import type { Policy, SandboxWorld } from '../world/world.ts';
import { findOrganization, findRecord, guidKey } from './find.ts';

const fields = ['policyName', 'description', 'alertLevel', 'alertResetLevel', 'delay', 'notification'] as const;

const updatePolicy: Handler<typeof contract.updatePolicy> = ({ orgId, alertPolicyId, body }, { world }) => {
  const changes = fields.filter((field) => body[field] !== undefined);
  // A body without any changeable field (only isEnabled, for example) changes nothing: "At least one field must be present."
  if (changes.length === 0) throw invalid([{ field: '', message: `needs at least one of ${fields.join(', ')}` }]);
  const organization = findOrganization(world, orgId);
  const policy = findRecord(world.policies, organization, 'Alert policy', guidKey(alertPolicyId));
  if (body.notification) checkReferences(world, policy, body.notification);
  for (const field of changes) Object.assign(policy, { [field]: body[field] });
  // "an enabled policy is republished at once for evaluation"
  if (policy.isEnabled) policy.publications += 1;
  return { status: 200, body: shown(policy) };
};

/** "404 … a notification.channelIds or templateId entry does not exist in the org" */
function checkReferences(
  world: SandboxWorld,
  { orgId }: Policy,
  { channelIds = [], templateId }: { channelIds?: unknown[]; templateId?: string },
): void {
  const organization = findOrganization(world, orgId);
  for (const channelId of channelIds) findRecord(world.channels, organization, 'Channel', String(channelId));
  if (templateId !== undefined) findRecord(world.templates, organization, 'Template', templateId);
}

function shown({ publications: _, ...policy }: Policy): object {
  return policy;
}

export const handlers = {
  'policies.update': updatePolicy,
};
