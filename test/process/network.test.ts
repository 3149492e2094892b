/** A network as a process meets it: it ends in time and takes little memory, whatever answers, and shows no token. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { guarded, org, secrets, users } from '../support/guarded.ts';
import { homeForEach } from '../support/home.ts';
import { withPeak } from '../support/peak.ts';
import { always, answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { until } from '../support/waiting.ts';

const ours = authority('Factory Authority');
const home = homeForEach(() => ({ IIOT_TOKEN: secrets.token, IIOT_ORG: org }));
const keep = closedAfterEach();
const serve = (...options: Parameters<typeof rawServer>) => keep(rawServer(...options));

const list = ['orgs', 'users', 'list', '-o', 'json'];
const change = ['devices', 'custom-info', 'set', 'press-1', 'line=3', '-o', 'json'];

it('the process ends at --request-timeout with a platform that does not respond', async () => {
  const { origin } = await serve();
  const { exit, stdout, stderr } = await home.iiot([...change, '--request-timeout', '2s', '--base-url', origin]);
  expect([exit, stdout, JSON.parse(stderr).error.message]).toEqual([
    ...[8, ''],
    expect.stringMatching(/^No response from \S+ within 2 s: .* may have been applied\.$/),
  ]);
});

it('the process ends after its response, though the platform keeps the connection open', async () => {
  const { origin } = await serve(always(200, users));
  const { exit, stdout } = await home.iiot([...list, '--base-url', origin]);
  expect([exit, JSON.parse(stdout)]).toEqual([0, [{ userId: 'u1', name: 'Ada', orgRole: 'admin' }]]);
});

it('a change waits as long as the platform asks for', async () => {
  const { origin, requests } = await serve((socket, _, count) =>
    socket.write(count === 1 ? answerText(429, '', ['Retry-After: 2']) : answerText(204)),
  );
  const began = performance.now();
  const { exit } = await home.iiot([...change, '--base-url', origin]);
  expect([exit, requests.length, performance.now() - began > 2000]).toEqual([0, 2, true]);
});

it('a server with an untrusted certificate gets no request, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const server = await serve(always(200, users), serverPair(ours));
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null', IIOT_BASE_URL: server.origin };
  expect(await home.iiot(list.slice(0, 3), { env })).toMatchObject({
    exit: 8,
    stdout: '',
    stderr: expect.stringMatching(/^error: Cannot connect to \S+: .*authority/),
  });
  expect(server.requests).toEqual([]);
  const trusted = await home.iiot([...list, '--ca-file', home.file('ca.pem', ours.certificate)], { env });
  expect([trusted.exit, trusted.stderr]).toEqual([0, '']);
});

// Fields of errors, causes and uncaught exceptions hold what was sent, if somebody lets them.
it.each<[string, Behaviour]>([
  ['reset', (socket) => socket.resetAndDestroy()],
  ['garbage', (socket, request) => socket.end(request)],
  ['an echo in a success', (socket, request) => socket.write(answerText(200, `not JSON: ${request}`))],
  [
    'an echo in a header that breaks HTTP',
    (socket, request) => socket.end(`HTTP/1.1 200 OK\r\nx ${/bearer .*/i.exec(request)?.[0]}\r\n\r\n`),
  ],
])('a broken response shows no token: %s', async (_, behaviour) => {
  const { origin } = await serve(behaviour);
  for (const words of [list, [...change, '--debug', '--retries', '1']]) {
    const { exit, stdout, stderr } = await guarded(words, { env: { IIOT_BASE_URL: origin } });
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' });
    expect(stderr).not.toMatch(/\n\s+at /);
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

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
const bomb = gzipSync(Buffer.alloc(150_000_000));

it.each<[string, (socket: Socket) => void]>([
  [
    'without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    },
  ],
  [
    'that is a gzip bomb',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  ],
])('a response %s is cut off at 32 MiB, in little memory', async (_, behaviour) => {
  const { origin } = await serve(behaviour);
  const words = [...list, '--retries', '0', '--request-timeout', '10m', '--base-url', origin];
  const { exit, stdout, stderr, mebibytes } = await withPeak(home, words);
  expect([exit, stdout, JSON.parse(stderr).error.message]).toEqual([8, '', expect.stringContaining('32768 KiB')]);
  expect(mebibytes).toBeLessThan(110);
});
