import * as contract from '../../contract/channels.ts';
import { type Handler, invalidField, Refusal } from '../handler.ts';
import { changeFields, findOrganization, findRecord } from './find.ts';

export const updateChannel: Handler<typeof contract.updateChannel> = ({ orgId, channelId, body }, { world }) => {
  const organization = findOrganization(world, orgId);
  const channel = findRecord(world.channels, organization, 'Channel', channelId);
  const { templateId } = body;
  // 404 is only for the channel ("404 channel not found"), so a missing template is an invalid field.
  if (templateId !== undefined && world.templates.get(templateId)?.orgId !== channel.orgId) {
    throw invalidField('templateId', 'does not belong to a template in this organization');
  }
  // "503 channel validation failed": every update tests the new configuration, and stores nothing if that fails.
  const unreachable = unreachableAddress(body.config ?? channel.config);
  if (unreachable !== undefined) {
    const message = `The channel could not be validated: ${unreachable} does not answer.`;
    throw new Refusal(503, 'Channels:ValidationFailed', message);
  }
  changeFields(channel, body, contract.updateChannel.body);
  return { status: 200, body: channel };
};

/** The first address below `.invalid` anywhere in a configuration: RFC 2606 reserves that name for hosts that never exist. */
function unreachableAddress(value: unknown): string | undefined {
  if (typeof value === 'string') return isUnreachable(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value)
    .map(unreachableAddress)
    .find((found) => found !== undefined);
}

function isUnreachable(text: string): boolean {
  if (text.length > 2048) return false;
  const host = text.includes('://') && URL.canParse(text) ? new URL(text).hostname : text.replace(/:\d+$/, '');
  return /^[\w.-]*\.invalid\.?$/i.test(host) || host.toLowerCase() === 'invalid';
}
