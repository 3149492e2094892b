/** What becomes of files that are broken, or cannot be written. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { type Account, freshAccount, loggedIn, tidyHomes } from '../support/ordinary.ts';
import { call, good, org, rotatingPlatform } from './rotating.ts';

const platform = madeForEach(() => rotatingPlatform());
let me: Account;
beforeEach(() => {
  me = freshAccount(platform);
});
afterAll(tidyHomes);

const broken = '{"version":1,"logins":{"default":{"refreshToken":"CANARY';

describe('a login', () => {
  it('in a folder that cannot be written is used, and removed by logout', async () => {
    await me.login();
    const { logins, ...rest } = me.readJson('credentials.json');
    me.put('credentials.json', JSON.stringify({ ...rest, logins: { default: { ...logins?.default, expiresAt: 1 } } }));
    chmodSync(me.path(), 0o500);
    expect(await me.run(['profiles', 'list', '-o', 'id'])).toEqual({ stdout: 'default\n', stderr: '', exit: 0 });
    const unsaved = expect.stringMatching(/permission denied.*\n.*could not be saved/);
    expect(await me.run(call)).toEqual({ ...good, stderr: unsaved });
    // The file itself can be written, so its secret goes.
    expect(await me.run(['logout'])).toMatchObject({ exit: 0, stdout: '' });
    expect(me.readJson('credentials.json').logins).toEqual({});
  });

  it('works without its locks when those cannot be written, and says so once', async () => {
    await me.login();
    chmodSync(me.path('locks'), 0o500);
    const line =
      'Could not write into ~/.config/iiot/locks: permission denied. Continuing without a lock: commands that run at the same time may interfere with each other.\n';
    expect(await me.login()).toEqual({ ...loggedIn, stderr: line + loggedIn.stderr });
    expect(me.readJson('credentials.json').logins?.default?.accessToken).toBe('machine-2');
  });
});

describe('a broken file', () => {
  const says = { exit: 1, stdout: '', stderr: expect.stringContaining('~/.config/iiot/config.json: ') };

  it('is set aside by a login, and named by a logout', async () => {
    for (const name of ['config.json', 'credentials.json']) me.put(name, broken);
    const { exit, stderr } = await me.login();
    const aside = ['credentials.json', 'config.json'].map((name) => expect.stringContaining(`${name}.broken-<ms>`));
    expect([exit, stderr.split('\n').slice(0, 2)]).toEqual([0, aside]);
    const kept = readdirSync(me.path()).filter((name) => /broken-\d+$/.test(name));
    expect(kept.map((name) => readFileSync(me.path(name), 'utf8'))).toEqual([broken, broken]);
    expect(await me.run(call)).toEqual(good);
    expect(await me.run(['logout'])).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('credentials.json.broken-<ms>'),
    });
  });

  it('of profiles stops only the commands that need it', async () => {
    me.put('config.json', broken);
    expect(await me.run(call)).toEqual(says);
    expect(await me.run(['logout'])).toEqual(says);
    expect(await me.run(['profiles', 'set', 'default', 'org=1'])).toEqual(says);
    expect((await me.run(['batches', 'cron', '0 0 12 * * ?'])).exit).toBe(0);
    expect(await me.run(['logout', '--all'])).toEqual({ stdout: '', stderr: 'Nobody was logged in\n', exit: 0 });
    expect(readFileSync(me.path('config.json'), 'utf8')).toBe(broken);
  });

  it('is reported by iiot doctor', async () => {
    me.put('config.json', broken);
    const { stdout, exit } = await me.run(['doctor', '-o', 'json']);
    const findings = (JSON.parse(stdout) as { check: string; status: string }[]).slice(1); // the test's own expectation
    expect([exit, findings.map(({ check, status }) => [check, status])]).toEqual([1, [['files', 'failure']]]);
    expect(stdout).not.toContain('CANARY');
  });

  it('of profiles stops a change, whose profile may be protected', async () => {
    await me.login();
    me.put('config.json', broken);
    const change = ['templates', 'update', 'template_1', '--name', 'A', '--org', org];
    expect(await me.run([...change, '--base-url', platform.base])).toEqual(says);
  });
});
