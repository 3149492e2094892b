/** Faults of the file system as somebody meets them whom modes stop. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildChild, freshFolder, ordinary, start, type Told, tidy } from './processes.ts';

const login = { flow: 'user', origin: 'https://a.example', base: 'https://a.example', accessToken: 'old' };

let program = '';
let folder = '';

beforeAll(async () => {
  program = await buildChild();
});
beforeEach(() => {
  folder = freshFolder(ordinary);
});
afterAll(tidy);

/** What the ordinary user's process tells. `around`: a shell line that runs it as "$@". */
function did(words: string[], { at = folder, around = '"$@"', env = {} } = {}): Promise<Told> {
  const shell = ['/bin/sh', '-c', around, 'sh', process.execPath, program, ...words];
  return start(shell, at, { uid: ordinary, gid: ordinary, env }).told();
}

const path = (name: string) => join(folder, name);
const modeOf = (name: string) => (statSync(path(name)).mode & 0o777).toString(8);
const seeLs = (at: string) => `Check who owns it and its folders: ls -ld ${at}`;

describe('as an ordinary user', () => {
  it('a folder that cannot be written is read, and named by whoever must write', async () => {
    await did(['login', 'a', 'old']);
    chmodSync(folder, 0o500);
    expect(await did(['readLogin', 'a'])).toEqual({ result: login, warnings: [] });
    expect(await did(['login', 'a', 'new'])).toEqual({
      failure: { kind: 'io', message: `Could not write into ${folder}: permission denied.`, hint: seeLs(folder) },
      warnings: [],
    });
    expect(await did(['cache', 'key', 'token'])).toEqual({ result: null, warnings: [] });
    expect(await did(['readLogin', 'a'])).toEqual({ result: login, warnings: [] });
  });

  it('locks that cannot be written are gone without, which is said once', async () => {
    await did(['login', 'a', 'old']);
    chmodSync(path('locks'), 0o500);
    const lines = [
      `Could not write into ${path('locks')}: permission denied. Continuing without a lock: commands that run at the same time may interfere with each other.`,
    ];
    expect(await did(['locked', 'a'])).toEqual({ result: 'done', warnings: lines });
    expect(await did(['login', 'a', 'new'])).toEqual({ result: null, warnings: lines });
    expect(await did(['readLogin', 'a'])).toEqual({ result: { ...login, accessToken: 'new' }, warnings: [] });
  });

  it("a file or a folder that is closed to us is named, and another user's folder is never written", async () => {
    await did(['login', 'a', 'old']);
    chmodSync(path('credentials.json'), 0o000);
    const message = `Could not read ${path('credentials.json')}: permission denied.`;
    const closed = { failure: { kind: 'io', message, hint: seeLs(path('credentials.json')) }, warnings: [] };
    expect([await did(['readLogin', 'a']), await did(['login', 'a', 'new'])]).toEqual([closed, closed]);
    expect(await did(['login', 'a', 'new'], { at: '/usr' })).toEqual({
      failure: {
        kind: 'io',
        message: `/usr belongs to another user (uid 0, and this is ${ordinary}), so nothing is written there.`,
        hint: `Run: sudo chown -R ${ordinary} /usr`,
      },
      warnings: [],
    });
  });

  it('modes are mended on the next write, whatever the umask', async () => {
    await did(['login', 'a', 'old']);
    chmodSync(path('credentials.json'), 0o666);
    chmodSync(folder, 0o755);
    expect(await did(['login', 'a', 'new'], { env: { TEST_UMASK: '000' } })).toEqual({
      result: null,
      warnings: [
        `Made ${folder} private: its mode was 0755, now it is 0700.`,
        `Made ${path('credentials.json')} private: its mode was 0666, now it is 0600.`,
      ],
    });
    expect([modeOf('.'), modeOf('credentials.json')]).toEqual(['700', '600']);
  });

  it.each([
    [
      'inside a device',
      '/dev/null/x',
      'a part of its path is not a folder',
      'Choose another place, for example with IIOT_CONFIG_DIR.',
    ],
    [
      'of a name too long',
      `/tmp/${'x'.repeat(300)}`,
      'its path is too long',
      'Choose a shorter one; IIOT_CONFIG_DIR names the folder.',
    ],
    [
      'where none can be made',
      '/proc/iiot',
      'its folder does not exist',
      'Create the folder first, or choose another place.',
    ],
  ])('a folder that cannot be is said by whoever must write: %s', async (_case, at, why, hint) => {
    expect(await did(['login', 'a', 'new'], { at })).toEqual({
      failure: { kind: 'io', message: `Could not create the folder ${at}: ${why}.`, hint },
      warnings: [],
    });
    expect(await did(['cache', 'key', 'token'], { at })).toEqual({ result: null, warnings: [] });
  });

  it('a folder that is a file is refused', async () => {
    await did(['login', 'a', 'old']);
    const at = path('credentials.json');
    expect(await did(['readConfig'], { at })).toMatchObject({ result: { profiles: {} } });
    expect(await did(['set', 'a', 'tenant'], { at })).toMatchObject({
      failure: { message: `Could not create the folder ${at}: something else has that name.` },
    });
  });

  it('a file that may not grow leaves the old one whole, and no litter', async () => {
    await did(['login', 'a', 'old']);
    const told = await did(['login', 'a', 'new'], { around: 'ulimit -f 0; exec "$@"' });
    const message = `Could not write ${path('credentials.json')}: the file size limit is reached.`;
    expect(told).toEqual({
      failure: { kind: 'io', message, hint: 'Raise the limit: ulimit -f unlimited' },
      warnings: [],
    });
    expect(JSON.parse(readFileSync(path('credentials.json'), 'utf8'))).toEqual({ version: 1, logins: { a: login } });
    expect([readdirSync(folder).sort(), readdirSync(path('locks'))]).toEqual([['credentials.json', 'locks'], []]);
  });

  it("a secret's own file is written where its folder is not ours, if we may", async () => {
    chmodSync(folder, 0o1777);
    expect(await did(['secretFile', path('secret'), 'CANARY'])).toEqual({ result: null, warnings: [] });
    expect([readFileSync(path('secret'), 'utf8'), modeOf('secret')]).toEqual(['CANARY', '600']);
  });
});

// A file system of one's own needs a namespace of one's own, which some machines do not give to their users.
const asOrdinary = { uid: ordinary, gid: ordinary, cwd: '/' };
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], asOrdinary).status === 0;

describe.runIf(canMount)('on a file system of its own', () => {
  /** Logs in on a fresh file system of 64 kB, spoils it with a shell line, logs in anew, and tells that and what can be read then. */
  function spoilt(line: string): Promise<{ readonly login: Told; readonly read: Told; readonly files: string[] }> {
    const steps = [
      'mount -t tmpfs -o size=64k none "$IIOT_CONFIG_DIR"',
      'chmod 700 "$IIOT_CONFIG_DIR" && cd "$IIOT_CONFIG_DIR"',
      '"$@" login a old >/dev/null',
      line,
      'login=$("$@" login a new) && read=$("$@" readLogin a)',
      'echo "{\\"login\\":$login,\\"read\\":$read,\\"files\\":[$(ls -A | sed s/.*/\\"\\&\\"/ | paste -sd,)]}"',
    ];
    const words = ['-rm', '/bin/sh', '-c', steps.join('\n'), 'sh', process.execPath, program];
    const { told } = start(['unshare', ...words], folder, { uid: ordinary, gid: ordinary });
    return told() as Promise<never>; // the shell line above makes its shape
  }

  it('a full disk is said, and the old login stays', async () => {
    const message = `Could not write ${path('credentials.json')}: the disk is full.`;
    const hint = 'Free some space there, then run the command again.';
    expect(await spoilt('cat /dev/zero >rest 2>/dev/null')).toEqual({
      login: { failure: { kind: 'io', message, hint }, warnings: [] },
      read: { result: login, warnings: [] },
      files: ['credentials.json', 'locks', 'rest'],
    });
  });

  it('a read-only disk is said, and the old login stays', async () => {
    const message = `Could not write into ${folder}: the file system is read-only.`;
    const hint = 'Choose a writable place, for example with IIOT_CONFIG_DIR.';
    expect(await spoilt('mount -o remount,bind,ro "$IIOT_CONFIG_DIR"')).toEqual({
      login: { failure: { kind: 'io', message, hint }, warnings: [] },
      read: { result: login, warnings: [] },
      files: ['credentials.json', 'locks'],
    });
  });
});
