import { bodyOf } from '../command/body.ts';
import type { Change } from '../command/change.ts';
import { command } from '../command/command.ts';
import { readJsonFile } from '../command/read-file.ts';
import { organization, withNotFound } from '../command/target.ts';
import { updatePolicy } from '../contract/policies.ts';
import { type Failure, usage } from '../failure.ts';
import { fieldsOf } from '../text/record.ts';
import { contentOf, type PartlyGiven, updateChange, updateSchema } from './update.ts';

const update = command({
  name: 'policies update',
  operation: updatePolicy,
  description: `${updatePolicy.description} Asks first if only a part of a notification is given.`,
  changes: 'final',
  result: updateSchema('alertPolicyId', updatePolicy),
  arguments: { alertPolicyId: { type: 'string', description: 'Alert policy (UUID)' } },
  flags: {
    contentFile: {
      type: 'string',
      value: 'FILE',
      description: 'File with the inline body; replaces the whole notification; - is standard input',
    },
    notificationFile: {
      type: 'string',
      value: 'FILE',
      description: 'JSON file that replaces the whole notification; - is standard input',
    },
  },
  examples: [
    {
      line: 'iiot policies update aaaaaaaa-0000-4000-8000-000000000001 --alert-level ">80" --delay 5m',
      says: 'Raise the alarm later',
    },
    {
      line: 'iiot policies update aaaaaaaa-0000-4000-8000-000000000001 --channel-id channel_email --template-id template_001 --var line=3',
      says: 'Replace the whole notification with a template',
    },
  ],
  async run(input, context): Promise<Change> {
    const { alertPolicyId } = input;
    const orgId = organization(context);
    const body = await bodyOf(update, input, context, async () => ({ content: await contentOf(input, context) }));
    const whole =
      input.notificationFile === undefined ? body : await withNotification(body, input.notificationFile, context);
    const isTyped = input.notificationFile === undefined && input.bodyFile === undefined;
    const part = partOf(whole, isTyped);
    const subject = { noun: 'alert policy', field: 'alertPolicyId', id: alertPolicyId, part };
    return {
      ...updateChange(update, updatePolicy, subject, whole, context),
      explain: (failure) => explain(failure, alertPolicyId, orgId, fieldsOf(whole).get('notification')),
    };
  },
});

async function withNotification(
  body: object,
  file: string,
  context: Parameters<typeof readJsonFile>[2],
): Promise<object> {
  if (replaces(body)) {
    throw usage(
      '--notification-file is the whole notification and cannot be combined with another option.',
      'Give one or the other',
    );
  }
  return { ...body, notification: await readJsonFile(file, '--notification-file', context) };
}

/** A notification is complete with channels and either a template or a subject with content. */
function partOf(body: object, isTyped: boolean): PartlyGiven {
  const given = fieldsOf(Object(fieldsOf(body).get('notification')));
  const lacksChannels = !given.has('channelIds');
  const lacksText = !given.has('templateId') && !given.has('content');
  const missing = [
    ...(lacksChannels ? ['channels'] : []),
    ...(given.has('recipients') ? [] : ['recipients']),
    ...(lacksText ? ['template', 'content'] : []),
  ];
  return { field: 'notification', missing, asks: isTyped && replaces(body) && (lacksChannels || lacksText) };
}

function replaces(body: object): boolean {
  return fieldsOf(body).has('notification');
}

/** 404 may be about the policy, the organization, or something that the notification refers to. */
function explain(failure: Failure, alertPolicyId: string, orgId: string, notification: unknown): Failure {
  if (failure.kind !== 'not_found') return failure;
  const may = [
    `alert policy ${alertPolicyId}`,
    ...(notification ? ['a channel or the template of the notification'] : []),
  ];
  const hint = `Not found in organization ${orgId}: ${may.join(', or ')}. Check the IDs and --org`;
  const named = typeof notification === 'object' && notification !== null ? fieldsOf(notification) : new Map();
  const ids = [alertPolicyId, orgId, named.get('templateId'), named.get('channelIds')].flat();
  return withNotFound(failure, ids, hint);
}

export const commands = [update];
