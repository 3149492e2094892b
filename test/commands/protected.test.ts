/** Every command that changes something: what asks at a terminal refuses where nobody is there, and none runs where all is read-only. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.ts';
import { changes } from '../support/changes.ts';
import { personForEach } from '../support/fixtures.ts';
import { errorOf, failed } from '../support/seen.ts';

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

describe.each(changing)('iiot %s where it cannot prompt', (_, { words, agrees }) => {
  it('refuses what it asks at a terminal, names the option, and sends nothing', async () => {
    const { exit, stdout, stderr } = await someone.iiot(words);
    if (agrees[0] === undefined) return void expect(exit).toBe(0);
    expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
    expect(stderr).toContain('cannot prompt: not a terminal.');
    expect(stderr).toContain(agrees[0]);
  });

  it('does it with the option', async () => {
    expect(await someone.iiot([...words, ...agrees])).toMatchObject({ exit: 0 });
  });

  it('takes no y from a pipe for an answer', async () => {
    if (agrees.length === 0) return void expect(words).not.toEqual([]);
    const { exit } = await someone.iiot(words, { stdin: 'y\ny\n' });
    expect([exit, someone.requests]).toEqual([2, []]);
  });

  it.each([[[]], [['--yes']]])('refuses through a protected profile with %j, and sends nothing', async (more) => {
    protectedProfile();
    const { exit, stdout, stderr } = await someone.iiot([...words, ...agrees, ...more]);
    expect([exit, stdout, someone.requests]).toEqual([2, '', []]);
    expect(stderr).toContain('Profile plant is protected; cannot prompt: not a terminal.');
    expect(stderr).toContain('Confirm with --confirm-profile plant');
  });

  it('does it through a protected profile that is named', async () => {
    protectedProfile();
    expect(await someone.iiot([...words, ...agrees, '--confirm-profile', 'plant'])).toMatchObject({ exit: 0 });
  });

  it('rehearses through a protected profile', async () => {
    protectedProfile();
    const rehearsed = await someone.iiot([...words, ...agrees, '--dry-run']);
    expect([rehearsed.exit, someone.requests]).toEqual([0, []]);
  });
});

describe.each(changing)('iiot %s held back', (name, { words, agrees }) => {
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
    expect(inJson).toMatchObject({ exit: 4, stdout: '', code: 'read_only' });
    expect(inJson.message).toBe(`${what} changes the platform, which is read-only here (profile plant).`);
    isEmpty();
  });

  it('is rehearsed', async () => {
    const rehearsed = await someone.iiot([...agreed, '--dry-run', '--read-only']);
    expect([rehearsed.exit, someone.requests]).toEqual([0, []]);
  });

  it('is not refused by a variable that is off', async () => {
    expect(await someone.iiot(agreed, { env: { IIOT_READ_ONLY: 'false' } })).toMatchObject({ exit: 0 });
  });

  it('is refused for rows', async () => {
    const command = commands.find((each) => each.name === name);
    if (!command?.rows) return void expect(command?.name).toBe(name);
    expect(await someone.iiot([...name.split(' '), '--rows', 'fleet.ndjson', '--read-only', '--yes'])).toEqual(
      refusal('--read-only'),
    );
    isEmpty();
  });
});

describe('what is read-only', () => {
  it('opens no editor', async () => {
    const seen = await someone.iiot(['templates', 'edit', 'template_001', '--read-only']);
    const sentence = 'iiot templates edit changes the platform, which is read-only here (--read-only).';
    expect([seen, someone.requests]).toEqual([failed(4, `error: ${sentence}`), []]);
  });

  it.each([
    ['orgs users list --limit 1'],
    ['templates pull elsewhere'],
    [`api GET /api/v1/orgs/{orgId}/users`],
    [`api PATCH ${policyPath} --dry-run`],
    ['login m2m'],
    ['logout'],
    ['profiles use default'],
  ])('still does: %s', async (line) => {
    expect(await someone.iiot(line.split(' '), { env: { IIOT_READ_ONLY: '1' } })).toMatchObject({ exit: 0 });
  });

  it('names everything that makes it so', async () => {
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
    const sentence = `error: Profile plant is read-only. To ${what} you must confirm; cannot prompt: not a terminal.`;
    expect(seen).toEqual(failed(2, sentence, 'hint: Confirm with --confirm-profile plant'));
    expect((await someone.iiot(['profiles', ...words, '--confirm-profile', 'plant'])).exit).toBe(0);
  });

  it('is not the profile that is set, by the option', async () => {
    const sentence = 'error: --read-only applies only to this command.';
    const hint = 'hint: To keep it: iiot profiles set plant readOnly=true';
    expect(await someone.iiot(['profiles', 'set', 'plant', 'org=x', '--read-only'])).toEqual(failed(2, sentence, hint));
  });
});

describe('a protected profile', () => {
  const confirm = 'hint: Confirm with --confirm-profile plant';

  it('is not opened by the name of another one', async () => {
    protectedProfile();
    const words = ['channels', 'update', 'channel_email', '--disabled', '--confirm-profile', 'default'];
    const sentence = 'error: --confirm-profile names default, but the profile in use is plant.';
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, confirm));
    expect(someone.requests).toEqual([]);
  });

  it('needs --yes in addition to its name if the command itself asks', async () => {
    protectedProfile();
    const words = ['credentials', 'delete', 'credential_001'];
    const named = await someone.iiot([...words, '--confirm-profile', 'plant']);
    const sentence =
      'error: To delete client credential credential_001 at 127.0.0.1:1 you must confirm; cannot prompt: not a terminal.';
    expect(named).toEqual(failed(2, sentence, 'hint: Confirm with --yes'));
    const bare = await someone.iiot(words);
    expect(bare.stderr.split('\n')[1]).toBe('hint: Confirm with --confirm-profile plant and --yes');
    expect(someone.requests).toEqual([]);
  });

  it('reads as any other', async () => {
    protectedProfile();
    expect(await someone.iiot(['orgs', 'users', 'list', '--limit', '1'])).toMatchObject({ exit: 0 });
  });

  it.each([
    [['profiles', 'set', 'plant', 'protected=false'], 'protected', 'set protected=false'],
    [['profiles', 'set', 'plant', 'baseUrl=https://other.example'], 'baseUrl', 'set baseUrl=https://other.example'],
    [['profiles', 'delete', 'plant', '--yes'], undefined, 'delete it'],
  ])('is not changed by accident: %j', async (words, key, what) => {
    protectedProfile();
    const before = readFileSync(join(someone.folder, 'config.json'), 'utf8');
    const sentence = `error: Profile plant is protected. To ${what} you must confirm; cannot prompt: not a terminal.`;
    expect(await someone.iiot(words)).toEqual(failed(2, sentence, confirm));
    expect(readFileSync(join(someone.folder, 'config.json'), 'utf8')).toBe(before);
    expect(await someone.iiot([...words, '--confirm-profile', 'plant'])).toMatchObject({ exit: 0 });
    const { plant } = JSON.parse(readFileSync(join(someone.folder, 'config.json'), 'utf8')).profiles;
    expect(plant?.[key ?? '']).not.toBe(JSON.parse(before).profiles.plant[key ?? 'protected']);
  });
});
