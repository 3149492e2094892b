import type { SecureContext } from 'node:tls';
import type { ClientIdentity } from './client-certificate.ts';

/** Whose certificates are accepted. It opens wider once: the system's authorities are loaded where an issuer is unknown. */
export type Trust = {
  /** What to hand to TLS; undefined where Node's own default serves. */
  context(identity?: ClientIdentity): Promise<SecureContext | undefined>;
  /** Whether the system's authorities count by now. */
  isWide(): boolean;
  /** Lets them count. @returns whether there are any */
  widen(): Promise<boolean>;
  /** Where authorities are looked for, as a person reads it. */
  places(): readonly string[];
};

/** What is an address and no name: TLS does not send it as a server name. */
export function isAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

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
