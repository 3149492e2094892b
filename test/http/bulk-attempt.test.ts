import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { always, answerText, type Behaviour, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, openWire, serversForEach } from './wire.ts';

const serve = serversForEach();

it('a pool sends its requests over the given number of connections, and keeps them', async () => {
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

it('a pool goes on when the server closes kept connections', async () => {
  const often: Behaviour = (socket, _, count) => {
    socket.write(answerText(204));
    if (count % 5 === 0) socket.end();
  };
  const server = await serve(often, { connections: 2 });
  for (let count = 0; count < 40; count += 1) expect(await server.change('PUT')).toMatchObject({ status: 204 });
});

// What is not here is tried with a single call and a pool alike: broken-responses, content-codings, deadline.
const lost: readonly (readonly [string, Behaviour, string])[] = [
  ['closes the connection', (socket) => socket.destroy(), 'connection was closed'],
  ['closes in its body', lastWords('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1'), 'connection was closed'],
  ['cuts its JSON', lastWords('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[1'), 'the response was cut short'],
  ['does not speak HTTP', lastWords('SSH-2.0-x\r\n'), 'its response is not valid HTTP (HPE_INVALID)'],
  ['sends too many headers', always(204, '', [`baggage: ${'a'.repeat(140_000)}`]), 'more headers'],
];

it.each(lost)('a change may have been applied if the server %s', async (_, behaviour, reason) => {
  const server = await serve(behaviour, { connections: 4, retries: 0 });
  const answer = await server.change('PUT');
  expect(answer).toMatchObject({ kind: 'unavailable', message: expect.stringContaining(reason) });
  expect(answer).toMatchObject({ message: expect.stringMatching(/ may have been applied\.$/) });
});

it('a change was not sent if no connection was made', async () => {
  const gone = await rawServer();
  await gone.close();
  const { exchange } = await openWire({ connections: 4 });
  expect(await ending(exchange, change('PUT', gone.origin))).toMatchObject({
    message: `Cannot reach ${gone.origin}: nothing listens there.`,
  });
});

it('an interrupted pool ends its requests, and sends nothing more', async () => {
  const interrupting = new AbortController();
  const server = await serve(() => interrupting.abort(), { connections: 4, interrupt: interrupting.signal });
  expect([await server.change('PUT'), await server.change('PUT')]).toMatchObject([
    { kind: 'interrupted', message: expect.stringMatching(/^Stopped\. .* may have been applied\.$/) },
    { kind: 'interrupted', message: 'Stopped.' },
  ]);
  expect(server.requests.length).toBe(1);
});
