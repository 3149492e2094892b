import { describe, expect, it } from 'vitest';
import { callersForEach, complaint, night, refusal, root, startWithCallers } from './browser.ts';

const path = `/api/v1/orgs/${root}/batches`;

const at = callersForEach();

describe('POST /api/v1/orgs/{orgId}/batches', () => {
  it('answers 201 with the batch', async () => {
    const answer = await at.admin.send('POST', path, { ...night, Actions: [{ type: 'report' }, 5] });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      {
        batchId: 'batch_001',
        orgId: root,
        name: 'Night report',
        cronExpression: '0 0 2 * * ?',
        isEnabled: true,
        runOnStartup: false,
        actions: [{ type: 'report' }, 5],
        createdAt: '2026-01-15T08:00:00.000Z',
      },
    ]);
  });

  it.each([[{ Name: 'x'.repeat(100) }], [{ CronExpression: '0 0 2 * * ? 2030' }], [{ Actions: [] }]])(
    'answers 201 to %j',
    async (fields) => {
      expect((await at.admin.send('POST', path, { ...night, ...fields })).status).toBe(201);
    },
  );

  it('answers 409 to a name that exists in the organization', async () => {
    const assembly = '33333333-3333-4333-8333-333333333333';
    expect((await at.admin.send('POST', path, night)).status).toBe(201);
    expect(await refusal(await at.admin.send('POST', path, night))).toEqual([409, 'Batches:NameExists']);
    expect((await at.admin.send('POST', path, { ...night, Name: 'night report' })).status).toBe(201);
    const elsewhere = await at.admin.send('POST', `/api/v1/orgs/${assembly}/batches`, { ...night, orgId: assembly });
    expect(elsewhere.status).toBe(201);
  });

  it("reads the fields inside input with batchBody: 'input'", async () => {
    const { admin } = await startWithCallers({ batchBody: 'input' });
    expect(await complaint(await admin.send('POST', path, night))).toEqual([400, ['input']]);
    expect((await admin.send('POST', path, { input: night })).status).toBe(201);
    expect(await complaint(await admin.send('POST', path, { input: { ...night, Name: 1 } }))).toEqual([400, ['Name']]);
  });
});
