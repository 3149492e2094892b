import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { type ProgramOptions, programFile, programWords, runProgram } from '../support/program.ts';
import { always, answerText, type Behaviour, rawServer } from '../support/raw-server.ts';

const orgId = '0b0f2a1c-1111-4222-8333-444455556666';
const token = 'c4nary-t0ken.a1b2c3';
const users = '{"totalCount":1,"items":[{"userId":"u1","name":"Ada","orgRole":"admin"}]}';
const ours = authority('Factory Authority');
const home = homeForEach();
const keep = closedAfterEach();
const serve = (...options: Parameters<typeof rawServer>) => keep(rawServer(...options));

function iiot(args: readonly string[], base: string, { env, ...options }: ProgramOptions = {}) {
  return runProgram(args, {
    ...options,
    env: { IIOT_BASE_URL: base, IIOT_ORG: orgId, IIOT_TOKEN: token, ...env },
  });
}

const list = ['orgs', 'users', 'list', '-o', 'json'];
const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3', '-o', 'json'];

it('ends at --request-timeout with a platform that says nothing, and the process with it', async () => {
  const { origin } = await serve(() => undefined);
  const run = await iiot([...change, '--request-timeout', '2s'], origin);
  expect([run.exit, run.stdout, JSON.parse(run.stderr)]).toEqual([
    8,
    '',
    {
      error: {
        code: 'unavailable',
        message: `No response from ${origin} within 2 s: it accepted the request but did not respond. The change may have been applied.`,
        details: [],
        hint: 'Try again, perhaps with a longer --request-timeout; to find the cause, run: iiot doctor',
        status: null,
        request: { method: 'PUT', path: '/platform/solutions/api/v1/devices/press-1/custom-info' },
        ...{ baseUrl: origin, profile: 'default', orgId: null, requestId: null },
        notices: [],
      },
    },
  ]);
});

it('ends at --request-timeout with a proxy that says nothing, and the process with it', async () => {
  const proxy = await serve(() => undefined);
  const run = await iiot([...list, '--request-timeout', '2s'], 'https://platform.test', {
    env: { HTTPS_PROXY: `http://ada:pr0xy-w0rd@127.0.0.1:${proxy.port}` },
  });
  expect([run.exit, run.stdout]).toEqual([8, '']);
  expect(run.stderr).toContain(
    `The proxy 127.0.0.1:${proxy.port} did not connect to https://platform.test within 2 s.`,
  );
  expect(run.stderr).not.toContain('pr0xy-w0rd');
});

it('ends as soon as it has its answer, though the platform keeps the connection open', async () => {
  const { origin } = await serve(always(200, users));
  const run = await iiot(list, origin);
  expect([run.exit, JSON.parse(run.stdout)]).toEqual([0, [{ userId: 'u1', name: 'Ada', orgRole: 'admin' }]]);
});

it('lets NODE_TLS_REJECT_UNAUTHORIZED switch nothing off, and Node not warn of it', async () => {
  const server = await serve(always(200, users), serverPair(ours));
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null' };
  const run = await iiot(list.slice(0, 3), server.origin, { env });
  expect(run).toMatchObject({
    exit: 8,
    stdout: '',
    stderr:
      `error: Cannot connect to ${server.origin}: its certificate comes from an authority that this machine does not trust (issued by Factory Authority).\n` +
      'hint: If this authority is yours, install its certificate on this machine or name it with --ca-file FILE; checking cannot be switched off. ' +
      "If it is a public one, the server leaves out an intermediate certificate. Looked in: Node's own list, /dev/null. See iiot doctor\n",
  });
  const file = home.file('ca.pem', ours.certificate);
  const trusted = await iiot([...list, '--ca-file', file], server.origin, { env });
  expect([trusted.exit, trusted.stderr]).toEqual([0, '']);
  for (const variable of ['IIOT_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
    expect((await iiot(list, server.origin, { env: { [variable]: file } })).exit).toBe(0);
  }
});

it('shows no token, whatever Node prints of modules other than http', async () => {
  const { origin } = await serve(always(200, users));
  const run = await iiot([...list, '--debug'], origin, { env: { NODE_DEBUG: 'net,https,tls,stream,undici,fetch' } });
  expect(run.exit).toBe(0);
  expect(run.stdout + run.stderr).not.toContain(token);
});

it('sends nothing with a NODE_DEBUG with which Node would print the token', async () => {
  const server = await serve(always(200, users));
  const run = await iiot(list.slice(0, 3), server.origin, { env: { NODE_DEBUG: 'http,net,tls,undici' } });
  expect([run.exit, run.stdout]).toEqual([2, '']);
  expect(run.stderr).toContain(
    'error: NODE_DEBUG is set so that Node prints headers, and the access token with them.\n' +
      'hint: Unset NODE_DEBUG; --debug shows requests and responses with secrets masked\n',
  );
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

it.each(broken)('shows no token, whatever breaks: %s', async (_, behaviour) => {
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
] as const)('ends with %s at once, and says that the change may have been applied', async (signal, exit) => {
  const run = await new Promise<{ code: number | null; stderr: string; origin: string }>((resolve, reject) => {
    serve(() => child?.kill(signal)).then(({ origin }) => {
      child = spawn(programFile, [...programWords, ...change], {
        env: { ...home.env, IIOT_TOKEN: token, IIOT_BASE_URL: origin },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (code) => resolve({ code, stderr, origin }));
    }, reject);
    let child: ReturnType<typeof spawn> | undefined;
  });
  expect([run.code, JSON.parse(run.stderr)]).toEqual([
    exit,
    {
      error: {
        code: 'interrupted',
        message: `Stopped by ${signal}. The change may have been applied.`,
        details: [],
        hint: 'Check whether it was applied before you try again',
        status: null,
        request: { method: 'PUT', path: '/platform/solutions/api/v1/devices/press-1/custom-info' },
        ...{ baseUrl: run.origin, profile: 'default', orgId: null, requestId: null },
        notices: [],
      },
    },
  ]);
});
