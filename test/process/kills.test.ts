/** Commands that write the store, killed in the middle, and many at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { crowdHome, type Own, put } from './crowd.ts';
import { rotatingPlatform } from './rotating.ts';

/** IIOT_TEST_LONG=1 is the full proof: 200 kills of a larger store, and one before every single call. */
const long = process.env.IIOT_TEST_LONG === '1';
const [kills, stride, size, crowd] = long ? [200, 1, 400, 20] : [12, 12, 100, 10];

const home = madeForEach(crowdHome);
const platform = madeForEach(() => rotatingPlatform());

type Facts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type State = { readonly profiles: Facts; readonly logins: Facts };

/** What both files say; the tokens themselves, which are others each time, are left out. Fails where a file is not whole. */
function state(): State {
  const config = read('config.json', { profiles: {} });
  const credentials = read('credentials.json', { logins: {} });
  const logins = Object.entries<Record<string, unknown>>(credentials.logins).map(([name, login]) => {
    const { accessToken: _token, expiresAt: _end, issuedAt: _begin, ...others } = login;
    return [name, others];
  });
  return { profiles: config.profiles, logins: Object.fromEntries(logins) };
}

function read(name: string, missing: object) {
  const path = join(home.folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : missing;
}

/** A command, and what it makes of the store. */
type Writer = { readonly args: readonly string[]; readonly own?: Own; readonly makes: (before: State) => State };

const robot = () => ({
  origin: platform.base,
  flow: 'm2m',
  base: platform.base,
  clientId: 'robot',
  clientSecret: 'robot-secret',
});

function writers(turn: number): Readonly<Record<'set' | 'login' | 'logout', Writer>> {
  const { base } = platform;
  const fresh = { org: `org-${turn}`, tenant: 'x'.repeat(turn) };
  const withDefault = (profiles: Facts, values: object) => ({
    ...profiles,
    default: { ...profiles.default, ...values },
  });
  return {
    set: {
      args: ['profiles', 'set', 'default', `org=${fresh.org}`, `tenant=${fresh.tenant}`],
      makes: ({ profiles, logins }) => ({ profiles: withDefault(profiles, fresh), logins }),
    },
    login: {
      args: ['login', 'm2m', '--base-url', base, '--client-id', 'robot', '--client-secret-stdin'],
      own: { input: 'robot-secret' },
      makes: ({ profiles, logins }) => ({
        profiles: withDefault(profiles, { baseUrl: base }),
        logins: { ...logins, default: robot() },
      }),
    },
    logout: {
      args: ['logout'],
      makes: ({ profiles, logins: { default: _gone, ...logins } }) => ({ profiles, logins }),
    },
  };
}

const names = ['set', 'login', 'logout'] as const;

/** A store of some size: many profiles, and the login of another one. */
function fill(others: object = {}): void {
  const profiles = Array.from({ length: size }, (_, index) => [`plant-${index}`, { org: `org-${index}` }]);
  put(home.folder, 'config.json', { version: 1, current: 'default', profiles: Object.fromEntries(profiles) });
  const login = { flow: 'm2m', origin: 'https://a.example', base: 'https://a.example', clientSecret: 'y'.repeat(9000) };
  put(home.folder, 'credentials.json', { version: 1, logins: { 'plant-0': login, ...others } });
}

function holdsOldOrNew(before: State, after: State): 'old' | 'between' | 'new' {
  const now = state();
  expect([before.profiles, after.profiles]).toContainEqual(now.profiles);
  expect([before.logins, after.logins]).toContainEqual(now.logins);
  const is = (one: State) => JSON.stringify(one) === JSON.stringify(now);
  return is(before) ? 'old' : is(after) ? 'new' : 'between';
}

async function leavesNoLitter(): Promise<void> {
  for (const { args, own } of Object.values(writers(0))) expect((await home.start(args, own).ended).exit).toBe(0);
  const known = ['config.json', 'credentials.json', 'locks'];
  expect([readdirSync(home.folder).sort(), readdirSync(join(home.folder, 'locks'))]).toEqual([known, []]);
}

describe('a command that writes the store', () => {
  it(`leaves the old or the new files when killed at ${kills} random moments`, async () => {
    fill();
    const seen = { killed: 0, old: 0, between: 0, new: 0 };
    // At first each command is left alone. Its life is what the moments are spread over, however busy the machine is.
    const life: { [name in (typeof names)[number]]?: number } = {};
    // Chance may want a few more until both ends were seen, and kills.
    const isSeen = () => seen.killed > kills / 4 && Math.min(seen.old, seen.new) > 0;
    const isEnough = (turn: number) => turn > 8 * kills || (turn > kills && isSeen());
    for (let turn = 1; !isEnough(turn); turn += 1) {
      const name = names[turn % 3] ?? 'set';
      const { args, own, makes } = writers(turn)[name];
      const before = state();
      const { members, release } = await home.gather(1, () => args, 'config.json', own);
      const began = performance.now();
      release();
      const known = life[name];
      const killing = known && setTimeout(() => members[0]?.kill(), Math.random() * known);
      const exit = (await members[0]?.ended)?.exit;
      const took = performance.now() - began;
      clearTimeout(killing);
      expect([0, 'SIGKILL']).toContain(exit);
      const held = holdsOldOrNew(before, makes(before));
      if (held === 'new') life[name] = took;
      if (known === undefined) continue;
      if (exit === 'SIGKILL') {
        seen.killed += 1;
        life[name] = known * 1.1;
      }
      seen[held] += 1;
    }
    expect(isSeen()).toBe(true);
    await leavesNoLitter();
  });

  it.each(names)('leaves the old or the new files when killed before a file system call: %s', async (name) => {
    const seen = new Set<string>();
    for (let call = 1 + Math.floor(Math.random() * stride); ; call += stride) {
      fill(name === 'logout' ? { default: robot() } : {});
      const { args, own, makes } = writers(call)[name];
      const before = state();
      const { exit } = await home.start(args, { ...own, env: { TEST_KILL_AT: `${call}` } }).ended;
      seen.add(holdsOldOrNew(before, makes(before)));
      if (exit === 0) break;
      expect(exit).toBe('SIGKILL');
    }
    expect(seen).toContain('new');
    await leavesNoLitter();
  });
});

it(`${crowd} processes that write different profiles at once lose none of them`, async () => {
  const { members, release } = await home.gather(
    crowd,
    (index) => ['profiles', 'set', `p${index}`, `org=${index}`],
    'config.json',
  );
  release();
  for (const { ended } of members) expect((await ended).exit).toBe(0);
  const all = Array.from({ length: crowd }, (_, index) => [`p${index}`, { org: `${index}` }]);
  expect(state().profiles).toEqual(Object.fromEntries(all));
  expect(readdirSync(join(home.folder, 'locks'))).toEqual([]);
});

it(`${crowd} machines that log in to different profiles at once lose none of them`, async () => {
  const { args, own } = writers(0).login;
  const { members, release } = await home.gather(
    crowd,
    (index) => [...args, '--profile', `p${index}`],
    'config.json',
    own,
  );
  release();
  for (const { ended } of members) expect((await ended).exit).toBe(0);
  const keys = Array.from({ length: crowd }, (_, index) => `p${index}`).sort();
  expect([Object.keys(state().profiles).sort(), Object.keys(state().logins).sort()]).toEqual([keys, keys]);
});
