import { operation } from './operation.ts';
import { boolean, object, orgId, text } from './shared.ts';

export const createBatch = operation({
  id: 'batches.create',
  summary: 'Create a scheduled batch',
  description:
    'Creates a batch that the platform runs at the times of a Quartz cron expression. Names are unique: a name that exists is a conflict.',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/batches',
  security: 'bearer',
  params: { orgId },
  // "an object named input": the DTO itself is sent, since a binder's parameter name is not part of the JSON. A profile's batchBody=input wraps it.
  body: object(
    'The batch',
    {
      orgId: text('Organization'),
      Name: text('Name, unique', { maxLength: 100 }),
      CronExpression: text('Quartz cron expression: seconds first, six or seven parts', {
        format: 'quartz',
        flag: 'cron',
      }),
      IsEnabled: boolean('Whether the batch is enabled', { flag: 'enabled', negative: 'disabled' }),
      RunOnStartup: boolean('Whether the batch runs on startup', { negative: 'no-run-on-startup' }),
      // The interface does not show the shape of an action, so any JSON value is accepted.
      Actions: { type: 'array', items: { description: 'Action' }, flag: 'actions-file', description: 'Batch actions' },
    },
    {
      title: 'CreateUpdateBatchByOrgIdDto',
      required: ['orgId', 'Name', 'CronExpression', 'IsEnabled', 'RunOnStartup'],
    },
  ),
  wrapper: 'input',
  // Names are unique, so a repeat gets 409 if an earlier attempt has created the batch.
  repeat: 'always',
  responses: {
    201: 'Created',
    400: 'Missing or invalid fields',
    404: 'Organization not found',
    409: 'A batch with this name already exists',
  },
  responseSchema: {
    title: 'BatchDto',
    type: 'object',
    description: 'The batch; the interface does not show its fields',
  },
});
