/** A platform that does not return all of a list: what it returns is written, and the command fails. */
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
const repeated = ' for skipCount=50: received 50 of 250 rows.';
const incomplete = expect.stringMatching(`^error: [^\n]*${repeated.replaceAll('.', '\\.')}\nhint: [^\n]*\nHTTP 200\n$`);

describe('an incomplete list', () => {
  const run = (...words: string[]) => newPerson({ fetch: users }).iiot(words);

  it.each([[[]], [['-q']]])('is written, and the command exits with 8: %j', async (more) => {
    const { exit, stdout, stderr } = await run(...list, '-o', 'csv', ...more);
    expect([exit, stdout.split('\r\n').length, stderr]).toEqual([8, 52, incomplete]);
  });

  it('is valid JSON', async () => {
    const { exit, stdout, stderr } = await run(...list, '-o', 'json');
    expect([exit, JSON.parse(stdout).length]).toEqual([8, 50]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(repeated),
      request: { method: 'GET' },
    });
  });

  it('is filtered, and the command exits with 8', async () => {
    expect(await run(...list, '--jq', 'length')).toMatchObject({ exit: 8, stdout: '50\n' });
  });

  it('is enough if --limit asks for no more than came', async () => {
    const limited = (limit: string) => run('orgs', 'users', 'list', '--limit', limit, '--page-size', '50', '-o', 'id');
    expect((await limited('60')).exit).toBe(8);
    expect(await limited('50')).toMatchObject({ exit: 0, stderr: '50 of 250 users: --all for the rest\n' });
  });

  it('is reported by iiot api', async () => {
    const { exit, stdout, stderr } = await run('api', '/api/v1/orgs/{orgId}/users', '--all', '-o', 'ndjson');
    expect([exit, stdout.split('\n').length]).toEqual([8, 51]);
    expect(JSON.parse(stderr).error.message).toContain(repeated);
  });
});

/** A platform whose users u0 and u1 are deleted, in the first `changes` readings, once the first page is read. */
const changing = (changes: number): Fetch => {
  let readings = 0;
  return async (url, init) => {
    if (url.endsWith('/token')) return respondingWith(200)(url, init);
    const skip = Number(new URL(url).searchParams.get('skipCount') ?? 0);
    if (skip === 0) readings += 1;
    const gone = (readings > 1 ? 2 : 0) + (skip > 0 && readings <= changes ? 2 : 0);
    const all = Array.from({ length: 1500 - gone }, (_, index) => ({ userId: `u${index + gone}`, orgRole: 'viewer' }));
    return Response.json({ items: all.slice(skip, skip + 1000), totalCount: all.length });
  };
};

it('a list that changes while it is read is reported', async () => {
  const { exit, stdout, stderr } = await newPerson({ fetch: changing(1) }).iiot([...list, '--jq', 'length']);
  expect([exit, stdout]).toEqual([8, '1498\n']);
  expect(stderr).toContain('error: The list changed ');
});

it('iiot orgs users diff reads a changing list again until it is complete', async () => {
  const saved = JSON.stringify(
    Array.from({ length: 1500 }, (_, index) => ({ userId: `u${index}`, orgRole: 'viewer' })),
  );
  const compare = async (changes: number) => {
    const someone = newPerson({ fetch: changing(changes) });
    const then = someone.file('then.json', saved);
    const { exit, stdout } = await someone.iiot(['orgs', 'users', 'diff', then, '-o', 'id']);
    return [exit, stdout];
  };
  expect(await compare(1)).toEqual([10, 'u0\nu1\n']);
  expect(await compare(9)).toEqual([8, '']);
});

it.each(['pull', 'diff', 'push'])(
  'an incomplete list of templates is not compared with files by templates %s',
  async (verb) => {
    const someone = newPerson({ fetch: templates });
    const dir = join(someone.folder, 'templates');
    if (verb !== 'pull') await newPerson({ env: { IIOT_CONFIG_DIR: someone.folder } }).iiot(['templates', 'pull', dir]);
    const before = verb === 'pull' ? [] : readdirSync(dir);
    const { exit, stdout, stderr } = await someone.iiot(['templates', verb, dir, '--yes']);
    expect({ exit, stdout, stderr }).toEqual({ exit: 8, stdout: '', stderr: incomplete });
    expect(someone.requests.filter((request) => request.startsWith('PATCH'))).toEqual([]);
    if (verb !== 'pull') expect(readdirSync(dir)).toEqual(before);
  },
);
