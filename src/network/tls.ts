import type { SecureContext } from 'node:tls';
import type { ClientIdentity } from './client-certificate.ts';

/** The trusted authorities. They can be extended once: the system's are added if an issuer is unknown. */
export type Trust = {
  /** The context for TLS; undefined if Node's own default is enough. */
  context(identity?: ClientIdentity): Promise<SecureContext | undefined>;
  /** Whether the system's authorities have been added. */
  isWide(): boolean;
  /** Adds the system's authorities. @returns whether there are any */
  widen(): Promise<boolean>;
  /** Where authorities are looked for, in words. */
  places(): readonly string[];
};

/** Whether the host is an IP address: TLS does not send it as a server name. */
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

/** The certificate that a server shows, trusted or not. */
export type InspectedCertificate = CertificateNames & {
  /** The names and addresses that the certificate is for. */
  readonly names: readonly string[];
  /** The issuer, the issuer's issuer and so on, as far as the server sent them or they are known here. */
  readonly chain: readonly CertificateNames[];
  /** true, or the code that says why it is not accepted, such as CERT_HAS_EXPIRED. */
  readonly authorized: true | string;
};
