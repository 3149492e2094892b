import { Duplex } from 'node:stream';
import type { PeerCertificate } from 'node:tls';
import type { ClientIdentity } from './client-certificate.ts';

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
