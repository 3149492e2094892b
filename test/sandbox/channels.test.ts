import { describe, expect, it } from 'vitest';
import { callersForEach, root } from './browser.ts';

const path = (id: string) => `/api/v1/orgs/${root}/notifications/channels/${id}`;

const at = callersForEach();

describe('PATCH /api/v1/orgs/{orgId}/notifications/channels/{channelId}', () => {
  it('changes only the given fields', async () => {
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

  it('answers 503 for channel_unreachable until its address is corrected', async () => {
    expect((await at.admin.send('PATCH', path('channel_unreachable'), { name: 'x' })).status).toBe(503);
    const mended = { config: { url: 'https://gateway.factory.example/hook' } };
    expect((await at.admin.send('PATCH', path('channel_unreachable'), mended)).status).toBe(200);
    expect((await at.admin.send('PATCH', path('channel_unreachable'), { name: 'x' })).status).toBe(200);
  });
});
