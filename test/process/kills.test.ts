/** Commands that write the store, killed in the middle. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { crowdHome, type Own, put } from './crowd.ts';
import { rotatingPlatform } from './rotating.ts';

/** IIOT_TEST_LONG=1 is the full proof: a kill before every single call, and of a larger store. */
const [stride, size] = process.env.IIOT_TEST_LONG === '1' ? [1, 400] : [12, 100];

const home = madeForEach(crowdHome);
const platform = madeForEach(() => rotatingPlatform());

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type State = { readonly profiles: Facts; readonly logins: Facts };

/** What both files say; the tokens themselves, which are others each time, are left out. Fails where a file is not whole. */
function state(): State {
  const { profiles = {} } = read('config.json');
  const logins = Object.entries<Facts[string]>(read('credentials.json').logins ?? {}).map(([name, login]) => {
    const { accessToken: _token, expiresAt: _end, issuedAt: _begin, ...others } = login;
    return [name, others];
  });
  return { profiles, logins: Object.fromEntries(logins) };
}

function read(name: string) {
  const path = join(home.folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

const robot = () => {
  const { base } = platform;
  return { origin: base, flow: 'm2m', base, clientId: 'robot', clientSecret: 'robot-secret' };
};

/** A command, and what it makes of the store. */
type Writer = { readonly args: () => readonly string[]; readonly own?: Own; readonly makes: (before: State) => State };

const writers: Readonly<Record<string, Writer>> = {
  set: {
    args: () => ['profiles', 'set', 'default', 'org=org-1', 'tenant=acme'],
    makes: ({ profiles, logins }) => ({
      profiles: { ...profiles, default: { org: 'org-1', tenant: 'acme' } },
      logins,
    }),
  },
  login: {
    args: () => ['login', 'm2m', '--base-url', platform.base, '--client-id', 'robot', '--client-secret-stdin'],
    own: { input: 'robot-secret' },
    makes: ({ profiles, logins }) => ({
      profiles: { ...profiles, default: { baseUrl: platform.base } },
      logins: { ...logins, default: robot() },
    }),
  },
  logout: {
    args: () => ['logout'],
    makes: ({ profiles, logins: { default: _gone, ...logins } }) => ({ profiles, logins }),
  },
};

/** A store of some size: many profiles, and the login of another one. */
function fill(others: object): void {
  const profiles = Array.from({ length: size }, (_, index) => [`plant-${index}`, { org: `org-${index}` }]);
  put(home.folder, 'config.json', { version: 1, current: 'default', profiles: Object.fromEntries(profiles) });
  const login = { flow: 'm2m', origin: 'https://a.example', base: 'https://a.example', clientSecret: 'y'.repeat(9000) };
  put(home.folder, 'credentials.json', { version: 1, logins: { 'plant-0': login, ...others } });
}

it.each(Object.entries(writers))(
  'the store has its old or its new files when a command is killed before a file system call: %s',
  async (name, { args, own, makes }) => {
    const start = (env: Readonly<Record<string, string>> = {}) => home.start(args(), { ...own, env }).ended;
    for (let call = 1 + Math.floor(Math.random() * stride); ; call += stride) {
      fill(name === 'logout' ? { default: robot() } : {});
      const before = state();
      const after = makes(before);
      const { exit } = await start({ TEST_KILL_AT: `${call}` });
      const now = state();
      expect([before.profiles, after.profiles]).toContainEqual(now.profiles);
      expect([before.logins, after.logins]).toContainEqual(now.logins);
      if (exit === 'SIGKILL') continue;
      expect([exit, now]).toEqual([0, after]);
      break;
    }
    // The next command clears away what the killed ones have left.
    expect((await start()).exit).toBe(0);
    expect(readdirSync(home.folder).sort()).toEqual(['config.json', 'credentials.json', 'locks']);
    expect(readdirSync(join(home.folder, 'locks'))).toEqual([]);
  },
);
