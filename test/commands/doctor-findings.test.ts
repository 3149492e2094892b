import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/sandbox/server.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach, madeForAll } from '../support/fixtures.ts';
import { folderForEach } from '../support/folder.ts';
import { runOnNetwork } from '../support/here.ts';
import { machineOf } from '../support/home.ts';
import { always, answerText, rawServer } from '../support/raw-server.ts';

const sandbox = madeForAll(() => startServer());
const silent = madeForAll(() => rawServer());
const folder = folderForEach();
const keep = closedAfterEach();
const machine = () => machineOf(sandbox);

type Finding = { check: string; status: string; message: string; hint?: string };

async function examine(env: Record<string, string>) {
  const { exit, stdout, stderr } = await runOnNetwork(['doctor', '-o', 'json'], { env });
  const findings = JSON.parse(stdout) as Finding[]; // the test's own expectation
  expect(stdout + stderr).not.toContain('iiot doctor');
  const wrong = findings.filter(({ status }) => status !== 'ok');
  return { exit, stderr, findings, wrong, worst: wrong[0] };
}

/** Examines a server that answers every request alike, or those of the platform's operations with 401. */
async function met(status: number, title: string, { headers = [] as string[], isPlatform = false } = {}) {
  const page = answerText(status, `<html><title>${title}</title></html>`, ['content-type: text/html', ...headers]);
  const { origin } = await keep(
    rawServer((socket, request) =>
      socket.write(isPlatform && !request.startsWith('GET / ') ? answerText(401, '{}') : page),
    ),
  );
  return { origin, ...(await examine({ IIOT_BASE_URL: origin, IIOT_TOKEN: 'some-token' })) };
}

describe('iiot doctor', () => {
  const refused =
    'Test call (list credentials): The access token is expired, revoked or not from this platform. ' +
    'The access token is not valid (invalid_token) (401)';
  const nowhere = '99999999-9999-4999-8999-999999999999';
  it.each<[string, () => Record<string, string>, number, string, string | RegExp, string?]>([
    ['no platform is set', () => ({}), 3, 'login', /not logged in/],
    [
      'nothing listens',
      () => ({ IIOT_BASE_URL: 'http://127.0.0.1:1' }),
      8,
      'connection',
      'Cannot reach http://127.0.0.1:1: nothing listens there.',
    ],
    [
      'the port does not speak TLS',
      () => ({ IIOT_BASE_URL: sandbox.url.replace('http:', 'https:') }),
      8,
      'certificate',
      /not speak TLS/,
    ],
    [
      'the platform does not respond in time',
      () => ({ IIOT_BASE_URL: silent.origin, IIOT_REQUEST_TIMEOUT: '3s' }),
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
    const { findings } = await met(404, '', { headers: ['date: Thu, 01 Jan 2026 00:00:00 GMT'] });
    expect(findings.find(({ check }) => check === 'clock')?.status).toBe('warning');
  });

  it('reports the title of a page that answers instead of the platform', async () => {
    const { exit, wrong, origin } = await met(200, 'Hotel WiFi');
    const hint = 'Check the base URL, and whether a gateway or proxy answers in place of the platform';
    expect([exit, wrong]).toEqual([
      8,
      [
        {
          check: 'platform',
          status: 'warning',
          message: `A web page answered: "Hotel WiFi" (200 at ${origin}/).`,
          hint,
        },
        {
          check: 'call',
          status: 'failure',
          message: expect.stringMatching(/^Test call \(list credentials\): .*"Hotel WiFi" \(200\)\.$/),
          hint,
        },
      ],
    ]);
  });

  it("shows the title of the platform's own page", async () => {
    const { findings, origin } = await met(200, 'Factory portal', { isPlatform: true });
    expect(findings).toContainEqual({
      check: 'platform',
      status: 'ok',
      message: `It answers with the page "Factory portal" (200 at ${origin}/)`,
      hint: null,
    });
  });

  it('reports how long a gateway that is out of service asks to wait', async () => {
    const { exit, wrong } = await met(503, 'Maintenance', { headers: ['retry-after: 600'] });
    const message = expect.stringMatching(/"Maintenance", and asks to wait 10 min/);
    expect([exit, wrong]).toMatchObject([
      8,
      [
        { check: 'platform', status: 'warning', message },
        { check: 'call', status: 'failure', hint: 'Try again then' },
      ],
    ]);
  });

  it('warns when another web server answers with a 404 page', async () => {
    const { exit, wrong } = await met(404, '404 Not Found');
    const told = { message: expect.stringContaining('"404 Not Found"'), hint: expect.stringContaining('the base URL') };
    expect([exit, wrong]).toMatchObject([
      5,
      [
        { check: 'platform', status: 'warning', ...told },
        { check: 'call', status: 'failure', ...told },
      ],
    ]);
  });

  it('suggests https when a server closes a connection without TLS', async () => {
    const server = await keep(rawServer(always(200, '[]'), serverPair(authority('Inner'), {})));
    const { exit, worst } = await examine({ IIOT_BASE_URL: server.origin.replace('https', 'http'), IIOT_TOKEN: 'x' });
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
    const address = `https://127.0.0.1:${(modern.address() as AddressInfo).port}`; // it listens on a port
    const ca = folder.write('ca.pem', root.certificate);
    const { worst } = await examine({ IIOT_BASE_URL: address, IIOT_CA_FILE: ca });
    modern.close();
    expect(worst).toEqual({
      check: 'certificate',
      status: 'failure',
      message: `Cannot connect to ${address}: it speaks only HTTP/2, but iiot speaks HTTP/1.1.`,
      hint: 'The server or gateway must offer HTTP/1.1 as well',
    });
  });

  it.each(['--report-uncaught-exception', '--tls-keylog=/dev/null', '--tls_keylog=/dev/null'])(
    'warns of the Node option %s, which can write secrets to files',
    async (options) => {
      const { worst } = await examine({ ...machine(), NODE_OPTIONS: options });
      expect(worst).toMatchObject({ check: 'node', status: 'warning' });
    },
  );
});
