/** What becomes of files that are broken, of another version, open to others, or links. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { type Account, failed, freshAccount, loggedIn, tidyHomes } from '../support/ordinary.ts';
import { worked } from '../support/seen.ts';
import { call, good, org, rotatingPlatform } from './rotating.ts';

const platform = madeForEach(() => rotatingPlatform());
let me: Account;
beforeEach(() => {
  me = freshAccount(platform);
});
afterAll(tidyHomes);

const broken = '{"version":1,"logins":{"default":{"refreshToken":"CANARY';

describe('what is there is read', () => {
  it('in a folder that cannot be written, where a new token serves one command', async () => {
    await me.login();
    const { logins, ...rest } = me.readJson('credentials.json');
    me.put('credentials.json', JSON.stringify({ ...rest, logins: { default: { ...logins?.default, expiresAt: 1 } } }));
    chmodSync(me.path(), 0o500);
    expect(await me.run(['profiles', 'list', '-o', 'id'])).toEqual({ stdout: 'default\n', stderr: '', exit: 0 });
    const denied = 'Could not write into ~/.config/iiot: permission denied.';
    const unlocked = `${denied} Continuing without a lock: commands that run at the same time may interfere with each other.`;
    const unsaved = `The new token could not be saved, and works for this command only. ${denied}`;
    expect(await me.run(call)).toEqual(worked('user-1\n', unlocked, unsaved));
    // The file itself can be written, so its secret goes.
    expect(await me.run(['logout'])).toMatchObject({ exit: 0, stdout: '' });
    expect(me.readJson('credentials.json').logins).toEqual({});
  });

  it('without its locks where those cannot be written, which is said once', async () => {
    await me.login();
    chmodSync(me.path('locks'), 0o500);
    const line =
      'Could not write into ~/.config/iiot/locks: permission denied. Continuing without a lock: commands that run at the same time may interfere with each other.\n';
    expect(await me.login()).toEqual({ ...loggedIn, stderr: line + loggedIn.stderr });
    expect(me.readJson('credentials.json').logins?.default?.accessToken).toBe('machine-2');
  });
});

describe('a broken file', () => {
  const sentence = 'Could not use ~/.config/iiot/config.json: it is not valid JSON at byte 49, line 1.';
  const hint = 'hint: Fix it with an editor, or move it away: iiot login then creates a new one.';
  const says = failed(`error: ${sentence}`, hint);

  it('is set aside by a login, which says so, and is named by a logout', async () => {
    for (const name of ['config.json', 'credentials.json']) me.put(name, broken);
    const aside = (name: string) =>
      `Could not use ~/.config/iiot/${name}: it is not valid JSON at byte 49, line 1. Kept it as ~/.config/iiot/${name}.broken-<ms> and created a new one.\n`;
    const stderr = aside('credentials.json') + aside('config.json') + loggedIn.stderr;
    expect(await me.login()).toEqual({ ...loggedIn, stderr });
    const kept = readdirSync(me.path()).filter((name) => /broken-\d+$/.test(name));
    expect(kept.map((name) => readFileSync(me.path(name), 'utf8'))).toEqual([broken, broken]);
    expect(await me.run(call)).toEqual(good);
    const left = 'Files that were kept may still hold secrets: ~/.config/iiot/credentials.json.broken-<ms>';
    expect(await me.run(['logout'])).toEqual(worked('', left, 'Logged out (profile default)'));
  });

  it('of profiles stops only who needs it', async () => {
    me.put('config.json', broken);
    expect(await me.run(call)).toEqual(says);
    expect(await me.run(['logout'])).toEqual(says);
    expect(await me.run(['profiles', 'set', 'default', 'org=1'])).toEqual(says);
    expect((await me.run(['batches', 'cron', '0 0 12 * * ?'])).exit).toBe(0);
    expect(await me.run(['logout', '--all'])).toEqual({ stdout: '', stderr: 'Nobody was logged in\n', exit: 0 });
    expect(readFileSync(me.path('config.json'), 'utf8')).toBe(broken);
  });

  it('is reported once by doctor, which looks no further than it can', async () => {
    me.put('config.json', broken);
    const { stdout, exit } = await me.run([
      'doctor',
      '-o',
      'json',
      '--jq',
      '.[] | [.check, .status, .message] | @json',
    ]);
    expect({ findings: stdout.trimEnd().split('\n').slice(1), exit }).toEqual({
      findings: [JSON.stringify(['files', 'failure', sentence])],
      exit: 1,
    });
  });

  it('of profiles cannot tell which are protected, so nothing is changed through one', async () => {
    await me.login();
    me.put('config.json', broken);
    const change = ['templates', 'update', 'template_1', '--name', 'A', '--org', org];
    const said = await me.run([...change, '--base-url', platform.base]);
    expect(said).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

describe('modes and links', () => {
  it('all is private whatever the umask, folders on the way included', async () => {
    expect(await me.login({ around: 'umask 000; exec "$@"' })).toEqual(loggedIn);
    const all = ['..', '', 'locks', 'config.json', 'credentials.json'].map(me.modeOf);
    expect(all).toEqual(['700', '700', '700', '600', '600']);
  });

  it('links are followed and kept, and what they lead to is replaced', async () => {
    await me.login();
    const dotfiles = join(me.home, 'dotfiles');
    mkdirSync(dotfiles, { mode: 0o700 });
    me.own(dotfiles);
    for (const name of ['config.json', 'credentials.json']) {
      renameSync(me.path(name), join(dotfiles, name));
      symlinkSync(join(dotfiles, name), me.path(name));
    }
    expect(await me.login()).toEqual(loggedIn);
    expect((await me.run(['profiles', 'set', 'default', 'org=1'])).exit).toBe(0);
    for (const name of ['config.json', 'credentials.json'])
      expect(lstatSync(me.path(name)).isSymbolicLink()).toBe(true);
    expect(me.readJson('config.json').profiles).toEqual({ default: { baseUrl: platform.base, org: '1' } });
    expect(readdirSync(dotfiles).sort()).toEqual(['config.json', 'credentials.json']);
    expect(me.readJson('credentials.json').logins?.default?.accessToken).toBe('machine-2');
  });
});
