/** Many processes of the built program that share one login. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { crowdHome, type Member } from './crowd.ts';
import { good, type Moment, type RotatingPlatform, rotatingPlatform, call as saying } from './rotating.ts';

/** IIOT_TEST_LONG=1 is the full proof; the ordinary run has less of the same. */
const long = process.env.IIOT_TEST_LONG === '1';
const crowd = long ? 50 : 20;
const [rounds, crowdToKill] = long ? [20, 20] : [3, 5];

const home = madeForEach(crowdHome);
const keep = closedAfterEach();
let platform: RotatingPlatform;

const call = [...saying, '-q'];
const all = (members: readonly Member[]) => Promise.all(members.map(({ ended }) => ended));
const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

function stored(login: object): void {
  const { base } = platform;
  home.keep(base, { default: { baseUrl: base } }, { default: login });
}

/** A person's login, whose token has expired this moment. */
const person = () => ({
  flow: 'user',
  tenant: 'acme',
  app: 'console',
  accessToken: 'access-0',
  refreshToken: 'refresh-0',
  issuedAt: Date.now() - 7_200_000,
  expiresAt: Date.now() - 1,
});

const robotsVariables = () => ({
  IIOT_BASE_URL: platform.base,
  IIOT_CLIENT_ID: 'robot',
  IIOT_CLIENT_SECRET: 'robot-secret',
});

const locks = () => readdirSync(join(home.folder, 'locks'));
const kept = () => JSON.parse(readFileSync(join(home.folder, 'credentials.json'), 'utf8')).logins.default;

const moments: readonly Moment[] = ['asked', 'granted', 'answered'];

/** Kills whoever holds the lock at that moment of the first request for tokens, which is not answered then. Gives its number. */
function killOnce(members: readonly Member[], chosen: Moment): () => number {
  let victim = 0;
  platform.watch((moment) => {
    if (moment !== chosen || victim !== 0) return true;
    victim = holder();
    const kill = () => members.find(({ pid }) => pid === victim)?.kill();
    if (moment !== 'answered') kill();
    else setTimeout(kill, Math.random() * 40);
    return moment === 'answered';
  });
  return () => victim;
}

/** A lock is a folder with one file, whose name begins with the number of the process that holds it. */
function holder(): number {
  const [lock = ''] = locks().filter((name) => name.startsWith('login-'));
  const [name = ''] = readdirSync(join(home.folder, 'locks', lock));
  return Number(name.split('.')[0]);
}

it(`${crowd} processes with one login, whose token has expired, renew it once, and all succeed`, async () => {
  platform = await keep(rotatingPlatform());
  stored(person());
  const { members, release } = await home.gather(crowd, () => call, 'credentials.json');
  release();
  expect(await all(members)).toEqual(times(crowd, good));
  expect([platform.renewals, platform.revoked(), locks()]).toEqual([['refresh-0'], false, []]);
  expect(kept()).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-1' });
  expect((await home.start(['login', 'refresh', '-q']).ended).exit).toBe(0);
  expect(await home.start(call).ended).toEqual(good);
  expect(platform.renewals).toEqual(['refresh-0', 'refresh-1']);
});

describe('when the process that renews is killed,', () => {
  async function round(turn: number, file: string, env = {}): Promise<void> {
    const { members, release } = await home.gather(crowdToKill, () => call, file, { env });
    const victim = killOnce(members, moments[turn % moments.length] ?? 'asked');
    release();
    const ended = await all(members);
    const others = ended.filter((_, index) => members[index]?.pid !== victim());
    expect(others).toEqual(times(crowdToKill - 1, good));
    expect(['SIGKILL', 0]).toContain(ended.find((_, index) => members[index]?.pid === victim())?.exit);
  }

  async function refresh(env = {}): Promise<void> {
    platform.watch(() => true);
    expect((await home.start(['login', 'refresh', '-q'], { env }).ended).exit).toBe(0);
    expect(locks()).toEqual([]);
  }

  const turns = Array.from({ length: rounds }, (_, index) => index + 1);

  it.each(turns)("no other process with a person's login fails, in round %i", async (turn) => {
    platform = await keep(rotatingPlatform({ lenient: true }));
    stored(person());
    await round(turn, 'credentials.json');
    expect([platform.revoked(), platform.renewals.length > 2]).toEqual([false, false]);
    await refresh();
  });

  it.each(turns)('no other process with a credential fails, in round %i', async (turn) => {
    platform = await keep(rotatingPlatform());
    await round(turn, 'tokens.json', robotsVariables());
    expect(platform.machines()).toBeLessThanOrEqual(2);
    await refresh(robotsVariables());
  });
});

describe('while another process renews the login,', () => {
  const told = { renews: /^Waiting for process (\d+) to renew the login\.\n$/ };

  /** Starts a process that renews, and gives it when the platform has its request; the answer waits for `go`. */
  async function renewing({ words = call, lenient = false } = {}) {
    platform = await keep(rotatingPlatform({ lenient }));
    stored(person());
    let go = () => {};
    const asked = new Promise<void>((resolve) => platform.hold(new Promise((proceed) => (go = proceed)), resolve));
    const member = home.start(words);
    await asked;
    return { member, go };
  }

  it('a command says that it waits, and Ctrl-C ends it', async () => {
    const { member, go } = await renewing();
    const waiting = home.start(saying);
    const [, pid] = told.renews.exec(await waiting.said(told.renews)) ?? [];
    expect(Number(pid)).toBe(member.pid);
    process.kill(waiting.pid, 'SIGINT');
    const { stdout, stderr, exit } = await waiting.ended;
    expect({ stdout, said: stderr.split('\n').slice(0, 2), exit }).toEqual({
      stdout: '',
      said: [`Waiting for process ${member.pid} to renew the login.`, 'Stopped by SIGINT.'],
      exit: 130,
    });
    go();
    expect(await member.ended).toEqual(good);
    expect(locks()).toEqual([]);
  });

  it('a command keeps the login when the machine sleeps longer than --request-timeout', async () => {
    const { member, go } = await renewing({ words: [...call, '--request-timeout', '2s'], lenient: true });
    process.kill(member.pid, 'SIGSTOP');
    go();
    await sleep(2500);
    process.kill(member.pid, 'SIGCONT');
    expect(await member.ended).toEqual(good);
    const count = platform.renewals.length;
    expect(count).toBeLessThanOrEqual(2);
    expect(await home.start(call).ended).toEqual(good);
    expect([platform.revoked(), platform.renewals.length]).toEqual([false, count]);
  });
});

it('a login lost with the process that renewed it is reported by every command, and kept', async () => {
  platform = await keep(rotatingPlatform());
  stored(person());
  const { members, release } = await home.gather(5, () => call, 'credentials.json');
  const victim = killOnce(members, 'granted');
  release();
  const ended = await all(members);
  const others = ended.filter((_, index) => members[index]?.pid !== victim());
  for (const { stderr } of others) expect(stderr).toMatch(/renewal was cut off/);
  expect(others.map(({ stdout, exit }) => [stdout, exit])).toEqual(times(4, ['', 3]));
  // The one that was killed, and the first that asked after it: nobody shows a dead token again.
  expect(platform.renewals).toEqual(times(2, 'refresh-0'));
  expect(kept()).toMatchObject({ accessToken: 'access-0', refreshToken: 'refresh-0' });
  expect(locks()).toEqual([]);
});
