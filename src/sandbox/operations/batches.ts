import type * as contract from '../../contract/batches.ts';
import { type Handler, invalidField, Refusal } from '../handler.ts';
import type { Batch, SandboxWorld } from '../world/world.ts';
import { findOrganization, guidKey } from './find.ts';

export const createBatch: Handler<typeof contract.createBatch> = ({ orgId, body }, { world, clock }) => {
  if (guidKey(body.orgId) !== guidKey(orgId)) throw invalidField('orgId', 'is not the organization in the path');
  const organization = findOrganization(world, orgId);
  // "unique (conflict when it already exists)": the interface says neither where nor whether case matters. Here: within the organization, and
  // exactly.
  const isSame = (other: Batch) => other.orgId === organization.orgId && other.name === body.Name;
  if ([...world.batches.values()].some(isSame))
    throw new Refusal(409, 'Batches:NameExists', `A batch named ${body.Name} already exists.`);
  const batch: Batch = {
    batchId: nextBatchId(world),
    orgId: organization.orgId,
    name: body.Name,
    cronExpression: body.CronExpression,
    isEnabled: body.IsEnabled,
    runOnStartup: body.RunOnStartup,
    actions: body.Actions ?? [],
    createdAt: new Date(clock.now()).toISOString(),
  };
  world.batches.set(batch.batchId, batch);
  return { status: 201, body: batch };
};

function nextBatchId({ batches }: SandboxWorld): string {
  let number = batches.size + 1;
  const id = () => `batch_${String(number).padStart(3, '0')}`;
  while (batches.has(id())) number++;
  return id();
}
