import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type ConnectionLost, isCertificateProblem, lostAt, type Phase, withFacts } from './connection.ts';
import type { ProxyServer } from './proxy.ts';
import { openTunnel } from './tunnel.ts';

/** How one address is reached. */
export type Way = {
  readonly target: URL;
  readonly proxy?: ProxyServer | undefined;
  /** The authorities to trust; by default those of Node. */
  readonly trust?: Trust | undefined;
  /** Resolves names; by default as the system does. */
  readonly lookup?: LookupFunction | undefined;
};

export type Trust = () => Promise<SecureContext>;

/** Plain http through a proxy goes to the proxy whole, as curl and browsers send it; a tunnel is for TLS. */
export function isForwarded({ target, proxy }: Way): boolean {
  return proxy !== undefined && target.protocol === 'http:';
}

/**
 * Opens a connection on which a request can be sent: through the proxy where there is one, with TLS where the address says https. The only
 * place that does either.
 * @param reach hears of each phase
 * @throws ConnectionLost with the phase and the reason, and with the certificate where one was refused
 */
export async function openSocket(way: Way, signal: AbortSignal, reach: (phase: Phase) => void): Promise<Socket> {
  const { target, proxy } = way;
  let phase: Phase = 'connect';
  const enter = (next: Phase) => {
    phase = next;
    reach(next);
  };
  try {
    return await opening(signal, async (keep) => {
      const socket = await toHost(way, enter, keep);
      if (target.protocol !== 'https:') return socket;
      enter('tls');
      return secured(socket, target.hostname, way, keep);
    });
  } catch (error) {
    const lost = lostAt(phase, error, proxy ? { proxy: proxy.name } : {});
    return Promise.reject(isRefusedCertificate(lost) ? await withCertificate(lost, way, signal) : lost);
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
  signal.addEventListener('abort', abort);
  try {
    return await open(keep);
  } catch (error) {
    abort();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A socket to the host, over which nothing has been said yet. */
async function toHost(way: Way, enter: (phase: Phase) => void, keep: Keep): Promise<Socket> {
  const { target, proxy } = way;
  enter('connect');
  if (!proxy) return plain(target, way, keep);
  const open = await plain(proxy.url, way, keep);
  const socket = proxy.url.protocol === 'https:' ? await secured(open, proxy.url.hostname, way, keep) : open;
  if (isForwarded(way)) return socket;
  enter('tunnel');
  await openTunnel(socket, `${target.hostname}:${portOf(target)}`, proxy);
  return socket;
}

async function plain(url: URL, { lookup }: Way, keep: Keep): Promise<Socket> {
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

async function secured(socket: Socket, hostname: string, { trust }: Way, keep: Keep): Promise<Socket> {
  const { connect } = await import('node:tls');
  const host = hostOf(hostname);
  const secureContext = await trust?.();
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
async function withCertificate(lost: ConnectionLost, way: Way, signal: AbortSignal): Promise<ConnectionLost> {
  if (lost.phase !== 'tls') return lost;
  try {
    const { lookAt } = await import('./certificate.ts');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestLook)]);
    const certificate = await opening(limit, async (keep) =>
      lookAt(await toHost(way, () => undefined, keep), hostOf(way.target.hostname), way.trust),
    );
    return withFacts(lost, { certificate });
  } catch {
    // What is known of the failure is said without it.
    return lost;
  }
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** A URL's host as the system takes it: an IPv6 address without its brackets. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** What is an address and no name: TLS does not send it as a server name. */
export function isAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}
