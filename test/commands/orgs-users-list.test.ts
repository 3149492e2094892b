import { describe, expect, it } from 'vitest';
import { personForEach } from '../support/fixtures.ts';

const root = '11111111-1111-4111-8111-111111111111';
const users = `/api/v1/orgs/${root}/users`;
const someone = personForEach();

describe('iiot orgs users list', () => {
  it.each(['', '-o ndjson', '-o id', '--jq .[].userId'])('prints all users in a pipe: %s', async (words) => {
    const { exit, stdout, stderr } = await someone.iiot(`orgs users list ${words}`.trim().split(' '));
    expect([exit, stdout.split('\n').length - 1, stderr]).toEqual([0, 2000, '']);
  });

  it('shows the first 50 users at a terminal, and counts the rest', async () => {
    const { stdout, stderr } = await someone.iiot(['orgs', 'users', 'list'], { columns: 80 });
    expect(stdout + stderr).toContain('50 of 2,000 users: --all for the rest');
    expect(someone.requests).toEqual(['POST /identity/connect/token', `GET ${users}?maxResultCount=50`]);
  });

  it('prints --limit users, separated by tabs in a pipe', async () => {
    const { exit, stdout, stderr } = await someone.iiot(['orgs', 'users', 'list', '--limit', '50']);
    expect(exit).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['ada\tAda Okonkwo\tadmin', "user-0001\tMiles O'Shea\tviewer"]);
    expect(stdout.split('\n')).toHaveLength(51);
    expect(stderr).toBe('50 of 2,000 users: --all for the rest\n');
    expect(someone.requests).toEqual(['POST /identity/connect/token', `GET ${users}?maxResultCount=50`]);
  });

  it.each([
    ['USER ID', 'userId%20asc'],
    ['role:desc', 'orgRole%20desc'],
    ['orgrole', 'orgRole%20asc'],
  ])('sorts by the header %s', async (word, sorting) => {
    await someone.iiot(['orgs', 'users', 'list', '--sort', word]);
    expect(someone.requests.at(-1)).toContain(`sorting=${sorting}`);
  });

  it('sends the role, name, sorting and page of its options', async () => {
    const words = 'orgs users list --role admin --sort name:desc --skip 3 --page-size 7 --limit 7'.split(' ');
    await someone.iiot([...words, '--name', 'a b&c']);
    expect(someone.requests.at(-1)).toBe(
      `GET ${users}?skipCount=3&maxResultCount=7&sorting=name%20desc&orgRole=admin&name=a%20b%26c`,
    );
  });

  const noSort = 'error: --sort takes one of name, orgRole, userId, followed by :asc or :desc.';
  it.each([
    [['--sort', 'email'], noSort],
    [['--sort', 'name:up'], noSort],
    [['--org', 'root'], 'error: --org takes a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301.'],
  ])('refuses %j, and sends nothing', async (words, sentence) => {
    const { exit, stdout, stderr } = await someone.iiot(['orgs', 'users', 'list', ...words]);
    expect({ exit, stdout, first: stderr.split('\n')[0] }).toEqual({ exit: 2, stdout: '', first: sentence });
    expect(someone.requests).toEqual([]);
  });

  it('names the organization that is not found', async () => {
    const elsewhere = '99999999-9999-4999-8999-999999999999';
    const { exit, stderr } = await someone.iiot(['orgs', 'users', 'list', '--org', elsewhere]);
    expect([exit, stderr.split(' (from ')[0]]).toEqual([
      5,
      'error: There is no organization 99999999-9999-4999-8999-999999999999.\n' +
        'hint: Check the organization 99999999-9999-4999-8999-999999999999',
    ]);
  });
});
