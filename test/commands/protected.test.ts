/** Every command that changes something: what asks at a terminal refuses where nobody is there, and none runs where all is read-only. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { changes } from '../support/changes.ts';
import { personForEach } from '../support/fixtures.ts';
import { errorOf, failed } from '../support/seen.ts';
import type { Seen } from '../support/world.ts';

const policy = 'aaaaaaaa-0000-4000-8000-000000000001';

const policyPath = `/api/v1/orgs/11111111-1111-4111-8111-111111111111/alert-policies/${policy}`;

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
const changing = Object.entries(changes).map(([name, { words, agrees = [] }]) => {
  return [name, { words: [...name.split(' '), ...words], agrees }] as const;
});
const someone = personForEach();
let folder: string;

beforeEach(() => {
  folder = process.cwd();
  writeFileSync(join(someone.folder, 'fleet.ndjson'), '{"deviceId":"press-0001","customInfo":{"line":"3"}}\n');
  process.chdir(someone.folder);
  mkdirSync('files');
  writeFileSync('files/template_001.txt', '---\ntemplateId: template_001\ntags: [new]\n---\n');
});
afterEach(() => process.chdir(folder));

function writeProfile(plant: object): void {
  const config = { version: 1, current: 'plant', profiles: { plant } };
  mkdirSync(someone.folder, { recursive: true });
  writeFileSync(join(someone.folder, 'config.json'), JSON.stringify(config));
}

const protectedProfile = () => writeProfile({ protected: true });
const confirm = 'hint: Confirm with --confirm-profile plant';

function expectAsked({ exit, stderr }: Seen, sentence: string): void {
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`error: ${sentence}`)]);
  expect(stderr).toContain(confirm);
}

describe.each(changing)('iiot %s without a terminal', (_, { words, agrees }) => {
  it('refuses what it would ask, names the option, and sends nothing', async () => {
    const { exit, stdout, stderr } = await someone.iiot(words);
    if (agrees[0] === undefined) return void expect(exit).toBe(0);
    expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
    expect(stderr).toContain('cannot prompt: not a terminal.');
    expect(stderr).toContain(agrees[0]);
  });

  it('runs with the option that confirms, if IIOT_READ_ONLY is false', async () => {
    const env = { IIOT_READ_ONLY: 'false' };
    expect(await someone.iiot([...words, ...agrees], { env })).toMatchObject({ exit: 0 });
  });

  it.each([[[]], [['--yes']]])('is refused with a protected profile that is not named, and %j', async (more) => {
    protectedProfile();
    const { exit, stdout, stderr } = await someone.iiot([...words, ...agrees, ...more]);
    expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
    expect(stderr).toContain('Profile plant is protected; cannot prompt: not a terminal.');
    expect(stderr).toContain('Confirm with --confirm-profile plant');
  });

  it('runs with a protected profile that --confirm-profile names', async () => {
    protectedProfile();
    expect(await someone.iiot([...words, ...agrees, '--confirm-profile', 'plant'])).toMatchObject({ exit: 0 });
  });

  it.each(['protected', 'readOnly'])('runs with --dry-run and a profile that is %s', async (held) => {
    writeProfile({ [held]: true });
    const rehearsed = await someone.iiot([...words, ...agrees, '--dry-run']);
    expect([rehearsed.exit, someone.requests]).toEqual([0, []]);
  });
});

describe.each(changing)('iiot %s under read-only settings', (name, { words, agrees }) => {
  const agreed = [...words, ...agrees, '--yes'];
  const what = name === 'api' ? `PATCH ${policyPath}` : `iiot ${name}`;
  const refusal = (by: string) =>
    failed(
      4,
      `error: ${what} changes the platform, which is read-only here (${by}).`,
      'hint: See what it would send with --dry-run',
    );
  const isEmpty = () =>
    expect([someone.requests, existsSync(join(someone.folder, 'history.ndjson'))]).toEqual([[], false]);

  it.each([
    ['--read-only', ['--read-only'], {}],
    ['IIOT_READ_ONLY', [], { IIOT_READ_ONLY: '1' }],
  ])('is refused by %s, before anything is sent', async (by, more, env) => {
    expect(await someone.iiot([...agreed, ...more], { env })).toEqual(refusal(by));
    isEmpty();
  });

  it('is refused by the profile, whatever the line and the variables say', async () => {
    writeProfile({ readOnly: true, protected: true });
    const env = { IIOT_READ_ONLY: '0', IIOT_TOKEN: 'a-token' };
    const open = ['--confirm-profile', 'plant', '--base-url', 'http://127.0.0.1:2'];
    const inJson = await errorOf(someone.iiot([...agreed, ...open, '--json'], { env }));
    const message = expect.stringContaining('(profile plant)');
    expect(inJson).toMatchObject({ exit: 4, stdout: '', code: 'read_only', message });
    isEmpty();
  });

  it('is refused with --rows', async () => {
    const command = commands.find((each) => each.name === name);
    if (!command?.rows) return void expect(command?.name).toBe(name);
    expect(await someone.iiot([...name.split(' '), '--rows', 'fleet.ndjson', '--read-only', '--yes'])).toEqual(
      refusal('--read-only'),
    );
    isEmpty();
  });
});

describe('a read-only setting', () => {
  it('refuses iiot templates edit before it opens an editor', async () => {
    const seen = await someone.iiot(['templates', 'edit', 'template_001', '--read-only']);
    expect([seen.exit, someone.requests]).toEqual([4, []]);
  });

  it.each([
    ['orgs users list --limit 1'],
    ['templates pull elsewhere'],
    [`api GET /api/v1/orgs/{orgId}/users`],
    [`api PATCH ${policyPath} --dry-run`],
    ['login m2m'],
    ['logout'],
    ['profiles use default'],
  ])('still allows iiot %s', async (line) => {
    expect(await someone.iiot(line.split(' '), { env: { IIOT_READ_ONLY: '1' } })).toMatchObject({ exit: 0 });
  });

  it('is named in the error wherever it is set', async () => {
    writeProfile({ readOnly: true });
    const words = ['channels', 'update', 'channel_email', '--disabled', '--read-only'];
    const { message } = await errorOf(someone.iiot([...words, '-o', 'json'], { env: { IIOT_READ_ONLY: 'yes' } }));
    expect(message).toContain('read-only here (--read-only, IIOT_READ_ONLY, profile plant).');
  });

  it('is shown by login status, doctor, profiles show and list', async () => {
    writeProfile({ readOnly: true, baseUrl: 'http://127.0.0.1:1' });
    const json = async (...words: string[]) => JSON.parse((await someone.iiot([...words, '-o', 'json'])).stdout);
    expect(await json('login', 'status')).toMatchObject({ readOnly: true });
    expect(await json('doctor')).toContainEqual({
      check: 'read_only',
      status: 'ok',
      hint: null,
      message: 'Read-only: every change is refused (profile plant)',
    });
    expect(await json('profiles', 'list')).toMatchObject([{ name: 'plant', readOnly: true }]);
    const held = { readOnly: true, origins: { readOnly: '--read-only, profile plant' } };
    expect(await json('profiles', 'show', '--origin', '--read-only')).toMatchObject(held);
  });

  it.each([
    [['set', 'plant', 'readOnly=false'], 'set readOnly=false'],
    [['set', 'plant', 'org=x', 'readOnly='], 'set org=x readOnly='],
    [['set', 'plant', 'org=x'], undefined],
    [['set', 'plant', 'readOnly=true'], undefined],
    [['rename', 'plant', 'other'], 'rename it to other'],
    [['delete', 'plant'], 'delete it'],
  ])('is not taken back by accident: profiles %j', async (words, what) => {
    writeProfile({ readOnly: true });
    const seen = await someone.iiot(['profiles', ...words, '--yes']);
    if (what === undefined) return void expect(seen.exit).toBe(0);
    expectAsked(seen, `Profile plant is read-only. To ${what} you must`);
    expect((await someone.iiot(['profiles', ...words, '--confirm-profile', 'plant'])).exit).toBe(0);
  });

  it('is not stored by iiot profiles set --read-only', async () => {
    const sentence = 'error: --read-only applies only to this command.';
    const hint = 'hint: To keep it: iiot profiles set plant readOnly=true';
    expect(await someone.iiot(['profiles', 'set', 'plant', 'org=x', '--read-only'])).toEqual(failed(2, sentence, hint));
  });
});

describe('a protected profile', () => {
  it('is not confirmed by the name of another profile', async () => {
    protectedProfile();
    const words = ['channels', 'update', 'channel_email', '--disabled', '--confirm-profile', 'default'];
    const sentence = 'error: --confirm-profile names default, but the profile in use is plant.';
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, confirm));
    expect(someone.requests).toEqual([]);
  });

  it('needs --yes as well as its name if the command asks, too', async () => {
    protectedProfile();
    const words = ['credentials', 'delete', 'credential_001'];
    const asked = (option: string) => ({ exit: 2, stderr: expect.stringMatching(`\nhint: Confirm with ${option}\n$`) });
    expect(await someone.iiot([...words, '--confirm-profile', 'plant'])).toMatchObject(asked('--yes'));
    expect(await someone.iiot(words)).toMatchObject(asked('--confirm-profile plant and --yes'));
    expect(someone.requests).toEqual([]);
  });

  it('needs no confirmation to read', async () => {
    protectedProfile();
    expect(await someone.iiot(['orgs', 'users', 'list', '--limit', '1'])).toMatchObject({ exit: 0 });
  });

  it.each([
    [['profiles', 'set', 'plant', 'protected=false'], 'protected', 'set protected=false'],
    [['profiles', 'set', 'plant', 'baseUrl=https://other.example'], 'baseUrl', 'set baseUrl=https://other.example'],
    [['profiles', 'delete', 'plant', '--yes'], undefined, 'delete it'],
  ])('is changed only with --confirm-profile: %j', async (words, key, what) => {
    protectedProfile();
    const before = readFileSync(join(someone.folder, 'config.json'), 'utf8');
    expectAsked(await someone.iiot(words), `Profile plant is protected. To ${what} you must`);
    expect(readFileSync(join(someone.folder, 'config.json'), 'utf8')).toBe(before);
    expect(await someone.iiot([...words, '--confirm-profile', 'plant'])).toMatchObject({ exit: 0 });
    const { plant } = JSON.parse(readFileSync(join(someone.folder, 'config.json'), 'utf8')).profiles;
    expect(plant?.[key ?? '']).not.toBe(JSON.parse(before).profiles.plant[key ?? 'protected']);
  });
});
