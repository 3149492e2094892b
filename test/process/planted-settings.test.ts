/** Settings that somebody else has put there are not followed: a secret from the environment would go where they lead. */
import { chmodSync, chownSync, existsSync, rmSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from '../../src/sandbox/world/ids.ts';
import { madeForEach } from '../support/fixtures.ts';
import { openFront } from '../support/front.ts';
import { homeForEach } from '../support/home.ts';

const other = 65_534;
const front = madeForEach(() => openFront());
const home = homeForEach(() => ({ IIOT_CLIENT_ID: ids.clientId, IIOT_CLIENT_SECRET: ids.clientSecret }));
let folder: string;
let file: string;

beforeEach(() => {
  folder = home.settings;
  const profiles = { default: { baseUrl: front.url, org: ids.root } };
  file = home.file('iiot/config.json', JSON.stringify({ version: 1, current: 'default', profiles }));
});

const iiot = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => home.iiot(words, { env });
const list = ['orgs', 'users', 'list', '--limit', '1', '-o', 'id', '-q'];
const listed = { exit: 0, stdout: 'ada\n', stderr: '' };

describe.skipIf(process.getuid?.() !== 0)('settings of another user', () => {
  const refusal = {
    exit: 1,
    stdout: '',
    stderr: expect.stringContaining(`docker run --user ${other}\n`),
  };

  it.each([
    ['the file', () => file],
    ['the folder', () => folder],
  ])('are refused when %s is theirs, before a request', async (_, path) => {
    chownSync(path(), other, other);
    expect(await iiot(list)).toEqual(refusal);
    expect(front.requests).toEqual([]);
  });

  it('do not stop a job whose variables name the platform', async () => {
    chownSync(file, other, other);
    expect(await iiot(list, { IIOT_BASE_URL: front.url, IIOT_ORG: ids.root })).toEqual(listed);
  });

  it('are used under sudo when they belong to the caller', async () => {
    chownSync(folder, other, other);
    chownSync(file, other, other);
    expect(await iiot(list, { SUDO_UID: String(other) })).toEqual(listed);
  });

  const login = ['login', 'm2m', '--client-id', ids.clientId];
  const hint = 'hint: Run it without sudo, or with: sudo -H';

  it('are not written under sudo', async () => {
    chownSync(folder, other, other);
    chownSync(file, other, other);
    const { exit, stderr } = await iiot(login, { SUDO_UID: String(other) });
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(hint) });
  });

  it('are not created under sudo in the home of the caller', async () => {
    rmSync(folder, { recursive: true });
    chownSync(home.folder, other, other);
    const env = { IIOT_BASE_URL: front.url, SUDO_UID: String(other) };
    const { exit, stderr } = await iiot(login, env);
    const sentence = `${folder} was not created: it would belong to root, in a folder of the person who ran sudo.`;
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: `error: ${sentence}\n${hint}\n` });
    expect(existsSync(folder)).toBe(false);
  });

  it('are reported by iiot doctor', async () => {
    chownSync(file, other, other);
    const { exit, stdout } = await iiot(['doctor', '--jq', '.[] | select(.check == "files") | .message, .hint']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining(`${file} belongs to another user`) });
  });
});

describe.skipIf(process.platform === 'win32')('own settings', () => {
  const told = (path: string, was: string, mode: number) =>
    `Others can write to ${path} (mode ${was}), and change where commands go. Run: chmod ${mode} ${path}\n`;

  it('that others can write to are used with a warning', async () => {
    chmodSync(file, 0o666);
    expect(await iiot(list)).toEqual({ ...listed, stderr: told(file, '0666', 600) });
    chmodSync(file, 0o600);
    chmodSync(folder, 0o775);
    expect(await iiot(list)).toEqual({ ...listed, stderr: told(folder, '0775', 700) });
  });

  it('in a folder with the sticky bit are used without a warning', async () => {
    chmodSync(folder, 0o1777);
    expect(await iiot(list)).toEqual(listed);
  });

  it('that others can write to are reported, and not changed, by iiot doctor', async () => {
    chmodSync(file, 0o662);
    const { stdout } = await iiot(['doctor', '--jq', '.[] | select(.check == "files") | .message, .hint']);
    expect(stdout).toBe(`Others can write to ${file}.\nchmod 600 ${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o662);
  });
});
