import { expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, type Behaviour, greetingServer, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, get, openWire, serversForEach } from './wire.ts';

const keep = closedAfterEach();
const serve = serversForEach();

const methods = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;

const transient = [408, 421, 425, 500, 502, 503, 504];

it.each([200, 400, 401, 403, 404, 409, 422, 429, 501, 505, 520, ...transient])(
  'after a %i only requests that are safe to repeat are repeated',
  async (status) => {
    const { requests, get, change } = await serve(always(status, '{}'));
    for (const method of methods) {
      const before = requests.length;
      const answer = await (method === 'GET' ? get() : change(method));
      const isRepeated = transient.includes(status) && method !== 'POST' && method !== 'PATCH';
      expect({ method, ...answer, requests: requests.length - before }).toEqual({
        method,
        status,
        text: '{}',
        earlier: isRepeated ? 'possible' : 'none',
        // One, and three repeats.
        requests: isRepeated || status === 429 ? 4 : 1,
      });
    }
  },
);

const again = 'Try again; to find the cause, run: iiot doctor';

it.each(methods)('a %s is repeated after a lost connection only if that is safe', async (method) => {
  const { change, origin, requests } = await serve((socket) => socket.resetAndDestroy());
  const safe = method === 'GET' || method === 'PUT' || method === 'DELETE';
  const sentence = `The request to ${origin} failed: the connection was closed before the response was complete.`;
  expect(await change(method)).toEqual({
    kind: 'unavailable',
    message: method === 'GET' ? sentence : expect.stringMatching(/ may have been applied\.$/),
    hint: safe ? again : expect.stringMatching(/^Check whether .* iiot doctor$/),
  });
  expect(requests.length).toBe(safe ? 4 : 1);
});

it.each(methods)('a %s is repeated if the connection is refused', async (method) => {
  const gone = await rawServer();
  await gone.close();
  const { exchange, waits } = await openWire();
  expect(await ending(exchange, change(method, gone.origin))).toEqual({
    kind: 'unavailable',
    message: `Cannot reach ${gone.origin}: nothing listens there.`,
    hint: expect.stringContaining('. If it was a sandbox, it has ended: iiot sandbox start'),
  });
  expect(waits).toEqual([250, 500, 1000]);
});

it.each(methods)('a %s is repeated after a 503 without a body', async (method) => {
  const { change, requests } = await serve((socket, _, count) => socket.write(answerText(count === 1 ? 503 : 200, '')));
  expect(await change(method)).toEqual({ status: 200, text: '', earlier: 'unlikely' });
  expect(requests.length).toBe(2);
});

it('a POST for a token is repeated', async () => {
  const { exchange, origin, requests } = await serve((socket, _, count) =>
    count < 3 ? socket.destroy() : socket.write(answerText(200, '{}')),
  );
  const answer = await ending(exchange, { ...change('POST', origin), repeat: 'always', about: 'the token' });
  expect({ ...answer, requests: requests.length }).toEqual({
    status: 200,
    text: '{}',
    earlier: 'possible',
    requests: 3,
  });
});

it.each([0, 1, 7])('--retries %i repeats a failing request that many times', async (retries) => {
  const { change, requests } = await serve(always(500), { retries });
  await change('PUT');
  expect(requests.length).toBe(retries + 1);
});

it('a repeated request has the same bytes', async () => {
  const { change, requests } = await serve((socket, _, count) => socket.write(answerText(count < 4 ? 503 : 204)));
  await change('PUT');
  expect(new Set(requests).size).toBe(1);
  expect(requests[0]).toContain('\r\n\r\n{"name":"Ada"}');
});

const noon = 'Date: Sun, 01 Nov 2026 12:00:00 GMT';
/** Sends the headers first, and succeeds then. */
const once =
  (status: number, headers: readonly string[]): Behaviour =>
  (socket, _, count) =>
    socket.write(count === 1 ? answerText(status, '', headers) : answerText(200, '[]'));

it.each([
  ['3 seconds', 3000, ['Retry-After: 3']],
  ['60 seconds', 60_000, ['Retry-After: 60']],
  ['a date', 7000, [noon, 'Retry-After: Sun, 01 Nov 2026 12:00:07 GMT']],
  ['0 seconds', 250, ['Retry-After: 0']],
  ['a word', 250, ['Retry-After: soon']],
])('a Retry-After of %s is followed by a wait of %i ms', async (_, wait, headers) => {
  const { change, waits } = await serve(once(429, headers));
  expect(await change('POST')).toEqual({ status: 200, text: '[]', earlier: 'none' });
  expect(waits).toEqual([wait]);
});

it('a wait of a second or more is reported', async () => {
  const { get, notices } = await serve(once(503, ['Retry-After: 12']));
  await get();
  expect(notices).toEqual(['Waiting 12 s: the platform answered 503. Attempt 2 of 4 follows.']);
});

it.each([
  ['61 seconds', 'Retry-After: 61', '61 s'],
  ['a thousand million seconds', 'Retry-After: 1000000000', '277778 h'],
  ['a date in half an hour', 'Retry-After: Sun, 01 Nov 2026 12:30:00 GMT', '30 min'],
])('a Retry-After of %s ends the command at once', async (_, header, words) => {
  const { change, waits, requests } = await serve(always(429, '', [noon, header]));
  const message = `The platform asks to wait ${words} (429).`;
  expect(await change('PATCH')).toEqual({ kind: 'unavailable', message, hint: 'Try again then' });
  expect([waits, requests.length]).toEqual([[], 1]);
});

it.each([
  ['told', 429, '', [], 4],
  ['told', 503, '', ['Retry-After: 0'], 4],
  ['told', 503, '{"error":{}}', ['Retry-After: 0'], 4],
  ['told', 503, '', [], 1],
  ['told', 503, '{"error":{}}', [], 1],
  ['never', 429, '', [], 1],
  ['unreached', 429, '', [], 1],
  ['unreached', 503, '', [], 1],
  ['unreached', 503, '', ['Retry-After: 0'], 1],
] as const)(
  'with repeat: %s, a POST that gets %i "%s" %j is sent %i times',
  async (repeat, status, text, headers, count) => {
    const { exchange, origin, requests } = await serve(always(status, text, headers));
    await ending(exchange, { ...change('POST', origin), repeat });
    expect(requests.length).toBe(count);
  },
);

it('a GET on a kept connection that was closed gets a new one, without a retry', async () => {
  const closing: Behaviour = (socket, _, count) => {
    if (count === 2) socket.destroy();
    else socket.write(answerText(200, `[${count}]`));
  };
  const { get, waits, connections } = await serve(closing, { retries: 0 });
  expect([await get(), await get()]).toEqual([
    { status: 200, text: '[1]', earlier: 'none' },
    { status: 200, text: '[3]', earlier: 'none' },
  ]);
  expect([waits, connections()]).toEqual([[], 2]);
});

it('all GETs share a connection, and each change has its own', async () => {
  const { get, change, connections } = await serve(always(200, '[]'));
  for (let page = 0; page < 5; page += 1) await get();
  expect(connections()).toBe(1);
  for (const method of ['PUT', 'PATCH']) await change(method);
  expect(connections()).toBe(3);
});

it('a change reaches a server that serves one connection at a time', async () => {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = greetingServer((socket) => {
    const turn = last;
    last = new Promise((closed) => socket.on('close', closed));
    void turn.then(() =>
      socket.on('data', (request) => {
        socket.write(answerText(200, '[]'));
        if (/^connection: close/im.test(request.toString())) socket.end();
      }),
    );
  });
  const { get, change, connections } = await serve(inTurn, { retries: 0 });
  const answers = [];
  for (const method of ['GET', 'POST', 'GET', 'GET', 'PATCH', 'PUT', 'GET'])
    answers.push(await (method === 'GET' ? get() : change(method)));
  expect(answers).toEqual(Array.from({ length: 7 }, () => ({ status: 200, text: '[]', earlier: 'none' })));
  expect(connections()).toBe(6);
});

const whole = '{"items":[{"userId":"u1","name":"A \\"b\\" ]}"},{"userId":"u2","name":"é"}],"totalCount":2}';

it('a response that is cut short at any byte is an error', async () => {
  const bytes = Buffer.from(whole);
  const framings: Readonly<Record<string, (part: Buffer) => Buffer>> = {
    'by its length': (part) => frame(`content-length: ${bytes.length}`, part),
    'in chunks': (part) => frame('transfer-encoding: chunked', Buffer.from(`${bytes.length.toString(16)}\r\n`), part),
    'by the end of the connection': (part) => frame('connection: close', part),
  };
  const wrong: string[] = [];
  for (const [how, frameOf] of Object.entries(framings)) {
    let length = 0;
    const cut: Behaviour = (socket) => socket.end(frameOf(bytes.subarray(0, length)));
    const { get } = await serve(cut, { retries: 0 });
    for (length = how.startsWith('by the end') ? 1 : 0; length < bytes.length; length += 1) {
      const answer = await get();
      if (!('kind' in answer) || answer.kind !== 'unavailable')
        wrong.push(`${how} at ${length}: ${JSON.stringify(answer)}`);
    }
  }
  expect(wrong).toEqual([]);
});

function frame(header: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${header}\r\n\r\n`),
    ...parts,
  ]);
}

it('a GET whose response is cut short is repeated', async () => {
  const cut = frame('connection: close', Buffer.from('{"items":[{"userId":"u1"}'));
  const once = await serve((socket, _, count) => {
    if (count === 1) socket.end(cut);
    else socket.write(answerText(200, '[]'));
  });
  expect(await once.get()).toEqual({ status: 200, text: '[]', earlier: 'possible' });
  const { get, requests } = await serve(lastWords(cut));
  const message = expect.stringMatching(/ cut short\.$/);
  expect(await get()).toEqual({ kind: 'unavailable', message, hint: again });
  expect(requests.length).toBe(4);
});

/** What a signal of the system aborts, and how. */
function interrupting(message: string, exit?: number) {
  const control = new AbortController();
  return { interrupt: control.signal, stop: () => control.abort(new Failure('interrupted', message, { exit })) };
}

it('an interrupted PUT ends at once, and may have been applied', async () => {
  const { interrupt, stop } = interrupting('Stopped by SIGTERM.', 143);
  const { exchange, origin, requests } = await serve(stop, { interrupt });
  const failure = await exchange(change('PUT', origin)).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    kind: 'interrupted',
    message: expect.stringMatching(/^Stopped by SIGTERM\. .* may have been applied\.$/),
    exit: 143,
    facts: { request: { method: 'PUT', path: '/' }, fate: 'unknown' },
  });
  expect(requests.length).toBe(1);
});

it('an interruption of a GET, a login or an unsent PUT mentions no change', async () => {
  const mute = await keep(greetingServer(() => undefined));
  const requests = [
    get(mute.origin),
    { ...change('POST', mute.origin), about: 'step 2 of the login' },
    { ...change('PUT', mute.origin), url: `https://127.0.0.1:${mute.port}/` },
  ];
  for (const request of requests) {
    const { interrupt, stop } = interrupting('Stopped by SIGINT.');
    const { exchange } = await openWire({ interrupt });
    setTimeout(stop, 150);
    const answer = await ending(exchange, request);
    expect(answer).toEqual({ kind: 'interrupted', message: 'Stopped by SIGINT.', hint: undefined });
  }
});

it('an interruption ends the wait between two attempts', async () => {
  const { interrupt, stop } = interrupting('Stopped by SIGINT.');
  const server = await serve(always(502), { interrupt, onWait: stop });
  expect(await server.change('DELETE')).toEqual({
    kind: 'interrupted',
    message: expect.stringMatching(/^Stopped by SIGINT\. .* may have been applied\.$/),
    hint: expect.stringContaining('Check whether'),
  });
  expect(server.requests.length).toBe(1);
});
