import { describe, expect, it } from 'vitest';
import { callersForEach, logIn, root, startPlatform, startWithCallers } from './browser.ts';

type Page = { totalCount: number; items: { userId: string; name: string; orgRole: string }[] };
const users = `/api/v1/orgs/${root}/users`;

const at = callersForEach();

describe('GET /api/v1/orgs/{orgId}/users', () => {
  async function list(query: string): Promise<Page> {
    const answer = await at.machine.get(users + query);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Page;
  }
  const idsOf = ({ items }: Page) => items.map(({ userId }) => userId);

  it('lists the first ten users with the total count', async () => {
    const page = await list('');
    expect(page.totalCount).toBe(120);
    expect(page.items).toHaveLength(10);
    const ada = { userId: 'ada', name: 'Ada Okonkwo', orgRole: 'admin', email: 'ada@factory.example' };
    expect(page.items[0]).toEqual(ada);
  });

  it('supports skipCount and maxResultCount', async () => {
    const all = idsOf(await list('?maxResultCount=1000'));
    expect(all).toHaveLength(120);
    expect(idsOf(await list('?skipCount=7&maxResultCount=3'))).toEqual(all.slice(7, 10));
    expect(idsOf(await list('?skipCount=118&maxResultCount=1000'))).toEqual(all.slice(118));
    expect(await list('?skipCount=500')).toEqual({ totalCount: 120, items: [] });
  });

  it.each(['admin', 'operator', 'viewer'])('filters by the role %s', async (role) => {
    const all = await list('?maxResultCount=1000');
    const page = await list(`?maxResultCount=1000&orgRole=${role}`);
    expect(page.items).toEqual(all.items.filter(({ orgRole }) => orgRole === role));
    expect(page.items.length).toBeGreaterThan(0);
  });

  it.each([
    ['okon', ['ada']],
    ['OKON', ['ada']],
    ['山田', ['user-0068']],
    ["O'She", ['user-0001']],
    ['🛠', ['user-0060']],
    ['.*', []],
  ])('filters by a part of the name: %s', async (name, expected) => {
    expect(idsOf(await list(`?name=${encodeURIComponent(name)}`))).toEqual(expected);
  });

  it.each(['name', 'name asc', 'name desc', 'orgRole desc', 'userId DESC'])('sorts by "%s"', async (sorting) => {
    const { items } = await list(`?maxResultCount=1000&sorting=${encodeURIComponent(sorting)}`);
    const field = sorting.split(' ')[0] as 'name' | 'orgRole' | 'userId'; // the words above begin with these
    const values = items.map((item) => item[field].toLowerCase());
    const sorted = values.toSorted();
    expect([values.length, values]).toEqual([120, /desc/i.test(sorting) ? sorted.toReversed() : sorted]);
  });

  it.each([
    '11111111111141118111111111111111',
    '{11111111-1111-4111-8111-111111111111}',
    '(11111111-1111-4111-8111-111111111111)',
    '{0x11111111,0x1111,0x4111,{0x81,0x11,0x11,0x11,0x11,0x11,0x11,0x11}}',
  ])('accepts the organization ID as %s', async (orgId) => {
    expect((await at.admin.get(`/api/v1/orgs/${encodeURIComponent(orgId)}/users`)).status).toBe(200);
  });

  it('checks the token first, then the query, then the organization', async () => {
    const path = '/api/v1/orgs/99999999-9999-4999-8999-999999999999/users?orgRole=owner';
    expect((await at.browse().get(path)).status).toBe(401);
    expect((await at.admin.get(path)).status).toBe(400);
  });
});

describe('DELETE /api/v1/orgs/{orgId}', () => {
  const remove = (orgId: string, name: string) => `/api/v1/orgs/${orgId}?orgName=${encodeURIComponent(name)}`;
  const empty = '22222222-2222-4222-8222-222222222222';

  it('answers 204 and deletes the organization', async () => {
    const answer = await at.admin.send('DELETE', remove(empty, 'Line 7'));
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await at.admin.send('DELETE', remove(empty, 'Line 7'))).status).toBe(404);
    expect((await at.admin.get(`/api/v1/orgs/${empty}/users`)).status).toBe(404);
  });

  it('deletes a parent organization after its child', async () => {
    const child = remove('55555555-5555-4555-8555-555555555555', 'North Hall, Line 1');
    for (const path of [child, remove('44444444-4444-4444-8444-444444444444', 'North Hall')])
      expect((await at.admin.send('DELETE', path)).status).toBe(204);
  });

  it('lets a machine delete an organization that has no users', async () => {
    const path = remove('77777777-7777-4777-8777-777777777777', 'Storage');
    expect((await at.admin.send('DELETE', path)).status).toBe(403);
    expect((await at.machine.send('DELETE', path)).status).toBe(204);
  });

  it('compares the name character by character', async () => {
    const orgId = '88888888-8888-4888-8888-888888888888';
    const name = "Café Su\u0308d & O'Brien \u200e東京";
    expect((await at.admin.send('DELETE', remove(orgId, name.normalize('NFC')))).status).toBe(400);
    expect((await at.admin.send('DELETE', remove(orgId, name))).status).toBe(204);
  });
});

describe('the data of a sandbox', () => {
  it('is the same for the same seed only', async () => {
    const names = async (seed: number) => {
      const { browse } = startPlatform({ seed });
      const admin = browse((await logIn(browse())).accessToken);
      const page = (await (await admin.get(`${users}?maxResultCount=1000`)).json()) as Page;
      return page.items.map(({ name }) => name).join('|');
    };
    const [one, again, other] = [await names(1), await names(1), await names(2)];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it('contains names that are hard to display', async () => {
    const { items } = (await (await at.admin.get(`${users}?maxResultCount=1000`)).json()) as Page;
    const all = items.map(({ name }) => name).join('\n');
    const signs = ["O'Shea", '🛠️', '\u001b[31m', '\u202e', '<b ', '山田', 'משה', '\t', 'e\u0301', '=HYPERLINK'];
    expect(signs.filter((sign) => !all.includes(sign))).toEqual([]);
  });

  it.each([1, 2])('starts with sixty ordinary, different names for the seed %i', async (seed) => {
    const { admin } = await startWithCallers({ seed });
    const { items } = (await (await admin.get(`${users}?maxResultCount=60`)).json()) as Page;
    const names = items.map(({ name }) => name);
    expect(names.filter((name) => !/^[\p{Script=Latin}]+(?:[ '-][\p{Script=Latin}]+)+$/u.test(name))).toEqual([]);
    expect([names.length, new Set(names).size, items.at(-1)?.userId]).toEqual([60, 60, 'user-0059']);
  });
});
