import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientIdentity } from './client-certificate.ts';

export type CertificateNames = ReturnType<typeof certificateNames>;

export type InspectedCertificate = NonNullable<ReturnType<typeof peerCertificate>>;

type CertificateParts = Pick<PeerCertificate, 'subject' | 'issuer' | 'valid_from' | 'valid_to'>;

/** The certificate that the server has shown on a TLS connection; undefined on any other. */
export function peerCertificate(socket: Socket) {
  if (!('getPeerCertificate' in socket)) return undefined;
  const certificate = (socket as TLSSocket).getPeerCertificate(); // only TLS has that method
  return {
    ...certificateNames(certificate),
    names: (certificate.subjectaltname ?? '').split(', ').flatMap((name) => name.replace(/^[\w ]+:/, '') || []),
  };
}

/** The names of a certificate, which Node returns in parts, and its times in ISO 8601, UTC. */
export function certificateNames({ subject, issuer, valid_from, valid_to }: CertificateParts) {
  return { subject: party(subject), issuer: party(issuer), validFrom: isoOf(valid_from), validTo: isoOf(valid_to) };
}

/** The common name with its organization, or any other part of the name. */
function party(name: Readonly<Record<string, string | string[] | undefined>> | undefined): string {
  const { CN, O: organization, ...others } = name ?? {};
  const found = [CN, organization].filter((part) => part !== undefined);
  const parts = found.length > 0 ? found : Object.values(others);
  return [...new Set(parts.flat())].join(', ').slice(0, 200) || 'nobody';
}

/** Parses OpenSSL's "Nov 21 16:38:00 2026 GMT". */
function isoOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

/** The certificate that an identity shows. Read through TLS, because nothing else in Node opens PKCS#12. */
export async function certificateOf(identity: ClientIdentity): Promise<PeerCertificate | undefined> {
  const { createSecureContext, TLSSocket } = await import('node:tls');
  const nowhere = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const socket = new TLSSocket(nowhere, { secureContext: createSecureContext({ ...identity }) });
  socket.on('error', () => undefined);
  try {
    const found = socket.getCertificate();
    return found && 'subject' in found ? (found as PeerCertificate) : undefined; // the type also allows an empty object
  } finally {
    socket.destroy();
  }
}
