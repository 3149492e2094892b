import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownersName } from '../../src/files/owner.ts';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

const here = { osUser: userInfo().username, sudoUser: null, host: hostname() };
const root = '11111111-1111-4111-8111-111111111111';
const newPerson = personsForEach();
let someone: Person;

beforeEach(() => {
  someone = newPerson();
});

const file = (name = 'history.ndjson') => join(someone.folder, name);
const policy = 'aaaaaaaa-0000-4000-8000-000000000001';
const batch = ['batches', 'create', '--cron', '0 0 2 * * ?', '--enabled', '--no-run-on-startup'];
const withFile = ['channels', 'update', 'channel_email'];
const setInfo = ['devices', 'custom-info', 'set', 'press-0001'];
const disable = ['channels', 'update', 'channel_email', '--disabled'];

async function entries(...words: string[]) {
  const { stdout } = await someone.iiot(['history', ...words, '-o', 'json']);
  return JSON.parse(stdout);
}

describe('iiot history', () => {
  it('tells when, through which profile, as whom, what was changed, and the answer', async () => {
    await someone.iiot(disable);
    someone.advance(60_000);
    await someone.iiot([...setInfo, 'secretly=CANARY']);
    const by = {
      ...{ profile: 'default', account: 'sandbox-machine', baseUrl: 'http://127.0.0.1:1' },
      ...{ tenant: null, tenantId: '7e7a7e7a-0000-4000-8000-000000000001', flow: 'm2m' },
    };
    const none = { rows: null, sha256: null, ids: null, error: null, ...here };
    const device = {
      operation: 'devices.customInfo.set',
      subject: { type: 'device', id: 'press-0001' },
      fields: ['secretly'],
    };
    const channel = {
      operation: 'channels.update',
      subject: { type: 'channel', id: 'channel_email' },
      fields: ['isEnabled'],
    };
    const [first, later] = ['2026-01-01T12:00:00.000Z', '2026-01-01T12:01:00.000Z'];
    expect(await entries()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{7}$/),
        at: later,
        ...by,
        ...none,
        orgId: null,
        ...device,
        outcome: 'done',
        status: 204,
        requestId: 'request-000003',
        looked: null,
      },
      {
        id: expect.stringMatching(/^[0-9a-f]{7}$/),
        at: first,
        ...by,
        ...none,
        orgId: root,
        ...channel,
        outcome: 'done',
        status: 200,
        requestId: 'request-000002',
        looked: null,
      },
    ]);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/CANARY|sandbox-secret/);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  it('shows a table in a pipe, and says when there is nothing', async () => {
    expect(await someone.iiot(['history'])).toEqual(worked('', 'No changes found.'));
    await someone.iiot(disable);
    const { stdout } = await someone.iiot(['history']);
    expect(stdout.slice(8)).toBe(
      `2026-01-01T12:00:00.000Z\tdefault\t${root}\tsandbox-machine\tchannels.update\tchannel_email\tisEnabled\t200\tdone\n`,
    );
  });

  it('shows the organization at a terminal where it is not that of the profile, first an ID that stays and last the outcome', async () => {
    const other = '33333333-3333-4333-8333-333333333333';
    await someone.iiot(disable);
    const [{ id }] = await entries();
    await someone.iiot([...disable, '--org', other]);
    const narrow = await someone.iiot(['history'], { columns: 80 });
    const rows = narrow.stdout.split('\n').map((line) => line.trimEnd().split(/ {2,}/));
    expect(rows.slice(0, 3)).toEqual([
      ['ID', 'AT', 'PROFILE', 'ORG', 'OPERATION', 'SUBJECT', 'OUTCOME'],
      [expect.any(String), expect.any(String), 'default', '33333333…', 'channels.update', 'channel_email', 'failed'],
      [id, expect.any(String), 'default', 'channels.update', 'channel_email', 'done'],
    ]);
    expect((await someone.iiot(['history', 'show', id, '--jq', '.id'])).stdout).toBe(`${id}\n`);
    const offered = await someone.iiot(['__complete', 'fish', 'history', 'show', '']);
    expect(offered.stdout).toContain(id);
  });

  it('says which rows a run has changed, and of which file', async () => {
    const file = someone.file('t.csv', 'templateId,name\ntemplate_001,a\nnope,b\ntemplate_003,c\n');
    await someone.iiot(['templates', 'update', '--rows', relative('', file), '--yes']);
    const { stdout } = await someone.iiot(['history', 'show', '-o', 'json']);
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(JSON.parse(stdout)).toMatchObject({
      subject: { type: 'file', id: file },
      rows: { done: 2, failed: 1, skipped: 0, notSent: 0, unknown: 0, total: 3 },
      sha256,
      ids: ['template_001', 'template_003'],
      outcome: 'partial',
    });
    expect(await entries()).toEqual([JSON.parse(stdout)]);
  });

  it.each([
    ['n.csv', 'deviceId,aa,bb,Remark\npress-0001,1,,x\npress-0002,,,\nnobody,,2,\n', ['aa', 'bb']],
    ['n.ndjson', '{"deviceId":"press-0001","customInfo":{"zz":"1","Remark":"x"}}\n', ['zz']],
  ])('names the keys that the rows of %s have sent, not those of its header', async (name, content, fields) => {
    const rows = someone.file(name, content);
    await someone.iiot(['devices', 'custom-info', 'import', rows, '--ignore-columns', 'Remark', '--yes']);
    expect(await entries()).toMatchObject([{ fields }]);
    const left = someone.file('left.csv', 'deviceId,aa,bb\npress-0001,1,\n');
    await someone.iiot(['devices', 'custom-info', 'import', left, '--yes']);
    expect((await entries())[0].fields).toEqual(['aa']);
  });

  it('finds an ID in single changes and in runs, and says which runs may have it too', async () => {
    await someone.iiot([...setInfo, 'a=1']);
    const rows = someone.file('n.csv', 'deviceId,a\npress-0001,1\npress-0002,1\n');
    await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes']);
    expect([await entries('--subject', 'press-0001'), await entries('--subject', 'press-0002')]).toMatchObject([
      [{ rows: { done: 2 } }, { rows: null }],
      [{ rows: { done: 2 } }],
    ]);
    const many = Array.from({ length: 1001 }, (_, at) => `d${at},1\n`).join('');
    const { devices } = someone.platform.world;
    for (let at = 0; at < 1001; at += 1)
      devices.set(`d${at}`, { deviceId: `d${at}`, orgId: root, customInfo: new Map() });
    const long = someone.file('long.csv', `deviceId,a\n${many}`);
    await someone.iiot(['devices', 'custom-info', 'import', long, '--yes']);
    expect(await entries('--subject', 'd20')).toMatchObject([{ rows: { done: 1001 } }]);
    const all = (await someone.iiot(['history', 'show', '--jq', '.ids | length'])).stdout;
    expect([all, statSync(file()).size < 5000]).toEqual(['1000\n', true]);
    expect(await someone.iiot(['history', '--subject', 'press-0003'])).toEqual(
      worked('', 'One run may have it too: of a run, the history names the first 1,000 rows.\nNo changes found.'),
    );
  });

  describe('has of a run that was killed', () => {
    const dead = () => ownersName().replace(/^\d+/, '4194301');
    const left = (owner: string, about: object, ids: readonly string[] = ['press-0001']) => {
      const entry = {
        ...{ id: 'abcdef0', at: '2026-01-01T11:00:00.000Z', profile: 'default', operation: 'devices.customInfo.set' },
        ...{ subject: { type: 'file', id: 'f.csv' }, fields: ['line'], outcome: 'running', orgId: null },
        ...{
          rows: { done: 0, failed: 0, skipped: 1, notSent: 0, unknown: 0, total: 3 },
          journal: file('journal'),
          ...about,
        },
      };
      const lines = [JSON.stringify(entry), ...ids.map((id) => JSON.stringify(id)), '"cut'];
      writeFileSync(file(`history.run.${owner}`), lines.join('\n'));
    };
    const mark = (row: number) => `0000000${row}abcdefghijkl`;
    const journal = (...lines: readonly string[]) =>
      writeFileSync(file('journal'), ['{"iiot":"journal"}', ...lines, ''].join('\n'), { mode: 0o600 });
    const told = async () =>
      (await entries()).map(({ id, outcome, rows }: { id: string; outcome: string; rows: object }) => [
        id,
        outcome,
        rows,
      ]);

    it.each([
      ['what its journal has of it', [mark(1), 'run abcdef0', mark(2), mark(3)], 'gone', ['interrupted', 2, 0]],
      [
        'which rows may have been applied',
        ['run abcdef0', `sent ${mark(1)} 1 "a"`, mark(1), `sent ${mark(2)} 2 "b"`, 'run abcdef1', mark(3)],
        'gone',
        ['interrupted', 1, 1],
      ],
      ['nothing where the journal does not name it', [mark(1)], 'gone', ['interrupted', null, 0]],
      ['nothing where there is no journal', undefined, 'gone', ['interrupted', null, 0]],
      ['that it is running while its process is there', ['run abcdef0', mark(1)], 'there', ['running', 1, 0]],
    ] as const)('%s', async (_, lines, owner, [outcome, done, unknown]) => {
      if (lines) journal(...lines);
      left(owner === 'gone' ? dead() : ownersName(), {});
      expect(await told()).toEqual([
        ['abcdef0', outcome, { done, failed: null, skipped: 1, notSent: null, unknown, total: 3 }],
      ]);
      expect(await entries('--subject', 'press-0001')).toHaveLength(1);
    });

    it('that nothing was done before its first row, and nothing of a damaged file', async () => {
      left(dead(), {}, []);
      writeFileSync(file(`history.run.${dead()}`), '{"at":');
      expect(await told()).toEqual([
        ['abcdef0', 'interrupted', { done: 0, failed: null, skipped: 1, notSent: null, unknown: 0, total: 3 }],
      ]);
    });

    it('one line, once a later run has written it down, also where the kill came after that', async () => {
      left(dead(), { journal: null });
      const rows = someone.file('n.csv', 'deviceId,a\npress-0001,1\n');
      await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes']);
      left(dead(), { journal: null });
      const outcomes = [['done'], ['interrupted']];
      expect((await told()).map(([, outcome]: readonly unknown[]) => [outcome])).toEqual(outcomes);
      await someone.iiot(['devices', 'custom-info', 'import', rows, '--yes']);
      expect(await told()).toHaveLength(3);
      expect(readdirSync(someone.folder).filter((name) => name.startsWith('history.run.'))).toEqual([]);
    });
  });

  const to = '--channel-id channel_email --template-id template_001 --var a=CANARY';
  const notification = ['policies', 'update', policy, ...to.split(' ')];
  const policyPath = `/api/v1/orgs/${root}/alert-policies/${policy}`;
  it.each<[string, readonly string[], readonly string[] | undefined]>([
    ['policies', ['policies', 'update', policy, '--delay', '5m', '--name', 'CANARY'], ['policyName', 'delay']],
    ['a whole notification', notification, ['channelIds', 'templateId', 'variables'].map((it) => `notification.${it}`)],
    ['lists that are emptied', ['templates', 'update', 'template_001', '--clear-tags'], ['tags']],
    ['keys', [...setInfo, 'line=CANARY', '--null', '__proto__'], ['line', '__proto__']],
    ['batches', [...batch, '--name', 'nightly'], ['orgId', 'Name', 'CronExpression', 'IsEnabled', 'RunOnStartup']],
    ['credentials', ['credentials', 'create', '--name', 'a', '--scope', 'CANARY', '-o', 'json'], ['name', 'scopes']],
    ['deletions', ['credentials', 'delete', 'credential_001', '--yes'], []],
    ['other requests', ['api', 'PATCH', policyPath, '--raw-field', 'description=CANARY'], ['description']],
    ['files, to the second level', [...withFile, '--body-file', '-'], ['a.b', 'c', 'd', 'e']],
  ])('names the fields and keys that were set, and no value: %s', async (_, words, names) => {
    await someone.iiot(words, { stdin: '{"a":{"b":{"CANARY":1}},"c":["CANARY"],"d":{},"e":12345678901234567890}' });
    const [latest] = await entries();
    expect(latest).toHaveProperty('outcome');
    expect(latest.fields).toEqual(names);
    expect(readFileSync(file(), 'utf8')).not.toContain('CANARY');
  });

  it('keeps a line short, whatever is set', async () => {
    const pairs = Array.from({ length: 130 }, (_, at) => `${at}${'k'.repeat(100)}=v`);
    await someone.iiot([...setInfo, ...pairs]);
    const [{ fields }] = await entries();
    expect([fields.length, fields[0], fields.at(-1)]).toEqual([101, `0${'k'.repeat(63)}`, '… and 30 more']);
    expect(statSync(file()).size).toBeLessThan(8000);
  });

  it('takes a secret that it knows out of a name', async () => {
    await someone.iiot([...setInfo, 'a.sandbox-secret=1']);
    expect((await entries())[0].fields).toEqual(['a.***']);
  });

  it('tells of the person who was logged in', async () => {
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    await someone.iiot(['login', '--account', 'ada@factory.example', '--password-stdin'], {
      env,
      stdin: 'correct horse',
    });
    await someone.iiot(disable, { env });
    expect(await entries()).toMatchObject([{ account: 'ada@factory.example', operation: 'channels.update' }]);
  });

  it.each([
    [403, 'failed', 'forbidden'],
    [409, 'failed', 'conflict'],
    [501, 'failed', 'unavailable'],
    [503, 'unknown', 'channel_validation_failed'],
    [500, 'unknown', 'unavailable'],
    [504, 'unknown', 'unavailable'],
  ])('tells of a change that the platform answered with %d', async (status, outcome, code) => {
    someone = newPerson({ fetch: respondingWith(status) });
    await someone.iiot(disable);
    expect(await entries()).toMatchObject([{ operation: 'channels.update', outcome, error: { code, status }, status }]);
  });

  it('tells of a change that may have been applied', async () => {
    someone = newPerson({ fetch: respondingWith(200, '{"cut') });
    await someone.iiot(disable);
    expect(await entries()).toMatchObject([{ outcome: 'unknown', error: { code: 'unavailable', status: null } }]);
  });

  it('knows nothing of what was refused here, rehearsed or only read', async () => {
    await someone.iiot(['channels', 'update', 'channel_email']);
    await someone.iiot([...disable, '--dry-run']);
    await someone.iiot(['orgs', 'users', 'list']);
    await someone.iiot(disable, { env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    expect(existsSync(file())).toBe(false);
  });

  it('knows the profiles that changed something, and those that are there; of any other it says which was meant', async () => {
    await someone.iiot(['profiles', 'set', 'prod', 'app=x']);
    expect(await someone.iiot(['history', '--profile', 'prod'])).toEqual(worked('', 'No changes found.'));
    expect((await someone.iiot(['history', '--profile', 'pord'])).stderr).toContain('hint: Did you mean prod?');
    await someone.iiot([...disable, '--profile', 'prod']);
    await someone.iiot(['profiles', 'delete', 'prod', '--yes']);
    expect(await entries('--profile', 'prod')).toHaveLength(1);
  });

  it('is switched off by the profile', async () => {
    await someone.iiot(['profiles', 'set', 'default', 'history=off']);
    await someone.iiot(disable);
    expect(existsSync(file())).toBe(false);
  });

  it('takes --limit, --all and --since', async () => {
    for (let count = 0; count < 3; count += 1) {
      await someone.iiot(disable);
      someone.advance(3_600_000);
    }
    const limited = await someone.iiot(['history', '--limit', '1', '--columns', 'at']);
    expect(limited).toEqual(worked('2026-01-01T14:00:00.000Z\n', '1 of 3 changes'));
    expect(await entries('--all')).toHaveLength(3);
    expect(await entries('--since', '2h')).toHaveLength(2);
    expect(await entries('--since', '2026-01-01T14:00:00Z')).toHaveLength(1);
    expect((await someone.iiot(['history', '--since', 'yesterday'])).exit).toBe(2);
  });

  describe('is filtered', () => {
    beforeEach(async () => {
      const robot = newPerson({ env: someone.env, fetch: respondingWith(403) });
      await someone.iiot(disable);
      await someone.iiot(['profiles', 'set', 'robot', 'app=x']);
      await someone.iiot(['credentials', 'delete', 'credential_001', '--yes', '--profile', 'robot']);
      await robot.iiot(['credentials', 'create', '--name', 'a', '-o', 'json']);
    });

    it.each([
      [[], 'credentials.create, credentials.delete, channels.update'],
      [['--operation', 'credentials.*'], 'credentials.create, credentials.delete'],
      [['--operation', '*.delete'], 'credentials.delete'],
      [['--operation', 'credentials'], ''],
      [['--outcome', 'failed'], 'credentials.create'],
      [['--outcome', 'unknown'], ''],
      [['--profile', 'robot'], 'credentials.delete'],
      [['--since', '2026-01-01'], 'credentials.create, credentials.delete, channels.update'],
      [['--since', '2026-01-02'], ''],
      [['--profile', 'default', '--operation', 'channels.*', '--outcome', 'done'], 'channels.update'],
    ])('by %j, and keeps the order', async (words, expected) => {
      const found: readonly { operation: string }[] = await entries(...words);
      expect(found.map(({ operation }) => operation).join(', ')).toBe(expected);
    });

    it('not by the profile in use, which a variable names', async () => {
      expect(await entries()).toHaveLength(3);
      const { stdout } = await someone.iiot(['history', '--jq', 'length'], { env: { IIOT_PROFILE: 'robot' } });
      expect(stdout).toBe('3\n');
    });

    it('says what a date is taken as', async () => {
      const { stderr } = await someone.iiot(['history', '--since', '2026-01-02']);
      expect(stderr).toBe('--since 2026-01-02 is 2026-01-02T00:00:00Z.\nNo changes found.\n');
      expect((await someone.iiot(['history', '--since', '2026-02-30'])).exit).toBe(2);
    });
  });

  it('shows everything of one change, by its ID, or of the newest', async () => {
    await someone.iiot(disable);
    await someone.iiot([...setInfo, 'line=CANARY', 'hall=CANARY']);
    const [newest, other] = await entries();
    const show = async (...words: string[]) =>
      JSON.parse((await someone.iiot(['history', 'show', ...words, '-o', 'json'])).stdout);
    expect([await show(), await show(other.id)]).toEqual([newest, other]);
    await someone.iiot(disable);
    expect(await show(other.id)).toEqual(other);
  });

  it('has no other change', async () => {
    const hint = 'hint: See iiot history';
    expect(await someone.iiot(['history', 'show'])).toEqual(failed(2, 'error: There are no changes.', hint));
    await someone.iiot(disable);
    const other = 'hint: Changes of an ID: iiot history --subject 2';
    expect(await someone.iiot(['history', 'show', '2'])).toEqual(
      failed(2, 'error: The history has no change 2.', other),
    );
  });

  it('continues after a line that was cut off, and says what cannot be read', async () => {
    await someone.iiot(disable);
    writeFileSync(file(), '{"at":"2026-01-01T1', { flag: 'a' });
    await someone.iiot(disable);
    const { stdout, stderr } = await someone.iiot(['history', '-o', 'id']);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toBe('1 line of the history cannot be read.\n');
  });

  it('is kept through a link, as those have who link their settings from elsewhere', async () => {
    const target = join(someone.folder, 'elsewhere.ndjson');
    symlinkSync(target, file());
    await someone.iiot(disable);
    await someone.iiot(disable);
    expect(readFileSync(target, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
  });

  it('gets whole lines from commands that run at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => someone.iiot(disable)));
    expect(await entries()).toHaveLength(12);
  });

  const line = (at: string, more: object = {}) => `${JSON.stringify({ at, operation: 'x', ...more })}\n`;
  const early = '2025-01-01T00:00:00.000Z';

  it('counts changes, however long each is: of two full files the older goes', async () => {
    mkdirSync(file('history.ids'), { mode: 0o700 });
    const run = { id: 'abcdef1', rows: { done: 1, total: 1 }, ids: null };
    writeFileSync(file('history.ids/20250101T000000.000Z.abcdef1'), '["press-0001"]');
    writeFileSync(file('history.1.ndjson'), line('2024-01-01T00:00:00.000Z'));
    writeFileSync(file(), line(early, run) + line(early, { fields: ['a'.repeat(500)] }).repeat(4998));
    await someone.iiot(disable);
    expect(existsSync(file('history.1.ndjson'))).toBe(true);
    expect(await entries('--all')).toHaveLength(5001);
    await someone.iiot(disable);
    expect(await entries('--all')).toHaveLength(5001);
    expect(await entries('--subject', 'press-0001')).toMatchObject([{ ...run, ids: ['press-0001'] }]);
  });

  it('keeps the IDs of the newest 1,000 runs', async () => {
    const ids = file('history.ids');
    mkdirSync(ids, { mode: 0o700 });
    const old = Array.from({ length: 1000 }, (_, at) => `20240101T00${1000 + at}.000Z.abcdef0`);
    for (const name of old) writeFileSync(join(ids, name), '[]');
    const rows = Array.from(
      { length: 21 },
      (_, at) => `{"deviceId":"press-${String(at + 1).padStart(4, '0')}","customInfo":{"a":"1"}}\n`,
    );
    await someone.iiot(['devices', 'custom-info', 'import', someone.file('n.ndjson', rows.join('')), '--yes']);
    const kept = readdirSync(ids).sort();
    expect([kept.length, kept[0], kept.at(-1)?.slice(0, 20)]).toEqual([1000, old[1], '20260101T120000.000Z']);
    expect((await entries())[0].ids).toHaveLength(21);
  });

  it('says where it begins, if --since reaches further back', async () => {
    writeFileSync(file(), line(early) + line('2025-06-01T00:00:00.000Z'));
    const begins = `The history begins at ${early}.`;
    const back = await someone.iiot(['history', '--since', '2024-12-31T00:00:00Z', '--operation', 'policies.*']);
    expect(back).toEqual(worked('', `${begins}\nNo changes found.`));
    expect((await someone.iiot(['history', '--since', '2025-02-01T00:00:00Z'])).stderr).not.toContain('begins');
  });

  it('reads the lines of earlier versions, which have other names', async () => {
    const old = {
      profile: 'default',
      as: 'robot',
      about: 'client credential c1',
      outcome: 'failed',
      error: 'forbidden',
    };
    writeFileSync(file(), line(early, { ...old, baseUrl: 'https://a.example', status: 403 }));
    expect(await entries()).toMatchObject([
      {
        ...{ account: 'robot', subject: { type: 'client credential', id: 'c1' }, fields: [], osUser: null, host: null },
        ...{ error: { code: 'forbidden', status: 403 }, ids: null, rows: null },
      },
    ]);
    await someone.iiot(disable);
    expect(JSON.parse(readFileSync(file(), 'utf8').split('\n')[1] ?? '').version).toBe(1);
  });

  it('names the person who called sudo', async () => {
    await someone.iiot(disable, { env: { SUDO_USER: 'ada' } });
    expect(await entries()).toMatchObject([{ ...here, sudoUser: 'ada' }]);
  });

  it('that cannot be written stops no change, and is said once', async () => {
    mkdirSync(file(), { recursive: true });
    const { exit, stderr } = await someone.iiot(disable);
    expect(exit).toBe(0);
    expect(stderr.match(/The history of changes could not be written\./g)).toHaveLength(1);
    expect((await someone.iiot([...disable, '-q'])).stderr).toMatch(/^The history of changes could not be written\./);
  });

  it('mends a file that others could read', async () => {
    await someone.iiot(disable);
    chmodSync(file(), 0o644);
    await someone.iiot(disable);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });
});
