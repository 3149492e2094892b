import { createServer, type Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { madeForAll } from '../support/fixtures.ts';
import { runOnNetwork } from '../support/here.ts';
import { homeForAll, machineOf } from '../support/home.ts';
import { runProgram } from '../support/program.ts';
import { always, rawServer } from '../support/raw-server.ts';

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

type Finding = { check: string; status: string; message: string; hint?: string };

async function examine(env: Record<string, string>, words: readonly string[] = [], run = runOnNetwork) {
  const { exit, stdout, stderr } = await run(['doctor', '-o', 'json', ...words], { env });
  const findings = JSON.parse(stdout) as Finding[]; // the test's own expectation
  expect(stdout + stderr).not.toContain('iiot doctor');
  return { exit, stderr, findings, worst: findings.find(({ status }) => status !== 'ok') };
}

describe('iiot doctor', () => {
  it('reports no problem when everything works', async () => {
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

  const refused =
    'Test call (list credentials): The access token is expired, revoked or not from this platform. ' +
    'The access token is not valid (invalid_token) (401)';
  const nowhere = '99999999-9999-4999-8999-999999999999';
  it.each<[string, () => Record<string, string>, number, string, string | RegExp, string?]>([
    ['no platform is set', () => ({}), 3, 'login', /not logged in/],
    [
      'a name does not resolve',
      () => ({ IIOT_BASE_URL: 'https://nowhere.invalid' }),
      8,
      'name',
      /^The name nowhere\.invalid does not resolve \(E/,
    ],
    [
      'nothing listens',
      () => ({ IIOT_BASE_URL: 'http://127.0.0.1:1' }),
      8,
      'connection',
      'Cannot reach http://127.0.0.1:1: nothing listens there.',
    ],
    [
      'the port does not speak TLS',
      () => ({ IIOT_BASE_URL: at(odd).replace('http:', 'https:') }),
      8,
      'certificate',
      /not speak TLS/,
    ],
    [
      'the platform does not respond in time',
      () => ({ IIOT_BASE_URL: at(silent), IIOT_REQUEST_TIMEOUT: '3s' }),
      8,
      'platform',
      /within 3 s/,
    ],
    ['nobody is logged in', () => ({ IIOT_BASE_URL: sandbox.url }), 3, 'login', /not logged in/, 'Log in: iiot login'],
    [
      'the secret is refused',
      () => ({ ...machine(), IIOT_CLIENT_SECRET: 'not-the-secret' }),
      3,
      'login',
      /^(?!.*not-the-secret)/,
    ],
    ['the token is refused', () => ({ IIOT_BASE_URL: sandbox.url, IIOT_TOKEN: 'stale-token' }), 3, 'call', refused],
    [
      'the organization does not exist',
      () => ({ ...machine(), IIOT_ORG: nowhere }),
      0,
      'call',
      `Test call (list users): There is no organization ${nowhere}. (404)`,
    ],
  ])('reports that %s', async (_, env, exit, check, message, hint) => {
    const seen = await examine(env());
    expect([seen.exit, seen.worst]).toMatchObject([
      exit,
      {
        check,
        status: exit === 0 ? 'warning' : 'failure',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        ...(hint !== undefined && { hint }),
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain('not-the-secret');
  });

  it('reports that the clocks differ', async () => {
    answer = { status: 404, type: 'text/plain', body: '', date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    const { findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(findings.find(({ check }) => check === 'clock')?.status).toBe('warning');
  });

  it('reports the title of a page that answers instead of the platform', async () => {
    answer = { status: 200, type: 'text/html', body: '<html><title>Hotel WiFi</title></html>' };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(exit).toBe(8);
    const hint = 'Check the base URL, and whether a gateway or proxy answers in place of the platform';
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([
      {
        check: 'platform',
        status: 'warning',
        message: `A web page answered: "Hotel WiFi" (200 at ${at(odd)}/).`,
        hint,
      },
      {
        check: 'call',
        status: 'failure',
        message: expect.stringMatching(/^Test call \(list credentials\): .*"Hotel WiFi" \(200\)\.$/),
        hint,
      },
    ]);
  });

  it("shows the title of the platform's own page", async () => {
    answer = { status: 200, type: 'text/html', body: '<html><title>Factory portal</title></html>', operation: '{}' };
    const { findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect(findings.find(({ check }) => check === 'platform')).toEqual({
      check: 'platform',
      status: 'ok',
      message: `It answers with the page "Factory portal" (200 at ${at(odd)}/)`,
      hint: null,
    });
  });

  it('reports how long a gateway that is out of service asks to wait', async () => {
    answer = { status: 503, type: 'text/html', body: '<html><title>Maintenance</title></html>', wait: '600' };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    expect([exit, findings.filter(({ status }) => status !== 'ok')]).toMatchObject([
      8,
      [
        {
          check: 'platform',
          status: 'warning',
          message: expect.stringMatching(/"Maintenance", and asks to wait 10 min/),
        },
        { check: 'call', status: 'failure', hint: 'Try again then' },
      ],
    ]);
  });

  it('suggests https when a server closes a connection without TLS', async () => {
    const server = await rawServer(always(200, '[]'), serverPair(authority('Inner'), {}));
    const { exit, worst } = await examine({ IIOT_BASE_URL: server.origin.replace('https', 'http'), IIOT_TOKEN: 'x' });
    await server.close();
    expect({ exit, check: worst?.check, hint: worst?.hint }).toEqual({
      exit: 8,
      check: 'platform',
      hint: 'Try again, and check whether the base URL should start with https://',
    });
  });

  it('reports a server that speaks only HTTP/2', async () => {
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
      message: `Cannot connect to ${address}: it speaks only HTTP/2, but iiot speaks HTTP/1.1.`,
      hint: 'The server or gateway must offer HTTP/1.1 as well',
    });
  });

  it('warns when another web server answers with a 404 page', async () => {
    answer = {
      status: 404,
      type: 'text/html',
      body: '<html><title>404 Not Found</title><center>nginx</center></html>',
    };
    const { exit, findings } = await examine({ IIOT_BASE_URL: at(odd), IIOT_TOKEN: 'some-token' });
    const told = findings.filter(({ message }) => message.includes('"404 Not Found"'));
    expect(exit).toBe(5);
    expect(told.map(({ check, status }) => [check, status])).toEqual([
      ['platform', 'warning'],
      ['call', 'failure'],
    ]);
    for (const { hint } of told) expect(hint).toContain('Check the base URL');
  });

  it.each(['--report-uncaught-exception', '--tls-keylog=/dev/null', '--tls_keylog=/dev/null'])(
    'warns of the Node option %s, which can write secrets to files',
    async (options) => {
      const { worst } = await examine({ ...machine(), NODE_OPTIONS: options });
      expect(worst).toMatchObject({ check: 'node', status: 'warning' });
    },
  );
});
