import { connectionFacts, isForwarded, type Route } from '../network/connect.ts';
import { ConnectionLost, type LostFacts, type Phase, toConnectionLost } from '../network/connection-lost.ts';
import type { ExchangeRequest, ResponseHeaders } from '../network/fetch.ts';
import type { Connections, Pool } from '../network/undici-pool.ts';
import { onAbort } from '../text/abort.ts';
import { attempt, defaultMaximumBytes, type Limits, type RawResponse } from './attempt.ts';

export type Attempt = (request: ExchangeRequest) => Promise<RawResponse>;

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
  const places: Places = [];
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
  let to: { readonly origin: string; readonly connections: Connections } | undefined;
  // Parsing a URL for each of a million rows is too expensive, and they all share the same origin.
  const addressOf = (url: string) => {
    if (!to || !url.startsWith(to.origin) || url[to.origin.length] !== '/') {
      const { origin } = new URL(url);
      to = { origin, connections: pool.to(origin) };
    }
    const { origin, connections } = to;
    return { connections, path: isForwarded(connections.route) ? url : url.slice(origin.length) };
  };
  let last: { readonly route: Route; readonly of: ExchangeRequest; readonly headers: string[] };
  // Most requests have the same headers as the one before.
  const headersFor = (route: Route, of: ExchangeRequest) => {
    if (last?.route !== route || last.of.headers !== of.headers || last.of.body?.type !== of.body?.type)
      last = { route, of, headers: headersOf(route, of) };
    return last.headers;
  };
  // Returns promises without being async: with a million rows each further promise counts.
  return (request) => {
    if (interrupt.aborted)
      return Promise.reject(new ConnectionLost('connect', 'INTERRUPTED', { cause: interrupt.reason }));
    const { connections, path } = addressOf(request.url);
    const pooled = new PooledRequest(places, lately + every + timeout, connections, request, limits);
    return pooled.send(path, headersFor(connections.route, request));
  };
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

const noChunks: readonly Uint8Array[] = [];

type Places = (PooledRequest | undefined)[];

/**
 * One request: undici's callbacks, and what aborts it from outside. It is a class because creating closures for each of a million requests costs more
 * than the requests themselves.
 */
class PooledRequest {
  readonly deadline: number;
  private readonly places: Places;
  private readonly place: number;
  private readonly connections: Connections;
  private readonly request: ExchangeRequest;
  private readonly limits: Limits;
  private status = 0;
  private headers: ResponseHeaders = noHeaders;
  private chunks: readonly Uint8Array[] = noChunks;
  private size = 0;
  private ended: ConnectionLost | undefined;
  private abort: ((error: Error) => void) | undefined;
  private resolve: (response: RawResponse | Promise<RawResponse>) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;

  /** Takes a free place among those whose deadlines are checked, and keeps it until the response has arrived. */
  constructor(places: Places, deadline: number, connections: Connections, request: ExchangeRequest, limits: Limits) {
    this.deadline = deadline;
    this.places = places;
    const free = places.indexOf(undefined);
    this.place = free < 0 ? places.length : free;
    places[this.place] = this;
    this.connections = connections;
    this.request = request;
    this.limits = limits;
  }

  /** Rejects with a ConnectionLost, or as `attempt` does. */
  send(path: string, headers: string[]): Promise<RawResponse> {
    const { method, body } = this.request;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      try {
        this.connections.dispatcher.dispatch(
          { path, method: method as 'GET', headers, body: body?.text ?? null }, // any method; the type lists the common ones
          this,
        );
      } catch (error) {
        this.fail(error);
      }
    });
  }

  private finish(): void {
    if (!this.leave()) return;
    const { status, headers, chunks, request, limits } = this;
    const isWhole = chunks.length === 0 && status >= 200;
    this.resolve(
      isWhole
        ? { status, headers, text: '', bytes: 0 }
        : attempt(async () => ({ status, headers, body: each(chunks) }), request, limits),
    );
  }

  private fail(error: unknown): void {
    if (this.leave()) this.reject(error);
  }

  /** False if the request has ended before. */
  private leave(): boolean {
    if (this.places[this.place] !== this) return false;
    this.places[this.place] = undefined;
    return true;
  }

  end(code: Ending, cause?: unknown): void {
    this.ended ??= new ConnectionLost(this.phase(), code, { ...this.facts(), cause });
    this.abort?.(this.ended);
    this.fail(this.ended);
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
      this.finish();
      this.abort?.(new Error('too large'));
    }
    return true;
  }

  onComplete(): void {
    this.finish();
  }

  onError(error: Error): void {
    // A 204 has no body, whatever its headers say.
    if (!this.ended && this.status === 204) this.finish();
    else this.fail(this.ended ?? this.lost(error));
  }

  private lost(error: Error): ConnectionLost {
    const lost = toConnectionLost(this.phase(), error, this.facts());
    const refused = this.connections.refused();
    return refused && lost.code === 'ECONNRESET' ? toConnectionLost(lost.phase, refused, lost.facts) : lost;
  }

  private phase(): Phase {
    return this.status > 0 ? 'body' : this.connections.reached();
  }

  private facts(): LostFacts {
    return connectionFacts(this.connections.route);
  }
}

function headersOf(route: Route, { headers = {}, body }: ExchangeRequest): string[] {
  const sent = ['host', route.target.host, 'accept', 'application/json', 'accept-encoding', 'identity'];
  sent.push('user-agent', 'iiot-cli');
  for (const name in headers) sent.push(name, headers[name] ?? '');
  if (body) sent.push('content-type', body.type);
  const authorization = route.proxy?.authorization;
  if (authorization !== undefined && isForwarded(route)) sent.push('proxy-authorization', authorization);
  return sent;
}

/** Names and values alternating, as undici delivers them; decoded only on request. */
class RawHeaders implements ResponseHeaders {
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
