/** The time of the platform decides when a credential expires, even if the clock of this machine is wrong. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeForEach, personsForEach } from '../support/fixtures.ts';
import { type Expected, json, type Reply, scriptedPlatform } from '../support/scripted.ts';

const path = '/api/v1/oauth2/client-credentials';
const platform = madeForEach(() => scriptedPlatform());
const newPerson = personsForEach();
/** It is noon on the first of January 2026 at this machine. */
const [behind, ahead] = ['Sat, 31 Jan 2026 12:00:00 GMT', 'Wed, 01 Jan 2025 12:00:00 GMT'];
const is = (difference: string) => `This machine's clock is ${difference} the platform's; the platform's time counts.`;

const lists = (date: string, items: readonly object[] = []): Expected => ({
  ...{ method: 'GET', path },
  answer: json(200, { items, totalCount: items.length }, { date }),
});
const creates = (id: string, more: object = {}): Expected => ({
  ...{ method: 'POST', path },
  answer: json(201, { clientCredentialId: id, clientId: `client-${id}`, clientSecret: `secret-of-${id}`, ...more }),
});
const sent = () =>
  platform.received
    .filter(({ method, body }) => method === 'POST' && body.startsWith('{'))
    .map(({ body }) => JSON.parse(body).expiredAt);

const run = (...words: readonly string[]) => runWith({ IIOT_TOKEN: 'a-token' }, ...words);

function runWith(login: object, ...words: readonly string[]) {
  const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined, ...login };
  const someone = newPerson({ fetch: 'network', env: { ...env, IIOT_BASE_URL: platform.base } });
  const rows = someone.file('rows.csv', 'name,expires\na,10d\nb,2h\n');
  const given = words.map((word) => (word === 'DIR' ? join(someone.folder, 'secrets') : word === 'ROWS' ? rows : word));
  return someone.iiot(['credentials', ...given]);
}

describe('--expires with a wrong clock', () => {
  it.each([
    ['30 d behind', behind, '2026-02-10T12:00:00Z'],
    ['365 d ahead of', ahead, '2025-01-11T12:00:00Z'],
  ])('counts from the time of the platform if the clock is %s it', async (difference, date, expiredAt) => {
    platform.expect(lists(date), creates('c1'));
    const { exit, stderr } = await run('create', '--name', 'a', '--expires', '10d', '-o', 'json');
    expect([exit, stderr, sent()]).toEqual([0, `${is(difference)}\n`, [expiredAt]]);
  });

  it('lists what expires by the time of the platform, with a notice', async () => {
    platform.expect(lists(behind, [{ clientCredentialId: 'c1', expiredAt: '2026-01-30T12:00:00Z' }]));
    expect(await run('list', '--expiring-within', '5d', '-o', 'id')).toEqual({
      exit: 0,
      stdout: 'c1\n',
      stderr: "This machine's clock is 720 h behind the platform's. The platform's time counts.\n",
    });
  });

  it('uses the time of the platform, without a notice if the clocks differ by four minutes', async () => {
    platform.expect(lists('Thu, 01 Jan 2026 12:04:00 GMT'), creates('c1'));
    const { exit, stderr } = await run('create', '--name', 'a', '--expires', '10d', '-o', 'json');
    expect([exit, stderr, sent()]).toEqual([0, '', ['2026-01-11T12:04:00Z']]);
  });

  it('refuses a time that has passed on the platform', async () => {
    const token = json(200, { access_token: 't', expires_in: 60 }, { date: behind });
    platform.expect({ method: 'POST', path: '/identity/connect/token', answer: token });
    const robot = { IIOT_CLIENT_ID: 'robot', IIOT_CLIENT_SECRET: 'a-secret' };
    const words = ['create', '--name', 'a', '--expires', '2026-01-20T00:00:00Z', '-o', 'json', '-q'];
    expect(await runWith(robot, ...words)).toMatchObject({
      ...{ exit: 2, stdout: '' },
      stderr: expect.stringContaining('--expires is in the past: 2026-01-20T00:00:00Z.'),
    });
  });

  it('takes the time of a refusal, but creates nothing without a response', async () => {
    const refusal: Reply = json(403, { error: { code: '403', message: 'No.' } }, { date: behind });
    platform.expect({ method: 'GET', path, answer: refusal }, creates('c1'));
    await run('create', '--name', 'a', '--expires', '10d', '-o', 'json');
    expect(sent()).toEqual(['2026-02-10T12:00:00Z']);
    platform.expect({ method: 'GET', path, answer: 'lost' });
    const lost = await run('create', '--name', 'a', '--expires', '10d', '-o', 'json', '--retries', '0');
    expect([lost.exit, sent()]).toEqual([8, ['2026-02-10T12:00:00Z']]);
  });

  it('asks for the time once for all rows', async () => {
    platform.expect(lists(behind), creates('c1'), creates('c2'));
    const { exit, stderr } = await run('create', '--rows', 'ROWS', '--secret-dir', 'DIR', '--yes');
    expect([exit, sent()]).toEqual([0, ['2026-02-10T12:00:00Z', '2026-01-31T14:00:00Z']]);
    expect(stderr.split(is('30 d behind'))).toHaveLength(2);
  });

  it.each([
    [[], '2026-03-02T12:00:00Z'],
    [['--expires', '10d'], '2026-02-10T12:00:00Z'],
  ])('counts from the time of the platform in a rotation with %j', async (words, expiredAt) => {
    const old = { createdAt: '2026-01-01T00:00:00Z', expiredAt: '2026-01-31T00:00:00Z', scopes: [], deviceIds: [] };
    const answer = json(200, { access_token: 't', expires_in: 60 });
    const token = { method: 'POST', path: '/identity/connect/token', answer };
    const listed = lists(behind, [{ clientCredentialId: 'c0', clientId: 'm0', name: 'a', ...old }]);
    platform.expect(listed, creates('c1'), token);
    const { exit, stderr } = await run('rotate', 'c0', ...words, '--keep-old', '--yes', '-o', 'json');
    expect([exit, sent()]).toEqual([0, [expiredAt]]);
    expect(stderr.split(is('30 d behind'))).toHaveLength(2);
  });
});

describe('a credential that expires before it was created', () => {
  const dead = { createdAt: '2026-01-31T12:00:00Z', expiredAt: '2026-01-11T12:00:00Z' };
  const warning = (id: string) =>
    `Client credential ${id} expires at 2026-01-11T12:00:00Z, before it was created (2026-01-31T12:00:00Z).`;

  it('is reported when it is created, even with --quiet', async () => {
    platform.expect(lists('unreadable'), creates('c1', dead));
    const { exit, stderr } = await run('create', '--name', 'a', '--expires', '10d', '-o', 'json', '-q');
    expect([exit, stderr]).toEqual([0, `${warning('c1')}\n`]);
  });

  it('is reported for each row', async () => {
    platform.expect(lists('unreadable'), creates('c1', dead), creates('c2', dead));
    const { exit, stderr } = await run('create', '--rows', 'ROWS', '--secret-dir', 'DIR', '--yes', '-q');
    expect([exit, stderr.match(/^Client credential.*$/gm)]).toEqual([0, [warning('c1'), warning('c2')]]);
  });

  it('is reported in a rotation, which keeps the old one', async () => {
    const [token, removal] = ['/identity/connect/token', `${path}/c1`];
    platform.expect(
      lists('unreadable', [{ clientCredentialId: 'c0', clientId: 'm0', name: 'a' }]),
      creates('c1', dead),
      { method: 'POST', path: token, answer: json(404, {}) },
      { method: 'DELETE', path: removal, answer: { status: 204 } },
    );
    const { exit, stderr } = await run('rotate', 'c0', '--expires', '10d', '--yes', '-o', 'json', '-q');
    expect([exit, stderr]).toEqual([5, expect.stringContaining(warning('c1'))]);
  });
});
