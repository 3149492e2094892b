import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientIdentity } from './client-certificate.ts';

/** Subject and issuer of a certificate as texts, and its times in ISO 8601, UTC. */
export type CertificateNames = Readonly<Record<'subject' | 'issuer' | 'validFrom' | 'validTo', string>>;

/** A certificate with the host names and addresses that it is for. */
export type InspectedCertificate = CertificateNames & { readonly names: readonly string[] };

type CertificateParts = Pick<PeerCertificate, 'subject' | 'issuer' | 'valid_from' | 'valid_to'>;

/** The certificate that the server has shown on a TLS connection; undefined on any other. */
export function peerCertificate(socket: Socket): InspectedCertificate | undefined {
  if (!('getPeerCertificate' in socket)) return undefined;
  const certificate = (socket as TLSSocket).getPeerCertificate(); // only TLS has that method
  return {
    ...certificateNames(certificate),
    names: (certificate.subjectaltname ?? '').split(', ').flatMap((name) => name.replace(/^[\w ]+:/, '') || []),
  };
}

export function certificateNames({ subject, issuer, valid_from, valid_to }: CertificateParts): CertificateNames {
  return {
    subject: partyName(subject),
    issuer: partyName(issuer),
    validFrom: isoOf(valid_from),
    validTo: isoOf(valid_to),
  };
}

/** The common name and organization of a subject or issuer, or else all other parts of its name. */
function partyName(name: Readonly<Record<string, string | string[] | undefined>> | undefined): string {
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

/** Reads the certificate that an identity shows. Reads it through TLS, because nothing else in Node opens PKCS#12. */
export async function readCertificate(identity: ClientIdentity): Promise<PeerCertificate | undefined> {
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
