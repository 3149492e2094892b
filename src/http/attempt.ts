import { isUtf8 } from 'node:buffer';
import { Failure, usage } from '../failure.ts';
import { ConnectionLost, isCertificateProblem } from '../network/connection-lost.ts';
import { openDeadline } from '../network/deadline.ts';
import type { ExchangeRequest, ExchangeResponse, Fetch, FetchResponse, ResponseHeaders } from '../network/fetch.ts';
import { onAbort } from '../text/abort.ts';
import { endsEarly, outlineOf } from '../text/json.ts';
import { decodeAs } from '../text/utf8.ts';

/** One complete response. */
export type RawResponse = Pick<ExchangeResponse, 'status' | 'headers' | 'text' | 'content' | 'outline'> & {
  /** As they were sent, compressed or not. */
  readonly bytes: number;
};

/** What can end an attempt early: a timeout in milliseconds, and the user. */
export type Limits = { readonly timeout: number; readonly interrupt: AbortSignal };

const defaultMaximumBytes = 32 * 1024 * 1024;

/** An error's body is read only up to this many bytes: the rest would add nothing. */
const longestProblem = 8 * 1024 * 1024;

/** How long a request that has to be finished may take after an interruption, in milliseconds. */
const lastWait = 5000;

/**
 * Sends one request and reads the complete response. One deadline covers all of it: connecting, a body that drips, and a `Fetch` that ignores the
 * abort signal.
 * @throws ConnectionLost with the phase that was reached (its code is TIMEOUT or INTERRUPTED if a limit ended it), or a Failure for a response that
 * is too large or cannot be decompressed
 */
export async function attempt(fetch: Fetch, request: ExchangeRequest, limits: Limits): Promise<RawResponse> {
  const ending = new AbortController();
  const timers: (() => void)[] = [];
  let reason: 'TIMEOUT' | 'INTERRUPTED' | undefined;
  // For a `Fetch` that does not end by itself.
  let giveUp: (lost: ConnectionLost) => void = () => {};
  const end = (because: typeof reason) => {
    reason ??= because;
    ending.abort();
    setTimeout(() => giveUp(new ConnectionLost('response', 'ABORTED')), grace).unref();
  };
  timers.push(openDeadline(timeoutOf(request, limits), () => end('TIMEOUT')));
  const unsubscribe = onAbort(limits.interrupt, () => {
    if (request.isFinished) timers.push(openDeadline(lastWait, () => end('INTERRUPTED')));
    else end('INTERRUPTED');
  });
  try {
    return await new Promise((resolve, reject) => {
      giveUp = reject;
      exchangeOnce(fetch, request, ending.signal).then(resolve, reject);
    });
  } catch (error) {
    ending.abort();
    if (!reason || !(error instanceof ConnectionLost) || isCertificateProblem(error.code)) throw error;
    throw new ConnectionLost(error.phase, reason, { ...error.facts, cause: limits.interrupt.reason });
  } finally {
    for (const cancel of timers) cancel();
    unsubscribe();
  }
}

/** How long the request may take, in milliseconds. */
export function timeoutOf({ timeout }: ExchangeRequest, limits: Pick<Limits, 'timeout'>): number {
  return Math.min(timeout ?? limits.timeout, limits.timeout);
}

/** After an abort, how long a `Fetch` has to report how far it came, in milliseconds. */
const grace = 100;

async function exchangeOnce(fetch: Fetch, request: ExchangeRequest, signal: AbortSignal): Promise<RawResponse> {
  const headers = {
    accept: 'application/json',
    // A part of what is packed cannot be unpacked.
    'accept-encoding': request.headers?.range === undefined ? askedCodings : 'identity',
    'user-agent': 'iiot-cli',
    ...request.headers,
    ...(request.body && { 'content-type': request.body.type }),
  };
  // Control characters and characters beyond Latin-1 are not allowed (RFC 9110 5.5). The value may be a secret, so it is never shown.
  const [odd] = Object.entries(headers).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)) ?? [];
  if (odd !== undefined) throw usage(`The value of the header ${odd} has characters that a header cannot have.`);
  const body = request.body && { body: request.body.text };
  const response = await fetch(request.url, { method: request.method, headers, ...body, signal });
  // A parser may accept any three digits.
  if (response.status < 200) throw new ConnectionLost('body', 'HPE_INVALID_STATUS');
  const maximum = request.maximumBytes ?? defaultMaximumBytes;
  const sent = await bytesOf(response, maximum);
  const whole = await unpacked(sent, response, maximum);
  const { status, headers: received } = response;
  const mayBeBinary = request.anyContent === true && declaredKind(received) !== 'json';
  const text = decode(whole, response, mayBeBinary);
  const content = request.anyContent && { content: whole };
  const read = { status, headers: received, text, bytes: sent.length, ...content };
  // What was not asked for whole cannot be cut short.
  if (status >= 300 || status === 206 || (mayBeBinary && !isUtf8(whole))) return read;
  const outline = outlineOf(text);
  if (endsEarly(text, outline)) throw new ConnectionLost('body', 'CUT_SHORT');
  return { ...read, outline };
}

/** What a response says that its body is. `lines` are several JSON values. */
export function declaredKind(headers: ResponseHeaders): 'json' | 'lines' | 'html' | 'other' | undefined {
  const type = headers.get('content-type') ?? '';
  if (/ndjson|json-?l|json-seq|stream\+json/i.test(type)) return 'lines';
  if (/json/i.test(type)) return 'json';
  if (/html/i.test(type)) return 'html';
  return type === '' ? undefined : 'other';
}

/** What a redirect or an error says beside its status is not worth failing for. */
async function unpacked(bytes: Buffer, { headers, status }: FetchResponse, maximum: number): Promise<Buffer> {
  const encoding = headers.get('content-encoding');
  if (encoding === null || bytes.length === 0) return bytes;
  try {
    return await withoutCodings(bytes, encoding, status, maximum);
  } catch (error) {
    if (status < 300 || !(error instanceof Failure || error instanceof ConnectionLost)) throw error;
    return Buffer.alloc(0);
  }
}

async function bytesOf({ body, status }: FetchResponse, maximum: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (status >= 400 && size > longestProblem) break;
    if (size > maximum) throw tooLarge(maximum, status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** RFC 8259 requires UTF-8 for JSON, unless another charset is named. An error or a web page is decoded as well as possible. */
function decode(bytes: Buffer, { status, headers }: FetchResponse, mayBeBinary: boolean): string {
  const type = headers.get('content-type') ?? '';
  const text = decodeAs(bytes, type);
  if (text !== undefined) return text;
  if (mayBeBinary || status >= 400 || /^text\/html\b/i.test(type)) return bytes.toString('latin1');
  throw new Failure('unavailable', `The response (${status}) is not UTF-8, and cannot be read.`, {
    status,
    hint: 'Something other than the platform may have answered; see: iiot doctor',
  });
}

/** What single calls ask for. docs/internals/decisions.md says why bulk work asks for none. */
const askedCodings = 'gzip, br, deflate';

/** Each coding of a response takes a pass over as many bytes as a response may have. */
const mostCodings = 4;

/** The functions of zlib that undo them. */
const decoders: ReadonlyMap<string, 'gunzipSync' | 'brotliDecompressSync' | 'inflateSync'> = new Map([
  ['gzip', 'gunzipSync'],
  ['x-gzip', 'gunzipSync'],
  ['br', 'brotliDecompressSync'],
  ['deflate', 'inflateSync'],
]);

/** RFC 1950 2.2: the method 8, and a checksum. Some servers leave out this header, which the standard wants around a deflate. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] ?? 0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/**
 * Undoes the content codings of a response (RFC 9110 8.4). A name that says nothing of a compression, such as `utf-8`, is ignored if the bytes are text.
 * @throws ConnectionLost CUT_SHORT if it ends early, or a Failure if it cannot be read or has more than `maximum` bytes
 */
async function withoutCodings(bytes: Buffer, encoding: string, status: number, maximum: number): Promise<Buffer> {
  const codings = encoding.toLowerCase().split(/[\s,]+/);
  const known = codings.flatMap((coding) => decoders.get(coding) ?? []);
  if (known.length > mostCodings) throw unknownCompression(status);
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
      if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maximum, status);
      throw code === 'Z_BUF_ERROR'
        ? new ConnectionLost('body', 'CUT_SHORT', { cause: error })
        : unknownCompression(status, error);
    }
  }
  const hasOthers = codings.some((coding) => !/^(identity)?$/.test(coding) && !decoders.has(coding));
  if (hasOthers && !isUtf8(read)) throw unknownCompression(status);
  return read;
}

function tooLarge(maximum: number, status: number): Failure {
  const sentence = `The response is larger than ${Math.floor(maximum / 1024)} KiB, and was not read to the end.`;
  return new Failure('unavailable', sentence, {
    status,
    hint: 'Ask for less at a time, with --page-size or a Range header',
  });
}

function unknownCompression(status: number, cause?: unknown): Failure {
  return new Failure('unavailable', `The response (${status}) is compressed in a way that cannot be read.`, {
    status,
    cause,
    hint: 'A proxy or gateway on the way may be the reason; --debug shows its content-encoding, and iiot reads gzip, br and deflate',
  });
}
