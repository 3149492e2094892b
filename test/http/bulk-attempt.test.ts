import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import type { Limits } from '../../src/http/attempt.ts';
import { pooledAttempt } from '../../src/http/bulk-attempt.ts';
import { ConnectionLost } from '../../src/network/connection-lost.ts';
import type { ExchangeRequest } from '../../src/network/fetch.ts';
import { openPooledNetwork } from '../../src/network/network.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { change, openWire } from './wire.ts';

const keep = closedAfterEach();
const serve = (behaviour?: Behaviour) => keep(rawServer(behaviour));

async function openAttempt(limits: Partial<Limits> = {}) {
  const pool = await openPooledNetwork({ env: {}, connections: 4 });
  const attempt = pooledAttempt(pool, { timeout: 300, interrupt: new AbortController().signal, ...limits }, () =>
    performance.now(),
  );
  return async (request: ExchangeRequest) => {
    try {
      const { status, text, bytes } = await attempt(request);
      return { status, text, bytes };
    } catch (error) {
      if (error instanceof ConnectionLost) return { lost: error.code, phase: error.phase };
      if (error instanceof Failure) return { kind: error.kind, message: error.message };
      throw error;
    }
  };
}

it('spreads its requests over as many connections as it was given, and keeps them', async () => {
  let most = 0;
  let now = 0;
  const server = createServer((request, response) => {
    now += 1;
    most = Math.max(most, now);
    request.resume();
    setTimeout(() => {
      now -= 1;
      response.writeHead(204).end();
    }, 5);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const { exchange } = await openWire({ connections: 16 });
  const url = `http://127.0.0.1:${port}/`;
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => exchange({ method: 'PUT', url, body: { type: 'application/json', text: '{}' } })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expect([most, connections]).toEqual([16, 16]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('goes on when kept connections are closed by the server', async () => {
  const server = await serve((socket, _, count) => {
    socket.write(answerText(204));
    if (count % 5 === 0) socket.end();
  });
  const { exchange } = await openWire({ connections: 2 });
  for (let count = 0; count < 40; count += 1) expect((await exchange(change('PUT', server.origin))).status).toBe(204);
});

const odd: readonly (readonly [string, Behaviour, object])[] = [
  ['answers without a body', (socket) => socket.write(answerText(204)), { status: 204, text: '', bytes: 0 }],
  [
    'answers with a body',
    (socket) => socket.write(answerText(400, '{"error":{}}')),
    { status: 400, text: '{"error":{}}', bytes: 12 },
  ],
  [
    'sends 125 kB of headers',
    (socket) => socket.write(answerText(204, '', [`baggage: ${'a'.repeat(125_000)}`])),
    { status: 204, text: '', bytes: 0 },
  ],
  [
    'sends more headers than anybody needs',
    (socket) => socket.write(answerText(204, '', [`baggage: ${'a'.repeat(140_000)}`])),
    { lost: 'UND_ERR_HEADERS_OVERFLOW', phase: 'response' },
  ],
  [
    'says that its 204 has a body',
    (socket) => socket.end('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'),
    { status: 204, text: '', bytes: 0 },
  ],
  ['says nothing', () => undefined, { lost: 'TIMEOUT', phase: 'response' }],
  [
    'stalls in its body',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1'),
    { lost: 'TIMEOUT', phase: 'body' },
  ],
  ['closes', (socket) => socket.destroy(), { lost: 'ECONNRESET', phase: 'response' }],
  [
    'closes in its body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1'),
    { lost: 'ECONNRESET', phase: 'body' },
  ],
  [
    'cuts its JSON',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[1'),
    { lost: 'CUT_SHORT', phase: 'body' },
  ],
  ['speaks something else', (socket) => socket.end('SSH-2.0-x\r\n'), { lost: 'HPE_INVALID', phase: 'response' }],
  [
    'says that it compresses and does not',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nabc'),
    { kind: 'unavailable', message: 'The response (200) is compressed in a way that cannot be read.' },
  ],
];

it.each(odd)('keeps the promises of a single call with a server that %s', async (_, behaviour, outcome) => {
  const server = await serve(behaviour);
  const attempt = await openAttempt();
  expect(await attempt(change('PUT', server.origin))).toEqual(outcome);
});

it('knows that nothing was sent where no connection was made', async () => {
  const gone = await rawServer();
  await gone.close();
  const attempt = await openAttempt();
  expect(await attempt(change('PUT', gone.origin))).toEqual({ lost: 'ECONNREFUSED', phase: 'connect' });
});

it('ends what is under way when it is interrupted, and sends nothing afterwards', async () => {
  const interrupting = new AbortController();
  const server = await serve(() => interrupting.abort());
  const attempt = await openAttempt({ interrupt: interrupting.signal });
  expect(await attempt(change('PUT', server.origin))).toEqual({ lost: 'INTERRUPTED', phase: 'response' });
  expect(await attempt(change('PUT', server.origin))).toEqual({ lost: 'INTERRUPTED', phase: 'connect' });
  expect(server.requests.length).toBe(1);
});

it('reads no more than 32 MiB of an answer without end', async () => {
  const piece = Buffer.alloc(65_536, 0x20);
  const server = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  });
  const attempt = await openAttempt({ timeout: 10_000 });
  expect(await attempt(change('PUT', server.origin))).toEqual({
    kind: 'unavailable',
    message: 'The response is larger than 32768 KiB, and was not read to the end.',
  });
});
