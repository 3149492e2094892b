import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { onAbort } from '../text/abort.ts';
import type { Trust } from './authorities.ts';
import { hostOf } from './base-url.ts';
import type { ClientIdentity } from './client-certificate.ts';
import {
  ConnectionLost,
  isCertificateProblem,
  isUnknownIssuer,
  type LostFacts,
  type Phase,
  toConnectionLost,
  withFacts,
} from './connection-lost.ts';
import { isSocks, type ProxyServer, portOf, resolvesHere } from './proxy.ts';

/** The way to one address. */
export type Route = {
  readonly target: URL;
  readonly proxy?: ProxyServer | undefined;
  /** The authorities to trust; Node's by default. */
  readonly trust?: Trust | undefined;
  /** The client certificate for this address; never shown to a proxy on the way. */
  readonly identity?: ClientIdentity | undefined;
  /** Resolves names; by default like the system. */
  readonly lookup?: LookupFunction | undefined;
};

export function connectionFacts({ proxy, identity }: Route): LostFacts {
  return { proxy: proxy?.name, variable: proxy?.variable, client: identity !== undefined };
}

/** Whether an HTTP proxy gets the whole request and not only a tunnel, as with curl and browsers for plain http. */
export function isForwarded({ target, proxy }: Route): boolean {
  return proxy !== undefined && target.protocol === 'http:' && !isSocks(proxy);
}

/**
 * Opens a connection for a request. If an issuer is unknown, tries once more with the authorities of the system. Calls `reach` with each phase.
 * @throws ConnectionLost with the phase and the reason, and with the certificate if one was refused
 */
export async function openSocket(route: Route, signal: AbortSignal, reach: (phase: Phase) => void): Promise<Socket> {
  const { trust } = route;
  for (let isLast = trust?.isWide() ?? true; ; isLast = true) {
    const opened = await openOnce(route, signal, reach);
    if ('socket' in opened) return opened.socket;
    const { lost } = opened;
    if (!isLast && isUnknownIssuer(lost.code) && (await trust?.widen())) continue;
    const isRefused = lost.phase === 'tls' && isCertificateProblem(lost.code);
    throw isRefused ? await readCertificateOf(lost, route, signal) : lost;
  }
}

type OpenResult = { readonly socket: Socket } | { readonly lost: ConnectionLost };

async function openOnce(route: Route, signal: AbortSignal, reach: (phase: Phase) => void): Promise<OpenResult> {
  const { target, identity } = route;
  let phase: Phase = 'connect';
  const enter = (next: Phase) => {
    phase = next;
    reach(next);
  };
  const open = async (keep: Keep) => {
    const socket = await connectToHost(route, enter, keep);
    if (target.protocol !== 'https:') return socket;
    enter('tls');
    return startTls(socket, target, { secureContext: await route.trust?.secureContext(identity) }, keep);
  };
  try {
    return { socket: await openOrDestroy(signal, open) };
  } catch (error) {
    return { lost: withFacts(toConnectionLost(phase, error), connectionFacts(route)) };
  }
}

type Keep = <S extends Socket>(socket: S) => S;

/** Opens a connection. Destroys the sockets that were passed to `keep` if that fails or the signal aborts. */
async function openOrDestroy<T>(signal: AbortSignal, open: (keep: Keep) => Promise<T>): Promise<T> {
  const sockets: Socket[] = [];
  const abort = () => {
    for (const socket of sockets.reverse()) socket.destroy(Object.assign(new Error('aborted'), { code: 'ABORTED' }));
  };
  const keep: Keep = (socket) => {
    // Errors are handled by whoever waits for the socket or uses it.
    socket.on('error', () => undefined);
    sockets.push(socket);
    if (signal.aborted) abort();
    return socket;
  };
  const unsubscribe = onAbort(signal, abort);
  try {
    return await open(keep);
  } catch (error) {
    abort();
    throw error;
  } finally {
    unsubscribe();
  }
}

/** Connects to the host, directly or through the proxy. */
async function connectToHost(route: Route, enter: (phase: Phase) => void, keep: Keep): Promise<Socket> {
  const { target, proxy } = route;
  enter('connect');
  if (!proxy) return connectPlain(target, route, keep);
  const host = resolvesHere(proxy) ? await resolveHost(target, route) : hostOf(target);
  const plain = await connectPlain(proxy.url, route, keep);
  const isSecure = proxy.url.protocol === 'https:';
  const secureContext = isSecure ? await route.trust?.secureContext() : undefined;
  const socket = isSecure ? await startTls(plain, proxy.url, { secureContext }, keep) : plain;
  if (isForwarded(route)) return socket;
  enter('tunnel');
  const { openSocks, openTunnel } = await import('./tunnel.ts');
  if (isSocks(proxy)) await openSocks(socket, host, portOf(target), proxy);
  else await openTunnel(socket, `${target.hostname}:${portOf(target)}`, proxy);
  return socket;
}

/** Resolves a host for a proxy that must not resolve names. Prefers IPv4, which is more widely reachable. */
async function resolveHost(target: URL, { lookup }: Route): Promise<string> {
  const find: LookupFunction = lookup ?? (await import('node:dns')).lookup;
  return new Promise((resolve, reject) => {
    find(hostOf(target), { verbatim: false }, (error, address) => {
      if (error) reject(new ConnectionLost('connect', 'SOCKS_NAME', { cause: error }));
      else resolve(String(address));
    });
  });
}

async function connectPlain(url: URL, { lookup }: Route, keep: Keep): Promise<Socket> {
  const { connect } = await import('node:net');
  const socket = connect({
    // Name servers are not asked for names below localhost (RFC 6761, 6.3), which need no https: their answer could lead elsewhere.
    host: /\.localhost$/.test(url.hostname) ? 'localhost' : hostOf(url),
    port: portOf(url),
    // Tries the IPv4 address of a host if its IPv6 address does not answer in this time, in milliseconds.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    noDelay: true,
    lookup,
  });
  await once(keep(socket), 'connect');
  return socket;
}

async function startTls(
  socket: Socket,
  url: URL,
  options: Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized'>,
  keep: Keep,
): Promise<Socket> {
  const [{ connect }, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = hostOf(url);
  const secure = connect({
    socket,
    host,
    // An IP address is not allowed as a server name (RFC 6066 3). The certificate is still checked against it.
    servername: isIP(host) ? '' : host,
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...options,
  });
  await once(keep(secure), 'secureConnect');
  return secure;
}

/** How long to wait for the certificate, in milliseconds. */
const longestHandshake = 10_000;

/** Adds the refused certificate to the failure. That takes one more handshake, over which nothing is sent. */
async function readCertificateOf(lost: ConnectionLost, route: Route, signal: AbortSignal): Promise<ConnectionLost> {
  const places = route.trust?.places();
  const explained = places && isUnknownIssuer(lost.code) ? withFacts(lost, { places }) : lost;
  try {
    const { peerCertificate } = await import('./certificate.ts');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestHandshake)]);
    const socket = await openOrDestroy(limit, async (keep) =>
      // Node shows a refused certificate only like this. Nothing is sent or read over the connection.
      startTls(await connectToHost(route, () => undefined, keep), route.target, { rejectUnauthorized: false }, keep),
    );
    const certificate = peerCertificate(socket);
    socket.destroy();
    return withFacts(explained, { certificate });
  } catch {
    // The failure is reported without the certificate.
    return explained;
  }
}
