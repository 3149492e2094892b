import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, worked } from '../support/seen.ts';

const someone = personForEach({ users: 60 });
const newPerson = personsForEach();
const diff = (stdin: string, ...words: string[]) => someone.iiot(['orgs', 'users', 'diff', '-', ...words], { stdin });
const users = async (...words: string[]) => (await someone.iiot(['orgs', 'users', 'list', ...words])).stdout;

describe('iiot orgs users diff', () => {
  it('ends with 0 if nothing has changed, in whatever order, and reads only', async () => {
    const saved = JSON.parse(await users('--all', '-o', 'json'));
    expect(await diff(JSON.stringify(saved.toReversed()))).toEqual(
      worked('', 'Nothing has changed: the IDs and roles of 60 users are the same.'),
    );
    expect(await diff(JSON.stringify(saved), '-o', 'json')).toEqual(worked('[]\n'));
    expect(new Set(someone.sent.map(({ request }) => request.split(' ')[0]))).toEqual(new Set(['GET']));
  });

  it('reads names of fields in any case, and compares roles alone', async () => {
    const saved = await users('--all', '--jq', '[.[] | {user_id: .userId, Name: "Somebody", OrgRole: .orgRole}]');
    expect((await diff(saved)).exit).toBe(0);
  });

  it.each([['json'], ['ndjson'], ['csv']])('takes what the list wrote as %s', async (format) => {
    expect((await diff(await users('--all', '-o', format))).exit).toBe(0);
  });

  it('says that a list of one role alone may have been saved with --role', async () => {
    const { exit, stderr } = await diff(await users('--role', 'admin', '-o', 'json'));
    expect([exit, stderr.split('\n')[0]]).toEqual([
      10,
      'Every user in standard input has the role admin. If saved with --role, the added ones may not be new.',
    ]);
    expect((await diff(await users('--limit', '30', '-o', 'json'))).stderr).not.toContain('--role');
  });

  it('says that an ID that is gone looks like one that is new', async () => {
    const { stderr } = await diff((await users('--all', '-o', 'json')).replace('user-0001', 'user‐0001'));
    expect(stderr).toMatch(/^Note: the ID "\S+" differs from "\S+" only in dashes\.$/m);
  });

  it('compares only its own users of what each saved for several organizations', async () => {
    const all = await users('--all', '-o', 'json');
    const listed = (orgId: string, more: object) =>
      JSON.parse(all).map((user: object) => ({ orgId, ...user, ...more }));
    const saved = [...listed(home.toUpperCase(), {}), ...listed(other, { orgRole: 'viewer' })];
    expect((await diff(JSON.stringify(saved))).exit).toBe(0);
    const changed = [...listed(home, {}).slice(1), ...listed(other, {})];
    expect(JSON.parse((await diff(JSON.stringify(changed), '-o', 'json')).stdout)).toMatchObject([{ change: 'added' }]);
  });

  const home = '11111111-1111-4111-8111-111111111111';
  const other = '33333333-3333-4333-8333-333333333333';
  const hint = 'hint: Save one: iiot orgs users list -o json > snapshot.json';
  it.each([
    ['{}', 'standard input: a user has no ID, and cannot be compared.'],
    ['[', 'standard input is not a list of users as JSON, NDJSON or csv.'],
    ['- userId: a\n  orgRole: admin\n', 'standard input is not a list of users as JSON, NDJSON or csv.'],
    ['a\tAda "A" L.\tadmin\n', 'standard input is not a list of users as JSON, NDJSON or csv.'],
    ['[{"name":"Ada"}]', 'standard input: a user has no ID, and cannot be compared.'],
    [
      '[{"userId":"a","orgRole":"admin"},{"userId":"a","orgRole":"viewer"}]',
      'standard input: user a is in it twice. Is it a list of several organizations?',
    ],
    [
      `[{"orgId":"${other}","userId":"a"}]`,
      `standard input: it has users of organization ${other}, and none of this one.`,
    ],
    ['[{"userId":"a","name":"Ada"}]', 'standard input: no user in it has an orgRole, so roles cannot be compared.'],
    ['change,userId,orgRole\nadded,a,admin\n', 'standard input: it is a list of differences, and not of users.'],
    ['[{"profile":"plant","userId":"a"}]', 'standard input: it has users of profile plant, and none of this one.'],
  ])('refuses %s, and sends nothing', async (saved, sentence) => {
    expect(await diff(saved)).toEqual(failed(2, `error: ${sentence}`, hint));
    expect(someone.requests).toEqual([]);
  });

  it('refuses a list with nobody of this organization', async () => {
    const sentence = `none of its users is in organization ${home}. Was it saved for another one?`;
    expect(await diff('[{"userId":"x","orgRole":"admin"}]')).toEqual(
      failed(2, `error: standard input: ${sentence}`, hint),
    );
  });

  it('takes no part of the list for the whole', async () => {
    const items = [{ userId: 'ada', name: 'Ada', orgRole: 'admin' }];
    const other = newPerson({ fetch: respondingWith(200, { items, totalCount: 2 }) });
    const { exit, stdout, stderr } = await other.iiot(['orgs', 'users', 'diff', '-'], { stdin: JSON.stringify(items) });
    expect([exit, stdout, stderr.split('\n')[0]]).toEqual([
      8,
      '',
      'error: The platform gave the same rows again for skipCount=1: received 1 of 2 rows.',
    ]);
  });
});
