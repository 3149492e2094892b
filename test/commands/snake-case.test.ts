/** Platforms that write user_id where the interface writes userId: tables, csv, IDs and filters read them alike. */
import { expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';

const newPerson = personsForEach();
const users = respondingWith(200, {
  items: [
    { user_id: 'ada', name: 'Ada', org_role: 'admin', e_mail: 'ada@factory.example' },
    { user_id: 'bob', name: 'Bob', org_role: 'viewer', e_mail: null },
  ],
  total_count: 2,
});
const credentials = respondingWith(200, {
  items: [
    { client_credential_id: 'c1', name: 'old', expired_at: '2020-01-01T00:00:00Z' },
    { client_credential_id: 'c2', name: 'new' },
  ],
});

it.each([
  [['-o', 'table'], 'ada\tAda\tadmin\nbob\tBob\tviewer\n'],
  [['-o', 'id'], 'ada\nbob\n'],
  [['-o', 'csv'], 'userId,name,orgRole,e_mail\r\nada,Ada,admin,ada@factory.example\r\nbob,Bob,viewer,\r\n'],
  [['--columns', 'orgRole,e_mail'], 'admin\tada@factory.example\nviewer\t\n'],
  [['--jq', '.[0].user_id'], 'ada\n'],
])('iiot orgs users list reads user_id as userId with %j', async (words, stdout) => {
  const run = newPerson({ fetch: users }).iiot(['orgs', 'users', 'list', ...words]);
  expect(await run).toEqual({ exit: 0, stdout, stderr: '' });
});

it('iiot credentials list --expiring-within reads expired_at as expiredAt', async () => {
  const words = ['credentials', 'list', '--expiring-within', '30d', '-o', 'id'];
  expect(await newPerson({ fetch: credentials }).iiot(words)).toEqual({ exit: 0, stdout: 'c1\n', stderr: '' });
});
