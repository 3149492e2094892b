import { describe, expect, it } from 'vitest';
import { callersForEach, root } from './browser.ts';

const enabled = 'aaaaaaaa-0000-4000-8000-000000000001';
const path = (id: string) => `/api/v1/orgs/${root}/alert-policies/${id}`;

const at = callersForEach();

describe('PATCH /api/v1/orgs/{orgId}/alert-policies/{alertPolicyId}', () => {
  it('changes only the given fields, and returns the policy', async () => {
    const answer = await at.admin.send('PATCH', path(enabled), { delay: 5, alertLevel: '>= 90.5' });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        alertPolicyId: enabled,
        orgId: root,
        policyName: 'Press too hot',
        description: 'Temperature of the press',
        alertLevel: '>= 90.5',
        alertResetLevel: '<75',
        delay: 5,
        notification: {
          channelIds: ['channel_email'],
          recipients: ['shift@factory.example'],
          templateId: 'template_001',
        },
        isEnabled: true,
        dataStreamIds: ['press-0001/temperature'],
      },
    ]);
  });

  it('replaces the whole notification', async () => {
    const answer = await at.admin.send('PATCH', path(enabled), { notification: { subject: 'Hot', content: 'Look.' } });
    expect(await answer.json()).toMatchObject({ notification: { subject: 'Hot', content: 'Look.' } });
    const { notification } = (await (await at.admin.send('PATCH', path(enabled), { delay: 1 })).json()) as {
      notification: object;
    };
    expect(notification).toEqual({ subject: 'Hot', content: 'Look.' });
  });

  it('publishes only enabled policies again', async () => {
    const disabled = 'aaaaaaaa-0000-4000-8000-000000000002';
    const counts = () => [enabled, disabled].map((id) => at.platform.world.policies.get(id)?.publications);
    expect(counts()).toEqual([1, 0]);
    for (const id of [enabled, enabled, disabled]) {
      expect((await at.admin.send('PATCH', path(id), { delay: 0 })).status).toBe(200);
    }
    expect(counts()).toEqual([3, 0]);
    await at.admin.send('PATCH', path(enabled), { delay: -1 });
    expect(counts()).toEqual([3, 0]);
  });

  it.each([
    [{ delay: 0 }],
    [{ description: '' }],
    [{ notification: {} }],
    [{ notification: { templateId: 'template_045', variables: { a: 'b' } } }],
    [{ delay: 1, isEnabled: false, unknown: [1] }],
  ])('answers 200 to %j', async (body) => {
    expect((await at.admin.send('PATCH', path(enabled), body)).status).toBe(200);
  });

  it('ignores isEnabled', async () => {
    await at.admin.send('PATCH', path(enabled), { delay: 1, isEnabled: false });
    expect(at.platform.world.policies.get(enabled)?.isEnabled).toBe(true);
  });
});
