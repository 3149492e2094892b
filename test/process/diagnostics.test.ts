/** What Node itself can write down of a process: a secret that was read from a file is in none of it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesIn, leaks } from '../support/canary.ts';
import { cleanEnvironment, executable, programFile, programWords, runProgram } from '../support/program.ts';
import { answerText, type RawServer, rawServer } from '../support/raw-server.ts';
import { put } from './crowd.ts';
import { org, secrets, users } from './guarded.ts';

const known = { ...secrets, refreshToken: 'r3fresh-CANARY/t0ken+next' };
let folder: string;
let server: RawServer;
let arrived: Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'iiot-diagnostics-'));
  let tell = () => {};
  arrived = new Promise((resolve) => (tell = resolve));
  server = await rawServer((socket, request) => {
    tell();
    if (request.includes('/slow')) return;
    const tokens = JSON.stringify({ accessToken: known.token, refreshToken: known.refreshToken, expiresIn: 7200 });
    socket.write(answerText(200, /connect\/token|auth\/tokens/.test(request) ? tokens : users));
  });
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
  put(join(folder, 'iiot'), 'config.json', {
    version: 1,
    profiles: { plant: { baseUrl: server.origin, org }, robot: { baseUrl: server.origin, org } },
  });
  put(join(folder, 'iiot'), 'credentials.json', { version: 1, logins: { plant: person, robot } });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ ...cleanEnvironment(folder), NODE_OPTIONS: `--report-directory=${folder}` });

describe.skipIf(executable !== undefined)('a report of Node', () => {
  const reports = () => filesIn(folder).filter(({ place }) => place.startsWith('report.'));

  it.each([
    ['at a signal, while a token is on its way', '--report-on-signal', ''],
    ['at a crash', '--report-uncaught-exception', "process.on('SIGUSR2', () => { throw new Error('crashed'); });"],
    [
      'at a promise that nobody heard of',
      '--report-uncaught-exception',
      "process.on('SIGUSR2', () => void Promise.reject(new Error('crashed')));",
    ],
  ])('%s holds no secret', async (_, option, hook) => {
    const preload = join(folder, 'crash.cjs');
    writeFileSync(preload, hook);
    const words = [
      '--require',
      preload,
      option,
      ...programWords,
      'api',
      'GET',
      '/slow',
      '--profile',
      'robot',
      '--debug',
    ];
    const child = spawn(programFile, words, { env: env(), cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    const closed = new Promise((resolve) => child.on('close', resolve));
    await arrived;
    child.kill('SIGUSR2');
    for (let tries = 0; reports().length === 0 && tries < 200; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await closed;
    expect(reports().length).toBe(1);
    expect(leaks(known, [{ place: 'output', text: said }, ...filesIn(folder)])).toEqual([]);
  });
});

it.each(['https,net,tls,stream,undici,fetch', 'fs,timer,module'])(
  'NODE_DEBUG=%s shows no secret of a file, renewed or asked for',
  async (NODE_DEBUG) => {
    for (const profile of ['plant', 'robot']) {
      const { exit, stdout, stderr } = await runProgram(['orgs', 'users', 'list', '--profile', profile], {
        env: { ...env(), NODE_DEBUG },
      });
      expect(exit).toBe(0);
      expect(
        leaks(known, [
          { place: 'stdout', text: stdout },
          { place: 'stderr', text: stderr },
        ]),
      ).toEqual([]);
    }
  },
);
