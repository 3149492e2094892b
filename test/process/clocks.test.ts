/** Tokens and time: clocks that are wrong, lives that make no sense, and a machine that slept. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { executable } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { crowdHome } from './crowd.ts';
import { org, users } from './guarded.ts';
import { rotatingPlatform } from './rotating.ts';

const hour = 3_600_000;
const list = ['orgs', 'users', 'list', '-o', 'id'];
/** What the platform answers to who asks for a token. */
let token: object;

const server = madeForEach(() =>
  rawServer((socket, request) => {
    const body = request.includes('/connect/token') ? JSON.stringify(token) : users;
    socket.write(answerText(200, body, [`date: ${new Date().toUTCString()}`]));
  }),
);
const home = homeForEach(() => ({ IIOT_BASE_URL: server.origin, IIOT_ORG: org }));

/** Runs with a clock that is so many milliseconds ahead of the platform's. */
function run(words: readonly string[], ahead = 0) {
  const clock = home.file('clock.cjs', `const now = Date.now; Date.now = () => now() + ${ahead};`);
  return home.iiot(words, { input: 'secret-1', ...(ahead !== 0 && { node: ['--require', clock] }) });
}

const logIn = (ahead = 0) =>
  run(['login', 'm2m', '--client-id', 'robot', '--client-secret-stdin', '-o', 'json'], ahead);
const tokensAsked = () => server.requests.filter((request) => request.includes('/connect/token')).length;
const jwt = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.');
const seconds = () => Math.floor(Date.now() / 1000);

it.each([
  ['two hours ahead', 2 * hour, {}],
  ['two hours behind', -2 * hour, {}],
  ['in 1970', -Date.now() + hour, {}],
  ['in 2150', 125 * 365 * 24 * hour, { expires_in: 3600 }],
])('a login is not renewed because the clock of the machine is %s', async (_, ahead, answer) => {
  token = { access_token: jwt({ exp: seconds() + 3600 }), ...answer };
  expect((await logIn(ahead)).exit).toBe(0);
  expect(await run(list, ahead)).toEqual({ stdout: 'u1\n', stderr: '', exit: 0 });
  expect(tokensAsked()).toBe(1);
});

it('a login is renewed once when the clock jumps ahead, and not when it jumps back', async () => {
  token = { access_token: 'token-1', expires_in: 3600 };
  await logIn();
  for (const ahead of [2 * hour, 2 * hour, 0, -5 * hour]) expect((await run(list, ahead)).exit).toBe(0);
  expect(tokensAsked()).toBe(2);
});

describe.skipIf(executable !== undefined)('a command on a machine that sleeps longer than --request-timeout', () => {
  const platform = madeForEach(() => rotatingPlatform({ lenient: true }));
  const crowd = madeForEach(crowdHome);

  async function asleep(pid: number): Promise<void> {
    process.kill(pid, 'SIGSTOP');
    await sleep(2500);
    process.kill(pid, 'SIGCONT');
  }

  it('keeps its login when it falls asleep during a renewal', async () => {
    const { base } = platform;
    const login = { flow: 'user', tenant: 'acme', app: 'console', account: 'ada@example.com' };
    const tokens = { accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: 1 };
    crowd.keep(base, { default: { baseUrl: base } }, { default: { ...login, ...tokens } });
    let go = () => {};
    const asked = new Promise<void>((resolve) => platform.hold(new Promise((proceed) => (go = proceed)), resolve));
    const words = [...list, '--org', org, '--request-timeout', '2s'];
    const member = crowd.start(words);
    await asked;
    const woken = asleep(member.pid);
    go();
    await woken;
    expect(await member.ended).toEqual({ stdout: 'user-1\n', stderr: '', exit: 0 });
    expect(platform.renewals.length).toBeLessThanOrEqual(2);
    const renewals = platform.renewals.length;
    expect((await crowd.start(words).ended).exit).toBe(0);
    expect([platform.revoked(), platform.renewals.length]).toEqual([false, renewals]);
  });

  it('does every row of an import when it falls asleep in the middle', async () => {
    const done = new Set<string>();
    let half = () => {};
    const halfDone = new Promise<void>((resolve) => (half = resolve));
    const rows = Array.from({ length: 60 }, (_, at) => `press-${at}`);
    const slow = await rawServer((socket, request) => {
      const device = /devices\/([\w-]+)\/custom-info/.exec(request)?.[1];
      if (device) done.add(device);
      if (done.size === rows.length / 2) half();
      setTimeout(() => socket.write(answerText(204)), 20);
    });
    const line = 'devices custom-info import - --yes --format csv --concurrency 4 --request-timeout 2s -o json';
    const member = crowd.start(line.split(' '), {
      env: { IIOT_BASE_URL: slow.origin, IIOT_TOKEN: 'token-1' },
      input: ['deviceId,line', ...rows.map((device) => `${device},3`)].join('\n'),
    });
    await halfDone;
    await asleep(member.pid);
    const { exit, stderr } = await member.ended;
    await slow.close();
    expect({ exit, stderr, done: done.size }).toEqual({ exit: 0, stderr: '', done: rows.length });
  });
});
