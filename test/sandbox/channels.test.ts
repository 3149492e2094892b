import { describe, expect, it } from 'vitest';
import { callersForEach, complaint, refusal, root } from './browser.ts';

const path = (id: string) => `/api/v1/orgs/${root}/notifications/channels/${id}`;

const at = callersForEach();

describe('PATCH /api/v1/orgs/{orgId}/notifications/channels/{channelId}', () => {
  it('changes the given fields alone', async () => {
    const answer = await at.admin.send('PATCH', path('channel_webhook'), { isEnabled: true, tags: ['a'] });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        channelId: 'channel_webhook',
        orgId: root,
        name: 'Ticket system',
        channelType: 'webhook',
        description: 'Opens a ticket',
        isEnabled: true,
        commonSettings: { timeout: 30, retryAttempts: 3, retryDelay: 5 },
        config: { url: 'https://tickets.factory.example/hook' },
        templateId: null,
        recipients: [],
        tags: ['a'],
      },
    ]);
  });

  it.each([
    [{}],
    [{ channelType: 'teams', config: { anything: [1, { goes: true }] } }],
    [{ commonSettings: { timeout: '30s', retryAttempts: 1 } }],
    [{ templateId: 'template_001', recipients: ['a@b.example'] }],
  ])('answers 200 to %j', async (body) => {
    expect((await at.admin.send('PATCH', path('channel_email'), body)).status).toBe(200);
  });

  it.each([
    [{ channelType: 'sms' }, ['channelType']],
    [{ isEnabled: 'yes', name: 1 }, ['isEnabled', 'name']],
    [{ config: 'x' }, ['config']],
    [{ recipients: 'a@b.example' }, ['recipients']],
    [{ templateId: 'template_999' }, ['templateId']],
  ])('answers 400 to %j', async (body, members) => {
    expect(await complaint(await at.admin.send('PATCH', path('channel_email'), body))).toEqual([400, members]);
  });

  it('answers 404 to a channel that is not there, or in another organization', async () => {
    for (const id of ['channel_none', 'channel_assembly']) {
      expect(await refusal(await at.admin.send('PATCH', path(id), {}))).toEqual([404, 'ChannelNotFound']);
    }
  });

  it.each([
    [{ config: { url: 'https://hooks.factory.invalid/x' } }],
    [{ config: { servers: [{ host: 'smtp.factory.invalid:25' }] } }],
    [{ config: { host: 'INVALID' } }],
  ])('answers 503 and stores nothing where the outside world does not answer: %j', async (body) => {
    const before = structuredClone(at.platform.world.channels.get('channel_webhook'));
    const answer = await at.admin.send('PATCH', path('channel_webhook'), { name: 'New', ...body });
    expect(await refusal(answer)).toEqual([503, 'Channels:ValidationFailed']);
    expect(answer.headers.get('retry-after')).toBe(null);
    expect(at.platform.world.channels.get('channel_webhook')).toEqual(before);
  });

  it('answers 503 for the seeded channel_unreachable until its address is mended', async () => {
    expect((await at.admin.send('PATCH', path('channel_unreachable'), { name: 'x' })).status).toBe(503);
    const mended = { config: { url: 'https://gateway.factory.example/hook' } };
    expect((await at.admin.send('PATCH', path('channel_unreachable'), mended)).status).toBe(200);
    expect((await at.admin.send('PATCH', path('channel_unreachable'), { name: 'x' })).status).toBe(200);
  });
});
