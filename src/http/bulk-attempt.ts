import { factsOf, isForwarded, type Route } from '../network/connect.ts';
import { ConnectionLost, type LostFacts, lostAt, type Phase } from '../network/connection-lost.ts';
import type { AnswerHeaders, ExchangeRequest } from '../network/fetch.ts';
import type { Connections, Pool } from '../network/undici-pool.ts';
import { onAbort } from '../text/abort.ts';
import { attempt, defaultMaximumBytes, type Limits, type RawAnswer } from './attempt.ts';

export type Attempt = (request: ExchangeRequest) => Promise<RawAnswer>;

type Ending = 'TIMEOUT' | 'INTERRUPTED';

/** How often deadlines are checked, in milliseconds: one timer and one reading of the clock serve all requests. */
const tick = 100;

/**
 * `attempt` for bulk work, with the same guarantees at a fraction of the cost. A response without a body, which most changes get, is complete as soon
 * as its headers arrive; `attempt` itself reads every other one.
 * @param monotonic returns milliseconds
 */
export function pooledAttempt(pool: Pool, limits: Limits, monotonic: () => number): Attempt {
  const { timeout, interrupt } = limits;
  // An array instead of a Set: deleted entries of a Set can keep newer objects alive until old space is collected.
  const places: (UnderWay | undefined)[] = [];
  const endAll = (code: Ending, due: number) => {
    for (const each of places) if (each && each.deadline <= due) each.end(code, interrupt.reason);
  };
  onAbort(interrupt, () => endAll('INTERRUPTED', Number.POSITIVE_INFINITY));
  const every = Math.min(tick, timeout);
  let lately = monotonic();
  setInterval(() => {
    lately = monotonic();
    endAll('TIMEOUT', lately);
  }, every).unref();
  let origin = '/';
  let connections: Connections;
  // Parsing a URL for each of a million rows is too expensive, and they all share the same origin.
  const addressOf = (url: string) => {
    let path = url.slice(origin.length);
    if (!url.startsWith(origin) || path[0] !== '/') {
      const parsed = new URL(url);
      origin = parsed.origin;
      connections = pool.to(origin);
      path = parsed.pathname + parsed.search;
    }
    return { connections, path: isForwarded(connections.way) ? url : path };
  };
  let sent: { readonly way: Route; readonly of: ExchangeRequest['headers']; readonly type?: string; headers: string[] };
  // Most requests have the same headers as the one before.
  const headersFor = (way: Route, request: ExchangeRequest) => {
    const { headers: of, body } = request;
    if (sent?.way !== way || sent.of !== of || sent.type !== body?.type)
      sent = { way, of, ...(body && { type: body.type }), headers: headersOf(way, request) };
    return sent.headers;
  };
  return async (request) => {
    if (interrupt.aborted) throw new ConnectionLost('connect', 'INTERRUPTED', { cause: interrupt.reason });
    const { connections, path } = addressOf(request.url);
    const free = places.indexOf(undefined);
    const place = free < 0 ? places.length : free;
    const underWay = new UnderWay(connections, lately + every + timeout);
    places[place] = underWay;
    try {
      await underWay.sent(path, request, headersFor(connections.way, request));
    } finally {
      places[place] = undefined;
    }
    const { status, headers, chunks } = underWay;
    if (chunks.length === 0 && status >= 200) return { status, headers, text: '', bytes: 0 };
    return attempt(async () => ({ status, headers, body: each(chunks) }), request, limits);
  };
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

const noChunks: readonly Uint8Array[] = [];

/**
 * One request: undici's callbacks, and what aborts it from outside. It is a class because creating closures for each of a million requests costs more
 * than the requests themselves.
 */
class UnderWay {
  readonly deadline: number;
  status = 0;
  headers: AnswerHeaders = noHeaders;
  chunks: readonly Uint8Array[] = noChunks;
  private readonly connections: Connections;
  private size = 0;
  private ended: ConnectionLost | undefined;
  private abort: ((error: Error) => void) | undefined;
  private resolve: () => void = () => undefined;
  private reject: (lost: ConnectionLost) => void = () => undefined;

  constructor(connections: Connections, deadline: number) {
    this.connections = connections;
    this.deadline = deadline;
  }

  /** Resolves when the response has arrived, as far as it is read. @throws ConnectionLost */
  sent(path: string, request: ExchangeRequest, headers: string[]): Promise<void> {
    const { dispatcher } = this.connections;
    const body = request.body?.text ?? null;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      dispatcher.dispatch({ path, method: request.method as 'GET', headers, body }, this); // any method; the type lists the common ones
    });
  }

  end(code: Ending, cause?: unknown): void {
    this.ended ??= new ConnectionLost(this.phase(), code, { ...this.facts(), cause });
    this.abort?.(this.ended);
    this.reject(this.ended);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort;
    if (this.ended) abort(this.ended);
  }

  onHeaders(status: number, raw: readonly Uint8Array[]): boolean {
    this.status = status;
    this.headers = new RawHeaders(raw);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.size += chunk.length;
    this.chunks = [...this.chunks, chunk];
    // `attempt` reports the size limit.
    if (this.size > defaultMaximumBytes) {
      this.resolve();
      this.abort?.(new Error('too large'));
    }
    return true;
  }

  onComplete(): void {
    this.resolve();
  }

  onError(error: Error): void {
    // A 204 has no body, whatever its headers say.
    if (!this.ended && this.status === 204) this.resolve();
    else this.reject(this.ended ?? this.lost(error));
  }

  private lost(error: Error): ConnectionLost {
    const lost = lostAt(this.phase(), error, this.facts());
    const refused = this.connections.refused();
    return refused && lost.code === 'ECONNRESET' ? lostAt(lost.phase, refused, lost.facts) : lost;
  }

  private phase(): Phase {
    return this.status > 0 ? 'body' : this.connections.reached();
  }

  private facts(): LostFacts {
    return factsOf(this.connections.way);
  }
}

function headersOf(way: Route, { headers = {}, body }: ExchangeRequest): string[] {
  const sent = ['host', way.target.host, 'accept', 'application/json', 'accept-encoding', 'identity'];
  sent.push('user-agent', 'iiot-cli');
  for (const name in headers) sent.push(name, headers[name] ?? '');
  if (body) sent.push('content-type', body.type);
  const authorization = way.proxy?.authorization;
  if (authorization !== undefined && isForwarded(way)) sent.push('proxy-authorization', authorization);
  return sent;
}

/** Names and values alternating, as undici delivers them; decoded only on request. */
class RawHeaders implements AnswerHeaders {
  private readonly raw: readonly Uint8Array[];

  constructor(raw: readonly Uint8Array[]) {
    this.raw = raw;
  }

  get(name: string): string | null {
    const found = this.all(name);
    return found.length > 0 ? found.join(', ') : null;
  }

  getSetCookie(): string[] {
    return this.all('set-cookie');
  }

  *entries(): Generator<[string, string], void> {
    for (let at = 0; at < this.raw.length; at += 2) yield [this.text(at).toLowerCase(), this.text(at + 1)];
  }

  private all(name: string): string[] {
    const found: string[] = [];
    for (let at = 0; at < this.raw.length; at += 2) {
      if (this.raw[at]?.length !== name.length) continue;
      if (this.text(at).toLowerCase() === name.toLowerCase()) found.push(this.text(at + 1));
    }
    return found;
  }

  private text(index: number): string {
    return Buffer.from(this.raw[index] ?? []).toString('latin1');
  }
}

const noHeaders = new RawHeaders([]);
