/** What each operation refuses, on one platform: it is the same afterwards. */
import { beforeAll, describe, expect, it } from 'vitest';
import { serialize } from '../../src/sandbox/world/state.ts';
import { madeForAll } from '../support/fixtures.ts';
import { complaint, faultsOf, night, refusal, root, startWithCallers } from './browser.ts';

const at = madeForAll(async () => ({ ...(await startWithCallers()), close: () => undefined }));
let before: string;
beforeAll(() => {
  before = serialize(at.platform);
});

type Row = readonly [request: string, body: unknown, expected: readonly [number, string | readonly string[]]];
/** Bodies that are refused with 400, and the fields that it names. */
const bodies = (request: string, rows: readonly (readonly [unknown, readonly string[]])[]): Row[] =>
  rows.map(([body, members]) => [request, body, [400, members]]);
/** The same of queries. */
const queries = (path: string, rows: readonly (readonly [string, readonly string[]])[]): Row[] =>
  rows.map(([query, members]) => [`GET ${path}?${query}`, undefined, [400, members]]);
const missing = (code: string, request: string, body?: unknown): Row => [request, body, [404, code]];

const nowhere = '99999999-9999-4999-8999-999999999999';
const users = `/api/v1/orgs/${root}/users`;
const batches = `POST /api/v1/orgs/${root}/batches`;
const device = (id: string) => `PUT /platform/solutions/api/v1/devices/${encodeURIComponent(id)}/custom-info`;
const notifications = `/api/v1/orgs/${root}/notifications`;
const template = `PATCH ${notifications}/templates/template_002`;
const channel = (id: string) => `PATCH ${notifications}/channels/${id}`;
const policy = (id: string, org = root) => `PATCH /api/v1/orgs/${org}/alert-policies/${id}`;
const press = policy('aaaaaaaa-0000-4000-8000-000000000001');
const credentials = '/api/v1/oauth2/client-credentials';
const remove = (orgId: string, name: string) => `DELETE /api/v1/orgs/${orgId}?orgName=${encodeURIComponent(name)}`;
const line7 = '22222222-2222-4222-8222-222222222222';
const tooHot = { templateId: 'template_001', subject: 'a', content: 'b' };
const unreachable = [503, 'Channels:ValidationFailed'] as const;

describe('the sandbox', () => {
  it.each<Row>([
    ...queries(users, [
      ['maxResultCount=0', ['maxResultCount']],
      ['maxResultCount=1001', ['maxResultCount']],
      ['maxResultCount=ten', ['maxResultCount']],
      ['maxResultCount=1.5', ['maxResultCount']],
      ['maxResultCount=', ['maxResultCount']],
      ['skipCount=-1', ['skipCount']],
      ['orgRole=owner', ['orgRole']],
      ['orgRole=', ['orgRole']],
      ['sorting=email', ['sorting']],
      ['sorting=name+up', ['sorting']],
      ['sorting=', ['sorting']],
      ['orgRole=x&maxResultCount=0', ['maxResultCount', 'orgRole']],
    ]),
    missing('OrganizationNotFound', `GET /api/v1/orgs/${nowhere}/users`),
    ['GET /api/v1/orgs/factory/users', undefined, [400, ['orgId']]],
    ...['line 7', 'Line 7 ', 'Line', ''].map((name): Row => [remove(line7, name), undefined, [400, ['orgName']]]),
    // Without a name, before it looks for the organization.
    [`DELETE /api/v1/orgs/${nowhere}`, undefined, [400, ['orgName']]],
    missing('OrganizationNotFound', remove(nowhere, 'x')),
    ...bodies(batches, [
      [{}, ['CronExpression', 'IsEnabled', 'Name', 'RunOnStartup', 'orgId']],
      [{ ...night, orgId: undefined }, ['orgId']],
      [{ ...night, Name: 'x'.repeat(101) }, ['Name']],
      [{ ...night, Name: 5 }, ['Name']],
      [{ ...night, IsEnabled: 'true' }, ['IsEnabled']],
      [{ ...night, RunOnStartup: null }, ['RunOnStartup']],
      [{ ...night, Actions: {} }, ['Actions']],
      [{ ...night, CronExpression: '0 2 * * *' }, ['CronExpression']],
      [{ ...night, CronExpression: '0 0 25 * * ?' }, ['CronExpression']],
      [{ ...night, CronExpression: '' }, ['CronExpression']],
      [{ ...night, orgId: line7 }, ['orgId']],
      [{ input: night }, ['CronExpression', 'IsEnabled', 'Name', 'RunOnStartup', 'orgId']],
    ]),
    missing('OrganizationNotFound', batches.replace(root, nowhere), { ...night, orgId: nowhere }),
    ...bodies(device('press-0001'), [
      ['{"a":1,"b":true,"c":"x"}', ['a', 'b']],
      ['{"a":{"b":"c"}}', ['a']],
      ['["a"]', ['']],
      ['null', ['']],
      ['"text"', ['']],
      ['{"a":', ['']],
      ['', ['']],
      // Deeper than 64.
      ...[64, 100_000].map((levels) => [`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`, ['']] as const),
    ]),
    missing('DeviceNotFound', device('press-9999'), { a: 'b' }),
    missing('DeviceNotFound', device('a/b'), { a: 'b' }),
    missing('DeviceNotFound', device('%zz'), { a: 'b' }),
    ...bodies(press, [
      [{}, ['']],
      [{ isEnabled: false }, ['']],
      [{ delay: -1 }, ['delay']],
      [{ delay: 1.5 }, ['delay']],
      [{ delay: '5' }, ['delay']],
      [{ policyName: 5, delay: -1 }, ['delay', 'policyName']],
      [{ alertLevel: '80' }, ['alertLevel']],
      [{ alertResetLevel: '<' }, ['alertResetLevel']],
      [{ notification: 'mail' }, ['notification']],
      [{ notification: tooHot }, ['notification.content', 'notification.subject']],
      [{ notification: { subject: 'a' } }, ['notification.content']],
      [{ notification: { channelIds: 'channel_email' } }, ['notification.channelIds']],
    ]),
    [policy('policy_1'), { delay: 1 }, [400, ['alertPolicyId']]],
    ...[['channel_email', 'channel_none'], [5], ['channel_assembly']].map((channelIds) =>
      missing('ChannelNotFound', press, { delay: 9, notification: { channelIds } }),
    ),
    ...['template_999', 'template_101'].map((templateId) =>
      missing('TemplateNotFound', press, { delay: 9, notification: { templateId } }),
    ),
    ...['aaaaaaaa-0000-4000-8000-00000000ffff', 'aaaaaaaa-0000-4000-8000-000000000009'].map((id) =>
      missing('AlertPolicyNotFound', policy(id), { delay: 1 }),
    ),
    missing('OrganizationNotFound', press.replace(root, nowhere), { delay: 1 }),
    ...queries(`${notifications}/templates`, [
      ['maxResultCount=0', ['maxResultCount']],
      ['maxResultCount=101', ['maxResultCount']],
      ['skipCount=-1', ['skipCount']],
      ['skipCount=x', ['skipCount']],
      ['channelType=sms', ['channelType']],
    ]),
    missing('OrganizationNotFound', 'GET /api/v1/orgs/nowhere/notifications/templates'),
    ...bodies(template, [
      [{ name: 'x'.repeat(201) }, ['name']],
      [{ subject: 'x'.repeat(501) }, ['subject']],
      [{ content: 'x'.repeat(50_001) }, ['content']],
      [{ name: 5, tags: 'x' }, ['name', 'tags']],
      [{ channelTypes: ['email', 'sms'] }, ['channelTypes[1]']],
      [{ content: 'Hot: {{value' }, ['content']],
    ]),
    ...['template_999', 'template_101', 'x'].map((id) =>
      missing('TemplateNotFound', `PATCH ${notifications}/templates/${id}`, {}),
    ),
    ...bodies(channel('channel_email'), [
      [{ channelType: 'sms' }, ['channelType']],
      [{ isEnabled: 'yes', name: 1 }, ['isEnabled', 'name']],
      [{ config: 'x' }, ['config']],
      [{ recipients: 'a@b.example' }, ['recipients']],
      [{ templateId: 'template_999' }, ['templateId']],
    ]),
    ...['channel_none', 'channel_assembly'].map((id) => missing('ChannelNotFound', channel(id), {})),
    // The outside world does not respond.
    [channel('channel_webhook'), { name: 'New', config: { url: 'https://hooks.factory.invalid/x' } }, unreachable],
    [channel('channel_webhook'), { config: { servers: [{ host: 'smtp.factory.invalid:25' }] } }, unreachable],
    [channel('channel_webhook'), { config: { host: 'INVALID' } }, unreachable],
    ...bodies(`POST ${credentials}`, [
      [{}, ['name']],
      [{ name: 5 }, ['name']],
      [{ name: 'a', expiredAt: 'tomorrow' }, ['expiredAt']],
      [{ name: 'a', expiredAt: '2026-02-30T00:00:00Z' }, ['expiredAt']],
      [{ name: 'a', expiredAt: '2026-02-20T00:00:00' }, ['expiredAt']],
      [{ name: 'a', scopes: 'x', deviceIds: [1] }, ['deviceIds[0]', 'scopes']],
    ]),
    missing('ClientCredentialNotFound', `DELETE ${credentials}/credential_999`),
    ...bodies('POST /sandbox/clock', [
      [{}, ['add']],
      [{ add: '1h' }, ['add']],
      [{ add: 1.5 }, ['add']],
      [{ add: 1e15 }, ['add']],
    ]),
  ])('refuses %s (%#)', async (request, body, expected) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await at.admin.send(method, path, body);
    expect(response.headers.get('retry-after')).toBe(null);
    expect(await (response.status === 400 ? complaint : refusal)(response)).toEqual(expected);
  });

  const storage = '77777777-7777-4777-8777-777777777777';
  it.each([
    ['a caller who is no admin of it', 'viewer', line7, 'Line 7', 'NotAdmin'],
    ['a caller who is no admin of one without users', 'admin', storage, 'Storage', 'NotAdmin'],
    ['a root organization', 'admin', root, 'Factory', 'IsRoot'],
    ['sub-organizations', 'admin', '44444444-4444-4444-8444-444444444444', 'North Hall', 'HasSubOrganizations'],
    ['devices', 'admin', '33333333-3333-4333-8333-333333333333', 'Assembly', 'HasDevices'],
    ['other users', 'admin', '66666666-6666-4666-8666-666666666666', 'Paint Shop', 'HasOtherUsers'],
    ['users, where a machine asks', 'machine', line7, 'Line 7', 'HasOtherUsers'],
  ] as const)('refuses to delete an organization with 403 because of %s', async (_, caller, orgId, name, code) => {
    const [method = '', path = ''] = remove(orgId, name).split(' ');
    expect(await refusal(await at[caller].send(method, path))).toEqual([403, `Organizations:${code}`]);
  });

  it('changes nothing when it refuses requests', () => {
    expect(serialize(at.platform)).toBe(before);
  });
});

it("the sandbox answers with problem details if errors is 'problem-details'", async () => {
  const { admin } = await startWithCallers({ errors: 'problem-details', faults: faultsOf('GET /down=503') });
  const read = async (answer: Promise<Response>) => {
    const response = await answer;
    return [response.headers.get('content-type'), await response.json()];
  };
  const type = 'application/problem+json; charset=utf-8';
  const [method = '', path = ''] = press.split(' ');
  expect(await read(admin.send(method, path, { delay: '5', notification: { templateId: 'x', subject: 'a' } }))).toEqual(
    [
      type,
      {
        title: 'One or more validation errors occurred.',
        status: 400,
        errors: {
          '$.delay': ['delay takes a whole number, 0 or more.'],
          'Notification.Subject': [expect.stringContaining('cannot be given together')],
          'Notification.Content': ['notification.content is required with subject.'],
        },
      },
    ],
  );
  expect(await read(admin.get(`/api/v1/orgs/${nowhere}/users`))).toEqual([
    type,
    { title: `There is no organization ${nowhere}.`, status: 404 },
  ]);
  expect(await read(admin.get('/down'))).toEqual([
    type,
    { title: 'A fault of the sandbox: 503, as --fault asks for.', status: 503 },
  ]);
});
