import type { Context } from '../command/context.ts';
import { readJsonFile } from '../command/read-file.ts';
import { withNotFound } from '../command/target.ts';
import { updatePolicy } from '../contract/policies.ts';
import { boolean, text } from '../contract/shared.ts';
import { usage } from '../failure.ts';
import { fieldsOf, type JsonRecord } from '../text/record.ts';
import { rowsOf } from './rows/rows-of.ts';
import { type PartlyGiven, updateCommand } from './update.ts';

const update = updateCommand({
  operation: updatePolicy,
  noun: 'alert policy',
  description: `${updatePolicy.description} Asks first if only part is given.`,
  flags: {
    contentFile: text('File of the body; replaces the whole notification', { sets: 'content', value: 'FILE' }),
    clearDescription: boolean('Empty the description', { sets: 'description' }),
    clearSubject: boolean('Empty the inline subject; replaces the notification', { sets: 'subject' }),
    clearContent: boolean('Empty the inline body; replaces the notification', { sets: 'content' }),
    notificationFile: text('JSON file that replaces the whole notification', { value: 'FILE' }),
  },
  examples: {
    'iiot policies update aaaaaaaa-0000-4000-8000-000000000001 --alert-level ">80" --delay 5m':
      'Alert above 80, after five minutes',
    'iiot policies update --rows alarms.xlsx --dry-run': 'One policy per row, all checked first; see iiot help rows',
  },
  rows: rowsOf({ one: 'alert policy', many: 'alert policies', key: 'alertPolicyId' }),
  complete: addNotification,
  part: partialNotification,
  /** A 404 may be about the policy, the organization, or something that the notification refers to. */
  explain(failure, { id, orgId, body }) {
    if (failure.kind !== 'not_found') return failure;
    const notification = fieldsOf(body).get('notification');
    const may = [`alert policy ${id}`, ...(notification ? ['a channel or the template of the notification'] : [])];
    const hint = `Not found in organization ${orgId}: ${may.join(', or ')}. Check the IDs and --org`;
    const named = fieldsOf(Object(notification));
    return withNotFound(failure, [id, orgId, named.get('templateId'), named.get('channelIds')].flat(), hint);
  },
});

async function addNotification(body: object, { notificationFile: file }: JsonRecord, context: Context) {
  if (file === undefined) return body;
  if (fieldsOf(body).has('notification'))
    throw usage(
      '--notification-file is the whole notification and cannot be combined with another option.',
      'Give one or the other',
    );
  return { ...body, notification: await readJsonFile(String(file), '--notification-file', context) };
}

/** A notification is complete with channels and either a template or a subject with content. */
function partialNotification(body: object, { notificationFile, bodyFile }: JsonRecord): PartlyGiven {
  const isTyped = notificationFile === undefined && bodyFile === undefined;
  const notification = fieldsOf(body).get('notification');
  const given = fieldsOf(Object(notification));
  const lacksChannels = !given.has('channelIds');
  const lacksText = !given.has('templateId') && !given.has('content');
  const missing = [
    ...(lacksChannels ? ['channels'] : []),
    ...(given.has('recipients') ? [] : ['recipients']),
    ...(lacksText ? ['template', 'content'] : []),
    ...(given.has('templateId') && !given.has('variables') ? ['variables'] : []),
  ];
  return {
    field: 'notification',
    missing,
    goesTo: isTyped ? [] : { recipients: given.get('recipients') },
    asks: isTyped && notification !== undefined && (lacksChannels || lacksText),
  };
}

export const commands = [update];
