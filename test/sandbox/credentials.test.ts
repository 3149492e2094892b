import { describe, expect, it } from 'vitest';
import { type Browser, callersForEach, machineToken, root } from './browser.ts';

const path = '/api/v1/oauth2/client-credentials';
const users = `/api/v1/orgs/${root}/users`;
type Created = { clientCredentialId: string; clientId: string; clientSecret: string };

async function create(admin: Browser, body: object): Promise<Created> {
  const answer = await admin.send('POST', path, body);
  expect(answer.status).toBe(201);
  return (await answer.json()) as Created;
}

const at = callersForEach();

describe('POST /api/v1/oauth2/client-credentials', () => {
  it('answers 201 with the six fields of the interface', async () => {
    const answer = await at.admin.send('POST', path, { name: 'Pipeline', expiredAt: '2026-12-31T23:59:59+09:00' });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      {
        clientCredentialId: expect.stringMatching(/^credential_[\w-]{12}$/),
        clientId: expect.stringMatching(/^client-[\w-]{12}$/),
        clientSecret: expect.stringMatching(/^[\w-]{43}$/),
        name: 'Pipeline',
        createdAt: '2026-01-15T08:00:00.000Z',
        expiredAt: '2026-12-31T14:59:59.000Z',
      },
    ]);
  });

  it.each([[{ name: 'a' }], [{ name: 'a', expiredAt: null }]])(
    'creates a credential without expiry for %j',
    async (body) => {
      expect(await create(at.admin, body)).toMatchObject({ expiredAt: null });
    },
  );
});

it('GET /api/v1/oauth2/client-credentials lists the credentials without secrets', async () => {
  const { clientCredentialId, clientId, clientSecret } = await create(at.admin, { name: 'Second', scopes: ['read'] });
  const answer = await at.admin.get(path);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    totalCount: 2,
    items: [
      {
        clientCredentialId: 'credential_001',
        clientId: 'sandbox-machine',
        name: 'Sandbox machine',
        createdAt: '2026-01-01T00:00:00.000Z',
        expiredAt: null,
        scopes: [],
        deviceIds: [],
      },
      {
        clientCredentialId,
        clientId,
        name: 'Second',
        createdAt: '2026-01-15T08:00:00.000Z',
        expiredAt: null,
        scopes: ['read'],
        deviceIds: [],
      },
    ],
  });
  expect(text).not.toContain(clientSecret);
});

describe('DELETE /api/v1/oauth2/client-credentials/{clientCredentialId}', () => {
  it('answers 204 and revokes only the tokens of that credential', async () => {
    const { clientCredentialId, clientId, clientSecret } = await create(at.admin, { name: 'Doomed' });
    const first = at.browse((await machineToken(at.browse(), clientId, clientSecret)).access_token);
    const second = at.browse((await machineToken(at.browse(), clientId, clientSecret)).access_token);
    expect([(await first.get(users)).status, (await second.get(users)).status]).toEqual([200, 200]);
    const answer = await at.admin.send('DELETE', `${path}/${clientCredentialId}`);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect([(await first.get(users)).status, (await second.get(users)).status]).toEqual([401, 401]);
    expect(await machineToken(at.browse(), clientId, clientSecret)).toMatchObject({ error: 'invalid_client' });
    expect((await at.machine.get(users)).status).toBe(200);
  });

  it('lets a credential delete itself', async () => {
    expect((await at.machine.send('DELETE', `${path}/credential_001`)).status).toBe(204);
    expect((await at.machine.send('DELETE', `${path}/credential_001`)).status).toBe(401);
  });
});
