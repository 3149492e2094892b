import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { onAbort } from '../text/abort.ts';
import type { ClientIdentity } from './client-certificate.ts';
import {
  type ConnectionLost,
  isCertificateProblem,
  type LostFacts,
  lostAt,
  type Phase,
  withFacts,
} from './connection-lost.ts';
import type { ProxyServer } from './proxy.ts';
import { isAddress, type Trust } from './tls.ts';
import { isUnknownIssuer } from './tls-codes.ts';
import { openTunnel } from './tunnel.ts';

/** How one address is reached. */
export type Route = {
  readonly target: URL;
  readonly proxy?: ProxyServer | undefined;
  /** The authorities to trust; by default those of Node. */
  readonly trust?: Trust | undefined;
  /** What is shown to this address alone where it asks who we are, and to no proxy on the way. */
  readonly identity?: ClientIdentity | undefined;
  /** Resolves names; by default as the system does. */
  readonly lookup?: LookupFunction | undefined;
};

/** What is known of the way, for a failure on it. */
export function factsOf({ proxy, identity }: Route): LostFacts {
  return { ...(proxy && { proxy: proxy.name }), ...(identity && { client: true }) };
}

/** Plain http through a proxy goes to the proxy whole, as curl and browsers send it; a tunnel is for TLS. */
export function isForwarded({ target, proxy }: Route): boolean {
  return proxy !== undefined && target.protocol === 'http:';
}

/**
 * Opens a connection on which a request can be sent: through the proxy where there is one, with TLS where the address says https. The only
 * place that does either. Where an issuer is unknown it is opened once more, with the system's authorities.
 * @param reach hears of each phase
 * @throws ConnectionLost with the phase and the reason, and with the certificate where one was refused
 */
export async function openSocket(way: Route, signal: AbortSignal, reach: (phase: Phase) => void): Promise<Socket> {
  const { trust } = way;
  for (let isLast = trust?.isWide() ?? true; ; isLast = true) {
    const opened = await openOnce(way, signal, reach);
    if ('socket' in opened) return opened.socket;
    const { lost } = opened;
    if (!isLast && isUnknownIssuer(lost.code) && (await trust?.widen())) continue;
    throw isRefusedCertificate(lost) ? await withCertificate(lost, way, signal) : lost;
  }
}

type Opened = { readonly socket: Socket } | { readonly lost: ConnectionLost };

async function openOnce(way: Route, signal: AbortSignal, reach: (phase: Phase) => void): Promise<Opened> {
  const { target, identity } = way;
  let phase: Phase = 'connect';
  const enter = (next: Phase) => {
    phase = next;
    reach(next);
  };
  const open = async (keep: Keep) => {
    const socket = await toHost(way, enter, keep);
    if (target.protocol !== 'https:') return socket;
    enter('tls');
    return secured(socket, target.hostname, await way.trust?.context(identity), keep);
  };
  try {
    return { socket: await opening(signal, open) };
  } catch (error) {
    return { lost: lostAt(phase, error, factsOf(way)) };
  }
}

type Keep = <S extends Socket>(socket: S) => S;

/** Runs the opening of a connection. None of the sockets that it hands to `keep` outlives its failure or the signal. */
async function opening<T>(signal: AbortSignal, open: (keep: Keep) => Promise<T>): Promise<T> {
  const sockets: Socket[] = [];
  const abort = () => {
    for (const socket of sockets.reverse()) socket.destroy(Object.assign(new Error('aborted'), { code: 'ABORTED' }));
  };
  const keep: Keep = (socket) => {
    // What happens to it later is for whoever uses it then.
    socket.on('error', () => undefined);
    sockets.push(socket);
    if (signal.aborted) abort();
    return socket;
  };
  const letGo = onAbort(signal, abort);
  try {
    return await open(keep);
  } catch (error) {
    abort();
    throw error;
  } finally {
    letGo();
  }
}

/** A socket to the host, over which nothing has been said yet. */
async function toHost(way: Route, enter: (phase: Phase) => void, keep: Keep): Promise<Socket> {
  const { target, proxy } = way;
  enter('connect');
  if (!proxy) return plain(target, way, keep);
  const open = await plain(proxy.url, way, keep);
  const isSecure = proxy.url.protocol === 'https:';
  const socket = isSecure ? await secured(open, proxy.url.hostname, await way.trust?.context(), keep) : open;
  if (isForwarded(way)) return socket;
  enter('tunnel');
  await openTunnel(socket, `${target.hostname}:${portOf(target)}`, proxy);
  return socket;
}

async function plain(url: URL, { lookup }: Route, keep: Keep): Promise<Socket> {
  const { connect } = await import('node:net');
  const socket = connect({
    host: hostOf(url.hostname),
    port: portOf(url),
    // A name with a dead IPv6 address and a living IPv4 one is reached by the second after this long.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    noDelay: true,
    ...(lookup && { lookup }),
  });
  await once(keep(socket), 'connect');
  return socket;
}

async function secured(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext | undefined,
  keep: Keep,
): Promise<Socket> {
  const { connect } = await import('node:tls');
  const host = hostOf(hostname);
  const secure = connect({
    socket,
    host,
    // An address is no server name (RFC 6066 3); it is checked against the certificate all the same.
    servername: isAddress(host) ? '' : host,
    // Said explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(secureContext && { secureContext }),
  });
  await once(keep(secure), 'secureConnect');
  return secure;
}

function isRefusedCertificate({ phase, code }: ConnectionLost): boolean {
  return (phase === 'tls' || phase === 'connect') && isCertificateProblem(code);
}

const longestLook = 3000;

/** The same failure with the certificate in question, for which one more handshake is made; nothing is sent over it. */
async function withCertificate(lost: ConnectionLost, way: Route, signal: AbortSignal): Promise<ConnectionLost> {
  if (lost.phase !== 'tls') return lost;
  const places = way.trust?.places();
  const looked = places && isUnknownIssuer(lost.code) ? withFacts(lost, { places }) : lost;
  try {
    const { lookAt } = await import('./certificate.ts');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestLook)]);
    const certificate = await opening(limit, async (keep) =>
      lookAt(await toHost(way, () => undefined, keep), hostOf(way.target.hostname), way.trust),
    );
    return withFacts(looked, { certificate });
  } catch {
    // What is known of the failure is said without it.
    return looked;
  }
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** A URL's host as the system takes it: an IPv6 address without its brackets. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
