import type { Pool } from 'undici';
import { onAbort } from '../text/abort.ts';
import { connectionFacts, isForwarded, openSocket, type Route } from './connect.ts';
import { isRefusedClient, type Phase, toConnectionLost } from './connection-lost.ts';
import { type Fetch, type FetchInit, type FetchResponse, longestHeaders, responseHeaders } from './fetch.ts';

/** How long one connection may take to open, in milliseconds, whatever the deadlines of the requests that wait for it. */
const longestConnecting = 10_000;

/** Gives a `Fetch` over undici's pools, one for each origin, for bulk work. @param connections for each origin */
export async function openPool(routeTo: (target: URL) => Route, connections = 16): Promise<Fetch> {
  const { Pool } = await import('undici');
  const known = new Map<string, OriginPool>();
  return (url, init) => {
    const origin = originOfUrl(url);
    const pool = known.get(origin) ?? openOriginPool(Pool, routeTo(new URL(origin)), connections);
    known.set(origin, pool);
    return dispatchRequest(pool, isForwarded(pool.route) ? url : url.slice(origin.length), init);
  };
}

/** The connections to one origin. */
type OriginPool = {
  readonly dispatcher: Pool;
  readonly route: Route;
  readonly seen: {
    /** The phase that the first connection reached, before which nothing can be sent. */
    reached: Phase;
    /** The error by which the client certificate was refused, or asked for. undici drops it for later requests. */
    refused?: Error;
  };
};

function openOriginPool(PoolOfUndici: typeof Pool, route: Route, connections: number): OriginPool {
  const seen: OriginPool['seen'] = { reached: 'connect' };
  const reach = (phase: Phase) => {
    if (seen.reached !== 'response') seen.reached = phase;
  };
  const onError = (error: Error & { code?: unknown }) => {
    if (isRefusedClient(String(error.code))) seen.refused = error;
  };
  const dispatcher = new PoolOfUndici(route.target.origin, {
    connections,
    // The exchange has a deadline for all phases. undici's timeouts would report the wrong phase.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: longestHeaders,
    connect: (_, done) => {
      openSocket(route, AbortSignal.timeout(longestConnecting), reach).then(
        (socket) => {
          reach('response');
          socket.on('error', onError);
          done(null, socket);
        },
        (error: Error) => done(error, null),
      );
    },
  });
  return { dispatcher, route, seen };
}

function dispatchRequest(
  pool: OriginPool,
  path: string,
  { method, headers, body, signal }: FetchInit,
): Promise<FetchResponse> {
  const authorization = isForwarded(pool.route) ? pool.route.proxy?.authorization : undefined;
  const toLost = (error: unknown, phase: Phase) => {
    const found = toConnectionLost(phase, signal.aborted ? { code: 'ABORTED' } : error, connectionFacts(pool.route));
    const { refused } = pool.seen;
    return refused && found.code === 'ECONNRESET' ? toConnectionLost(phase, refused, found.facts) : found;
  };
  const options = {
    method: method as 'GET', // any method; the type lists the common ones
    path,
    headers: {
      host: pool.route.target.host,
      ...headers,
      'accept-encoding': 'identity',
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
    body: body ?? null,
  };
  if (signal.aborted) return Promise.reject(toLost(undefined, 'connect'));
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let [response, size] = [undefined as Pick<FetchResponse, 'status' | 'headers'> | undefined, 0];
    const fail = (error: unknown) => reject(toLost(error, response ? 'body' : pool.seen.reached));
    // undici ends a request that waits for a connection only once there is one, so the promise is rejected here.
    let abort: (reason?: Error) => void = () => {};
    const unsubscribe = onAbort(signal, () => {
      fail(undefined);
      abort();
    });
    const end = () => {
      unsubscribe();
      // A 204 has no body, whatever its headers say.
      if (response) resolve({ ...response, body: response.status === 204 ? null : chunks });
    };
    pool.dispatcher.dispatch(options, {
      onConnect(stop) {
        if (signal.aborted) stop();
        abort = stop;
      },
      onHeaders(status, raw) {
        if (status >= 200 || status === 101) response = { status, headers: responseHeaders(raw.map(String)) };
        return true;
      },
      onData(chunk) {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= mostBytes) return true;
        end();
        abort();
        return false;
      },
      onComplete: end,
      onError(error) {
        if (response?.status === 204) end();
        unsubscribe();
        fail(error);
      },
    });
  });
}

/** The part before the path of a URL that was built from a base URL. */
const originOfUrl = (url: string) => url.slice(0, url.indexOf('/', 'https://'.length));

/** The most bytes of a body that are read, which is more than any caller accepts. */
const mostBytes = 64 * 1024 * 1024;
