import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { always, answerText, type Behaviour, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, openWire, serversForEach } from './wire.ts';

const serve = serversForEach();

it('a pool sends its requests over the given number of connections, and keeps them', async () => {
  const waiting: Socket[] = [];
  const held: Behaviour = (socket, _, count) => {
    waiting.push(socket);
    // The first sixteen wait for each other.
    if (count >= 16) for (const each of waiting.splice(0)) each.write(answerText(204));
  };
  const { change, connections } = await serve(held, { connections: 16 });
  const answers = await Promise.all(Array.from({ length: 400 }, () => change('PUT')));
  expect(new Set(answers.map((answer) => 'status' in answer && answer.status))).toEqual(new Set([204]));
  expect(connections()).toBe(16);
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
