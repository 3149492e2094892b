import { expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, type Behaviour, greetingServer, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, get, openWire, serversForEach } from './wire.ts';

const keep = closedAfterEach();
const serve = serversForEach();

const methods = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;

// How many requests arrive where every attempt meets the same: four are one and three repeats.
const statuses: readonly (readonly [number, readonly [number, number, number, number, number]])[] = [
  [200, [1, 1, 1, 1, 1]],
  [400, [1, 1, 1, 1, 1]],
  [401, [1, 1, 1, 1, 1]],
  [403, [1, 1, 1, 1, 1]],
  [404, [1, 1, 1, 1, 1]],
  [408, [4, 4, 4, 1, 1]],
  [409, [1, 1, 1, 1, 1]],
  [421, [4, 4, 4, 1, 1]],
  [422, [1, 1, 1, 1, 1]],
  [425, [4, 4, 4, 1, 1]],
  [429, [4, 4, 4, 4, 4]],
  [500, [4, 4, 4, 1, 1]],
  [501, [1, 1, 1, 1, 1]],
  [502, [4, 4, 4, 1, 1]],
  [503, [4, 4, 4, 1, 1]],
  [504, [4, 4, 4, 1, 1]],
  [505, [1, 1, 1, 1, 1]],
  [520, [1, 1, 1, 1, 1]],
];

it.each(statuses)('repeats after %i only what is safe, and gives the last answer', async (status, counts) => {
  const { requests, get, change } = await serve(always(status, '{}'));
  for (const [index, method] of methods.entries()) {
    const before = requests.length;
    const answer = await (method === 'GET' ? get() : change(method));
    expect({ method, ...answer, requests: requests.length - before }).toEqual({
      method,
      status,
      text: '{}',
      earlier: status === 429 || counts[index] === 1 ? 'none' : 'possible',
      requests: counts[index],
    });
  }
});

const again = 'Try again; to find the cause, run: iiot doctor';

it.each(methods)(
  'ends a %s whose connection is lost after it was sent, repeated where that is safe',
  async (method) => {
    const { change, origin, requests } = await serve((socket) => socket.resetAndDestroy());
    const safe = method === 'GET' || method === 'PUT' || method === 'DELETE';
    const sentence = `The request to ${origin} failed: the connection was closed before the response was complete.`;
    expect(await change(method)).toEqual({
      kind: 'unavailable',
      message: method === 'GET' ? sentence : `${sentence} The change may have been applied.`,
      hint: safe ? again : 'Check whether it was applied before you try again; to find the cause, run: iiot doctor',
    });
    expect(requests.length).toBe(safe ? 4 : 1);
  },
);

it.each(methods)('repeats a %s whose connection was never made', async (method) => {
  const gone = await rawServer();
  await gone.close();
  const { exchange, waits } = await openWire();
  expect(await ending(exchange, change(method, gone.origin))).toEqual({
    kind: 'unavailable',
    message: `Cannot reach ${gone.origin}: nothing listens there.`,
    hint: 'Check the base URL: iiot profiles show --origin. If it was a sandbox, it has ended: iiot sandbox start',
  });
  expect(waits).toEqual([250, 500, 1000]);
});

it.each(methods)(
  'repeats a %s after a 503 without a body, after which most probably nothing was done',
  async (method) => {
    const { change, requests } = await serve((socket, _, count) =>
      socket.write(answerText(count === 1 ? 503 : 200, '')),
    );
    expect(await change(method)).toEqual({ status: 200, text: '', earlier: 'unlikely' });
    expect(requests.length).toBe(2);
  },
);

it('repeats nothing where the caller says so', async () => {
  const { exchange, origin, requests } = await serve(always(503));
  const answer = await ending(exchange, { ...change('POST', origin), repeat: 'never' });
  expect({ ...answer, requests: requests.length }).toEqual({ status: 503, text: '', earlier: 'none', requests: 1 });
});

it('repeats a request for a token, which is a POST that changes nothing', async () => {
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

it.each([0, 1, 7])('repeats as often as --retries says: %i', async (retries) => {
  const { change, requests } = await serve(always(500), { retries });
  await change('PUT');
  expect(requests.length).toBe(retries + 1);
});

it('sends the same bytes each time', async () => {
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
  ['seconds', ['Retry-After: 3'], 3000],
  ['a minute, which is the longest', ['Retry-After: 60'], 60_000],
  ['a date', [noon, 'Retry-After: Sun, 01 Nov 2026 12:00:07 GMT'], 7000],
  ['a date that is over', [noon, 'Retry-After: Sun, 01 Nov 2026 11:00:00 GMT'], 250],
  ['nothing', ['Retry-After: 0'], 250],
  ['words', ['Retry-After: soon'], 250],
  ['two things', ['Retry-After: 3', 'Retry-After: 9'], 250],
])('waits what a 429 asks for, where that makes sense: %s', async (_, headers, wait) => {
  const { change, waits } = await serve(once(429, headers));
  expect(await change('POST')).toEqual({ status: 200, text: '[]', earlier: 'none' });
  expect(waits).toEqual([wait]);
});

it('tells the person who waits, from a second on', async () => {
  const { get, notices } = await serve(once(503, ['Retry-After: 12']));
  await get();
  expect(notices).toEqual(['Waiting 12 s: the platform answered 503. Attempt 2 of 4 follows.']);
});

it.each([
  ['61 seconds', 'Retry-After: 61', '61 s'],
  ['a thousand million seconds', 'Retry-After: 1000000000', '277778 h'],
  ['half an hour, as a date', 'Retry-After: Sun, 01 Nov 2026 12:30:00 GMT', '30 min'],
])('does not wait longer than a minute, and says how long: %s', async (_, header, words) => {
  const { change, waits, requests } = await serve(always(429, '', [noon, header]));
  const message = `The platform asks to wait ${words} (429).`;
  expect(await change('PATCH')).toEqual({ kind: 'unavailable', message, hint: 'Try again then' });
  expect([waits, requests.length]).toEqual([[], 1]);
});

it("measures a date by the platform's own clock, however wrong this machine's is", async () => {
  const headers = [noon, 'Retry-After: Sun, 01 Nov 2026 12:00:05 GMT'];
  const { change, waits } = await serve(once(429, headers), { now: () => 0 });
  await change('PUT');
  expect(waits).toEqual([5000]);
});

it('repeats a change whatever a 503 with Retry-After has beside it, for nothing was done', async () => {
  const { change, waits } = await serve((socket, _, count) =>
    socket.write(count === 1 ? answerText(503, '{"error":{}}', ['Retry-After: 36']) : answerText(200, '[]')),
  );
  expect(await change('PATCH')).toEqual({ status: 200, text: '[]', earlier: 'none' });
  expect(waits).toEqual([36_000]);
});

it.each([
  ['told', 429, '', [], 4],
  ['told', 503, '', ['Retry-After: 0'], 4],
  ['told', 503, '', [], 1],
  ['told', 503, '{"error":{}}', [], 1],
  ['unreached', 429, '', [], 1],
  ['unreached', 503, '', [], 1],
  ['unreached', 503, '', ['Retry-After: 0'], 1],
] as const)(
  'repeats what may be repeated only where that is %s after %i "%s" %j',
  async (repeat, status, text, headers, count) => {
    const { exchange, origin, requests } = await serve(always(status, text, headers));
    await ending(exchange, { ...change('POST', origin), repeat });
    expect(requests.length).toBe(count);
  },
);

it('gives a GET on a kept connection that has closed meanwhile a new one at once, as no repeat', async () => {
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

it('keeps a connection for the pages of a list, and gives each change its own', async () => {
  const { get, change, connections } = await serve(always(200, '[]'));
  for (let page = 0; page < 5; page += 1) await get();
  expect(connections()).toBe(1);
  for (const method of ['PUT', 'PATCH']) await change(method);
  expect(connections()).toBe(3);
});

it('holds no idle connection while a change waits for its own, since some servers serve one after the other', async () => {
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

it('never takes a part of a response for the whole, wherever it is cut and however its length is declared', async () => {
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

it('repeats a GET whose answer was cut short, and says so where it stays so', async () => {
  const cut = frame('connection: close', Buffer.from('{"items":[{"userId":"u1"}'));
  const once = await serve((socket, _, count) => {
    if (count === 1) socket.end(cut);
    else socket.write(answerText(200, '[]'));
  });
  expect(await once.get()).toEqual({ status: 200, text: '[]', earlier: 'possible' });
  const { get, origin, requests } = await serve(lastWords(cut));
  const message = `The request to ${origin} failed: the response was cut short.`;
  expect(await get()).toEqual({ kind: 'unavailable', message, hint: again });
  expect(requests.length).toBe(4);
});

/** What a signal of the system aborts, and how. */
function interrupting(message: string, exit?: number) {
  const control = new AbortController();
  return { interrupt: control.signal, stop: () => control.abort(new Failure('interrupted', message, { exit })) };
}

it('ends a change at once when it is interrupted, and says what may have happened', async () => {
  const { interrupt, stop } = interrupting('Stopped by SIGTERM.', 143);
  const { exchange, origin, requests } = await serve(stop, { interrupt });
  const failure = await exchange(change('PUT', origin)).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    kind: 'interrupted',
    message: 'Stopped by SIGTERM. The change may have been applied.',
    exit: 143,
    facts: { request: { method: 'PUT', path: '/' }, fate: 'unknown' },
  });
  expect(requests.length).toBe(1);
});

it('says nothing of a change when what is interrupted never left, only reads, or logs in', async () => {
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

it('ends the waiting between two attempts when it is interrupted', async () => {
  const { interrupt, stop } = interrupting('Stopped by SIGINT.');
  const server = await serve(always(502), { interrupt, onWait: stop });
  expect(await server.change('DELETE')).toEqual({
    kind: 'interrupted',
    message: 'Stopped by SIGINT. The change may have been applied.',
    hint: 'Check whether it was applied before you try again',
  });
  expect(server.requests.length).toBe(1);
});
