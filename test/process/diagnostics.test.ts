/** What Node itself can write down of a process: a secret that was read from a file is in none of it. */
import { spawn } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesIn, leaks } from '../support/canary.ts';
import { madeForEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { executable, programFile, programWords } from '../support/program.ts';
import { answerText, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';
import { put } from './crowd.ts';
import { org, secrets, users } from './guarded.ts';

const known = { ...secrets, refreshToken: 'r3fresh-CANARY/t0ken+next' };
let tell = () => {};
let arrived: Promise<void>;

const server = madeForEach(() =>
  rawServer((socket, request) => {
    tell();
    if (request.includes('/slow')) return;
    const tokens = JSON.stringify({ accessToken: known.token, refreshToken: known.refreshToken, expiresIn: 7200 });
    socket.write(answerText(200, /connect\/token|auth\/tokens/.test(request) ? tokens : users));
  }),
);
const home = homeForEach(() => ({ NODE_OPTIONS: `--report-directory=${home.folder}` }));
beforeEach(() => {
  arrived = new Promise((resolve) => (tell = resolve));
  const login = { origin: server.origin, base: server.origin, accessToken: known.token };
  const person = {
    ...login,
    flow: 'user',
    tenant: 'acme',
    app: 'console',
    refreshToken: known.refreshToken,
    expiresAt: 1,
  };
  const robot = { ...login, flow: 'm2m', clientId: 'robot', clientSecret: known.clientSecret };
  put(home.settings, 'config.json', {
    version: 1,
    profiles: { plant: { baseUrl: server.origin, org }, robot: { baseUrl: server.origin, org } },
  });
  put(home.settings, 'credentials.json', { version: 1, logins: { plant: person, robot } });
});

describe.skipIf(executable !== undefined)('a report of Node', () => {
  const reports = () => filesIn(home.folder).filter(({ place }) => place.startsWith('report.'));

  it.each([
    ['at a signal', '--report-on-signal', ''],
    ['at a crash', '--report-uncaught-exception', "process.on('SIGUSR2', () => { throw new Error('crashed'); });"],
    [
      'at an unhandled rejection',
      '--report-uncaught-exception',
      "process.on('SIGUSR2', () => void Promise.reject(new Error('crashed')));",
    ],
  ])('written %s holds no secret', async (_, option, hook) => {
    const preload = home.file('crash.cjs', hook);
    const line = 'api GET /slow --profile robot --debug';
    const words = ['--require', preload, option, ...programWords, ...line.split(' ')];
    const child = spawn(programFile, words, { env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    const closed = new Promise((resolve) => child.on('close', resolve));
    await arrived;
    child.kill('SIGUSR2');
    await until('there is a report', () => reports().length > 0);
    child.kill('SIGKILL');
    await closed;
    expect(reports().length).toBe(1);
    expect(leaks(known, [{ place: 'output', text: said }, ...filesIn(home.folder)])).toEqual([]);
  });
});

it.each(['https,net,tls,stream,undici,fetch', 'fs,timer,module'])(
  'NODE_DEBUG=%s shows no secret of a stored login',
  async (NODE_DEBUG) => {
    for (const profile of ['plant', 'robot']) {
      const { exit, stdout, stderr } = await home.iiot(['orgs', 'users', 'list', '--profile', profile], {
        env: { NODE_DEBUG },
      });
      expect(exit).toBe(0);
      expect(leaks(known, [{ place: 'output', text: stdout + stderr }])).toEqual([]);
    }
  },
);
