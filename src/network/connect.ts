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

/** How one address is reached. */
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

/** Plain http goes to an HTTP proxy as a whole request, as curl and browsers send it; a tunnel is for TLS. */
export function isForwarded({ target, proxy }: Route): boolean {
  return proxy !== undefined && target.protocol === 'http:' && !isSocks(proxy);
}

/**
 * Opens a connection for a request: through the proxy if there is one, with TLS if the address is https. Nothing else does either. If an issuer is
 * unknown, it tries once more with the system's authorities.
 * @param reach called with each phase
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
    throw isRefused ? await withCertificate(lost, route, signal) : lost;
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
    const socket = await toHost(route, enter, keep);
    if (target.protocol !== 'https:') return socket;
    enter('tls');
    return secured(socket, target, { secureContext: await route.trust?.context(identity) }, keep);
  };
  try {
    return { socket: await opening(signal, open) };
  } catch (error) {
    return { lost: withFacts(toConnectionLost(phase, error), connectionFacts(route)) };
  }
}

type Keep = <S extends Socket>(socket: S) => S;

/** Opens a connection. Sockets passed to `keep` are destroyed if this fails or the signal aborts. */
async function opening<T>(signal: AbortSignal, open: (keep: Keep) => Promise<T>): Promise<T> {
  const sockets: Socket[] = [];
  const abort = () => {
    for (const socket of sockets.reverse()) socket.destroy(Object.assign(new Error('aborted'), { code: 'ABORTED' }));
  };
  const keep: Keep = (socket) => {
    // Later errors are handled by the code that uses the socket.
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

/** A connected socket to the host, before anything is sent. */
async function toHost(route: Route, enter: (phase: Phase) => void, keep: Keep): Promise<Socket> {
  const { target, proxy } = route;
  enter('connect');
  if (!proxy) return connectPlain(target, route, keep);
  const host = resolvesHere(proxy) ? await resolved(target, route) : hostOf(target);
  const open = await connectPlain(proxy.url, route, keep);
  const isSecure = proxy.url.protocol === 'https:';
  const secureContext = isSecure ? await route.trust?.context() : undefined;
  const socket = isSecure ? await secured(open, proxy.url, { secureContext }, keep) : open;
  if (isForwarded(route)) return socket;
  enter('tunnel');
  const { openSocks, openTunnel } = await import('./tunnel.ts');
  if (isSocks(proxy)) await openSocks(socket, host, portOf(target), proxy);
  else await openTunnel(socket, `${target.hostname}:${portOf(target)}`, proxy);
  return socket;
}

/** The address of a host, for a proxy that is to know no name. IPv4 first, which reaches more places. */
async function resolved(target: URL, { lookup }: Route): Promise<string> {
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
    // Name servers are not asked for names below localhost (RFC 6761, 6.3): they could lead elsewhere, and these need no https.
    host: /\.localhost$/.test(url.hostname) ? 'localhost' : hostOf(url),
    port: portOf(url),
    // If a host's IPv6 address is dead, its IPv4 address is tried after this time.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    noDelay: true,
    lookup,
  });
  await once(keep(socket), 'connect');
  return socket;
}

async function secured(
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

const longestLook = 10_000;

/** Adds the certificate in question to the failure. That takes one more handshake; nothing is sent over it. */
async function withCertificate(lost: ConnectionLost, route: Route, signal: AbortSignal): Promise<ConnectionLost> {
  const places = route.trust?.places();
  const looked = places && isUnknownIssuer(lost.code) ? withFacts(lost, { places }) : lost;
  try {
    const { peerCertificate } = await import('./certificate.ts');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestLook)]);
    const socket = await opening(limit, async (keep) =>
      // Needed to read a certificate that is not accepted. Nothing is ever sent or read here.
      secured(await toHost(route, () => undefined, keep), route.target, { rejectUnauthorized: false }, keep),
    );
    const certificate = peerCertificate(socket);
    socket.destroy();
    return withFacts(looked, { certificate });
  } catch {
    // The failure is reported without the certificate.
    return looked;
  }
}
