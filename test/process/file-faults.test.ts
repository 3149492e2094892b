/** Faults of files, as somebody meets them whom modes stop: what a command says then, and what it stops. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { type Account, type Around, failed, freshAccount, ordinary, tidyHomes } from '../support/ordinary.ts';
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
  'a folder that cannot be': () => ({ env: { IIOT_CONFIG_DIR: '/dev/null/x' } }),
  'a folder of a name too long': () => ({ env: { IIOT_CONFIG_DIR: `/tmp/${'x'.repeat(300)}` } }),
  'a folder where none can be made': () => ({ env: { IIOT_CONFIG_DIR: '/proc/iiot' } }),
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

/** Where no folder can be made at all is tried in test/auth/session.test.ts. */
const met = Object.entries(faults).filter(([name]) => !/^a folder (that cannot be$|of a name|where none)/.test(name));

describe('with credentials in the environment', () => {
  it.each(met)('prints nothing, and succeeds: %s', async (_name, arise) => {
    const { env, ...around } = await arise();
    expect(await me.run(call, { ...around, env: { ...env, ...me.robot } })).toEqual(good);
  });

  it('nor with a bare token: broken files', async () => {
    await faults['broken files']?.();
    await me.run(call, { env: me.robot });
    const token = { IIOT_BASE_URL: platform.base, IIOT_TOKEN: `machine-${platform.machines()}` };
    expect(await me.run(call, { env: token })).toEqual(good);
  });
});

describe('a login that cannot be kept says why', () => {
  const ls = 'hint: Check who owns it and its folders: ls -ld';
  const making = 'error: Could not create the folder';
  const store = '~/.config/iiot/credentials.json';
  const another = 'You can set another folder with IIOT_CONFIG_DIR.';
  const nowhere = 'hint: Create the folder first, or choose another place.';
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
      'a folder that cannot be',
      `${making} /dev/null/x: a part of its path is not a folder.`,
      'hint: Choose another place, for example with IIOT_CONFIG_DIR.',
    ],
    [
      'a folder of a name too long',
      `${making} /tmp/${'x'.repeat(300)}: its path is too long.`,
      'hint: Choose a shorter one; IIOT_CONFIG_DIR names the folder.',
    ],
    ['a folder where none can be made', `${making} /proc/iiot: its folder does not exist.`, nowhere],
    [
      'a folder that is a file',
      `${making} ~/.config/iiot/other: something else has that name.`,
      'hint: Choose another name, or remove what is there.',
    ],
    ['files that cannot be read', `error: Could not read ${store}: permission denied.`, `${ls} ${store}`],
    [
      'pipes in place of files',
      `error: Could not read ${store}: it is a device or a pipe.`,
      `hint: Move it away: mv ${store} ${store}.aside`,
    ],
    [
      "another user's folder",
      `error: /usr belongs to another user (uid 0, and you are ${ordinary}), so nothing is written there.`,
      'hint: Set IIOT_CONFIG_DIR to a folder of your own, and link config.json there to the shared one',
    ],
    [
      'files of a newer version',
      `error: Could not write ${store}: a newer iiot wrote it (version 2, this one knows 1), and some of its data would be lost.`,
      'hint: Update iiot, or set IIOT_CONFIG_DIR to another folder.',
    ],
    [
      'links that lead nowhere',
      `error: Could not write ${store} (a link to /nowhere/x): its folder does not exist.`,
      nowhere,
    ],
    [
      'files that may not grow',
      `error: Could not write ${store}: the file size limit is reached.`,
      'hint: Raise the limit: ulimit -f unlimited',
    ],
  ])('%s', async (name, sentence, hint) => {
    const around = await faults[name]?.();
    expect(await me.login(around)).toEqual(failed(sentence, hint));
  });

  it('and leaves the old one whole, and no litter, where a file may not grow', async () => {
    await me.login();
    const old = me.readJson('credentials.json');
    expect((await me.login(await faults['files that may not grow']?.())).exit).toBe(1);
    expect(me.readJson('credentials.json')).toEqual(old);
    expect(readdirSync(me.path()).sort()).toEqual(['config.json', 'credentials.json', 'locks']);
    expect(readdirSync(me.path('locks'))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('an account that has no home', async () => {
    const stranger = { uid: 54321, around: 'unset HOME; exec "$@"' };
    const sentence = 'error: The folder for settings and logins could not be found: this account has no home folder.';
    const hint = 'hint: Set HOME, or set IIOT_CONFIG_DIR to a folder of your own.';
    expect(await me.login(stranger)).toEqual(failed(sentence, hint));
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

describe('for a script', () => {
  it.each([[['profiles', 'set', 'plant', 'org=1']], [['credentials', 'create', '--name', 'n']]])(
    'settings that cannot be written are `io`, and no fault of the program: %j',
    async (words) => {
      chmodSync(me.home, 0o500);
      const { exit, stdout, stderr } = await me.run([...words, '-o', 'json'], { env: me.robot });
      const { code, message } = JSON.parse(stderr).error;
      const sentence = 'Could not create the folder ~/.config/iiot: permission denied.';
      expect([exit, stdout, code, message]).toEqual([1, '', 'io', sentence]);
    },
  );
});

describe('no folder for temporary files', () => {
  const places: Readonly<Record<string, () => [TMPDIR: string, why: string]>> = {
    'is there': () => [join(me.home, 'nowhere'), 'its folder does not exist'],
    'may be written': () => {
      mkdirSync(join(me.home, 'closed'), { mode: 0o500 });
      return [join(me.home, 'closed'), 'permission denied'];
    },
    'is a folder': () => ['/dev/null', 'a part of its path is not a folder'],
  };
  const lines: readonly [words: readonly string[], action: string][] = [
    [['sandbox', 'exec', '--', 'true'], 'create the temporary folder'],
    [['sandbox', 'tour', '--no-pause'], 'create the temporary folder'],
    [['devices', 'custom-info', 'import', '--yes', '-', '--format', 'csv'], 'keep standard input in'],
  ];
  it.each(Object.keys(places).map((name, index) => [name, ...(lines[index] ?? [[], ''])] as const))(
    '%s: %j says so',
    async (name, words, action) => {
      const [TMPDIR, why] = places[name]?.() ?? [];
      const { exit, stdout, stderr } = await me.run(words, {
        env: { ...me.robot, IIOT_ORG: '1', TMPDIR: TMPDIR ?? '' },
      });
      expect([exit, stdout, stderr.replace(/iiot-[\w-]+: /, '…: ')]).toEqual([
        1,
        '',
        `error: Could not ${action} ${TMPDIR?.replace(me.home, '~')}/…: ${why}.\n` +
          'hint: Set TMPDIR to a folder that is writable and has free space.\n',
      ]);
    },
  );
});

// A file system of one's own needs a namespace of one's own, which some machines do not give to their users.
const asOrdinary = { uid: ordinary, gid: ordinary, cwd: '/' };
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], asOrdinary).status === 0;

describe.runIf(canMount)('on a separate disk', () => {
  /** Runs the program's words on a fresh disk of 64 kB with a login on it, which a line of the shell spoils. */
  async function onDisk(spoil: string, words: string, env = {}) {
    mkdirSync(me.path(), { recursive: true });
    for (const each of [dirname(me.path()), me.path()]) me.own(each);
    const steps = [
      'mount -t tmpfs -o size=64k none "$IIOT_CONFIG_DIR" && chmod 700 "$IIOT_CONFIG_DIR" && cd "$IIOT_CONFIG_DIR"',
      `printf robot-secret | "$@" login m2m --base-url ${platform.base} --client-id robot --client-secret-stdin -q || exit 99`,
      spoil,
      `printf robot-secret | env $OWN "$@" ${words}; code=$?`,
      `"$@" ${call.join(' ')} || exit 98`, // what was there is still whole
      'exit $code',
    ];
    const around = `exec unshare -rm /bin/sh -c '${steps.join('\n')}' sh "$@"`;
    const own = Object.entries(env).map((pair) => pair.join('='));
    return me.run([], { around, env: { IIOT_CONFIG_DIR: me.path(), OWN: own.join(' ') } });
  }

  const full = 'cat /dev/zero >rest 2>/dev/null';
  const readOnly = 'mount -o remount,bind,ro "$IIOT_CONFIG_DIR"';
  const again = () => `login m2m --base-url ${platform.base} --client-id robot --client-secret-stdin`;

  it('a full disk is said, and the old login stays', async () => {
    const sentence = 'error: Could not write ~/.config/iiot/credentials.json: the disk is full.';
    const said = failed(sentence, 'hint: Free some space there, then run the command again.');
    expect(await onDisk(full, again())).toEqual({ ...said, stdout: 'user-1\n' });
  });

  it('a read-only disk is said, and the old login stays', async () => {
    const sentence = 'error: Could not write into ~/.config/iiot: the file system is read-only.';
    const said = failed(sentence, 'hint: Choose a writable place, for example with IIOT_CONFIG_DIR.');
    expect(await onDisk(readOnly, again())).toEqual({ ...said, stdout: 'user-1\n' });
  });

  it('a full disk does not stop credentials in the environment', async () => {
    expect(await onDisk(full, call.join(' '), me.robot)).toEqual({ stdout: 'user-1\nuser-1\n', stderr: '', exit: 0 });
  });

  it('on a full disk a login is not renewed on demand, and no token is used up', async () => {
    const why = 'Could not write ~/.config/iiot/credentials.json: the disk is full.';
    const ended = await onDisk(full, 'login refresh');
    expect(ended.stdout).toBe('user-1\n');
    expect(ended.stderr).toContain(`The login was not renewed, because the new token could not be saved. ${why}\n`);
    expect([ended.exit, platform.machines()]).toEqual([1, 1]);
  });

  it('on a read-only disk a renewed token serves the command, which says so', async () => {
    const why = 'Could not write into ~/.config/iiot: the file system is read-only.';
    const expire = `sed -i "s/\\"expiresAt\\": [0-9]*/\\"expiresAt\\": 1/" credentials.json; ${readOnly}`;
    const ended = await onDisk(expire, 'login token');
    expect(ended.stdout).toBe('machine-2\nuser-1\n');
    expect(ended.stderr).toContain(`The new token could not be saved, and works for this command only. ${why}\n`);
    expect(ended.exit).toBe(0);
  });
});
