import type { LookupFunction, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { describeDuration } from '../../src/http/exchange.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, greetingServer, rawServer } from '../support/raw-server.ts';
import { withTimeouts } from '../support/waiting.ts';
import { change, ending, get, openWire, serversForEach } from './wire.ts';

const keep = closedAfterEach();
const serve = serversForEach();

const longer = expect.stringContaining('a longer --request-timeout');

/** Writes a byte every 20 ms for as long as somebody listens. */
function drip(socket: Socket, letter: string, first = ''): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(letter), 20);
  socket.on('close', () => clearInterval(timer));
}

const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
type Says = (origin: string, time: string) => string;
const noAnswer: Says = (origin, time) =>
  `No response from ${origin} within ${time}: it accepted the request but did not respond.`;
const noEnd: Says = (origin, time) =>
  `No complete response from ${origin} within ${time}: it started but did not finish.`;
const noTls: Says = (origin, time) => `No connection to ${origin} within ${time}: the TLS handshake did not finish.`;

type Silent = readonly [string, (socket: Socket) => void, Says, string?];
const silent: readonly Silent[] = [
  ['stays silent', () => undefined, noAnswer],
  ['stalls in its headers', (socket) => socket.write(`${start}x-long: `), noAnswer],
  ['drips its headers', (socket) => drip(socket, 'x', `${start}x-long: `), noAnswer],
  ['stalls in an interim response', (socket) => drip(socket, 'x', 'HTTP/1.1 103 Early Hints\r\nlink: '), noAnswer],
  ['stalls before its body', (socket) => socket.write(`${start}content-length: 5\r\n\r\n`), noEnd],
  ['stalls in its body', (socket) => socket.write(`${start}content-length: 5\r\n\r\n[1`), noEnd],
  ['stalls between chunks', (socket) => socket.write(`${start}transfer-encoding: chunked\r\n\r\n2\r\n[1\r\n`), noEnd],
  ['drips an endless body', (socket) => drip(socket, ' ', `${start}content-length: 99999\r\n\r\n[`), noEnd],
  ['stalls in the TLS handshake', () => undefined, noTls, 'https'],
  ['drips a TLS handshake', (socket) => drip(socket, '\0', '\x16\x03\x03\x3f\xff'), noTls, 'https'],
];

it.for(silent)('a single call and a pool end in time if the server %s', ([, act, sentence, scheme = 'http']) =>
  withTimeouts(async (timeout) => {
    const server = await keep(scheme === 'https' ? greetingServer(act) : rawServer(act));
    const origin = `${scheme}://127.0.0.1:${server.port}`;
    const wires = [await openWire({ timeout }), await openWire({ timeout, connections: 2 })];
    const ended = wires.flatMap(({ exchange }) =>
      ['GET', 'PUT'].map(async (method) => {
        const answer = await ending(exchange, change(method, origin));
        const changed = method !== 'GET' && scheme !== 'https';
        expect(answer).toMatchObject({ kind: 'unavailable', hint: longer });
        const [message, note] = 'message' in answer ? answer.message.split(/(?<=\.) /) : [];
        expect(message).toBe(sentence(origin, describeDuration(timeout)));
        expect(note).toEqual(changed ? expect.stringContaining('may have been applied') : undefined);
      }),
    );
    await Promise.all(ended);
    // A timeout is final: nothing was repeated.
    expect(server.requests.length).toBe(scheme === 'https' ? 0 : 4);
  }),
);

type Found = { readonly address: string; readonly family: number };
const local = { address: '127.0.0.1', family: 4 };

/** Finds these addresses for a name; it never finds none. */
function finding(found: readonly Found[] | Error, asked: string[] = []): LookupFunction {
  const lookup = (name: string, _options: unknown, done: (error: Error | null, found?: readonly Found[]) => void) => {
    asked.push(name);
    if (found instanceof Error) done(found);
    else if (found.length > 0) done(null, found);
  };
  return lookup as never; // node's type has more forms than are used
}

it('a call ends in time if the name is never resolved', async () => {
  const { exchange } = await openWire({ timeout: 200, lookup: finding([]) });
  expect(await ending(exchange, { method: 'POST', url: 'https://platform.test:8443/' })).toEqual({
    kind: 'unavailable',
    message: 'No connection to https://platform.test:8443 within 200 ms.',
    hint: longer,
  });
});

it('a name below localhost is resolved as localhost', async () => {
  const names: string[] = [];
  const { exchange, port } = await serve(always(200, '[]'), { lookup: finding([local], names) });
  expect(await ending(exchange, get(`http://plant.localhost:${port}`))).toMatchObject({ status: 200 });
  expect(names).toEqual(['localhost']);
});

it('a name with a dead IPv6 address is reached by its IPv4 address', async () => {
  // An address that leads nowhere (RFC 6666).
  const lookup = finding([{ address: '100::1', family: 6 }, local]);
  const { exchange, port } = await serve(always(200, '[]'), { lookup });
  const answer = await ending(exchange, get(`http://platform.test:${port}`));
  expect(answer).toEqual({ status: 200, text: '[]', earlier: 'none' });
});

it('a name that does not resolve is reported without a repeat', async () => {
  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND platform.test'), { code: 'ENOTFOUND' });
  const { exchange, waits } = await openWire({ lookup: finding(notFound) });
  expect({ ...(await ending(exchange, get('https://platform.test'))), waits }).toEqual({
    kind: 'unavailable',
    message: expect.stringMatching(/^Cannot reach https:\/\/platform\.test: the name .* resolve\.$/),
    hint: expect.stringContaining('Check the base URL'),
    waits: [],
  });
});

it('a call ends in time if the network ignores its signal', async () => {
  const { exchange } = await openWire({ fetch: () => new Promise(() => undefined), timeout: 100 });
  const message = noAnswer('https://platform.test', '100 ms');
  expect(await ending(exchange, get('https://platform.test'))).toEqual({ kind: 'unavailable', message, hint: longer });
});
