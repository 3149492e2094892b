import { describe, expect, it } from 'vitest';
import { callersForEach, complaint, refusal, root, startWithCallers } from './browser.ts';

const path = `/api/v1/orgs/${root}/batches`;
const night = {
  orgId: root,
  Name: 'Night report',
  CronExpression: '0 0 2 * * ?',
  IsEnabled: true,
  RunOnStartup: false,
};

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

  it.each(['orgId', 'Name', 'CronExpression', 'IsEnabled', 'RunOnStartup'])('answers 400 without %s', async (field) => {
    const { [field as keyof typeof night]: _, ...body } = night; // the names above are its keys
    expect(await complaint(await at.admin.send('POST', path, body))).toEqual([400, [field]]);
  });

  it('tells all missing fields at once', async () => {
    const members = ['CronExpression', 'IsEnabled', 'Name', 'RunOnStartup', 'orgId'];
    expect(await complaint(await at.admin.send('POST', path, {}))).toEqual([400, members]);
  });

  it.each([
    [{ Name: 'x'.repeat(101) }, ['Name']],
    [{ Name: 5 }, ['Name']],
    [{ IsEnabled: 'true' }, ['IsEnabled']],
    [{ RunOnStartup: null }, ['RunOnStartup']],
    [{ Actions: {} }, ['Actions']],
    [{ CronExpression: '0 2 * * *' }, ['CronExpression']],
    [{ CronExpression: '0 0 25 * * ?' }, ['CronExpression']],
    [{ CronExpression: '' }, ['CronExpression']],
    [{ orgId: '22222222-2222-4222-8222-222222222222' }, ['orgId']],
  ])('answers 400 to %j', async (fields, members) => {
    expect(await complaint(await at.admin.send('POST', path, { ...night, ...fields }))).toEqual([400, members]);
  });

  it.each([[{ Name: 'x'.repeat(100) }], [{ CronExpression: '0 0 2 * * ? 2030' }], [{ Actions: [] }]])(
    'answers 201 to %j',
    async (fields) => {
      expect((await at.admin.send('POST', path, { ...night, ...fields })).status).toBe(201);
    },
  );

  it('answers 404 to an organization that is not there', async () => {
    const orgId = '99999999-9999-4999-8999-999999999999';
    const answer = await at.admin.send('POST', `/api/v1/orgs/${orgId}/batches`, { ...night, orgId });
    expect(await refusal(answer)).toEqual([404, 'OrganizationNotFound']);
  });

  it('answers 409 to a name that the organization has, and 201 to it in another one', async () => {
    const assembly = '33333333-3333-4333-8333-333333333333';
    expect((await at.admin.send('POST', path, night)).status).toBe(201);
    expect(await refusal(await at.admin.send('POST', path, night))).toEqual([409, 'Batches:NameExists']);
    expect((await at.admin.send('POST', path, { ...night, Name: 'night report' })).status).toBe(201);
    const elsewhere = await at.admin.send('POST', `/api/v1/orgs/${assembly}/batches`, { ...night, orgId: assembly });
    expect(elsewhere.status).toBe(201);
  });

  it('reads the body inside input where the platform is told to', async () => {
    const { admin } = await startWithCallers({ batchBody: 'input' });
    expect(await complaint(await admin.send('POST', path, night))).toEqual([400, ['input']]);
    expect((await admin.send('POST', path, { input: night })).status).toBe(201);
    expect(await complaint(await admin.send('POST', path, { input: { ...night, Name: 1 } }))).toEqual([400, ['Name']]);
  });

  it('does not read it so otherwise', async () => {
    expect((await at.admin.send('POST', path, { input: night })).status).toBe(400);
  });
});
