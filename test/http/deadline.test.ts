import type { Socket } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { openExchange } from '../../src/http/exchange.ts';
import { noTrace } from '../../src/http/trace.ts';
import type { Fetch } from '../../src/network/fetch.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { greetingServer, rawServer } from '../support/raw-server.ts';
import { change, ending, openWire } from './wire.ts';

// To load it takes longer than these deadlines on a busy machine.
beforeAll(() => import('undici'));

const keep = closedAfterEach();

const longer = 'Try again, perhaps with a longer --timeout; to find the cause, run: iiot doctor';
const unsettled = ' The change may have been applied.';

/** Writes a byte every 20 ms for as long as somebody listens. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 20);
  socket.on('close', () => clearInterval(timer));
}

const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const noAnswer = (origin: string) =>
  `No response from ${origin} within 300 ms: it accepted the request but did not respond.`;
const noEnd = (origin: string) => `No complete response from ${origin} within 300 ms: it started but did not finish.`;
const noTls = (origin: string) => `No connection to ${origin} within 300 ms: the TLS handshake did not finish.`;

const silent: readonly (readonly [string, (socket: Socket) => void, (origin: string) => string, string])[] = [
  ['accepts and says nothing', () => undefined, noAnswer, 'http'],
  ['stalls in its headers', (socket) => socket.write(`${start}x-long: `), noAnswer, 'http'],
  ['drips its headers', (socket) => drip(socket, start), noAnswer, 'http'],
  ['has no end of interim answers', (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), noAnswer, 'http'],
  ['stalls before its body', (socket) => socket.write(`${start}content-length: 5\r\n\r\n`), noEnd, 'http'],
  ['stalls in its body', (socket) => socket.write(`${start}content-length: 5\r\n\r\n[1`), noEnd, 'http'],
  [
    'stalls between chunks',
    (socket) => socket.write(`${start}transfer-encoding: chunked\r\n\r\n2\r\n[1\r\n`),
    noEnd,
    'http',
  ],
  [
    'drips a body that would never end',
    (socket) => {
      socket.write(`${start}content-length: 99999\r\n\r\n[`);
      drip(socket, ' ');
    },
    noEnd,
    'http',
  ],
  ['stalls in the TLS handshake', () => undefined, noTls, 'https'],
  ['drips a TLS handshake', (socket) => drip(socket, '\x16\x03\x03\x3f\xff'), noTls, 'https'],
];

it.each(silent)('ends a single call and a pool in time with a server that %s', async (_, act, sentence, scheme) => {
  const server = await keep(scheme === 'https' ? greetingServer(act) : rawServer(act));
  const origin = `${scheme}://127.0.0.1:${server.port}`;
  const single = await openWire({ timeout: 300 });
  const pool = await openWire({ timeout: 300, connections: 2 });
  const ended = [single, pool].flatMap(({ exchange }) =>
    ['GET', 'PUT'].map(async (method) => {
      const began = performance.now();
      const answer = await ending(exchange, change(method, origin));
      const took = performance.now() - began;
      const note = method === 'GET' || scheme === 'https' ? '' : unsettled;
      expect(answer).toEqual({ kind: 'unavailable', message: sentence(origin) + note, hint: longer });
      expect(took).toBeGreaterThan(290);
      expect(took).toBeLessThan(800);
    }),
  );
  await Promise.all(ended);
  // A timeout is final: nothing was repeated.
  expect(server.requests.length).toBe(scheme === 'https' ? 0 : 4);
});

it('ends in time when the name has an address that does not answer', async () => {
  const lookup = (
    _name: string,
    _options: unknown,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => setTimeout(done, 5000, null, []).unref();
  const { exchange } = await openWire({ timeout: 200, lookup: lookup as never }); // node's type has more forms than are used
  const answer = await ending(exchange, { method: 'POST', url: 'https://platform.test:8443/' });
  expect(answer).toEqual({
    kind: 'unavailable',
    message: 'No connection to https://platform.test:8443 within 200 ms.',
    hint: longer,
  });
});

it('asks no name server for a name below localhost, whose connections need no https', async () => {
  const names: string[] = [];
  const lookup = (
    name: string,
    _options: unknown,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    names.push(name);
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const server = await keep(rawServer((socket) => socket.end(`${start}content-length: 2\r\n\r\n[]`)));
  const { exchange } = await openWire({ lookup: lookup as never }); // as above
  const url = `http://plant.localhost:${new URL(server.origin).port}/`;
  expect(await ending(exchange, { method: 'GET', url })).toMatchObject({ status: 200 });
  expect(names).toEqual(['localhost']);
});

it('reaches a name whose IPv6 address is dead by its IPv4 one', async () => {
  const server = await keep(rawServer((socket) => socket.end(`${start}content-length: 2\r\n\r\n[]`)));
  const lookup = (
    _name: string,
    _options: unknown,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) =>
    done(null, [
      // Addresses that lead nowhere (RFC 6666).
      { address: '100::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const { exchange } = await openWire({ timeout: 3000, lookup: lookup as never }); // as above
  expect(await ending(exchange, { method: 'GET', url: `http://platform.test:${server.port}/` })).toEqual({
    status: 200,
    text: '[]',
    earlier: 0,
  });
});

it('says why a name was not found, without repeating what lasts', async () => {
  const lookup = (_name: string, _options: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('getaddrinfo ENOTFOUND platform.test'), { code: 'ENOTFOUND' }));
  const { exchange, waits } = await openWire({ lookup: lookup as never }); // as above
  expect({ ...(await ending(exchange, { method: 'GET', url: 'https://platform.test/' })), waits }).toEqual({
    kind: 'unavailable',
    message: 'Cannot reach https://platform.test: the name does not resolve.',
    hint: 'Check the base URL: iiot profiles show --origin',
    waits: [],
  });
});

it('ends in time even where the wire does not listen to its signal', async () => {
  const deaf: Fetch = () => new Promise(() => undefined);
  const exchange = openExchange({
    fetch: deaf,
    timeout: 100,
    retries: 3,
    trace: noTrace,
    interrupt: new AbortController().signal,
    now: Date.now,
    clean: (text) => text,
    random: () => 0,
    sleep: async () => undefined,
    notice() {},
  });
  const began = performance.now();
  expect(await ending(exchange, { method: 'GET', url: 'https://platform.test/' })).toEqual({
    kind: 'unavailable',
    message: 'No response from https://platform.test within 100 ms: it accepted the request but did not respond.',
    hint: longer,
  });
  expect(performance.now() - began).toBeLessThan(600);
});
