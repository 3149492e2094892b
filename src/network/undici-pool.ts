import type { Pool } from 'undici';
import { onAbort } from '../text/abort.ts';
import { connectionFacts, isForwarded, openSocket, type Route } from './connect.ts';
import { isRefusedClient, type Phase, toConnectionLost } from './connection-lost.ts';
import { type Fetch, type FetchInit, type FetchResponse, longestHeaders, responseHeaders } from './fetch.ts';

/** The longest that one connection may take to open, whatever the deadlines of the requests that wait for it. */
const longestConnecting = 10_000;

/** The network as a `Fetch` over undici's pools, one for each origin, for bulk work. The only function that loads undici. */
export async function openPool(routeTo: (target: URL) => Route, connections = 16): Promise<Fetch> {
  const { Pool } = await import('undici');
  const known = new Map<string, Connections>();
  return (url, init) => {
    const origin = originOfUrl(url);
    const to = known.get(origin) ?? openConnections(Pool, routeTo(new URL(origin)), connections);
    known.set(origin, to);
    return requested(to, isForwarded(to.route) ? url : url.slice(origin.length), init);
  };
}

type Connections = ReturnType<typeof openConnections>;

/**
 * Connections that are kept open to one origin. `reached`: how far the first one came, because nothing is sent until one is made. `refused`: the error
 * by which the other side refused our certificate, or the lack of one; undici drops it for later requests.
 */
function openConnections(PoolOfUndici: typeof Pool, route: Route, connections: number) {
  const seen = { reached: 'connect' as Phase, refused: undefined as Error | undefined };
  const reach = (phase: Phase) => {
    if (seen.reached !== 'response') seen.reached = phase;
  };
  const onError = (error: Error & { code?: unknown }) => {
    if (isRefusedClient(String(error.code))) seen.refused = error;
  };
  const dispatcher = new PoolOfUndici(route.target.origin, {
    connections,
    // The exchange has its own deadline for all phases; undici's timeouts would report the wrong phase.
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

function requested(
  to: Connections,
  path: string,
  { method, headers, body, signal }: FetchInit,
): Promise<FetchResponse> {
  const authorization = isForwarded(to.route) ? to.route.proxy?.authorization : undefined;
  const lost = (error: unknown, phase: Phase) => {
    const found = toConnectionLost(phase, signal.aborted ? { code: 'ABORTED' } : error, connectionFacts(to.route));
    const { refused } = to.seen;
    return refused && found.code === 'ECONNRESET' ? toConnectionLost(phase, refused, found.facts) : found;
  };
  const options = {
    method: method as 'GET', // any method; the type lists the common ones
    path,
    headers: {
      host: to.route.target.host,
      ...headers,
      'accept-encoding': 'identity',
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
    body: body ?? null,
  };
  if (signal.aborted) return Promise.reject(lost(undefined, 'connect'));
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let [response, size] = [undefined as Pick<FetchResponse, 'status' | 'headers'> | undefined, 0];
    const fail = (error: unknown) => reject(lost(error, response ? 'body' : to.seen.reached));
    // Where a request waits for its connection, undici ends it only when there is one.
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
    to.dispatcher.dispatch(options, {
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

/** Everything before the path of an http URL that was built from a base URL. */
const originOfUrl = (url: string) => url.slice(0, url.indexOf('/', 'https://'.length));

/** More than any caller takes: what comes after it is not read. */
const mostBytes = 64 * 1024 * 1024;
