import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { madeForAll } from '../support/fixtures.ts';
import { runOnNetwork } from '../support/here.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { runProgram } from '../support/program.ts';

const sandbox = madeForAll(() => startServer());
const home = homeForAll();
let odd: Server;
let silent: TcpServer;
let answer: { status: number; type: string; body: string; date?: string; wait?: string; operation?: string };

beforeAll(async () => {
  odd = createServer(({ url = '' }, response) => {
    const { status, type, body, date, wait, operation } = answer;
    if (operation !== undefined && url !== '/') {
      response.writeHead(401, { 'content-type': 'application/json' }).end(operation);
      return;
    }
    const headers = { 'content-type': type, ...(date && { date }), ...(wait && { 'retry-after': wait }) };
    response.writeHead(status, headers).end(body);
  });
  silent = createTcpServer(() => undefined);
  await Promise.all([odd, silent].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
});
afterAll(() => {
  odd.close();
  silent.close();
});

const machine = () => machineOf(sandbox);
const at = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // both listen on ports

type Finding = { check: string; status: string; says: string; hint?: string };

async function examine(env: Record<string, string>, words: readonly string[] = [], run = runOnNetwork) {
  const { exit, stdout, stderr } = await run(['doctor', '-o', 'json', ...words], { env });
  const findings = JSON.parse(stdout) as Finding[]; // the test's own expectation
  expect(stdout + stderr).not.toContain('iiot doctor');
  return { exit, stderr, findings, worst: findings.find(({ status }) => status !== 'ok') };
}

describe('iiot doctor', () => {
  it('finds nothing where all is well', async () => {
    const { exit, findings, stderr } = await examine(machine(), [], runProgram);
    expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'node ok',
      'files ok',
      'settings ok',
      'name ok',
      'connection ok',
      'platform ok',
      'clock ok',
      'login ok',
      'call ok',
    ]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });

  it('says that no platform is set', async () => {
    const { exit, worst } = await examine({});
    expect({ exit, check: worst?.check, says: worst?.says }).toEqual({
      exit: 3,
      check: 'login',
      says: 'You are not logged in.',
    });
  });

  it('says that the name does not resolve', async () => {
    const { exit, worst } = await examine({ IIOT_BASE_URL: 'https://nowhere.invalid' });
    expect({ exit, check: worst?.check }).toEqual({ exit: 8, check: 'name' });
    expect(worst?.says).toMatch(/^The name nowhere\.invalid does not resolve \(E/);
  });

  it('says that nothing listens', async () => {
    const { exit, worst } = await examine({ IIOT_BASE_URL: 'http://127.0.0.1:1' });
    expect({ exit, check: worst?.check, says: worst?.says }).toEqual({
      exit: 8,
      check: 'connection',
      says: 'Cannot reach http://127.0.0.1:1: nothing listens there.',
    });
  });

  it('says that the port does not speak TLS', async () => {
    answer = { status: 200, type: 'text/plain', body: '' };
    const { exit, worst } = await examine({ IIOT_BASE_URL: at(odd).replace('http:', 'https:') });
    expect({ exit, check: worst?.check }).toEqual({ exit: 8, check: 'certificate' });
    expect(worst?.says).toMatch(/it does not speak TLS\.$/);
  });

  it('says that the platform is silent, in the time given', async () => {
    const { exit, worst } = await examine({ IIOT_BASE_URL: at(silent) }, ['--timeout', '500ms']);
    expect({ exit, check: worst?.check }).toEqual({ exit: 8, check: 'platform' });
    expect(worst?.says).toContain('500 ms');
  });

  it('says that nobody is logged in', async () => {
    const { exit, worst } = await examine({ IIOT_BASE_URL: sandbox.url });
    expect({ exit, check: worst?.check, hint: worst?.hint?.includes('iiot login') }).toEqual({
      exit: 3,
      check: 'login',
      hint: true,
    });
  });

  it('says that the secret is refused', async () => {
    const { exit, worst, stderr } = await examine({ ...machine(), IIOT_CLIENT_SECRET: 'not-the-secret' });
    expect({ exit, check: worst?.check }).toEqual({ exit: 3, check: 'login' });
    expect(JSON.stringify(worst) + stderr).not.toContain('not-the-secret');
  });

  it('says that the token is refused, and why', async () => {
    const { exit, worst } = await examine({ IIOT_BASE_URL: sandbox.url, IIOT_TOKEN: 'stale-token' });
    expect({ exit, check: worst?.check, says: worst?.says }).toEqual({
      exit: 3,
      check: 'call',
      says:
        'Test call (list credentials): The access token is expired, revoked or not from this platform. ' +
        'The access token is not valid (invalid_token) (401)',
    });
  });

  it('says that the organization is not found, which is no failure of the way there', async () => {
    const { exit, worst } = await examine({ ...machine(), IIOT_ORG: '99999999-9999-4999-8999-999999999999' });
    expect({ exit, check: worst?.check, status: worst?.status }).toEqual({ exit: 0, check: 'call', status: 'warning' });
  });

  it('says that the clocks differ', async () => {
    answer = { status: 404, type: 'text/plain', body: '', date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    const { findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(findings.find(({ check }) => check === 'clock')?.status).toBe('warning');
  });

  it('says that a captive portal answers instead', async () => {
    answer = { status: 200, type: 'text/html', body: '<html><title>Hotel WiFi</title></html>' };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(exit).toBe(8);
    const hint = 'Check the base URL, and whether a gateway or proxy answers in place of the platform';
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
      { check: 'platform', status: 'warning', says: `A web page answered: "Hotel WiFi" (200 at ${at(odd)}/).`, hint },
      {
        check: 'call',
        status: 'failure',
        says: 'Test call (list credentials): A web page came instead of the platform\'s response: "Hotel WiFi" (200).',
        hint,
      },
    ]);
  });

  it("tells the title of the platform's own page, too", async () => {
    answer = { status: 200, type: 'text/html', body: '<html><title>Factory portal</title></html>', operation: '{}' };
    const { findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(findings.find(({ check }) => check === 'platform')).toEqual({
      check: 'platform',
      status: 'ok',
      says: `It answers with the page "Factory portal" (200 at ${at(odd)}/)`,
    });
  });

  it('says what a gateway says that is out of service, and for how long', async () => {
    answer = { status: 503, type: 'text/html', body: '<html><title>Maintenance</title></html>', wait: '600' };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    const says = 'A web page came instead of the platform\'s response: "Maintenance", and asks to wait 10 min';
    expect([exit, findings.filter(({ status }) => status !== 'ok')]).toMatchObject([
      8,
      [
        { check: 'platform', status: 'warning', says: `${says} (503 at ${at(odd)}/).` },
        {
          check: 'call',
          status: 'failure',
          says: `Test call (list credentials): ${says} (503).`,
          hint: 'Try again then',
        },
      ],
    ]);
  });

  it('says that the server speaks only HTTP/2', async () => {
    const root = authority();
    const modern = createSecureServer({ ...serverPair(root), allowHTTP1: false });
    await new Promise<void>((done) => modern.listen(0, '127.0.0.1', done));
    const address = at(modern).replace('http:', 'https:');
    const ca = home.file('ca.pem', root.certificate);
    const { worst } = await examine({ IIOT_BASE_URL: address, IIOT_CA_FILE: ca });
    modern.close();
    expect(worst).toEqual({
      check: 'certificate',
      status: 'failure',
      says: `Cannot connect to ${address}: it speaks only HTTP/2, and iiot speaks HTTP/1.1.`,
      hint: 'The server or gateway has to offer HTTP/1.1 as well',
    });
  });

  it('takes the 404 page of another web server for no sign that the platform is well', async () => {
    answer = {
      status: 404,
      type: 'text/html',
      body: '<html><title>404 Not Found</title><center>nginx</center></html>',
    };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    const told = findings.filter(({ says }) => says.includes('"404 Not Found"'));
    expect(exit).toBe(5);
    expect(told.map(({ check, status }) => [check, status])).toEqual([
      ['platform', 'warning'],
      ['call', 'failure'],
    ]);
    for (const { hint } of told) expect(hint).toContain('Check the base URL');
  });

  it('says that the configuration is broken, and does not quote it', async () => {
    const IIOT_CONFIG_DIR = home.at('broken');
    mkdirSync(IIOT_CONFIG_DIR, { mode: 0o700 });
    writeFileSync(join(IIOT_CONFIG_DIR, 'config.json'), '{"secret-canary": ');
    const { stdout, stderr, exit } = await runOnNetwork(['doctor', '-o', 'json'], {
      env: { ...machine(), IIOT_CONFIG_DIR },
    });
    expect(exit).toBe(1);
    expect(stdout).toContain('config.json');
    expect(stdout + stderr).not.toContain('secret-canary');
  });

  it('says that others may write into the folder', async () => {
    const IIOT_CONFIG_DIR = home.at('open');
    mkdirSync(IIOT_CONFIG_DIR);
    chmodSync(IIOT_CONFIG_DIR, 0o777);
    const { exit, worst } = await examine({ ...machine(), IIOT_CONFIG_DIR });
    expect({ exit, check: worst?.check, hint: worst?.hint }).toEqual({
      exit: 1,
      check: 'files',
      hint: `Run: chmod 700 ${IIOT_CONFIG_DIR}`,
    });
  });

  it.each(['--report-uncaught-exception', '--tls-keylog=/dev/null', '--tls_keylog=/dev/null'])(
    'warns of switches of Node that could write secrets out: %s',
    async (options) => {
      const { worst } = await examine({ ...machine(), NODE_OPTIONS: options });
      expect(worst).toMatchObject({ check: 'node', status: 'warning' });
    },
  );
});
