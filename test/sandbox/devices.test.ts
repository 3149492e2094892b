import { describe, expect, it } from 'vitest';
import { callersForEach, infoOf, machineToken } from './browser.ts';

const at = callersForEach();

describe('PUT /platform/solutions/api/v1/devices/{deviceId}/custom-info', () => {
  it('answers 204 and changes only the given keys', async () => {
    const device = at.platform.world.devices.get('press-0001');
    const before = Object.fromEntries(device?.customInfo ?? []);
    const answer = await at.admin.send('PUT', infoOf('press-0001'), { line: '9', note: null, empty: '' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(Object.fromEntries(device?.customInfo ?? [])).toEqual({ ...before, line: '9', note: null, empty: '' });
    expect(before).toEqual({ line: expect.stringMatching(/^[1-6]$/), inspectedBy: null });
  });

  it.each([
    'Hall 3/Press 7',
    '100%',
    'a%2Fb',
    'ライン-1',
    'plus+amp&hash#query?',
    '"quoted"',
    'semi;colon,comma',
    '.hidden',
    'c:\\line\\4',
  ])('finds the device with the ID %s', async (deviceId) => {
    expect((await at.machine.send('PUT', infoOf(deviceId), { seen: 'yes' })).status).toBe(204);
    expect(at.platform.world.devices.get(deviceId)?.customInfo.get('seen')).toBe('yes');
  });

  it('answers 403 to a credential for other devices', async () => {
    const created = await at.admin.send('POST', '/api/v1/oauth2/client-credentials', {
      name: 'one press',
      deviceIds: ['press-0001'],
    });
    const { clientId, clientSecret } = (await created.json()) as { clientId: string; clientSecret: string };
    const limited = at.browse((await machineToken(at.browse(), clientId, clientSecret)).access_token);
    expect((await limited.send('PUT', infoOf('press-0001'), { a: 'b' })).status).toBe(204);
    expect((await limited.send('PUT', infoOf('press-0002'), { a: 'b' })).status).toBe(403);
    expect((await limited.send('PUT', infoOf('press-9999'), { a: 'b' })).status).toBe(404);
  });
});

describe('any request body', () => {
  it('is refused with 413 if it is larger than 28 MiB', async () => {
    const limit = 28 * 1024 * 1024;
    const text = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect((await at.admin.send('PUT', infoOf('press-0001'), text(limit))).status).toBe(204);
    expect(at.platform.world.devices.get('press-0001')?.customInfo.get('a')).toHaveLength(limit - 8);
    expect((await at.admin.send('PUT', infoOf('press-0001'), text(limit + 1))).status).toBe(413);
  });

  it('is refused with 415 if it is not JSON', async () => {
    const answer = await at.admin.send('PUT', infoOf('press-0001'), '{"a":"b"}', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  it('may have a charset, or another JSON media type', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json']) {
      expect((await at.admin.send('PUT', infoOf('press-0001'), '{"a":"b"}', { 'content-type': type })).status).toBe(
        204,
      );
    }
  });
});
