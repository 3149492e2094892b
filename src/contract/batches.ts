import { operation } from './operation.ts';
import { orgId } from './shared.ts';

export const createBatch = operation({
  id: 'batches.create',
  summary: 'Create a scheduled batch',
  description:
    'Creates a batch that the platform runs at the times of a Quartz cron expression. Names are unique: a name that exists is a conflict.',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/batches',
  security: 'bearer',
  params: { orgId },
  // "an object named input": the DTO itself is sent, since a binder's parameter name is no part of the JSON; a profile's batchBody=input wraps it.
  body: {
    title: 'CreateUpdateBatchByOrgIdDto',
    type: 'object',
    description: 'The batch',
    required: ['orgId', 'Name', 'CronExpression', 'IsEnabled', 'RunOnStartup'],
    properties: {
      orgId: { type: 'string', description: 'Organization' },
      Name: { type: 'string', maxLength: 100, description: 'Name, unique' },
      CronExpression: {
        type: 'string',
        format: 'quartz',
        flag: 'cron',
        description: 'Quartz cron expression: seconds first, six or seven parts',
      },
      IsEnabled: {
        type: 'boolean',
        flag: 'enabled',
        negative: 'disabled',
        description: 'Whether the batch is enabled',
      },
      RunOnStartup: {
        type: 'boolean',
        negative: 'no-run-on-startup',
        description: 'Whether the batch runs on startup',
      },
      // The interface does not show an action's shape: any JSON value is one.
      Actions: { type: 'array', items: { description: 'Action' }, flag: 'actions-file', description: 'Batch actions' },
    },
  },
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

export const operations = [createBatch] as const;
