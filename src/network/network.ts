import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { usage } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import { openTrust } from './authorities.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { connectionFacts, isForwarded, openSocket, type Route } from './connect.ts';
import { ConnectionLost, type Phase, toConnectionLost, withFacts } from './connection-lost.ts';
import { type Fetch, type FetchInit, type FetchResponse, longestHeaders, responseHeaders } from './fetch.ts';
import type { NamedFile } from './pem.ts';
import { proxyFor } from './proxy.ts';

export type NetworkOptions = {
  /** HTTPS_PROXY, HTTP_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, SSL_CERT_DIR, NODE_DEBUG. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A PEM file of certificate authorities, in addition to the built-in ones. */
  readonly caFile?: NamedFile | undefined;
  /** The client certificate, shown to one origin only. */
  readonly client?: ClientCertificate | undefined;
  /** Decides where the system's authorities are. */
  readonly platform?: NodeJS.Platform;
  /** The number of connections for bulk work; single calls do not use undici's pool. */
  readonly connections?: number;
  /** Resolves names; by default like the system. */
  readonly lookup?: LookupFunction;
};

/**
 * The network as a `Fetch`, for single calls. Idle connections do not keep the process alive.
 * @throws usage for a file of authorities that cannot be used, and for a NODE_DEBUG that would show tokens; the `Fetch` also throws it for proxy
 * variables that cannot be used
 */
export async function openNetwork(options: NetworkOptions): Promise<Fetch> {
  refuseLeakyDebug(options.env.NODE_DEBUG);
  return directFetch(await routesFor(options));
}

/** The same over a pool of connections, for bulk work. @throws as `openNetwork` */
export async function openPooledNetwork(options: NetworkOptions): Promise<Fetch> {
  const { openPool } = await import('./undici-pool.ts');
  return openPool(await routesFor(options), options.connections);
}

async function routesFor({ env, caFile, client, platform, lookup }: NetworkOptions): Promise<(target: URL) => Route> {
  const trust = await openTrust(caFile, env, platform);
  return (target) => ({
    target,
    proxy: proxyFor(target, env),
    trust,
    identity: client?.origin === target.origin ? client.identity : undefined,
    lookup,
  });
}

/** A `Fetch` over node:http, the fastest way to a single response (docs/internals/performance.md has the figures). TLS is loaded only if it is needed. */
function directFetch(routeTo: (target: URL) => Route): Fetch {
  const kept = new Map<string, Agent>();
  return async (url, init) => {
    const http = await import('node:http');
    const route = routeTo(new URL(url));
    const { origin } = route.target;
    const once = (agent: Agent) => exchange(http.request, agent, route, init);
    const fresh = () => openAgent(http.Agent, false);
    // An idle connection may close just as a change is sent, and then nobody could tell whether it arrived. So each change gets a new connection.
    if (init.method !== 'GET') {
      retire(kept.get(origin));
      kept.delete(origin);
      return once(fresh());
    }
    const agent = kept.get(origin) ?? openAgent(http.Agent, true);
    kept.set(origin, agent);
    return once(agent).catch((error: unknown) => {
      const closed = error instanceof ConnectionLost && error.facts.kept === true && !init.signal.aborted;
      return closed ? once(fresh()) : Promise.reject(error);
    });
  };
}

/** A server that serves one connection after the other does not come to the next one while an idle one is open. */
function retire(agent: Agent | undefined): void {
  if (!agent) return;
  agent.maxFreeSockets = 0; // for those still in use
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

type SocketOptions = { readonly route: Route; readonly signal: AbortSignal; readonly reach: (phase: Phase) => void };

function openAgent(AgentOfHttp: typeof Agent, keepAlive: boolean): Agent {
  const agent = new AgentOfHttp({ keepAlive });
  agent.createConnection = (options, done) => {
    const { route, signal, reach } = (options as { opening: SocketOptions }).opening; // set by `exchange`, passed through by Agent
    openSocket(route, signal, reach).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as never), // the type only allows success
    );
    return undefined as never; // "or by passing the socket to the callback"
  };
  return agent;
}

function exchange(
  send: typeof import('node:http').request,
  agent: Agent,
  route: Route,
  init: FetchInit,
): Promise<FetchResponse> {
  const facts = connectionFacts(route);
  let phase: Phase = 'connect';
  const reach = (next: Phase) => {
    phase = next;
  };
  const opening: SocketOptions = { route, signal: init.signal, reach };
  const request = send({ ...requestOptions(route, init), agent, opening } as RequestOptions); // Agent passes all of it to createConnection
  request.on('socket', () => reach('send'));
  request.on('finish', () => reach('response'));
  // The first error is the cause of those that follow.
  let reason: ConnectionLost | undefined;
  const lost = (error: unknown) => {
    reason ??= withFacts(toConnectionLost(phase, error, facts), { kept: request.reusedSocket && phase !== 'body' });
    return reason;
  };
  return new Promise((resolve, reject) => {
    request.on('error', (error) => reject(lost(error)));
    request.on('response', (message) => {
      reach('body');
      resolve({
        status: message.statusCode ?? 0,
        headers: responseHeaders(message.rawHeaders),
        body: bodyOf(message, lost),
      });
    });
    // A protocol upgrade was not requested and is not a response.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new ConnectionLost('response', 'HPE_INVALID_UPGRADE', facts));
    });
    const unsubscribe = onAbort(init.signal, () => request.destroy(new ConnectionLost(phase, 'ABORTED', facts)));
    request.on('close', unsubscribe);
    request.end(init.body);
  });
}

function requestOptions(route: Route, init: FetchInit): RequestOptions {
  const { target } = route;
  const path = `${target.pathname}${target.search}`;
  // Only for the agent's bookkeeping: openSocket makes the connection.
  const { hostname, port } = target;
  return {
    hostname,
    port,
    method: init.method,
    path: isForwarded(route) ? target.origin + path : path,
    headers: headersFor(route, init),
    maxHeaderSize: longestHeaders,
    setHost: false,
  };
}

/** The headers to send, including Host and Content-Length. */
function headersFor(route: Route, { headers, body, method }: FetchInit): Record<string, string> {
  const length =
    body === undefined ? (method === 'GET' || method === 'DELETE' ? undefined : 0) : Buffer.byteLength(body);
  const { authorization } = route.proxy ?? {};
  return {
    host: route.target.host,
    ...headers,
    ...(length !== undefined && { 'content-length': String(length) }),
    ...(authorization !== undefined && isForwarded(route) && { 'proxy-authorization': authorization }),
  };
}

/** @param lost says how far the exchange came */
async function* bodyOf(message: IncomingMessage, lost: (error: unknown) => ConnectionLost): AsyncIterable<Uint8Array> {
  try {
    if (!isEmpty(message)) yield* message;
  } catch (error) {
    throw lost(error);
  } finally {
    message.destroy();
  }
}

/** Whether it is a 204 whose headers speak of a body, which it cannot have: Node 20.18 would wait for it, or give what follows. */
function isEmpty({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 204 && (Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers);
}

/** Refuses a NODE_DEBUG that makes Node print the headers of requests, which include the token. @throws usage */
function refuseLeakyDebug(value = ''): void {
  // As Node parses it: names separated by commas, in any case, with * for any characters.
  const names = value
    .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(',', '$|^');
  if (!new RegExp(`^${names}$`, 'i').test('HTTP')) return;
  const hint = 'Unset NODE_DEBUG; --debug shows requests and responses with secrets masked';
  throw usage('NODE_DEBUG is set so that Node prints headers, and the access token with them.', hint);
}
