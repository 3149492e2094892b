import { expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { type ProgramOptions, runProgram } from '../support/program.ts';
import { always, answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';
import { org, users } from './guarded.ts';

const token = 'c4nary-t0ken.a1b2c3';
const ours = authority('Factory Authority');
const home = homeForEach(() => ({ IIOT_TOKEN: token }));
const keep = closedAfterEach();
const serve = (...options: Parameters<typeof rawServer>) => keep(rawServer(...options));

function iiot(args: readonly string[], base: string, { env, ...options }: ProgramOptions = {}) {
  return runProgram(args, {
    ...options,
    env: { IIOT_BASE_URL: base, IIOT_ORG: org, IIOT_TOKEN: token, ...env },
  });
}

const list = ['orgs', 'users', 'list', '-o', 'json'];
const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3', '-o', 'json'];

it('the process ends at --request-timeout with a platform that does not respond', async () => {
  const { origin } = await serve(() => undefined);
  const run = await iiot([...change, '--request-timeout', '2s'], origin);
  const { code, message, request } = JSON.parse(run.stderr).error;
  expect([run.exit, run.stdout, code, request.method]).toEqual([8, '', 'unavailable', 'PUT']);
  expect(message).toMatch(/^No response from \S+ within 2 s: .* may have been applied\.$/);
});

it('the process ends after its response, though the platform keeps the connection open', async () => {
  const { origin } = await serve(always(200, users));
  const run = await iiot(list, origin);
  expect([run.exit, JSON.parse(run.stdout)]).toEqual([0, [{ userId: 'u1', name: 'Ada', orgRole: 'admin' }]]);
});

it('a server with an untrusted certificate gets no request, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const server = await serve(always(200, users), serverPair(ours));
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null' };
  const run = await iiot(list.slice(0, 3), server.origin, { env });
  expect(run).toMatchObject({
    exit: 8,
    stdout: '',
    stderr: expect.stringMatching(/^error: Cannot connect to \S+: .*authority/),
  });
  expect(server.requests).toEqual([]);
  const file = home.file('ca.pem', ours.certificate);
  const trusted = await iiot([...list, '--ca-file', file], server.origin, { env });
  expect([trusted.exit, trusted.stderr]).toEqual([0, '']);
  for (const variable of ['IIOT_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
    expect((await iiot(list, server.origin, { env: { [variable]: file } })).exit).toBe(0);
  }
});

it('a NODE_DEBUG with which Node would print the token is refused', async () => {
  const server = await serve(always(200, users));
  const run = await iiot(list.slice(0, 3), server.origin, { env: { NODE_DEBUG: 'http,net,tls,undici' } });
  expect([run.exit, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toMatch(/^error: NODE_DEBUG .*\nhint: .*--debug/);
  expect(run.stderr).not.toContain(token);
  expect(server.requests).toEqual([]);
});

// Fields of errors, causes and uncaught exceptions hold what was sent, if somebody lets them.
const broken: readonly (readonly [string, Behaviour])[] = [
  ['reset', (socket) => socket.resetAndDestroy()],
  ['garbage', (socket, request) => socket.end(request)],
  ['an echo in a success', (socket, request) => socket.write(answerText(200, `not JSON: ${request}`))],
  [
    'an echo in a header that breaks HTTP',
    (socket, request) => socket.end(`HTTP/1.1 200 OK\r\nx ${/bearer .*/i.exec(request)?.[0]}\r\n\r\n`),
  ],
];

it.each(broken)('a broken response shows no token: %s', async (_, behaviour) => {
  const { origin } = await serve(behaviour);
  const lines = [list, [...change, '--debug', '--retries', '1']];
  for (const run of await Promise.all(lines.map((words) => iiot(words, origin)))) {
    expect(run.exit).toBeGreaterThan(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).not.toContain(token);
    expect(run.stderr).not.toContain(Buffer.from(token).toString('base64').replace(/=+$/, ''));
    expect(run.stderr).not.toMatch(/\n\s+at /);
    const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last).error.code).not.toBe('internal');
  }
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a change ends at once with %s, and may have been applied', async (signal, exit) => {
  const server = await serve();
  const { child, ended, stderr } = home.begin([...change, '--base-url', server.origin]);
  await until('it is asked', () => server.requests.length > 0);
  child.kill(signal);
  expect((await ended).exit).toBe(exit);
  const { code, message } = JSON.parse(stderr()).error;
  expect([code, message]).toEqual([
    'interrupted',
    expect.stringMatching(`^Stopped by ${signal}\\. .*may have been applied`),
  ]);
});
