/** Faults of files, as somebody meets them whom modes stop: what a command says then, and what it stops. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { type Account, type Around, failed, freshAccount, loggedIn, ordinary, tidyHomes } from '../support/ordinary.ts';
import { call, good, rotatingPlatform } from './rotating.ts';

const platform = madeForEach(() => rotatingPlatform());
let me: Account;
beforeEach(() => {
  me = freshAccount(platform);
});
afterAll(tidyHomes);

const broken = '{"version":1,"logins":{"default":{"refreshToken":"CANARY';

/** Each fault: how it comes about, and where the program is to be told of it. */
const faults: Readonly<Record<string, () => Around | Promise<Around>>> = {
  'a read-only home': () => {
    chmodSync(me.home, 0o500);
    return {};
  },
  'a home that is missing': () => ({ env: { HOME: join(me.home, 'gone') }, around: `chmod 500 ${me.home}; exec "$@"` }),
  'no home at all': () => ({ around: 'unset HOME; exec "$@"' }),
  'a folder that cannot be written': async () => {
    await me.login();
    chmodSync(me.path(), 0o500);
    return {};
  },
  'a folder that is a file': () => {
    me.put('other', '');
    return { env: { IIOT_CONFIG_DIR: me.path('other') } };
  },
  'files that cannot be read': async () => {
    await me.login();
    for (const name of ['config.json', 'credentials.json']) chmodSync(me.path(name), 0o000);
    return {};
  },
  'broken files': () => {
    for (const name of ['config.json', 'credentials.json', 'tokens.json']) me.put(name, broken);
    return {};
  },
  'pipes in place of files': () => {
    me.put('other', '');
    for (const name of ['config.json', 'credentials.json', 'tokens.json']) spawnSync('mkfifo', [me.path(name)]);
    return {};
  },
  "another user's folder": () => ({ env: { IIOT_CONFIG_DIR: '/usr' } }),
  'files of a newer version': () => {
    for (const name of ['config.json', 'credentials.json', 'tokens.json']) me.put(name, '{"version":2,"more":1}');
    return {};
  },
  'wider modes': async () => {
    await me.login();
    chmodSync(me.path(), 0o755);
    for (const name of ['config.json', 'credentials.json']) chmodSync(me.path(name), 0o644);
    return {};
  },
  'links that lead nowhere': () => {
    me.put('other', '');
    for (const name of ['config.json', 'credentials.json', 'tokens.json']) symlinkSync('/nowhere/x', me.path(name));
    return {};
  },
  'files that may not grow': () => ({ around: 'ulimit -f 0; exec "$@"' }),
};

describe('a call with credentials in the environment', () => {
  it.each(Object.entries(faults))('succeeds without a message despite %s', async (_name, arise) => {
    const { env, ...around } = await arise();
    expect(await me.run(call, { ...around, env: { ...env, ...me.robot } })).toEqual(good);
  });
});

describe('a login', () => {
  const ls = 'hint: Check who owns it and its folders: ls -ld';
  const making = 'error: Could not create the folder';
  const store = '~/.config/iiot/credentials.json';
  const another = 'You can set another folder with IIOT_CONFIG_DIR.';
  it.each([
    [
      'a read-only home',
      `${making} ~/.config/iiot: permission denied.`,
      `hint: ~/.config does not exist, and ~ is not writable. ${another}`,
    ],
    [
      'a home that is missing',
      `${making} ~/gone/.config/iiot: permission denied.`,
      `hint: ~/gone does not exist, and ~ is not writable. ${another}`,
    ],
    [
      'a folder that cannot be written',
      'error: Could not write into ~/.config/iiot: permission denied.',
      `${ls} ~/.config/iiot`,
    ],
    [
      'a folder that is a file',
      `${making} ~/.config/iiot/other: something else has that name.`,
      'hint: Choose another name, or remove what is there.',
    ],
    ['files that cannot be read', `error: Could not read ${store}: permission denied.`, `${ls} ${store}`],
    [
      'files that may not grow',
      `error: Could not write ${store}: the file size limit is reached.`,
      'hint: Raise the limit: ulimit -f unlimited',
    ],
  ])('fails with the reason for %s', async (name, sentence, hint) => {
    const around = await faults[name]?.();
    expect(await me.login(around)).toEqual(failed(sentence, hint));
  });

  it('leaves the old login whole, and no other file, when a file may not grow', async () => {
    await me.login();
    const old = me.readJson('credentials.json');
    expect((await me.login(await faults['files that may not grow']?.())).exit).toBe(1);
    expect(me.readJson('credentials.json')).toEqual(old);
    expect(readdirSync(me.path()).sort()).toEqual(['config.json', 'credentials.json', 'locks']);
    expect(readdirSync(me.path('locks'))).toEqual([]);
  });

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

  it.runIf(process.getuid?.() === 0)('needs IIOT_CONFIG_DIR for an account without a home folder', async () => {
    const stranger = { uid: 54321, around: 'unset HOME; exec "$@"' };
    expect(await me.login(stranger)).toMatchObject({ exit: 1, stderr: expect.stringContaining('IIOT_CONFIG_DIR') });
    expect(await me.run(call, { ...stranger, env: me.robot })).toEqual(good);
    const named = join(me.home, 'named');
    mkdirSync(named, { mode: 0o700 });
    chownSync(named, stranger.uid, stranger.uid);
    chmodSync(me.home, 0o711);
    const set = ['profiles', 'set', 'plant', 'org=1'];
    const end = await me.run(set, { ...stranger, env: { IIOT_CONFIG_DIR: named } });
    expect(end).toEqual({ exit: 0, stdout: '', stderr: 'Set org of profile plant\n' });
  });
});

it.each(['profiles set plant org=1', 'credentials create --name n'])(
  'iiot %s -o json reports settings that cannot be written as an I/O error',
  async (line) => {
    chmodSync(me.home, 0o500);
    const { exit, stdout, stderr } = await me.run([...line.split(' '), '-o', 'json'], { env: me.robot });
    expect([exit, stdout, JSON.parse(stderr).error.code]).toEqual([1, '', 'io']);
  },
);

it.each<[string, string, () => string, string]>([
  ['is missing', 'sandbox exec -- true', () => join(me.home, 'nowhere'), 'create the temporary folder'],
  ['is a device', 'devices custom-info import --yes - --format csv', () => '/dev/null', 'keep standard input in'],
])('a folder for temporary files that %s is named by iiot %s', async (_, line, place, action) => {
  const TMPDIR = place();
  const { exit, stdout, stderr } = await me.run(line.split(' '), { env: { ...me.robot, IIOT_ORG: '1', TMPDIR } });
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
  expect(stderr).toContain(`error: Could not ${action} ${TMPDIR.replace(me.home, '~')}/`);
  expect(stderr).toContain('\nhint: Set TMPDIR');
});

// A file system of one's own needs a namespace of one's own, which some machines do not give to their users.
const asOrdinary = { uid: ordinary, gid: ordinary, cwd: '/' };
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], asOrdinary).status === 0;

describe.runIf(canMount)('on a separate disk', () => {
  it.each([
    [
      'is full',
      'cat /dev/zero >rest 2>/dev/null',
      'error: Could not write ~/.config/iiot/credentials.json: the disk is full.',
      'hint: Free some space there, then run the command again.',
    ],
    [
      'is read-only',
      'mount -o remount,bind,ro "$IIOT_CONFIG_DIR"',
      'error: Could not write into ~/.config/iiot: the file system is read-only.',
      'hint: Choose a writable place, for example with IIOT_CONFIG_DIR.',
    ],
  ])('that %s a login fails with the reason, and the old login stays', async (_, spoil, ...said) => {
    mkdirSync(me.path(), { recursive: true });
    for (const each of [dirname(me.path()), me.path()]) me.own(each);
    const login = `login m2m --base-url ${platform.base} --client-id robot --client-secret-stdin`;
    const steps = [
      'mount -t tmpfs -o size=64k none "$IIOT_CONFIG_DIR" && chmod 700 "$IIOT_CONFIG_DIR" && cd "$IIOT_CONFIG_DIR"',
      `printf robot-secret | "$@" ${login} -q || exit 99`,
      spoil,
      `printf robot-secret | "$@" ${login}; code=$?`,
      `"$@" ${call.join(' ')} || exit 98`, // what was there is still whole
      'exit $code',
    ];
    const around = `exec unshare -rm /bin/sh -c '${steps.join('\n')}' sh "$@"`;
    const ended = await me.run([], { around, env: { IIOT_CONFIG_DIR: me.path() } });
    expect(ended).toEqual({ ...failed(...said), stdout: 'user-1\n' });
  });
});
