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
    expect(await diff(JSON.stringify(saved.toReversed()))).toEqual(worked('', 'Nothing has changed.'));
    expect(await diff(JSON.stringify(saved), '-o', 'json')).toEqual(worked('[]\n'));
    expect(new Set(someone.sent.map(({ request }) => request.split(' ')[0]))).toEqual(new Set(['GET']));
  });

  it('reads names of fields in any case, and compares roles alone', async () => {
    const saved = await users('--all', '--jq', '[.[] | {user_id: .userId, Name: "Somebody", OrgRole: .orgRole}]');
    expect((await diff(saved)).exit).toBe(0);
  });

  it('says what the list may be if it is not the saved one', async () => {
    const first = await users('-o', 'json');
    expect((await diff(first, '-o', 'id')).stderr).toContain('standard input has 50 users: was it saved with --all?\n');
    const other = await diff('[{"userId":"x","orgRole":"admin"}]', '-o', 'id');
    expect([other.exit, other.stdout.split('\n').length, other.stderr]).toEqual([
      9,
      62,
      'Nobody of standard input is in organization 11111111-1111-4111-8111-111111111111: is it of another one?\n' +
        '61 differences from standard input.\n',
    ]);
  });

  const hint = 'hint: Save one: iiot orgs users list --all -o json > snapshot.json';
  it.each([
    ['{}', 'error: standard input is not a JSON list of users.', hint],
    ['[', 'error: standard input is not a JSON list of users.', hint],
    [
      '[{"name":"Ada"}]',
      'error: standard input: a user has no ID, and cannot be compared.',
      'hint: See iiot orgs users diff --help',
    ],
  ])('refuses %s, and sends nothing', async (saved, sentence, next) => {
    expect(await diff(saved)).toEqual(failed(2, sentence, next));
    expect(someone.requests).toEqual([]);
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
