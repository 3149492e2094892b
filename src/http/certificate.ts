import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { isAddress, type Trust } from './connect.ts';

export type CertificateNames = {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601, UTC. */
  readonly validFrom: string;
  readonly validTo: string;
};

/** What a server shows of itself, trusted or not. */
export type InspectedCertificate = CertificateNames & {
  /** The names and addresses that the certificate is for. */
  readonly names: readonly string[];
  /** The certificate's issuer, its issuer's, and so on, as far as they came along or are known here. */
  readonly chain: readonly CertificateNames[];
  /** true, or the code of why it is not accepted: CERT_HAS_EXPIRED, say. */
  readonly authorized: true | string;
};

export type InspectOptions = {
  /** The authorities to trust; by default those of Node. */
  readonly trust?: Trust | undefined;
  /** Ends the look. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/**
 * The certificate of a host, looked at in one handshake over which nothing is sent.
 * @throws the system's error where there is no connection or no TLS
 */
export async function inspectCertificate(
  host: string,
  port: number,
  { trust, signal, now }: InspectOptions,
): Promise<InspectedCertificate & { readonly daysLeft: number }> {
  const { connect } = await import('node:net');
  const name = host.replace(/^\[|\]$/g, '');
  const socket = connect({ host: name, port, signal });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
    const seen = await lookAt(socket, name, trust);
    return { ...seen, daysLeft: Math.floor((Date.parse(seen.validTo) - now()) / 86_400_000) };
  } finally {
    socket.destroy();
  }
}

/**
 * The same over a connection to the host that is open already; it is closed then.
 * @throws the system's error where there is no TLS
 */
export async function lookAt(socket: Socket, host: string, trust: Trust | undefined): Promise<InspectedCertificate> {
  const { connect } = await import('node:tls');
  const secureContext = await trust?.();
  const secure = connect({
    socket,
    host,
    servername: isAddress(host) ? '' : host,
    // To look at what is not accepted. Nothing is ever sent or read here.
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  });
  secure.on('error', () => undefined);
  try {
    await once(secure, 'secureConnect');
    return described(secure);
  } finally {
    secure.destroy();
    socket.destroy();
  }
}

function described(secure: TLSSocket): InspectedCertificate {
  const certificate = secure.getPeerCertificate(true);
  // Node's type promises an Error; the documentation and the code give the code as a text.
  const refusal = secure.authorizationError as unknown;
  const code = refusal instanceof Error && 'code' in refusal ? String(refusal.code) : String(refusal);
  return {
    ...namesOf(certificate),
    names: (certificate.subjectaltname ?? '').split(', ').flatMap((name) => name.replace(/^[\w ]+:/, '') || []),
    chain: chainOf(certificate),
    authorized: secure.authorized || code,
  };
}

function namesOf({ subject, issuer, valid_from, valid_to }: DetailedPeerCertificate): CertificateNames {
  return { subject: nameOf(subject), issuer: nameOf(issuer), validFrom: isoOf(valid_from), validTo: isoOf(valid_to) };
}

function chainOf(certificate: DetailedPeerCertificate): CertificateNames[] {
  const chain: CertificateNames[] = [];
  let last = certificate;
  // A self-signed certificate is its own issuer.
  while (last.issuerCertificate && last.issuerCertificate !== last && chain.length < 10) {
    last = last.issuerCertificate;
    chain.push(namesOf(last));
  }
  return chain;
}

/** The common name with its organization, or whatever a name has. */
function nameOf(name: Readonly<Record<string, string | string[] | undefined>> | undefined): string {
  const { CN, O: organization, ...others } = name ?? {};
  const found = [CN, organization].filter((part) => part !== undefined);
  const parts = found.length > 0 ? found : Object.values(others);
  return [...new Set(parts.flat())].join(', ').slice(0, 200) || 'nobody';
}

/** "Nov 21 16:38:00 2026 GMT" of OpenSSL. */
function isoOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
