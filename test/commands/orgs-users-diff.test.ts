import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personForEach, personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, worked } from '../support/seen.ts';

const someone = personForEach({ users: 60 });
const newPerson = personsForEach();
const diff = (stdin: string, ...words: string[]) => someone.iiot(['orgs', 'users', 'diff', '-', ...words], { stdin });
const users = async (...words: string[]) => (await someone.iiot(['orgs', 'users', 'list', ...words])).stdout;

const hint = 'hint: Save a snapshot: iiot orgs users list --snapshot FILE';
const same = 'the IDs and roles of 60 users are the same.';
const home = '11111111-1111-4111-8111-111111111111';
const other = '33333333-3333-4333-8333-333333333333';

describe('iiot orgs users diff', () => {
  it('exits with 0 if nothing has changed, in any order', async () => {
    const saved = JSON.parse(await users('--all', '-o', 'json'));
    expect(await diff(JSON.stringify(saved.toReversed()))).toEqual(
      worked(
        '',
        `Note: standard input does not say whose users it has. ${hint.replace('hint: ', '')}`,
        `Nothing has changed: ${same}`,
      ),
    );
    expect(await diff(JSON.stringify(saved), '-o', 'json', '-q')).toEqual(worked('[]\n'));
    expect(new Set(someone.sent.map(({ request }) => request.split(' ')[0]))).toEqual(new Set(['GET']));
  });

  it('reads names of fields in any letter case, and compares only roles', async () => {
    const saved = await users('--all', '--jq', '[.[] | {user_id: .userId, Name: "Somebody", OrgRole: .orgRole}]');
    expect((await diff(saved)).exit).toBe(0);
  });

  it.each([['json'], ['ndjson'], ['csv']])('reads a list that was saved as %s', async (format) => {
    expect((await diff(await users('--all', '-o', format))).exit).toBe(0);
  });

  it('suggests --role if all saved users have one role', async () => {
    const { exit, stderr } = await diff(await users('--role', 'admin', '-o', 'json'));
    expect([exit, stderr.split('\n')[1]]).toEqual([
      10,
      'Every user in standard input has the role admin. If saved with --role, add --role admin.',
    ]);
    expect((await diff(await users('--role', 'admin', '-o', 'json'), '--role', 'admin')).exit).toBe(0);
    expect((await diff(await users('--limit', '30', '-o', 'json'))).stderr).not.toContain('--role');
  });

  it('notes that a removed ID looks like an added one', async () => {
    const { stderr } = await diff((await users('--all', '-o', 'json')).replace('user-0001', 'user‐0001'));
    expect(stderr).toMatch(/^Note: the ID "\S+" differs from "\S+" only in dashes\.$/m);
  });

  it('compares only users of its organization', async () => {
    const all = await users('--all', '-o', 'json');
    const listed = (orgId: string, more: object) =>
      JSON.parse(all).map((user: object) => ({ orgId, ...user, ...more }));
    const saved = [...listed(home.toUpperCase(), {}), ...listed(other, { orgRole: 'viewer' })];
    expect((await diff(JSON.stringify(saved))).exit).toBe(0);
    const changed = [...listed(home, {}).slice(1), ...listed(other, {})];
    expect(JSON.parse((await diff(JSON.stringify(changed), '-o', 'json')).stdout)).toMatchObject([{ change: 'added' }]);
  });

  const noId = 'standard input: a user has no ID, and cannot be compared.';
  const noList = 'standard input is not a list of users as JSON, NDJSON or csv.';
  const ofOthers = (whose: string) => `standard input: it has users of ${whose}, and none of this one.`;
  it.each([
    ['{}', noId],
    ['[', noList],
    ['- userId: a\n  orgRole: admin\n', noList],
    ['a\tAda "A" L.\tadmin\n', noList],
    ['[{"name":"Ada"}]', noId],
    [
      '[{"userId":"a","orgRole":"admin"},{"userId":"a","orgRole":"viewer"}]',
      'standard input: user a is in it twice. Is it a list of several organizations?',
    ],
    [`[{"orgId":"${other}","userId":"a"}]`, ofOthers(`organization ${other}`)],
    ['[{"userId":"a","name":"Ada"}]', 'standard input: no user in it has an orgRole, so roles cannot be compared.'],
    ['change,userId,orgRole\nadded,a,admin\n', 'standard input: it is a list of differences, and not of users.'],
    ['[{"profile":"plant","userId":"a"}]', ofOthers('profile plant')],
  ])('refuses %s, and sends nothing', async (saved, sentence) => {
    expect(await diff(saved)).toEqual(failed(2, `error: ${sentence}`, hint));
    expect(someone.requests).toEqual([]);
  });

  it('refuses a workbook', async () => {
    const seen = await someone.iiot(['orgs', 'users', 'diff', 'test/files/fleet.xlsx']);
    expect(seen).toEqual(failed(2, 'error: test/files/fleet.xlsx: workbooks are not read.', hint));
  });

  it('refuses a list without a user of this organization', async () => {
    const sentence = `none of its users is in organization ${home}. Was it saved for another one?`;
    expect(await diff('[{"userId":"x","orgRole":"admin"}]')).toEqual(
      failed(2, `error: standard input: ${sentence}`, hint),
    );
  });

  it('fails if the platform returns a part of the list', async () => {
    const items = [{ userId: 'ada', name: 'Ada', orgRole: 'admin' }];
    const other = newPerson({ fetch: respondingWith(200, { items, totalCount: 2 }) });
    const { exit, stdout, stderr } = await other.iiot(['orgs', 'users', 'diff', '-'], { stdin: JSON.stringify(items) });
    expect([exit, stdout, stderr]).toEqual([8, '', expect.stringContaining('received 1 of 2 rows.')]);
  });
});

describe('a snapshot of iiot orgs users list', () => {
  const inFolder = () => join(someone.folder, 'users.json');
  const save = (...words: string[]) => someone.iiot(['orgs', 'users', 'list', '--snapshot', inFolder(), ...words]);
  const saved = () => JSON.parse(readFileSync(inFolder(), 'utf8'));
  const compare = (...words: string[]) => someone.iiot(['orgs', 'users', 'diff', inFolder(), ...words]);
  const inShort = async (...words: string[]) => {
    const { exit, stdout } = await compare(
      '--jq',
      '.[] | [.change, .userId, .previousOrgRole, .orgRole] | @csv',
      ...words,
    );
    return [exit, stdout.trim().replaceAll('"', '').split('\n')];
  };
  it('has all users, their organization, platform and time, in a private file', async () => {
    expect(await save('--limit', '1', '-o', 'id')).toEqual(
      worked('ada\n', `Saved 60 users of organization ${home} in ${inFolder()}.`, '1 of 60 users'),
    );
    const { organization, platform, filters, time, users } = saved();
    expect([organization, platform, filters, time, users.length, statSync(inFolder()).mode & 0o777]).toEqual([
      home,
      { base: 'http://127.0.0.1:1', tenantId: expect.any(String), clientId: 'sandbox-machine' },
      {},
      '2026-01-01T12:00:00.000Z',
      60,
      0o600,
    ]);
    expect(await compare()).toEqual(worked('', `Nothing has changed since 2026-01-01T12:00:00.000Z: ${same}`));
  });

  it('can be an empty list', async () => {
    writeFileSync(inFolder(), '[]');
    const { stderr } = await compare('-o', 'id');
    expect(stderr).not.toContain('undefined');
  });

  it('replaces only a snapshot of the same users', async () => {
    expect((await save('--role', 'admin')).exit).toBe(0);
    expect((await save('--role', 'admin', '--sort', 'name')).exit).toBe(0);
    const sentence = `error: ${inFolder()} already exists and is not a snapshot of these users.`;
    const refusal = failed(2, sentence, `hint: Choose another name, or remove it first: rm ${inFolder()}`);
    const before = saved();
    for (const words of [[], ['--role', 'viewer'], ['--role', 'admin', '--org', other]])
      expect(await save(...words)).toEqual(refusal);
    expect(saved()).toEqual(before);
    writeFileSync(inFolder(), await users('-o', 'json'));
    expect(await save()).toEqual(refusal);
    const { stderr } = await someone.iiot(['orgs', 'users', 'list', '--snapshot', '-']);
    expect(stderr).toContain('hint: To print the list: -o json');
  });

  it.each([
    ['organization', { org: other }, `organization ${other}, and not of organization ${home}.`, `add --org ${other}`],
    [
      'platform',
      { base: 'https://other.example' },
      `organization ${home} at https://other.example, tenant TENANT, and not of organization ${home} at http://127.0.0.1:1, tenant TENANT.`,
      `log in there, and add --org ${home}`,
    ],
    [
      'tenant',
      { tenantId: 'other' },
      `organization ${home} at http://127.0.0.1:1, tenant other, and not of organization ${home} at http://127.0.0.1:1, tenant TENANT.`,
      `log in there, and add --org ${home}`,
    ],
  ])('is refused by another %s', async (_, more, words, way) => {
    await save('-q');
    const { organization, platform } = saved();
    const { org = organization, ...elsewhere } = more as { org?: string };
    writeFileSync(
      inFolder(),
      JSON.stringify({ ...saved(), organization: org, platform: { ...platform, ...elsewhere } }),
    );
    const withTenant = (text: string) => text.replaceAll('TENANT', platform.tenantId);
    expect(await compare()).toEqual(
      failed(
        2,
        `error: ${inFolder()} is a snapshot of ${withTenant(words)}`,
        `hint: To compare with it, ${withTenant(way)}`,
      ),
    );
  });

  it('leads to changes of one role with --role', async () => {
    await save('-q');
    const roles: Readonly<Record<string, string>> = { ada: 'viewer', 'user-0002': 'admin' };
    const then = saved().users.flatMap((user: { userId: string; orgRole: string }) =>
      user.userId === 'user-0001' ? [] : [{ ...user, orgRole: roles[user.userId] ?? user.orgRole }],
    );
    const gone = { userId: 'gone', orgRole: 'admin' };
    writeFileSync(inFolder(), JSON.stringify({ ...saved(), users: [...then, gone] }));
    const [won, added, lost] = [
      'role_changed,ada,viewer,admin',
      'added,user-0001,,viewer',
      'role_changed,user-0002,admin,operator',
    ];
    expect(await inShort()).toEqual([10, [won, added, lost, 'removed,gone,admin,']]);
    expect(await inShort('--role', 'admin')).toEqual([10, [won, lost, 'removed,gone,admin,']]);
    expect(await inShort('--role', 'operator')).toEqual([10, [lost]]);
  });

  it('is compared with its own filters', async () => {
    await save('-q', '--role', 'admin', '--name', 'a');
    const count = saved().users.length;
    expect(await compare()).toMatchObject({ exit: 0, stderr: expect.stringContaining(` ${count} users are the same`) });
    const sentence = `error: ${inFolder()} has only users with the role admin.`;
    expect(await compare('--role', 'viewer')).toEqual(failed(2, sentence, 'hint: Leave out --role viewer'));
  });
});
