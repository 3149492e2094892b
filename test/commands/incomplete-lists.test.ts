/** A platform that does not give all of a list: what it gave is written, and the command does not end as if that were all. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';

const newPerson = personsForEach();

/** 50 of 250, whatever is skipped, as behind a gateway that drops the query. */
const ignoring = (item: (index: number) => object) =>
  respondingWith(200, { items: Array.from({ length: 50 }, (_, index) => item(index)), totalCount: 250 });
const users = ignoring((index) => ({ userId: `u${index}`, name: 'Ada', id: index }));
const templates = ignoring((index) => ({ templateId: `t${index}`, name: 'Hot', content: 'x' }));
const list = ['orgs', 'users', 'list', '--all', '--page-size', '50'];
const error = 'error: The platform gave the same rows again for skipCount=50: received 50 of 250 rows.\n';
const hint = 'hint: This is not the whole list; see the requests with --verbose\n';

describe('a list of which a part came', () => {
  const run = (...words: string[]) => newPerson({ fetch: users }).iiot(words);

  it.each([[[]], [['-q']]])('is written, and ends with 8: %j', async (more) => {
    const { exit, stdout, stderr } = await run(...list, '-o', 'csv', ...more);
    expect([exit, stdout.split('\r\n').length, stderr]).toEqual([8, 52, `${error}${hint}HTTP 200\n`]);
  });

  it('is whole as JSON', async () => {
    const { exit, stdout, stderr } = await run(...list, '-o', 'json');
    expect([exit, JSON.parse(stdout).length]).toEqual([8, 50]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'unavailable',
      message: 'The platform gave the same rows again for skipCount=50: received 50 of 250 rows.',
      request: { method: 'GET' },
    });
  });

  it('is filtered, and ends with 8', async () => {
    expect(await run(...list, '--jq', 'length')).toMatchObject({ exit: 8, stdout: '50\n' });
  });

  it('is one where --limit asks for more than came, and none where enough came', async () => {
    const limited = (limit: string) => run('orgs', 'users', 'list', '--limit', limit, '--page-size', '50', '-o', 'id');
    expect((await limited('60')).exit).toBe(8);
    expect(await limited('50')).toMatchObject({ exit: 0, stderr: '50 of 250 users: --all for the rest\n' });
  });

  it('is one of iiot api, too', async () => {
    const { exit, stdout, stderr } = await run('api', '/api/v1/orgs/{orgId}/users', '--all', '-o', 'ndjson');
    expect([exit, stdout.split('\n').length]).toEqual([8, 51]);
    expect(JSON.parse(stderr).error.message).toMatch(/^The platform gave the same rows again for skipCount=50/);
  });
});

it('says as a notice that a row or two are missing', async () => {
  const changing: Fetch = async (url, init) => {
    if (url.endsWith('/token')) return respondingWith(200)(url, init);
    const skip = Number(new URL(url).searchParams.get('skipCount') ?? 0);
    const items = Array.from({ length: skip === 0 ? 50 : 0 }, (_, index) => ({ userId: `u${index}` }));
    return Response.json({ items, totalCount: 52 });
  };
  expect(await newPerson({ fetch: changing }).iiot([...list, '--jq', 'length'])).toEqual({
    exit: 0,
    stdout: '50\n',
    stderr: 'The platform announced 52 and gave 50: the list may have changed while it was read.\n',
  });
});

describe('templates of which a part came', () => {
  it.each(['pull', 'diff', 'push'])('are not compared with files: %s', async (verb) => {
    const someone = newPerson({ fetch: templates });
    const dir = join(someone.folder, 'templates');
    if (verb !== 'pull') await newPerson({ env: { IIOT_CONFIG_DIR: someone.folder } }).iiot(['templates', 'pull', dir]);
    const before = verb === 'pull' ? [] : readdirSync(dir);
    const { exit, stdout, stderr } = await someone.iiot(['templates', verb, dir, '--yes']);
    expect({ exit, stdout, stderr }).toEqual({ exit: 8, stdout: '', stderr: `${error}${hint}HTTP 200\n` });
    expect(someone.requests.filter((request) => request.startsWith('PATCH'))).toEqual([]);
    if (verb !== 'pull') expect(readdirSync(dir)).toEqual(before);
  });
});
