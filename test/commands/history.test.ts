import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { personsForEach } from '../support/fixtures.ts';
import { respondingWith } from '../support/responses.ts';
import { failed, worked } from '../support/seen.ts';
import type { Person } from '../support/world.ts';

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
const disable = ['channels', 'update', 'channel_email', '--disable'];

async function entries(...words: string[]) {
  const { stdout } = await someone.iiot(['history', ...words, '-o', 'json']);
  return JSON.parse(stdout);
}

describe('iiot history', () => {
  it('tells when, through which profile, as whom, what was changed, and the answer', async () => {
    await someone.iiot(disable);
    someone.advance(60_000);
    await someone.iiot([...setInfo, 'secretly=CANARY']);
    const by = { profile: 'default', as: 'sandbox-machine', baseUrl: 'http://127.0.0.1:1' };
    const device = { operation: 'devices.customInfo.set', about: 'device press-0001', fields: ['secretly'] };
    const channel = { operation: 'channels.update', about: 'channel channel_email', fields: ['isEnabled'] };
    const [first, later] = ['2026-01-01T12:00:00.000Z', '2026-01-01T12:01:00.000Z'];
    expect(await entries()).toEqual([
      {
        at: later,
        ...by,
        orgId: null,
        ...device,
        outcome: 'done',
        status: 204,
        requestId: 'request-000003',
        number: 1,
      },
      {
        at: first,
        ...by,
        orgId: root,
        ...channel,
        outcome: 'done',
        status: 200,
        requestId: 'request-000002',
        number: 2,
      },
    ]);
    expect(readFileSync(file(), 'utf8')).not.toMatch(/CANARY|sandbox-secret/);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  it('shows a table in a pipe, and says when there is nothing', async () => {
    expect(await someone.iiot(['history'])).toEqual(worked('', 'No changes found.'));
    await someone.iiot(disable);
    expect((await someone.iiot(['history'])).stdout).toBe(
      '2026-01-01T12:00:00.000Z\tdefault\tsandbox-machine\tchannels.update\tchannel channel_email\tdone\t200\tisEnabled\t1\n',
    );
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
    ['deletions', ['credentials', 'delete', 'credential_001', '--yes'], undefined],
    ['other requests', ['api', 'PATCH', policyPath, '--field', 'description=CANARY'], ['description']],
    ['files, to the second level', [...withFile, '--body-file', '-'], ['a.b', 'c', 'd', 'e']],
  ])('names the fields and keys that were set, and no value: %s', async (_, words, names) => {
    await someone.iiot(words, { stdin: '{"a":{"b":{"CANARY":1}},"c":["CANARY"],"d":{},"e":12345678901234567890}' });
    const [latest] = await entries();
    expect(latest).toHaveProperty('outcome');
    expect(latest.fields).toEqual(names);
    expect(readFileSync(file(), 'utf8')).not.toContain('CANARY');
  });

  it('keeps a line short, whatever is set', async () => {
    const pairs = Array.from({ length: 30 }, (_, at) => `${at}${'k'.repeat(100)}=v`);
    await someone.iiot([...setInfo, ...pairs]);
    const [{ fields }] = await entries();
    expect([fields.length, fields[0], fields.at(-1)]).toEqual([21, `0${'k'.repeat(63)}`, '…']);
    expect(statSync(file()).size).toBeLessThan(2000);
  });

  it('takes a secret that it knows out of a name', async () => {
    await someone.iiot([...setInfo, 'a.sandbox-secret=1']);
    expect((await entries())[0].fields).toEqual(['a.***']);
  });

  it('shows entries of before, which name no fields', async () => {
    mkdirSync(someone.folder, { recursive: true });
    const entry = { at: '2025-12-31T00:00:00.000Z', operation: 'channels.update', about: 'channel channel_email' };
    writeFileSync(file(), `${JSON.stringify(entry)}\n`);
    expect(await entries()).toEqual([{ ...entry, number: 1 }]);
    expect((await someone.iiot(['history', '--columns', 'about,fields'])).stdout).toBe('channel channel_email\t\n');
  });

  it('tells of the person who was logged in', async () => {
    const env = { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined };
    await someone.iiot(['login', '--account', 'ada@factory.example', '--password-stdin'], {
      env,
      stdin: 'correct horse',
    });
    await someone.iiot(disable, { env });
    expect(await entries()).toMatchObject([{ as: 'ada@factory.example', operation: 'channels.update' }]);
  });

  it.each([
    [403, 'failed', 'forbidden', 403],
    [409, 'failed', 'conflict', 409],
    [501, 'failed', 'unavailable', 501],
    [503, 'failed', 'channel_validation_failed', 503],
    [500, 'unknown', 'unavailable', 500],
    [504, 'unknown', 'unavailable', 504],
  ])('tells of a change that the platform answered with %d', async (status, outcome, error) => {
    someone = newPerson({ fetch: respondingWith(status) });
    await someone.iiot(disable);
    expect(await entries()).toMatchObject([{ operation: 'channels.update', outcome, error, status }]);
  });

  it('tells of a change that may have been applied', async () => {
    someone = newPerson({ fetch: respondingWith(200, '{"cut') });
    await someone.iiot(disable);
    expect(await entries()).toMatchObject([{ outcome: 'unknown', error: 'unavailable' }]);
  });

  it('knows nothing of what was refused here, rehearsed or only read', async () => {
    await someone.iiot(['channels', 'update', 'channel_email']);
    await someone.iiot([...disable, '--dry-run']);
    await someone.iiot(['orgs', 'users', 'list']);
    await someone.iiot(disable, { env: { IIOT_CLIENT_ID: undefined, IIOT_CLIENT_SECRET: undefined } });
    expect(existsSync(file())).toBe(false);
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
    expect(limited).toEqual(worked('2026-01-01T14:00:00.000Z\n', '1 of 3 changes: --all for the rest'));
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
      [[], 'credentials.create 1, credentials.delete 2, channels.update 3'],
      [['--operation', 'credentials.*'], 'credentials.create 1, credentials.delete 2'],
      [['--operation', '*.delete'], 'credentials.delete 2'],
      [['--operation', 'credentials'], ''],
      [['--outcome', 'failed'], 'credentials.create 1'],
      [['--outcome', 'unknown'], ''],
      [['--profile', 'robot'], 'credentials.delete 2'],
      [['--profile', 'gone'], ''],
      [['--since', '2026-01-01'], 'credentials.create 1, credentials.delete 2, channels.update 3'],
      [['--since', '2026-01-02'], ''],
      [['--profile', 'default', '--operation', 'channels.*', '--outcome', 'done'], 'channels.update 3'],
    ])('by %j, and keeps the numbers', async (words, expected) => {
      const found: readonly { operation: string; number: number }[] = await entries(...words);
      expect(found.map(({ operation, number }) => `${operation} ${number}`).join(', ')).toBe(expected);
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

  it('shows everything of one change, by its number', async () => {
    await someone.iiot(disable);
    await someone.iiot([...setInfo, 'line=CANARY', 'hall=CANARY']);
    expect((await someone.iiot(['history', 'show', '1'])).stdout).toBe(
      [
        'at\t2026-01-01T12:00:00.000Z\nprofile\tdefault\nas\tsandbox-machine\nbaseUrl\thttp://127.0.0.1:1\norgId\t',
        'operation\tdevices.customInfo.set\nabout\tdevice press-0001\noutcome\tdone\nstatus\t204',
        'requestId\trequest-000003\nfields\tline, hall\nnumber\t1\n',
      ].join('\n'),
    );
    expect(JSON.parse((await someone.iiot(['history', 'show', '2', '-o', 'json'])).stdout)).toEqual(
      (await entries())[1],
    );
  });

  it.each(['0', '2', '01', 'x'])('has no change %s', async (number) => {
    await someone.iiot(disable);
    const sentence = `error: There is no change ${number}: the history has 1 change.`;
    expect(await someone.iiot(['history', 'show', number])).toEqual(
      failed(2, sentence, 'hint: See iiot history --all'),
    );
  });

  it('goes on behind a line that was cut, and says what cannot be read', async () => {
    await someone.iiot(disable);
    writeFileSync(file(), '{"at":"2026-01-01T1', { flag: 'a' });
    await someone.iiot(disable);
    const { stdout, stderr } = await someone.iiot(['history', '-o', 'id']);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toBe('1 line of the history cannot be read.\n');
  });

  it('gets whole lines from commands that run at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => someone.iiot(disable)));
    expect(await entries()).toHaveLength(12);
  });

  it('keeps the file small: of two full ones the older goes', async () => {
    mkdirSync(someone.folder, { recursive: true });
    const line = (about: string) =>
      `${JSON.stringify({ at: '2025-01-01T00:00:00.000Z', operation: 'x', about: about.padEnd(1000, '.') })}\n`;
    writeFileSync(file('history.1.ndjson'), line('oldest'));
    writeFileSync(file(), line('older').repeat(1100));
    await someone.iiot(disable);
    expect(statSync(file()).size).toBeLessThan(1000);
    expect(await entries('--all')).toHaveLength(1101);
    expect(readFileSync(file('history.1.ndjson'), 'utf8')).not.toContain('oldest');
  });

  it('that cannot be written stops no change, and is said once', async () => {
    mkdirSync(file(), { recursive: true });
    const { exit, stderr } = await someone.iiot(disable);
    expect(exit).toBe(0);
    expect(stderr.match(/The history of changes could not be written\./g)).toHaveLength(1);
    expect((await someone.iiot([...disable, '-q'])).stderr).toBe('');
  });

  it('mends a file that others could read', async () => {
    await someone.iiot(disable);
    chmodSync(file(), 0o644);
    await someone.iiot(disable);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });
});
