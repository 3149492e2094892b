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
import { newOwnerName } from '../../src/files/owner.ts';
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
const importing = (rows: string, ...words: string[]) =>
  someone.iiot(['devices', 'custom-info', 'import', '--yes', rows, ...words]);

const line = (at: string, more: object = {}) => `${JSON.stringify({ at, operation: 'x', ...more })}\n`;
const early = '2025-01-01T00:00:00.000Z';

async function entries(...words: string[]) {
  const { stdout } = await someone.iiot(['history', ...words, '-o', 'json']);
  return JSON.parse(stdout);
}

describe('iiot history', () => {
  it('records time, profile, account, subject, fields and outcome of each change', async () => {
    await someone.iiot(disable);
    someone.advance(60_000);
    await someone.iiot([...setInfo, 'secretly=CANARY']);
    const by = {
      ...{ profile: 'default', account: 'sandbox-machine', baseUrl: 'http://127.0.0.1:1' },
      ...{ tenant: null, tenantId: '7e7a7e7a-0000-4000-8000-000000000001', flow: 'm2m' },
    };
    const none = { rows: null, sha256: null, ids: null, error: null, ...here };
    const each = { id: expect.stringMatching(/^[0-9a-f]{7}$/), ...by, ...none, outcome: 'done', looked: null };
    expect(await entries()).toEqual([
      {
        ...{ ...each, at: '2026-01-01T12:01:00.000Z', orgId: null, status: 204, requestId: 'request-000003' },
        ...{ operation: 'devices.customInfo.set', subject: { type: 'device', id: 'press-0001' }, fields: ['secretly'] },
      },
      {
        ...{ ...each, at: '2026-01-01T12:00:00.000Z', orgId: root, status: 200, requestId: 'request-000002' },
        ...{ operation: 'channels.update', subject: { type: 'channel', id: 'channel_email' }, fields: ['isEnabled'] },
      },
    ]);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/CANARY|sandbox-secret/);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  it('prints a table in a pipe, and a message for an empty history', async () => {
    expect(await someone.iiot(['history'])).toEqual(worked('', 'No changes found.'));
    await someone.iiot(disable);
    const { stdout } = await someone.iiot(['history']);
    expect(stdout.slice(8)).toBe(
      `2026-01-01T12:00:00.000Z\tdefault\t${root}\tsandbox-machine\tchannels.update\tchannel_email\tisEnabled\t200\tdone\n`,
    );
  });

  it('shows the organization at a terminal only if it differs from that of the profile', async () => {
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

  it('records the file and the IDs of a run of rows', async () => {
    const file = someone.file('t.csv', 'templateId,name\ntemplate_001,a\nnope,b\ntemplate_003,c\n');
    await someone.iiot(['templates', 'update', '--rows', relative('', file), '--yes']);
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    const rows = { done: 2, failed: 1, skipped: 0, notSent: 0, unknown: 0, total: 3 };
    const run = { subject: { type: 'file', id: file }, rows, sha256, outcome: 'partial' };
    expect(await entries()).toMatchObject([{ ...run, ids: ['template_001', 'template_003'] }]);
    expect([await entries('show')]).toEqual(await entries());
  });

  it.each([
    ['n.csv', 'deviceId,aa,bb,Remark\npress-0001,1,,x\npress-0002,,,\nnobody,,2,\n', ['aa', 'bb']],
    ['n.ndjson', '{"deviceId":"press-0001","customInfo":{"zz":"1","Remark":"x"}}\n', ['zz']],
  ])('records only the keys that the rows of %s have sent', async (name, content, fields) => {
    const rows = someone.file(name, content);
    await importing(rows, '--ignore-columns', 'Remark');
    expect(await entries()).toMatchObject([{ fields }]);
    const left = someone.file('left.csv', 'deviceId,aa,bb\npress-0001,1,\n');
    await importing(left);
    expect((await entries())[0].fields).toEqual(['aa']);
  });

  it('finds an ID in single changes and in runs, and notes runs that may have it', async () => {
    await someone.iiot([...setInfo, 'a=1']);
    const rows = someone.file('n.csv', 'deviceId,a\npress-0001,1\npress-0002,1\n');
    await importing(rows);
    expect([await entries('--subject', 'press-0001'), await entries('--subject', 'press-0002')]).toMatchObject([
      [{ rows: { done: 2 } }, { rows: null }],
      [{ rows: { done: 2 } }],
    ]);
    const many = Array.from({ length: 1001 }, (_, at) => `d${at},1\n`).join('');
    const { devices } = someone.platform.world;
    for (let at = 0; at < 1001; at += 1)
      devices.set(`d${at}`, { deviceId: `d${at}`, orgId: root, customInfo: new Map() });
    const long = someone.file('long.csv', `deviceId,a\n${many}`);
    await importing(long);
    expect(await entries('--subject', 'd20')).toMatchObject([{ rows: { done: 1001 } }]);
    const all = (await someone.iiot(['history', 'show', '--jq', '.ids | length'])).stdout;
    expect([all, statSync(file()).size < 5000]).toEqual(['1000\n', true]);
    expect(await someone.iiot(['history', '--subject', 'press-0003'])).toEqual(
      worked('', 'One run may have it too: of a run, the history names the first 1,000 rows.\nNo changes found.'),
    );
  });

  describe('records of a killed run', () => {
    const dead = () => newOwnerName().replace(/^\d+/, '4194301');
    const left = (owner: string, journal: string | null = file('journal'), ids = '"press-0001"\n') => {
      const rows = { done: 0, failed: 0, skipped: 1, notSent: 0, unknown: 0, total: 3 };
      const entry = {
        ...{ id: 'abcdef0', at: early, outcome: 'running', rows, journal },
        ...{
          profile: 'default',
          operation: 'devices.customInfo.set',
          subject: { type: 'file', id: 'f.csv' },
          fields: [],
        },
      };
      writeFileSync(file(`history.run.${owner}`), `${JSON.stringify(entry)}\n${ids}"cut`);
    };
    const mark = (row: number) => `0000000${row}abcdefghijkl`;
    const journal = (...lines: readonly string[]) =>
      writeFileSync(file('journal'), ['{"iiot":"journal"}', ...lines, ''].join('\n'), { mode: 0o600 });
    const outcomes = async () => (await entries()).map(({ outcome }: { outcome: string }) => outcome);
    const known = (done: number | null, unknown: number) => ({
      rows: { done, failed: null, skipped: 1, notSent: null, unknown, total: 3 },
    });
    const sent = ['run abcdef0', `sent ${mark(1)} 1 "a"`, mark(1), `sent ${mark(2)} 2 "b"`, 'run abcdef1', mark(3)];

    it.each([
      ['the rows that are done in its journal', [mark(1), 'run abcdef0', mark(2), mark(3)], known(2, 0)],
      ['the rows that may have been applied', sent, known(1, 1)],
      ['no number of rows if the journal does not name it', [mark(1)], known(null, 0)],
      ['no number of rows without a journal', undefined, known(null, 0)],
      ['that it is running while its process runs', ['run abcdef0', mark(1)], known(1, 0), 'running'],
    ] as const)('%s', async (_, lines, told, outcome: string = 'interrupted') => {
      if (lines) journal(...lines);
      left(outcome === 'running' ? newOwnerName() : dead());
      expect(await entries()).toMatchObject([{ id: 'abcdef0', outcome, ...told }]);
      expect(await entries('--subject', 'press-0001')).toHaveLength(1);
    });

    it('that no row was done before its first row', async () => {
      left(dead(), file('journal'), '');
      writeFileSync(file(`history.run.${dead()}`), '{"at":');
      expect(await entries()).toMatchObject([{ id: 'abcdef0', outcome: 'interrupted', ...known(0, 0) }]);
    });

    it('a single entry after a later run has added it', async () => {
      left(dead(), null);
      const rows = someone.file('n.csv', 'deviceId,a\npress-0001,1\n');
      await importing(rows);
      left(dead(), null);
      expect(await outcomes()).toEqual(['done', 'interrupted']);
      await importing(rows);
      expect(await outcomes()).toHaveLength(3);
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
  ])('records the names of the fields, and no value: %s', async (_, words, names) => {
    await someone.iiot(words, { stdin: '{"a":{"b":{"CANARY":1}},"c":["CANARY"],"d":{},"e":12345678901234567890}' });
    const [latest] = await entries();
    expect(latest).toHaveProperty('outcome');
    expect(latest.fields).toEqual(names);
    expect(readFileSync(file(), 'utf8')).not.toContain('CANARY');
  });

  it('shortens a long list of fields', async () => {
    const pairs = Array.from({ length: 130 }, (_, at) => `${at}${'k'.repeat(100)}=v`);
    await someone.iiot([...setInfo, ...pairs]);
    const [{ fields }] = await entries();
    expect([fields.length, fields[0], fields.at(-1)]).toEqual([101, `0${'k'.repeat(63)}`, '… and 30 more']);
    expect(statSync(file()).size).toBeLessThan(8000);
  });

  it('masks a known secret in the name of a field', async () => {
    await someone.iiot([...setInfo, 'a.sandbox-secret=1']);
    expect((await entries())[0].fields).toEqual(['a.***']);
  });

  it('records the account of the login', async () => {
    Object.assign(someone.env, { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined });
    await someone.iiot(['login', '--account', 'ada@factory.example', '--password-stdin'], { stdin: 'correct horse' });
    await someone.iiot(disable);
    expect(await entries()).toMatchObject([{ account: 'ada@factory.example', operation: 'channels.update' }]);
  });

  it.each([
    [403, 'failed', 'forbidden'],
    [501, 'failed', 'unavailable'],
    [503, 'unknown', 'channel_validation_failed'],
    [504, 'unknown', 'unavailable'],
    [200, 'unknown', 'unavailable', '{"cut'],
  ])('records a change that the platform answered with %d as %s', async (status, outcome, code, body?: string) => {
    someone = newPerson({ fetch: respondingWith(status, body) });
    await someone.iiot(disable);
    const error = { code, status: body === undefined ? status : null };
    expect(await entries()).toMatchObject([{ operation: 'channels.update', outcome, error }]);
  });

  it('records no refused line, no dry run and no read', async () => {
    await someone.iiot(['channels', 'update', 'channel_email']);
    await someone.iiot([...disable, '--dry-run']);
    await someone.iiot(['orgs', 'users', 'list']);
    await someone.iiot(disable, { env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    expect(existsSync(file())).toBe(false);
  });

  it('takes --profile of past and present profiles, and suggests one for others', async () => {
    await someone.iiot(['profiles', 'set', 'prod', 'app=x']);
    expect(await someone.iiot(['history', '--profile', 'prod'])).toEqual(worked('', 'No changes found.'));
    expect((await someone.iiot(['history', '--profile', 'pord'])).stderr).toContain('hint: Did you mean prod?');
    await someone.iiot([...disable, '--profile', 'prod']);
    await someone.iiot(['profiles', 'delete', 'prod', '--yes']);
    expect(await entries('--profile', 'prod')).toHaveLength(1);
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

  describe('is filtered by options', () => {
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
      [['--profile', 'default', '--operation', 'channels.*', '--outcome', 'done'], 'channels.update'],
    ])('such as %j', async (words, expected) => {
      const found: readonly { operation: string }[] = await entries(...words);
      expect(found.map(({ operation }) => operation).join(', ')).toBe(expected);
    });

    it('but not by IIOT_PROFILE', async () => {
      expect(await entries()).toHaveLength(3);
      const { stdout } = await someone.iiot(['history', '--jq', 'length'], { env: { IIOT_PROFILE: 'robot' } });
      expect(stdout).toBe('3\n');
    });

    it('and notes how a date of --since is read', async () => {
      const { stderr } = await someone.iiot(['history', '--since', '2026-01-02']);
      expect(stderr).toBe('--since 2026-01-02 is 2026-01-02T00:00:00Z.\nNo changes found.\n');
      expect((await someone.iiot(['history', '--since', '2026-02-30'])).exit).toBe(2);
    });
  });

  it('shows the newest change, or one by its ID', async () => {
    await someone.iiot(disable);
    await someone.iiot([...setInfo, 'line=3']);
    const [newest, other] = await entries();
    expect([await entries('show'), await entries('show', other.id)]).toEqual([newest, other]);
  });

  it('refuses to show a change that does not exist', async () => {
    const hint = 'hint: See iiot history';
    expect(await someone.iiot(['history', 'show'])).toEqual(failed(2, 'error: There are no changes.', hint));
    await someone.iiot(disable);
    const other = 'hint: Changes of an ID: iiot history --subject 2';
    expect(await someone.iiot(['history', 'show', '2'])).toEqual(
      failed(2, 'error: The history has no change 2.', other),
    );
  });

  it('skips a line that was cut off, with a note', async () => {
    await someone.iiot(disable);
    writeFileSync(file(), '{"at":"2026-01-01T1', { flag: 'a' });
    await someone.iiot(disable);
    const { stdout, stderr } = await someone.iiot(['history', '-o', 'id']);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toBe('1 line of the history cannot be read.\n');
  });

  it('is written through a link', async () => {
    const target = join(someone.folder, 'elsewhere.ndjson');
    symlinkSync(target, file());
    await someone.iiot(disable);
    await someone.iiot(disable);
    expect(readFileSync(target, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
  });

  it('has whole lines of commands that run at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => someone.iiot(disable)));
    expect(await entries()).toHaveLength(12);
  });

  it('keeps two files of 5,000 changes each', async () => {
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
    const rows = Array.from({ length: 21 }, (_, at) => `press-00${10 + at},1\n`).join('');
    await importing(someone.file('n.csv', `deviceId,a\n${rows}`));
    const kept = readdirSync(ids).sort();
    expect([kept.length, kept[0], kept.at(-1)?.slice(0, 20)]).toEqual([1000, old[1], '20260101T120000.000Z']);
    expect((await entries())[0].ids).toHaveLength(21);
  });

  it('notes where it begins if --since reaches further back', async () => {
    writeFileSync(file(), line(early) + line('2025-06-01T00:00:00.000Z'));
    const begins = `The history begins at ${early}.`;
    const back = await someone.iiot(['history', '--since', '2024-12-31T00:00:00Z', '--operation', 'policies.*']);
    expect(back).toEqual(worked('', `${begins}\nNo changes found.`));
    expect((await someone.iiot(['history', '--since', '2025-02-01T00:00:00Z'])).stderr).not.toContain('begins');
  });

  it('reads the lines of earlier versions', async () => {
    const old = { as: 'robot', about: 'client credential c1', outcome: 'failed', error: 'forbidden', status: 403 };
    writeFileSync(file(), line(early, old));
    expect(await entries()).toMatchObject([
      {
        ...{ account: 'robot', subject: { type: 'client credential', id: 'c1' }, fields: [], osUser: null, host: null },
        ...{ error: { code: 'forbidden', status: 403 }, ids: null, rows: null },
      },
    ]);
    await someone.iiot(disable);
    expect(JSON.parse(readFileSync(file(), 'utf8').split('\n')[1] ?? '').version).toBe(1);
  });

  it('records who called sudo', async () => {
    await someone.iiot(disable, { env: { SUDO_USER: 'ada' } });
    expect(await entries()).toMatchObject([{ ...here, sudoUser: 'ada' }]);
  });

  it('does not stop a change if it cannot be written, with one warning', async () => {
    mkdirSync(file(), { recursive: true });
    const { exit, stderr } = await someone.iiot(disable);
    expect(exit).toBe(0);
    expect(stderr.match(/The history of changes could not be written\./g)).toHaveLength(1);
    expect((await someone.iiot([...disable, '-q'])).stderr).toMatch(/^The history of changes could not be written\./);
  });

  it('makes a file private that others could read', async () => {
    await someone.iiot(disable);
    chmodSync(file(), 0o644);
    await someone.iiot(disable);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });
});
