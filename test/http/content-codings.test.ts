/** Responses that a server, a proxy or a CDN has compressed: asked for in single calls, and read wherever they come. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../support/raw-server.ts';
import { serversForEach } from './wire.ts';

const serve = serversForEach();
const json = '{"items":[{"userId":"u1","name":"Jürgen"}],"totalCount":1}';
const text = Buffer.from(json);
const halves = [text.subarray(0, 20), text.subarray(20)];
const bomb = (size: number) => Buffer.alloc(size, ' ');

/** A server that sends the body with its length and this coding. */
function coded(encoding: string, body: Uint8Array, status = 200): Behaviour {
  const head = `HTTP/1.1 ${status} Word\r\ncontent-type: application/json\r\ncontent-encoding: ${encoding}\r\n`;
  return (socket) => {
    socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };
}

const readable: readonly (readonly [string, string, Uint8Array])[] = [
  ['gzip', 'gzip', gzipSync(text)],
  ['its name in capitals', 'GZIP', gzipSync(text)],
  ['its old name', 'x-gzip', gzipSync(text)],
  ['two members of gzip', 'gzip', Buffer.concat(halves.map((half) => gzipSync(half)))],
  ['br', 'br', brotliCompressSync(text)],
  ['deflate with the header of zlib', 'deflate', deflateSync(text)],
  ['deflate without a header', 'deflate', deflateRawSync(text)],
  ['one coding over another', 'gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity and gzip', 'identity, gzip', gzipSync(text)],
  ['identity', 'identity', text],
  ['an empty coding', '', text],
  ['an encoding that compresses nothing', 'utf-8', text],
  ['a coding of the producer', 'aws-chunked', text],
];

const unreadable: readonly (readonly [string, string, Uint8Array])[] = [
  ['plain text declared as gzip', 'gzip', text],
  ['gzip with a wrong checksum', 'gzip', Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])],
  ['plain text declared as br', 'br', Buffer.from('{"a":1}')],
  ['an unknown coding', 'zstd', Buffer.from('28b52ffd0458510000', 'hex')],
  ['five codings', 'gzip,gzip,gzip,gzip,gzip', gzipSync(text)],
];

const bombs: readonly (readonly [string, string, Uint8Array])[] = [
  ['gzip', 'gzip', gzipSync(bomb(40_000_000))],
  ['br', 'br', brotliCompressSync(bomb(40_000_000))],
  ['deflate', 'deflate', deflateSync(bomb(40_000_000))],
  ['gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(bomb(40_000_000)))],
];

describe.each([
  ['a single call', {}, 'gzip, br, deflate'],
  ['a pool', { connections: 2 }, 'identity'],
] as const)('%s', (_, options, asked) => {
  const serveCoded = (encoding: string, body: Uint8Array, status?: number) =>
    serve(coded(encoding, body, status), { ...options, trace: 'debug' });

  it(`asks for ${asked}`, async () => {
    const { get, requests } = await serveCoded('', text);
    await get();
    expect(/\r\naccept-encoding: (.*)\r\n/i.exec(requests[0] ?? '')?.[1]).toBe(asked);
  });

  it.each(readable)('reads %s', async (_name, encoding, body) => {
    const { change } = await serveCoded(encoding, body);
    expect(await change('PUT')).toEqual({ status: 200, text: json, earlier: 'none' });
  });

  it.each(unreadable)('refuses %s without a repeat', async (_name, encoding, body) => {
    const { get, requests } = await serveCoded(encoding, body);
    expect(await get()).toEqual({
      kind: 'unavailable',
      message: 'The response (200) is compressed in a way that cannot be read.',
      hint: 'A proxy or gateway on the way may be the reason; --debug shows its content-encoding, and iiot reads gzip, br and deflate',
    });
    expect(requests).toHaveLength(1);
  });

  it.each(bombs)('stops at 32 MiB of what a bomb becomes: %s', async (_name, encoding, body) => {
    const { get } = await serveCoded(encoding, body);
    expect(await get()).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('32768 KiB') });
  });

  it.each([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
  ])('reports %s that ends early as cut short', async (encoding, whole) => {
    const { get, change, requests } = await serveCoded(encoding, whole.subarray(0, -6));
    expect([await get(), requests.length]).toMatchObject([{ message: expect.stringMatching(/cut short\.$/) }, 4]);
    const unsettled = expect.stringMatching(/cut short\. .* may have been applied\.$/);
    expect(await change('PATCH')).toMatchObject({ message: unsettled });
    expect(requests).toHaveLength(5);
  });

  it('reads the status of an error whose text cannot be read', async () => {
    const { get } = await serveCoded('zstd', Buffer.from('28b52ffd0458510000', 'hex'), 404);
    expect(await get()).toEqual({ status: 404, text: '', earlier: 'none' });
  });

  it('reads a compressed error and an empty compressed body', async () => {
    const refused = await serveCoded('gzip', gzipSync(text), 400);
    const empty = await serveCoded('gzip', Buffer.alloc(0));
    expect(await refused.change('PATCH')).toEqual({ status: 400, text: json, earlier: 'none' });
    expect(await empty.change('PUT')).toEqual({ status: 200, text: '', earlier: 'none' });
  });

  it('shows the decompressed text in a trace', async () => {
    const body = gzipSync(text);
    const { get, lines } = await serveCoded('gzip', body);
    await get();
    expect(lines.map((line) => line.replace(/^.*?(?=<)|(?<=in )\d+(?= ms)/g, '')).slice(-5)).toEqual([
      `< 200 in  ms, ${body.length} bytes`,
      '< content-type: application/json',
      '< content-encoding: gzip',
      `< content-length: ${body.length}`,
      `< ${json}`,
    ]);
  });
});
