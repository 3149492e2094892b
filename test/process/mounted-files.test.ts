/** Files of the settings that cannot be replaced: mounts, as containers have them, and file systems that lack what others have. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { type Account, freshAccount, ordinary, tidyHomes } from '../support/ordinary.ts';
import { call, good, rotatingPlatform } from './rotating.ts';

const platform = madeForEach(() => rotatingPlatform());
let me: Account;
beforeEach(() => {
  me = freshAccount(platform);
  const login = {
    flow: 'user',
    base: platform.base,
    tenant: 'acme',
    app: 'console',
    account: 'ada',
    refreshToken: 'refresh-0',
  };
  const profile = { baseUrl: platform.base, tenant: 'acme', app: 'console', account: 'ada' };
  me.put('config.json', JSON.stringify({ version: 1, current: 'default', profiles: { default: profile } }));
  me.put('credentials.json', JSON.stringify({ version: 1, logins: { default: login } }));
});
afterAll(tidyHomes);

const asOrdinary = { uid: ordinary, gid: ordinary, cwd: '/' };
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], asOrdinary).status === 0;

/** A line of the shell that runs the program where files of the settings are mounts of others. */
function mounting(names: readonly string[], options = ''): string {
  const mounts = names.map((name) => {
    const path = me.path(name);
    const lines = [`cp -p ${path} ${path}.host`, `mount --bind ${path}.host ${path}`];
    return [...lines, ...(options ? [`mount -o remount,bind,${options} ${path}`] : [])].join(' && ');
  });
  const both = `"$@"; code=$?; for each in ${names.join(' ')}; do cp ${me.path()}/$each ${me.path()}/seen-$each; done; exit $code`;
  return `exec unshare -rm /bin/sh -c '${[...mounts, both].join('\n')}' sh "$@"`;
}

const seen = (name: string) => JSON.parse(readFileSync(me.path(`seen-${name}`), 'utf8'));

describe.runIf(canMount)('a file that is a mount', () => {
  it('is updated with a renewed login', async () => {
    const around = mounting(['credentials.json']).replace('"$@"; code', '"$@" && "$@" && "$@"; code');
    expect(await me.run(['login', 'refresh'], { around })).toMatchObject({ exit: 0 });
    expect([platform.renewals, platform.revoked()]).toEqual([['refresh-0', 'refresh-1', 'refresh-2'], false]);
    expect(seen('credentials.json').logins.default).toMatchObject({ refreshToken: 'refresh-3' });
  });

  it('is updated by profiles set and logout', async () => {
    const around = mounting(['config.json', 'credentials.json']);
    expect(await me.run(['profiles', 'set', 'default', 'label=LINE'], { around })).toMatchObject({ exit: 0 });
    expect(seen('config.json').profiles.default).toMatchObject({ label: 'LINE' });
    expect(await me.run(['logout'], { around })).toMatchObject({ exit: 0 });
    expect(seen('credentials.json')).toEqual({ version: 1, logins: {} });
    expect(await me.run(['logout', '--all'], { around })).toMatchObject({ exit: 0 });
    expect(seen('credentials.json')).toEqual({ version: 1, logins: {} });
  });

  it('stays whole when the disk is full', async () => {
    const path = me.path('config.json');
    const before = readFileSync(path, 'utf8');
    const around = `exec unshare -rm /bin/sh -c '${[
      `mount -t tmpfs -o size=16k none /mnt && cp -p ${path} /mnt/config.json`,
      'cat /dev/zero > /mnt/filler 2> /dev/null',
      `mount --bind /mnt/config.json ${path}`,
      `"$@"; code=$?; cat ${path} > ${me.path('seen-config.json')}; exit $code`,
    ].join('\n')}' sh "$@"`;
    const words = ['profiles', 'set', 'default', `account=${'x'.repeat(6000)}`];
    expect(await me.run(words, { around })).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('the disk is full'),
    });
    expect(readFileSync(me.path('seen-config.json'), 'utf8')).toBe(before);
    expect([readFileSync(path, 'utf8'), existsSync(`${path}.iiot-new`)]).toEqual([before, false]);
  });

  it('is reported by iiot doctor with a hint', async () => {
    const { stdout } = await me.run(['doctor', '-o', 'json'], { around: mounting(['credentials.json']) });
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'files',
      status: 'warning',
      message: '~/.config/iiot/credentials.json cannot be replaced, because it is a mount, and is written in place.',
      hint: 'Mount its folder instead',
    });
  });

  it('that is read-only stops login refresh before a request', async () => {
    const around = mounting(['credentials.json'], 'ro');
    const refused = { exit: 1, stdout: '', stderr: expect.stringContaining('read-only') };
    expect(await me.run(['login', 'refresh'], { around })).toEqual(refused);
    expect(platform.renewals).toEqual([]);
  });
});

/** A library that makes calls of the system fail as on such a file system; undefined without a compiler. */
function lacking(calls: Readonly<Record<string, string>>): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'iiot-lacking-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = Object.entries(calls).map(([name, code]) => `int ${name}() { errno = ${code}; return -1; }`);
  writeFileSync(join(folder, 'lacking.c'), `#include <errno.h>\n${lines.join('\n')}\n`);
  const words = ['-shared', '-fPIC', '-w', '-fno-builtin', '-o', join(folder, 'lacking.so'), join(folder, 'lacking.c')];
  if (spawnSync('gcc', words).status !== 0) return undefined;
  spawnSync('chmod', ['755', folder]);
  return join(folder, 'lacking.so');
}

const canCompile = process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0;

describe.runIf(canCompile)('a file system', () => {
  it.each(['EINVAL', 'ENOSYS', 'ENOTSUP'])('that fails every sync with %s keeps a login', async (code) => {
    const env = { LD_PRELOAD: lacking({ fsync: code, fdatasync: code }) ?? '' };
    expect(await me.run(call, { env })).toEqual(good);
    expect(await me.run(['profiles', 'set', 'default', 'label=LINE', '-q'], { env })).toMatchObject({ exit: 0 });
    expect(await me.login({ env })).toMatchObject({ exit: 0 });
    expect([platform.renewals, me.readJson('credentials.json').logins?.default]).toMatchObject([
      ['refresh-0'],
      { clientId: 'robot' },
    ]);
  });

  it('without modes keeps a login, and warns when others can read its folder', async () => {
    mkdirSync(me.path('locks'), { mode: 0o700 });
    me.own(me.path('locks'));
    const env = { LD_PRELOAD: lacking({ fchmod: 'EPERM', chmod: 'EPERM' }) ?? '' };
    const closed = await me.login({ env });
    expect([closed.exit, closed.stderr.includes('EPERM')]).toEqual([0, false]);
    expect(me.readJson('credentials.json').logins?.default).toMatchObject({ clientId: 'robot' });
    spawnSync('chmod', ['755', me.path()]);
    const open = await me.login({ env });
    const sentence = 'Others can look into ~/.config/iiot (mode 0755), and its file system keeps no modes.';
    expect(open.stderr.split(sentence)).toHaveLength(2);
    expect([open.exit, (statSync(me.path()).mode & 0o777).toString(8)]).toEqual([0, '755']);
  });
});
