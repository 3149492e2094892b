/** Undoes the compression of responses. */
import { isUtf8 } from 'node:buffer';
import { Failure } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { FetchResponse } from '../network/fetch.ts';

/** The Accept-Encoding of single calls. docs/internals/decisions.md says why bulk work asks for none. */
export const askedCodings = 'gzip, br, deflate';

/** Undoes the content codings of a response. Empties the body of a redirect or an error that cannot be read, because its status says enough. @throws as `undoCodings` */
export async function unpack(bytes: Buffer, { headers, status }: FetchResponse, maximum: number): Promise<Buffer> {
  const encoding = headers.get('content-encoding');
  if (encoding === null || bytes.length === 0) return bytes;
  try {
    return await undoCodings(bytes, encoding, status, maximum);
  } catch (error) {
    if (status < 300 || !(error instanceof Failure || error instanceof ConnectionLost)) throw error;
    return Buffer.alloc(0);
  }
}

/** The most codings of a response, because undoing each takes a pass over all of its bytes. */
const mostCodings = 4;

/** The functions of zlib by the codings that they undo. */
const decoders: ReadonlyMap<string, 'gunzipSync' | 'brotliDecompressSync' | 'inflateSync'> = new Map([
  ['gzip', 'gunzipSync'],
  ['x-gzip', 'gunzipSync'],
  ['br', 'brotliDecompressSync'],
  ['deflate', 'inflateSync'],
]);

/** Whether a deflate has its header (RFC 1950 2.2: the method 8, and a checksum), which some servers leave out. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] ?? 0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** Undoes content codings (RFC 9110 8.4). @throws ConnectionLost CUT_SHORT if a body ends early, or a Failure if it cannot be read or is too large */
async function undoCodings(bytes: Buffer, encoding: string, status: number, maximum: number): Promise<Buffer> {
  const codings = encoding.toLowerCase().split(/[\s,]+/);
  const known = codings.flatMap((coding) => decoders.get(coding) ?? []);
  if (known.length > mostCodings) throw unknownCompressionFailure(status);
  let read = bytes;
  if (known.length > 0) {
    const zlib = await import('node:zlib');
    try {
      for (const decode of known.reverse()) {
        const isRaw = decode === 'inflateSync' && !hasZlibHeader(read);
        read = zlib[isRaw ? 'inflateRawSync' : decode](read, { maxOutputLength: maximum });
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // zlib throws nothing else
      if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeFailure(maximum, status);
      throw code === 'Z_BUF_ERROR'
        ? new ConnectionLost('body', 'CUT_SHORT', { cause: error })
        : unknownCompressionFailure(status, error);
    }
  }
  // Other names than those of compressions, such as `utf-8`, do not matter if the bytes are text.
  const hasOthers = codings.some((coding) => !/^(identity)?$/.test(coding) && !decoders.has(coding));
  if (hasOthers && !isUtf8(read)) throw unknownCompressionFailure(status);
  return read;
}

/** The failure for a response with more bytes than are read. @param maximum in bytes */
export function tooLargeFailure(maximum: number, status: number): Failure {
  const sentence = `The response is larger than ${Math.floor(maximum / 1024)} KiB, and was not read to the end.`;
  return new Failure('unavailable', sentence, {
    status,
    hint: 'Ask for less at a time, with --page-size or a Range header',
  });
}

function unknownCompressionFailure(status: number, cause?: unknown): Failure {
  const hint =
    'A proxy or gateway on the way may be the reason; --debug shows its content-encoding, and iiot reads gzip, br and deflate';
  const sentence = `The response (${status}) is compressed in a way that cannot be read.`;
  return new Failure('unavailable', sentence, { status, cause, hint });
}
