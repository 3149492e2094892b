import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { closedAfterEach } from '../support/fixtures.ts';
import { answerText, type Behaviour, greetingServer, lastWords, rawServer } from '../support/raw-server.ts';
import { change, ending, openWire } from './wire.ts';

const keep = closedAfterEach();

const atFault = 'The fault is in the server, or in a gateway or proxy on the way to it: tell its operator';
const address = 'Check the base URL: iiot profiles show --origin';
const closed = 'the connection was closed before the response was complete';

const garbage: readonly (readonly [string, string, string, string])[] = [
  ['an SSH server', 'SSH-2.0-OpenSSH_9.7\r\n', 'what answers there is an SSH server, not an HTTP server', address],
  [
    'a mail server',
    '220 mail.test ESMTP Postfix\r\n',
    'what answers there is a mail or FTP server, not an HTTP server',
    address,
  ],
  ['an IMAP server', '* OK IMAP4rev1 ready\r\n', 'what answers there is a mail server, not an HTTP server', address],
  ['HTTP/0.9', '<html>hello</html>', 'what answers there is not an HTTP server', address],
  ['the preface of HTTP/2', '\0\0\x12\x04\0\0\0\0\0', 'what answers there is not an HTTP server', address],
  [
    'a TLS alert',
    '\x15\x03\x01\0\x02\x02\x46',
    'it speaks TLS',
    'Check whether the base URL should start with https://',
  ],
  ['HTTP of another version', 'HTTP/9.9 200 OK\r\n\r\n', 'what answers there is not an HTTP server', address],
  [
    'a status that is no number',
    'HTTP/1.1 OK\r\n\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_STATUS)',
    atFault,
  ],
  [
    'status 000',
    'HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_STATUS)',
    atFault,
  ],
  [
    'a folded header',
    'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n[]',
    'its response breaks the rules of HTTP (HPE_INVALID_HEADER_TOKEN)',
    atFault,
  ],
  [
    'a blank before the colon, from a server that says its name',
    'HTTP/1.1 200 OK\r\nServer: GoAhead-Webs \r\nx : a\r\ncontent-length: 2\r\n\r\n[]',
    'its response, from the server GoAhead-Webs, breaks the rules of HTTP (HPE_INVALID_HEADER_TOKEN)',
    atFault,
  ],
  [
    'a header without a colon',
    'HTTP/1.1 200 OK\r\nnothing\r\n\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_HEADER_TOKEN)',
    atFault,
  ],
  [
    'a header with NUL',
    'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_HEADER_TOKEN)',
    atFault,
  ],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]x',
    'its response breaks the rules of HTTP (HPE_UNEXPECTED_CONTENT_LENGTH)',
    atFault,
  ],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_TRANSFER_ENCODING)',
    atFault,
  ],
  [
    'a chunk without a size',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
    'its response breaks the rules of HTTP (HPE_INVALID_CHUNK_SIZE)',
    atFault,
  ],
  [
    '140 kB of headers',
    `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(140_000)}\r\n\r\n`,
    'its response has more headers than can be read',
    atFault,
  ],
  [
    'headers without end',
    `HTTP/1.1 200 OK\r\n${'x-y: z\r\n'.repeat(100_000)}`,
    'its response has more headers than can be read',
    atFault,
  ],
];

it.each(garbage)(
  'names what answers instead of a platform, once and without a repeat: %s',
  async (_, bytes, reason, hint) => {
    const server = await keep(rawServer(lastWords(Buffer.from(bytes, 'latin1'))));
    const { exchange, waits } = await openWire();
    const answer = await ending(exchange, { method: 'GET', url: `${server.origin}/` });
    expect({ ...answer, waits }).toEqual({
      kind: 'unavailable',
      message: `The exchange with ${server.origin} failed: ${reason}.`,
      hint,
      waits: [],
    });
  },
);

const breaks: readonly (readonly [string, (socket: Socket) => void, string])[] = [
  ['without a word', (socket) => socket.end(), closed],
  ['in its first line', (socket) => socket.end('HTTP/1.1 20'), closed],
  ['in its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'), closed],
];

it.each(breaks)('says that the connection was closed %s', async (_, act, reason) => {
  const server = await keep(greetingServer(act));
  const { exchange } = await openWire({ retries: 0 });
  const origin = `http://127.0.0.1:${server.port}`;
  expect(await ending(exchange, { method: 'GET', url: `${origin}/` })).toEqual({
    kind: 'unavailable',
    message: `The exchange with ${origin} failed: ${reason}.`,
    hint: 'Try again; to find the cause, run: iiot doctor',
  });
});

it('says that the connection was closed as soon as it was made', async () => {
  const { origin } = await keep(greetingServer((socket) => socket.resetAndDestroy()));
  const { exchange } = await openWire({ retries: 0 });
  const answer = await ending(exchange, { method: 'GET', url: `${origin}/` });
  // Which of the two it is depends on how fast the news travels.
  expect([
    `The exchange with ${origin} failed: ${closed}.`,
    `Cannot reach ${origin}: the connection was closed at once.`,
  ]).toContain('message' in answer ? answer.message : answer.text);
});

it('takes an upgrade that nobody asked for as no answer', async () => {
  const server = await keep(
    rawServer((socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')),
  );
  const { exchange } = await openWire();
  expect(await ending(exchange, { method: 'GET', url: `${server.origin}/` })).toEqual({
    kind: 'unavailable',
    message: `The exchange with ${server.origin} failed: its response breaks the rules of HTTP (HPE_INVALID_UPGRADE).`,
    hint: atFault,
  });
});

const odd: readonly (readonly [string, string, number, string])[] = [
  [
    'a status nobody knows, with words of its own',
    'HTTP/1.1 299 \x1b[31mred\r\ncontent-length: 2\r\n\r\n{}',
    299,
    '{}',
  ],
  ['no words at all', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\n{}', 200, '{}'],
  ['status 599', 'HTTP/1.1 599 Odd\r\ncontent-length: 0\r\n\r\n', 599, ''],
  ['status 418', 'HTTP/1.1 418 Teapot\r\ncontent-length: 0\r\n\r\n', 418, ''],
  [
    'an interim answer first',
    'HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]',
    200,
    '[]',
  ],
  ['a 204 that says it has a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', 204, ''],
  ['a 204 with a body', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', 204, ''],
  ['10,000 headers that fit', `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(3000)}content-length: 2\r\n\r\n[]`, 200, '[]'],
  ['a byte order mark', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n\xef\xbb\xbf[]', 200, '[]'],
];

for (const connections of [undefined, 2]) {
  it.each(odd)(
    `takes an odd answer for what it says (${connections ? 'a pool' : 'a single call'}): %s`,
    async (_, bytes, status, text) => {
      const server = await keep(rawServer(lastWords(Buffer.from(bytes, 'latin1'))));
      const { exchange } = await openWire(connections ? { connections } : {});
      expect(await ending(exchange, change('PUT', server.origin))).toEqual({ status, text, earlier: 0 });
    },
  );
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

const endless: readonly (readonly [string, Behaviour])[] = [
  ['a length of 10 GB', flood('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n', Buffer.alloc(65_536, 0x20))],
  [
    'chunks',
    flood('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`)),
  ],
  ['no length', flood('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536, 0x20))],
];

it.each(endless)('reads no more than 32 MiB of an answer without end: %s', async (_, behaviour) => {
  const server = await keep(rawServer(behaviour));
  const { exchange } = await openWire({ timeout: 20_000 });
  expect(await ending(exchange, { method: 'GET', url: `${server.origin}/` })).toEqual({
    kind: 'unavailable',
    message: 'The response is larger than 32768 KiB, and was not read to the end.',
    hint: 'Ask for less at a time, with --page-size or a Range header',
  });
});

it('reads no more of an answer than its reader wants', async () => {
  const server = await keep(rawServer((socket) => socket.write(answerText(200, 'x'.repeat(2000)))));
  const { exchange } = await openWire();
  const answers = [2000, 1999].map((maximumBytes) =>
    ending(exchange, { method: 'GET', url: `${server.origin}/`, maximumBytes }),
  );
  const [whole, large] = await Promise.all(answers);
  expect(whole).toEqual({ status: 200, text: 'x'.repeat(2000), earlier: 0 });
  expect(large).toMatchObject({
    kind: 'unavailable',
    message: 'The response is larger than 1 KiB, and was not read to the end.',
  });
});

it('knows an error by its status, though its body has no end', async () => {
  const server = await keep(rawServer(flood('HTTP/1.1 403 Forbidden\r\n\r\n', Buffer.alloc(65_536, 0x20))));
  const { exchange } = await openWire({ timeout: 20_000 });
  expect(await ending(exchange, change('PATCH', server.origin))).toMatchObject({ status: 403 });
});

it('refuses what is no UTF-8, and says of a change that it may have been applied', async () => {
  const latin = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n["é"]', 'latin1');
  const server = await keep(rawServer(lastWords(latin)));
  const { exchange } = await openWire();
  const hint = 'Something other than the platform may have answered; see: iiot doctor';
  const sentence = 'The response (200) is not UTF-8, and cannot be read.';
  expect(await ending(exchange, { method: 'GET', url: `${server.origin}/` })).toEqual({
    kind: 'unavailable',
    message: sentence,
    hint,
  });
  expect(await ending(exchange, change('PATCH', server.origin))).toEqual({
    kind: 'unavailable',
    message: `${sentence} The change may have been applied.`,
    hint,
  });
});

it.each([
  [
    'a web page, since it tells who has answered',
    'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=iso-8859-1\r\n\r\n<title>Bitte w\xe4hlen</title>',
    { status: 200, text: '<title>Bitte wählen</title>' },
  ],
  ['the text of an error', 'HTTP/1.1 400 Bad\r\n\r\nUng\xfcltig', { status: 400, text: 'Ungültig' }],
])('reads in whatever charset it is %s', async (_, response, read) => {
  const server = await keep(rawServer(lastWords(Buffer.from(response, 'latin1'))));
  const { exchange } = await openWire();
  expect(await ending(exchange, { method: 'GET', url: `${server.origin}/` })).toEqual({ ...read, earlier: 0 });
});

const wide = (text: string) => Buffer.from(text, 'utf16le');
it.each([
  ['UTF-16 with a mark', 'utf-16', wide('\ufeff["é"]')],
  ['UTF-16 without a mark', 'UTF-16LE', wide('["é"]')],
  ['UTF-16 in the other order', 'utf-16', wide('\ufeff["é"]').swap16()],
  ['UTF-16 in the other order, without a mark', 'utf-16', wide('["é"]').swap16()],
  ['UTF-16 in an order that is named', '"utf-16be"', wide('["é"]').swap16()],
  ['ISO-8859-1', 'ISO-8859-1', Buffer.from('["é"]', 'latin1')],
  ['Shift-JIS', 'shift_jis', Buffer.from('["\x93\xfa"]', 'latin1')],
  ['UTF-8 that is called ISO-8859-1', 'iso-8859-1', Buffer.from('["é"]')],
  ['UTF-8 that is called UTF-16', 'utf-16', Buffer.from('["é"]')],
])('reads a success and an error in the charset that they name: %s', async (_, charset, body) => {
  const text = charset === 'shift_jis' ? '["日"]' : '["é"]';
  const type = `content-type: application/json; charset=${charset}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const server = await keep(
    rawServer((socket, _request, count) => {
      socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${count % 2 === 1 ? 200 : 404} Word\r\n${type}`), body]));
    }),
  );
  // A single call, and an import.
  for (const options of [{}, { connections: 1 }]) {
    const { exchange } = await openWire(options);
    expect(await ending(exchange, change('PUT', server.origin))).toMatchObject({ status: 200, text });
    expect(await ending(exchange, change('PUT', server.origin))).toMatchObject({ status: 404, text });
  }
});

it.each(['utf-8', 'no-such-charset', 'utf-16'])(
  'refuses what is not in the charset that it names: %s',
  async (charset) => {
    const bytes = Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=${charset}\r\n\r\n["é"]`,
      'latin1',
    );
    const server = await keep(rawServer(lastWords(bytes)));
    const { exchange } = await openWire();
    expect(await ending(exchange, { method: 'GET', url: `${server.origin}/` })).toMatchObject({
      message: 'The response (200) is not UTF-8, and cannot be read.',
    });
  },
);

it('sends no header that could carry another, and does not repeat its value', async () => {
  const server = await keep(rawServer());
  const { exchange } = await openWire();
  for (const value of ['a\r\nx-injected: yes', 'a\nb', 'snow ☃', 'nul\0']) {
    expect(await ending(exchange, { method: 'GET', url: `${server.origin}/`, headers: { 'x-note': value } })).toEqual({
      kind: 'usage',
      message: 'The value of the header x-note holds characters that no header can carry.',
      hint: undefined,
    });
  }
  expect(server.connections()).toBe(0);
});
