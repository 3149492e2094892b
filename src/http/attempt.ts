import { isUtf8 } from 'node:buffer';
import { Failure, usage } from '../failure.ts';
import { ConnectionLost, isCertificateProblem } from '../network/connection-lost.ts';
import { openDeadline } from '../network/deadline.ts';
import type { ExchangeRequest, ExchangeResponse, Fetch, FetchResponse, ResponseHeaders } from '../network/fetch.ts';
import { onAbort } from '../text/abort.ts';
import { endsEarly, outlineOf } from '../text/json.ts';
import { decodeAs } from '../text/utf8.ts';
import { askedCodings, tooLargeFailure, unpack } from './content-coding.ts';

/** A complete response before it is masked. */
export type RawResponse = Pick<ExchangeResponse, 'status' | 'headers' | 'text' | 'content' | 'outline'> & {
  /** The size of the body as it was sent, compressed or not. */
  readonly bytes: number;
};

/** The limits that can end an attempt early: a timeout in milliseconds, and the user. */
export type Limits = { readonly timeout: number; readonly interrupt: AbortSignal };

const defaultMaximumBytes = 32 * 1024 * 1024;

/** The most bytes that are read of the body of an error. */
const longestProblem = 8 * 1024 * 1024;

/** How long a request may take after an interruption if it has to be finished, in milliseconds. */
const lastWait = 5000;

/**
 * Sends one request and reads the complete response, with one deadline from connecting to the last byte, even if the `Fetch` ignores the abort signal.
 * @throws ConnectionLost with the phase that was reached (its code is TIMEOUT or INTERRUPTED if a limit ended it), or a Failure for a response that
 * is too large or cannot be decompressed
 */
export async function attempt(fetch: Fetch, request: ExchangeRequest, limits: Limits): Promise<RawResponse> {
  const ending = new AbortController();
  const timers: (() => void)[] = [];
  let reason: 'TIMEOUT' | 'INTERRUPTED' | undefined;
  // Ends the attempt even if the `Fetch` does not end by itself.
  let giveUp: (lost: ConnectionLost) => void = () => {};
  const end = (limit: typeof reason) => {
    reason ??= limit;
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

/** How long a `Fetch` has after an abort to report how far it came, in milliseconds. */
const grace = 100;

async function exchangeOnce(fetch: Fetch, request: ExchangeRequest, signal: AbortSignal): Promise<RawResponse> {
  const headers = {
    accept: 'application/json',
    // A part of a compressed body could not be decompressed.
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
  // A parser may accept any three digits as a status.
  if (response.status < 200) throw new ConnectionLost('body', 'HPE_INVALID_STATUS');
  const maximum = request.maximumBytes ?? defaultMaximumBytes;
  const sent = await readBytes(response, maximum);
  const whole = await unpack(sent, response, maximum);
  const { status, headers: received } = response;
  const mayBeBinary = request.anyContent === true && declaredKind(received) !== 'json';
  const text = decode(whole, response, mayBeBinary);
  const content = request.anyContent && { content: whole };
  const read = { status, headers: received, text, bytes: sent.length, ...content };
  // Only a whole JSON body can be checked for its end.
  if (status >= 300 || status === 206 || (mayBeBinary && !isUtf8(whole))) return read;
  const outline = outlineOf(text);
  if (endsEarly(text, outline)) throw new ConnectionLost('body', 'CUT_SHORT');
  return { ...read, outline };
}

/** The kind of body that a response declares. `lines` are several JSON values. */
export function declaredKind(headers: ResponseHeaders): 'json' | 'lines' | 'html' | 'other' | undefined {
  const type = headers.get('content-type') ?? '';
  if (/ndjson|json-?l|json-seq|stream\+json/i.test(type)) return 'lines';
  if (/json/i.test(type)) return 'json';
  if (/html/i.test(type)) return 'html';
  return type === '' ? undefined : 'other';
}

async function readBytes({ body, status }: FetchResponse, maximum: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (status >= 400 && size > longestProblem) break;
    if (size > maximum) throw tooLargeFailure(maximum, status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decodes a body by its charset, by default as UTF-8 (RFC 8259). An error, a web page or binary content is decoded as well as possible. @throws Failure */
function decode(bytes: Buffer, { status, headers }: FetchResponse, mayBeBinary: boolean): string {
  const type = headers.get('content-type') ?? '';
  const text = decodeAs(bytes, type);
  if (text !== undefined) return text;
  if (mayBeBinary || status >= 400 || /^text\/html\b/i.test(type)) return bytes.toString('latin1');
  const hint = 'Something other than the platform may have answered; see: iiot doctor';
  throw new Failure('unavailable', `The response (${status}) is not UTF-8, and cannot be read.`, { status, hint });
}
