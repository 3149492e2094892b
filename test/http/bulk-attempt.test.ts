import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { always, answerText, type Behaviour, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, openWire, serversForEach } from './wire.ts';

const serve = serversForEach();

it('spreads its requests over as many connections as it was given, and keeps them', async () => {
  let most = 0;
  let now = 0;
  let connections = 0;
  let go = () => {};
  const all = new Promise<void>((resolve) => (go = resolve));
  const server = createServer(async (request, response) => {
    now += 1;
    most = Math.max(most, now);
    request.resume();
    if (now === 16) go();
    await all;
    now -= 1;
    response.writeHead(204).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const { exchange } = await openWire({ connections: 16 });
  const request = change('PUT', `http://127.0.0.1:${port}`);
  const answers = await Promise.all(Array.from({ length: 400 }, () => exchange(request)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expect([most, connections]).toEqual([16, 16]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('goes on when kept connections are closed by the server', async () => {
  const often: Behaviour = (socket, _, count) => {
    socket.write(answerText(204));
    if (count % 5 === 0) socket.end();
  };
  const server = await serve(often, { connections: 2 });
  for (let count = 0; count < 40; count += 1) expect(await server.change('PUT')).toMatchObject({ status: 204 });
});

// What is not here is tried with a single call and a pool alike: broken-responses, content-codings, deadline.
const closed = 'the connection was closed before the response was complete';
const lost: readonly (readonly [string, Behaviour, string])[] = [
  ['closes', (socket) => socket.destroy(), closed],
  ['closes in its body', lastWords('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1'), closed],
  ['cuts its JSON', lastWords('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[1'), 'the response was cut short'],
  ['speaks something else', lastWords('SSH-2.0-x\r\n'), 'its response is not valid HTTP (HPE_INVALID)'],
  [
    'sends more headers than anybody needs',
    always(204, '', [`baggage: ${'a'.repeat(140_000)}`]),
    'its response has more headers than can be read',
  ],
];

it.each(lost)('says of a change that it may have been applied, with a server that %s', async (_, behaviour, reason) => {
  const server = await serve(behaviour, { connections: 4, retries: 0 });
  const message = `The request to ${server.origin} failed: ${reason}. The change may have been applied.`;
  expect(await server.change('PUT')).toMatchObject({ kind: 'unavailable', message });
});

it('knows that nothing was sent where no connection was made', async () => {
  const gone = await rawServer();
  await gone.close();
  const { exchange } = await openWire({ connections: 4 });
  expect(await ending(exchange, change('PUT', gone.origin))).toMatchObject({
    message: `Cannot reach ${gone.origin}: nothing listens there.`,
  });
});

it('ends what is under way when it is interrupted, and sends nothing afterwards', async () => {
  const interrupting = new AbortController();
  const server = await serve(() => interrupting.abort(), { connections: 4, interrupt: interrupting.signal });
  expect([await server.change('PUT'), await server.change('PUT')]).toMatchObject([
    { kind: 'interrupted', message: 'Stopped. The change may have been applied.' },
    { kind: 'interrupted', message: 'Stopped.' },
  ]);
  expect(server.requests.length).toBe(1);
});
