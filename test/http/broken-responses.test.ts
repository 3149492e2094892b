import { describe, expect, it } from 'vitest';
import { always, type Behaviour, greetingServer, lastWords } from '../support/raw-server.ts';
import { ending, get, serversForEach } from './wire.ts';

const serve = serversForEach();

const atFault = 'The fault is in the server, or in a gateway or proxy on the way to it: tell its operator';
const address = expect.stringMatching(/^Check the base URL/);
const closed = /failed: the connection was closed before .*\.$/;

const broken = (code: string) => `its response is not valid HTTP (${code})`;
const notHttp = 'what answers there is not an HTTP server';
const tooMany = 'its response has more headers than can be read';
const https = 'Check whether the base URL should start with https://';
const ok = 'HTTP/1.1 200 OK\r\n';

const garbage: readonly (readonly [string, string, string, string?])[] = [
  ['an SSH server', 'SSH-2.0-OpenSSH_9.7\r\n', 'what answers there is an SSH server, not an HTTP server', address],
  [
    'a mail server',
    '220 mail.test ESMTP\r\n',
    'what answers there is a mail or FTP server, not an HTTP server',
    address,
  ],
  ['an IMAP server', '* OK IMAP4rev1 ready\r\n', 'what answers there is a mail server, not an HTTP server', address],
  ['HTTP/0.9', '<html>hello</html>', notHttp, address],
  ['the preface of HTTP/2', '\0\0\x12\x04\0\0\0\0\0', notHttp, address],
  ['a TLS alert', '\x15\x03\x01\0\x02\x02\x46', 'it speaks TLS', https],
  ['an unknown version of HTTP', 'HTTP/9.9 200 OK\r\n\r\n', notHttp, address],
  ['status 000', 'HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n', broken('HPE_INVALID_STATUS')],
  ['a header with NUL', `${ok}x: a\0b\r\n\r\n`, broken('HPE_INVALID_HEADER_TOKEN')],
  [
    'a header without a colon from a named server',
    `${ok}Server: GoAhead-Webs\r\nnothing\r\n\r\n`,
    'its response, from the server GoAhead-Webs, is not valid HTTP (HPE_INVALID_HEADER_TOKEN)',
  ],
  ['a chunk without a size', `${ok}transfer-encoding: chunked\r\n\r\nxyz\r\n`, broken('HPE_INVALID_CHUNK_SIZE')],
  ['140 kB of headers', `${ok}x: ${'a'.repeat(140_000)}\r\n\r\n`, tooMany],
  ['endless headers', `${ok}${'x-y: z\r\n'.repeat(100_000)}`, tooMany],
  // An upgrade that nobody asked for.
  ['status 101', 'HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', broken('HPE_INVALID_UPGRADE')],
];

it.for(garbage)(
  'a request to what is not a platform fails at once and is not repeated: %s',
  async ([, bytes, reason, hint = atFault]) => {
    const { get, origin, waits } = await serve(lastWords(Buffer.from(bytes, 'latin1')));
    const message = `The request to ${origin} failed: ${reason}.`;
    expect(await get()).toEqual({ kind: 'unavailable', message, hint });
    expect(waits).toEqual([]);
  },
);

it.each([
  ['before the first byte', ''],
  ['in its first line', 'HTTP/1.1 20'],
  ['in its headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
])('a request fails when the connection is closed %s', async (_, start) => {
  const { get, origin } = await serve(
    greetingServer((socket) => socket.end(start)),
    { retries: 0 },
  );
  const message = expect.stringMatching(closed);
  expect(await get()).toMatchObject({ kind: 'unavailable', message });
  expect(await get()).toMatchObject({ message: expect.stringContaining(origin) });
});

it('a request fails when the connection is closed as soon as it is made', async () => {
  const { get } = await serve(
    greetingServer((socket) => socket.resetAndDestroy()),
    { retries: 0 },
  );
  const answer = await get();
  // Which of the two it is depends on how fast the news travels.
  expect('message' in answer && answer.message).toMatch(/the connection was closed (before .*|at once)\.$/);
});

const odd: readonly (readonly [string, string, number, string])[] = [
  ['an unknown status with a text', 'HTTP/1.1 299 \x1b[31mred\r\ncontent-length: 2\r\n\r\n{}', 299, '{}'],
  ['a status without a text', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\n{}', 200, '{}'],
  ['status 599', 'HTTP/1.1 599 Odd\r\ncontent-length: 0\r\n\r\n', 599, ''],
  ['an interim response first', `HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n${ok}content-length: 2\r\n\r\n[]`, 200, '[]'],
  ['a 204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', 204, ''],
  ['a 204 with a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', 204, ''],
  ['3,000 headers that fit', `${ok}${'a:\r\n'.repeat(3000)}content-length: 2\r\n\r\n[]`, 200, '[]'],
  ['125 kB of headers', `${ok}baggage: ${'a'.repeat(125_000)}\r\ncontent-length: 2\r\n\r\n[]`, 200, '[]'],
  ['a byte order mark', `${ok}content-length: 5\r\n\r\n\xef\xbb\xbf[]`, 200, '[]'],
];

describe.each([
  ['a single call', {}],
  ['a pool', { connections: 2 }],
])('%s', (_, options) => {
  it.each(odd)('reads an unusual response: %s', async (_, bytes, status, text) => {
    const { change } = await serve(lastWords(Buffer.from(bytes, 'latin1')), options);
    expect(await change('PUT')).toEqual({ status, text, earlier: 'none' });
  });

  it.each([
    ['a length of 10 GB', flood(`${ok}content-length: 10000000000\r\n\r\n`, Buffer.alloc(65_536, 0x20))],
    ['chunks', flood(`${ok}transfer-encoding: chunked\r\n\r\n`, Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`))],
    ['no length', flood(`${ok}\r\n`, Buffer.alloc(65_536, 0x20))],
  ])('reads up to 32 MiB of an endless response with %s', async (_, behaviour) => {
    const { get } = await serve(behaviour, { ...options, timeout: 20_000 });
    expect(await get()).toEqual({
      kind: 'unavailable',
      message: tooLarge(32_768),
      hint: 'Ask for less at a time, with --page-size or a Range header',
    });
  });
});

function tooLarge(kib: number): string {
  return `The response is larger than ${kib} KiB, and was not read to the end.`;
}

/** Sends as fast as it is read, without end. */
function flood(head: string, piece: Buffer): Behaviour {
  return (socket) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
}

it('a response larger than its reader allows is refused', async () => {
  const { exchange, origin } = await serve(always(200, 'x'.repeat(2000)));
  const asked = (maximumBytes: number) => ending(exchange, { ...get(origin), maximumBytes });
  expect(await asked(2000)).toEqual({ status: 200, text: 'x'.repeat(2000), earlier: 'none' });
  expect(await asked(1999)).toMatchObject({ kind: 'unavailable', message: tooLarge(1) });
});

it('an error with an endless body is read as its status', async () => {
  const { change } = await serve(flood('HTTP/1.1 403 Forbidden\r\n\r\n', Buffer.alloc(65_536, 0x20)), {
    timeout: 20_000,
  });
  expect(await change('PATCH')).toMatchObject({ status: 403 });
});

it.each(['', '; charset=utf-8', '; charset=no-such-charset', '; charset=utf-16'])(
  'a response that is not in its charset is refused: "%s"',
  async (charset) => {
    const latin = Buffer.from(`${ok}content-type: application/json${charset}\r\n\r\n["é"]`, 'latin1');
    const { get, change } = await serve(lastWords(latin));
    const message = 'The response (200) is not UTF-8, and cannot be read.';
    const hint = 'Something other than the platform may have answered; see: iiot doctor';
    expect(await get()).toEqual({ kind: 'unavailable', message, hint });
    const unsettled = expect.stringMatching(/cannot be read\. .* may have been applied\.$/);
    expect(await change('PATCH')).toEqual({ kind: 'unavailable', message: unsettled, hint });
  },
);

it.each([
  [
    'a web page',
    `${ok}content-type: text/html; charset=iso-8859-1\r\n\r\n<title>Bitte w\xe4hlen</title>`,
    { status: 200, text: '<title>Bitte wählen</title>' },
  ],
  ['the text of an error', 'HTTP/1.1 400 Bad\r\n\r\nUng\xfcltig', { status: 400, text: 'Ungültig' }],
])('%s is read in any charset', async (_, response, read) => {
  const { get } = await serve(lastWords(Buffer.from(response, 'latin1')));
  expect(await get()).toEqual({ ...read, earlier: 'none' });
});

const wide = (text: string) => Buffer.from(text, 'utf16le');
it.each([
  ['UTF-16 with a mark', 'utf-16', wide('\ufeff["é"]')],
  ['UTF-16 without a mark', 'UTF-16LE', wide('["é"]')],
  ['big-endian UTF-16 with a mark', 'utf-16', wide('\ufeff["é"]').swap16()],
  ['big-endian UTF-16 without a mark', 'utf-16', wide('["é"]').swap16()],
  ['UTF-16BE', '"utf-16be"', wide('["é"]').swap16()],
  ['ISO-8859-1', 'ISO-8859-1', Buffer.from('["é"]', 'latin1')],
  ['Shift-JIS', 'shift_jis', Buffer.from('["\x93\xfa"]', 'latin1')],
  ['UTF-8 declared as ISO-8859-1', 'iso-8859-1', Buffer.from('["é"]')],
  ['UTF-8 declared as UTF-16', 'utf-16', Buffer.from('["é"]')],
])('a success and an error are read in the charset that they name: %s', async (_, charset, body) => {
  const text = charset === 'shift_jis' ? '["日"]' : '["é"]';
  const type = `content-type: application/json; charset=${charset}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const answer: Behaviour = (socket, _request, count) => {
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${count % 2 === 1 ? 200 : 404} Word\r\n${type}`), body]));
  };
  // A single call, and an import.
  for (const options of [{}, { connections: 1 }]) {
    const { change } = await serve(answer, options);
    expect([await change('PUT'), await change('PUT')]).toMatchObject([
      { status: 200, text },
      { status: 404, text },
    ]);
  }
});

it('a header with a line end is not sent, and its value is not shown', async () => {
  const { exchange, origin, connections } = await serve();
  for (const value of ['a\r\nx-injected: yes', 'a\nb', 'snow ☃', 'nul\0']) {
    expect(await ending(exchange, { ...get(origin), headers: { 'x-note': value } })).toEqual({
      kind: 'usage',
      message: 'The value of the header x-note has characters that a header cannot have.',
      hint: undefined,
    });
  }
  expect(connections()).toBe(0);
});
