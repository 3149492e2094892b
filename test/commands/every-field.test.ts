/** Fields of the platform that iiot does not know. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/network/fetch.ts';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';

const users = ['orgs', 'users', 'list'];
const someone = personForEach();
const newPerson = personsForEach();

it('the csv output has the same fields as JSON for the history', async () => {
  await someone.iiot(['templates', 'update', 'template_001', '--subject', 'Hot']);
  const { stdout } = await someone.iiot(['history', '-o', 'csv']);
  const json = JSON.parse((await someone.iiot(['history', '-o', 'json'])).stdout);
  const names = Object.keys(json[0]).map((name) => (name === 'subject' ? 'subject.id' : name));
  expect(stdout.split('\r\n')[0]?.split(',').sort()).toEqual(names.sort());
  expect(stdout).toMatch(/^id,at,profile,orgId,account,operation,/);
});

it.each([[['--columns', 'all']], [['--columns', 'all', '-o', 'csv']], [['-o', 'json']]])(
  'the list of credentials has no secret that the platform sends: %j',
  async (words) => {
    const secrets = { clientSecret: 's3cret', secret: 's3cret', access_token: 's3cret' };
    const listed = { clientCredentialId: 'c1', name: 'ci', ...secrets, owner: 'ada' };
    const { iiot } = newPerson({
      fetch: respondingWith(200, [{ ...listed, vault: { password: 's3cret', at: 'x' } }]),
    });
    const { stdout, stderr } = await iiot(['credentials', 'list', ...words]);
    expect(stdout).toContain('ada');
    expect(stdout).toContain('{');
    expect(`${stdout}${stderr}`).not.toContain('s3cret');
    expect((await iiot(['credentials', 'list'], { columns: 80 })).stderr).toBe(
      'Not shown: owner, vault (use --columns all)\n',
    );
  },
);

describe('a field that first comes on a later page', () => {
  const items = [
    { userId: 'u1', name: 'Ada', orgRole: 'admin' },
    { userId: 'u2', name: 'Bob', orgRole: 'viewer', phone: null, email: 'bob@x.example', 'shoe\u001bsize': 44 },
  ];
  const last = { userId: 'u3', name: 'Cy', orgRole: 'viewer', n: { k: 9007199254740993n } };
  /** A page for each of three users, of which those from `broken` on cannot be had. */
  const platform =
    (broken = 3): Fetch =>
    async (url, init) => {
      const skip = Number(new URL(url).searchParams.get('skipCount') ?? 0);
      const page = JSON.stringify([...items, last][skip], (_, value) => (typeof value === 'bigint' ? '@' : value));
      const body = `{"items":[${page.replace('"@"', '9007199254740993')}],"totalCount":3}`;
      return respondingWith(skip < broken ? 200 : 500, body, { 'content-type': 'application/json' })(url, init);
    };
  const listFrom = (fetch: Fetch, ...words: string[]) =>
    newPerson({ fetch }).iiot([...users, '--all', '--page-size', '1', '--retries', '0', ...words]);
  const list = (...words: string[]) => listFrom(platform(), ...words);
  const done = (stdout: string) => ({ exit: 0, stdout, stderr: '' });
  const csv =
    'userId,name,orgRole,phone,email,shoe\u001bsize,n\r\nu1,Ada,admin,,,,\r\n' +
    'u2,Bob,viewer,,bob@x.example,44,\r\nu3,Cy,viewer,,,,"{""k"":9007199254740993}"\r\n';

  it('is in the header, and empty in the rows of earlier pages', async () => {
    expect(await list('-o', 'csv')).toEqual(done(csv));
    expect(await list('-o', 'csv', '--columns', 'all', '--for-spreadsheet')).toEqual(done(`\ufeff${csv}`));
    const table = 'u1\tAda\tadmin\nu2\tBob\tviewer\nu3\tCy\tviewer\n';
    expect(await list()).toEqual(done(table));
    expect((await list('--columns', 'all')).stdout).toContain('\nu2\tBob\tviewer\t\tbob@x.example\t44\t\n');
    expect(await list('-o', 'csv', '--columns', 'userId')).toEqual(done('userId\r\nu1\r\nu2\r\nu3\r\n'));
  });

  it('can be chosen as a column', async () => {
    expect(await list('-o', 'csv', '--columns', 'userId,email')).toEqual(
      done('userId,email\r\nu1,\r\nu2,bob@x.example\r\nu3,\r\n'),
    );
    expect((await list('--columns', 'n.k,Email')).stdout).toBe('\t\n\tbob@x.example\n9007199254740993\t\n');
  });

  it('is refused as a column if no page has it', async () => {
    expect(await list('-o', 'csv', '--columns', 'userId,emial')).toEqual({
      ...{ exit: 2, stdout: '' },
      stderr:
        'error: The result has no column "emial".\n' +
        'hint: Columns: userId, name, orgRole, phone, email, shoe\\u{1b}size, n\n',
    });
  });

  it('is in the output if a later page fails', async () => {
    const { exit, stdout, stderr } = await listFrom(platform(2), '-o', 'csv');
    const read = csv.split('\r\n').slice(0, 3);
    expect([exit, stdout]).toEqual([8, read.map((line) => `${line.replace(/,(n|)$/, '')}\r\n`).join('')]);
    expect(stderr).toContain(' The list was cut off after 2 of 3 users.');
  });

  it('is not refused as an unknown column if the page that may have it fails', async () => {
    const { exit, stdout, stderr } = await listFrom(platform(1), '-o', 'csv', '--columns', 'email');
    expect([exit, stdout, stderr]).toEqual([8, '', expect.stringContaining('cut off after 1 of 3 users.')]);
  });
});

describe('a table at a terminal', () => {
  it('names the fields that it does not show, and shows them with --columns all', async () => {
    const [narrow, all] = await Promise.all([
      someone.iiot([...users, '--limit', '2'], { columns: 80 }),
      someone.iiot([...users, '--limit', '2', '--columns', 'all'], { columns: 80 }),
    ]);
    const cut = '2 of 2,000 users\n';
    expect(narrow.stdout.split('\n')[0]).toBe('USER ID    NAME          ROLE');
    expect(narrow.stderr).toBe(`Not shown: email (use --columns all)\n${cut}`);
    expect(all).toEqual({
      exit: 0,
      stdout: [
        'USER ID    NAME          ROLE    email',
        'ada        Ada Okonkwo   admin   ada@factory.example',
        "user-0001  Miles O'Shea  viewer  user-0001@factory.example",
        '',
      ].join('\n'),
      stderr: cut,
    });
  });

  it('names at most twelve fields that it does not show, and wraps them', async () => {
    const named = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`attribute${at}`, at]));
    const { iiot } = newPerson({ fetch: respondingWith(200, { items: [{ userId: 'u1', ...named }], totalCount: 1 }) });
    expect((await iiot(users, { columns: 60 })).stderr).toBe(
      [
        'Not shown: attribute0, attribute1, attribute2, attribute3,',
        'attribute4, attribute5, attribute6, attribute7, attribute8,',
        'attribute9, attribute10, attribute11 and 18 more (use',
        '--columns all)',
        '',
      ].join('\n'),
    );
  });
});

it('--columns all with json is refused, with a hint that json has every field', async () => {
  const { exit, stderr } = await someone.iiot([...users, '--columns', 'all', '-o', 'json']);
  expect(exit).toBe(2);
  expect(JSON.parse(stderr).error.hint).toBe('Leave out --columns: every field is there.');
});

it('--columns all has the secret of a new credential', async () => {
  const create = ['credentials', 'create', '--name', 'ci', '-o', 'csv', '--columns'];
  expect((await someone.iiot([...create, 'all'])).stdout).toMatch(/,clientSecret\r\n.*,[\w-]{43}\r\n$/);
  expect((await someone.iiot([...create, 'name'])).exit).toBe(2);
});

describe('Tab after --columns', () => {
  const offered = async (word: string) =>
    (await someone.iiot(['__complete', 'fish', ...users, '--columns', word])).stdout.split('\0').slice(1, -1);

  it('offers the known fields and those that the platform has sent before', async () => {
    expect(await offered('')).toEqual(['userId\t', 'name\t', 'orgRole\t', 'all\t']);
    await someone.iiot([...users, '--limit', '1'], { columns: 80 });
    expect(await offered('')).toEqual(['userId\t', 'name\t', 'orgRole\t', 'all\t', 'email\t']);
    expect(await offered('email,')).toEqual(['email,userId\t', 'email,name\t', 'email,orgRole\t', 'email,all\t']);
    expect(readFileSync(join(someone.folder, 'seen.json'), 'utf8')).not.toContain('ada@factory.example');
  });

  it('offers only names that can be columns, of the same platform', async () => {
    const item = { userId: 'u1', 'a,b': 1, 'tab\t': 1, ['x'.repeat(101)]: 1, 'shoe size': 44 };
    const other = newPerson({ fetch: respondingWith(200, { items: [item], totalCount: 1 }) });
    await other.iiot(users, { columns: 80 });
    const tab = async (env = {}) =>
      (await other.iiot(['__complete', 'fish', ...users, '--columns', ''], { env })).stdout;
    expect((await tab()).split('\0').slice(5, -1)).toEqual(['shoe size\t']);
    expect(await tab({ IIOT_BASE_URL: 'https://elsewhere.example' })).not.toContain('shoe');
  });
});
