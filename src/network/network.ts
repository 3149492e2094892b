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
  readonly client?: ClientCertificate | undefined;
  /** The system, which decides where its authorities are. */
  readonly platform?: NodeJS.Platform;
  /** The number of connections for bulk work. */
  readonly connections?: number;
  /** Resolves names; by default like the system. */
  readonly lookup?: LookupFunction;
};

/** Opens the network for single calls. @throws usage for unusable authorities and a NODE_DEBUG that would show tokens. The `Fetch` throws it for proxies */
export async function openNetwork(options: NetworkOptions): Promise<Fetch> {
  refuseLeakyDebug(options.env.NODE_DEBUG);
  return openDirectFetch(await openRoutes(options));
}

/** Opens the network for bulk work, with a pool of connections. @throws as `openNetwork` */
export async function openPooledNetwork(options: NetworkOptions): Promise<Fetch> {
  const { openPool } = await import('./undici-pool.ts');
  return openPool(await openRoutes(options), options.connections);
}

async function openRoutes({ env, caFile, client, platform, lookup }: NetworkOptions): Promise<(target: URL) => Route> {
  const trust = await openTrust(caFile, env, platform);
  return (target) => ({
    target,
    proxy: proxyFor(target, env),
    trust,
    identity: client?.origin === target.origin ? client.identity : undefined,
    lookup,
  });
}

/** Gives a `Fetch` over node:http, the fastest way to a single response (docs/internals/performance.md). Loads TLS only if it is needed. */
function openDirectFetch(routeTo: (target: URL) => Route): Fetch {
  const kept = new Map<string, Agent>();
  return async (url, init) => {
    const http = await import('node:http');
    const route = routeTo(new URL(url));
    const { origin } = route.target;
    const sendOver = (agent: Agent) => send(http.request, agent, route, init);
    const openFresh = () => openAgent(http.Agent, false);
    // Each change gets a new connection. An idle one may close just as the change is sent, and nobody could tell whether it arrived.
    if (init.method !== 'GET') {
      retire(kept.get(origin));
      kept.delete(origin);
      return sendOver(openFresh());
    }
    const agent = kept.get(origin) ?? openAgent(http.Agent, true);
    kept.set(origin, agent);
    return sendOver(agent).catch((error: unknown) => {
      const hasClosed = error instanceof ConnectionLost && error.facts.kept === true && !init.signal.aborted;
      return hasClosed ? sendOver(openFresh()) : Promise.reject(error);
    });
  };
}

/** Closes idle connections, because some servers serve the next connection only then. */
function retire(agent: Agent | undefined): void {
  if (!agent) return;
  agent.maxFreeSockets = 0; // for those still in use
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

type SocketOptions = { readonly route: Route; readonly signal: AbortSignal; readonly reach: (phase: Phase) => void };

function openAgent(AgentOfHttp: typeof Agent, keepAlive: boolean): Agent {
  const agent = new AgentOfHttp({ keepAlive });
  agent.createConnection = (options, done) => {
    const { route, signal, reach } = (options as { opening: SocketOptions }).opening; // set by `send`, passed through by Agent
    openSocket(route, signal, reach).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as never), // the type only allows success
    );
    return undefined as never; // Node's documentation: "or by passing the socket to the callback"
  };
  return agent;
}

function send(
  requestOfHttp: typeof import('node:http').request,
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
  const request = requestOfHttp({ ...requestOptions(route, init), agent, opening } as RequestOptions); // Agent passes all of it to createConnection
  request.on('socket', () => reach('send'));
  request.on('finish', () => reach('response'));
  // The first error is the cause of those that follow.
  let reason: ConnectionLost | undefined;
  const toLost = (error: unknown) => {
    reason ??= withFacts(toConnectionLost(phase, error, facts), { kept: request.reusedSocket && phase !== 'body' });
    return reason;
  };
  return new Promise((resolve, reject) => {
    request.on('error', (error) => reject(toLost(error)));
    request.on('response', (message) => {
      reach('body');
      resolve({
        status: message.statusCode ?? 0,
        headers: responseHeaders(message.rawHeaders),
        body: readBody(message, toLost),
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
  // The agent needs host and port only for its bookkeeping, because openSocket makes the connection.
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

/** Reads a body. @param lost turns an error into one that says how far the exchange came */
async function* readBody(source: IncomingMessage, lost: (error: unknown) => ConnectionLost): AsyncIterable<Uint8Array> {
  try {
    if (!isEmpty(source)) yield* source;
  } catch (error) {
    throw lost(error);
  } finally {
    source.destroy();
  }
}

/** Whether a response is a 204 whose headers announce a body, which it cannot have: Node 20.18 would wait for one, or return the bytes that follow. */
function isEmpty({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 204 && (Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers);
}

/** Refuses a NODE_DEBUG that makes Node print the headers of requests, which include the token. @throws usage */
function refuseLeakyDebug(value = ''): void {
  // Parsed as Node does: names separated by commas, in any case, with * for any characters.
  const names = value
    .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(',', '$|^');
  if (!new RegExp(`^${names}$`, 'i').test('HTTP')) return;
  const hint = 'Unset NODE_DEBUG; --debug shows requests and responses with secrets masked';
  throw usage('NODE_DEBUG is set so that Node prints headers, and the access token with them.', hint);
}
