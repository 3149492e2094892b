/** Undoes the content codings of a response (RFC 9110 8.4). */
import { isUtf8 } from 'node:buffer';
import { Failure } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';

/** What single calls ask for. docs/decisions.md says why bulk work asks for none. */
export const askedCodings = 'gzip, br, deflate';

/** Each coding of a response takes a pass over as many bytes as a response may have. */
const mostCodings = 4;

type Zlib = typeof import('node:zlib');
type Decode = (zlib: Zlib, bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const gunzip: Decode = (zlib, bytes, options) => zlib.gunzipSync(bytes, options);
const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', (zlib, bytes, options) => zlib.brotliDecompressSync(bytes, options)],
  // Some servers leave out the header that the standard wants around it.
  ['deflate', (zlib, bytes, options) => zlib[hasZlibHeader(bytes) ? 'inflateSync' : 'inflateRawSync'](bytes, options)],
]);

/** RFC 1950 2.2: the method 8, and a checksum. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] ?? 0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/**
 * What is coded. A name that says nothing of a compression, such as `utf-8`, is ignored if the bytes are text.
 * @throws ConnectionLost CUT_SHORT if it ends early, or a Failure if it cannot be read or has more than `maximum` bytes
 */
export async function withoutCodings(
  bytes: Buffer,
  encoding: string,
  { status, maximum }: { readonly status: number; readonly maximum: number },
): Promise<Buffer> {
  const codings = encoding.toLowerCase().split(/[\s,]+/);
  const known = codings.flatMap((coding) => decoders.get(coding) ?? []);
  if (known.length > mostCodings) throw unreadable(status);
  let read = bytes;
  if (known.length > 0) {
    const zlib = await import('node:zlib');
    try {
      for (const decode of known.reverse()) read = decode(zlib, read, { maxOutputLength: maximum });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // zlib throws nothing else
      if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maximum, status);
      throw code === 'Z_BUF_ERROR'
        ? new ConnectionLost('body', 'CUT_SHORT', { cause: error })
        : unreadable(status, error);
    }
  }
  const hasOthers = codings.some((coding) => !/^(identity)?$/.test(coding) && !decoders.has(coding));
  if (hasOthers && !isUtf8(read)) throw unreadable(status);
  return read;
}

export function tooLarge(maximum: number, status: number): Failure {
  const sentence = `The response is larger than ${Math.floor(maximum / 1024)} KiB, and was not read to the end.`;
  return new Failure('unavailable', sentence, {
    status,
    hint: 'Ask for less at a time, with --page-size or a Range header',
  });
}

function unreadable(status: number, cause?: unknown): Failure {
  return new Failure('unavailable', `The response (${status}) is compressed in a way that cannot be read.`, {
    status,
    cause,
    hint: 'A proxy or gateway on the way may be the reason; --debug shows its content-encoding, and iiot reads gzip, br and deflate',
  });
}
