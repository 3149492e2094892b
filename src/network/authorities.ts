import type { SecureContext } from 'node:tls';
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import type { ClientIdentity } from './client-certificate.ts';
import { certificatesOf, type NamedFile, nameOf, nameWithin, readLatin1, readNamed } from './pem.ts';
import { type SystemAuthorities, systemAuthorities } from './system-authorities.ts';
import type { Trust } from './tls.ts';

/** A file of additional certificate authorities, and where its name comes from: "--ca-file", "IIOT_CA_FILE", "profile default". */
export type AuthorityFile = NamedFile;

/**
 * The authorities of Node, of NODE_EXTRA_CA_CERTS, and of the file, which is read at once; the system's are added as soon as an issuer is unknown.
 * @throws usage if the file is missing, contains no certificate, or contains a private key
 */
export async function openTrust(
  file: AuthorityFile | undefined,
  env: Environment,
  platform: NodeJS.Platform = 'linux',
): Promise<Trust> {
  const own = file ? await readAuthorities(file) : [];
  const contexts = new Map<ClientIdentity | undefined, Promise<SecureContext | undefined>>();
  let system: SystemAuthorities = { certificates: [], places: [] };
  let widening: Promise<boolean> | undefined;
  const widen = async () => {
    system = await systemAuthorities(env, platform);
    contexts.clear();
    return system.certificates.length > 0;
  };
  return {
    context(identity) {
      const authorities = [...own, ...system.certificates];
      const known = contexts.get(identity) ?? makeContext(authorities, env.NODE_EXTRA_CA_CERTS, identity);
      contexts.set(identity, known);
      return known;
    },
    isWide: () => system.certificates.length > 0,
    widen() {
      widening ??= widen();
      return widening;
    },
    places: () => placesOf(file, env, system),
  };
}

function placesOf(file: AuthorityFile | undefined, env: Environment, system: SystemAuthorities): string[] {
  const extra = env.NODE_EXTRA_CA_CERTS ? [`NODE_EXTRA_CA_CERTS (${env.NODE_EXTRA_CA_CERTS})`] : [];
  return [...new Set(["Node's own list", ...extra, ...(file ? [nameWithin(file)] : []), ...system.places])];
}

/** Undefined if Node's own default is enough, which costs nothing. */
async function makeContext(
  authorities: readonly string[],
  extra: string | undefined,
  identity: ClientIdentity | undefined,
): Promise<SecureContext | undefined> {
  if (authorities.length === 0 && !identity) return undefined;
  const tls = await import('node:tls');
  if (authorities.length === 0) return tls.createSecureContext({ ...identity });
  // A list of authorities replaces the built-in ones, so it has to include them. Newer versions of Node can list them all.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] }; // from Node 22.15 on
  const known = getCACertificates?.('default') ?? [...tls.rootCertificates, ...extraOnes(extra)];
  return tls.createSecureContext({ ca: unique([...known, ...authorities]), ...identity });
}

/** A distribution's bundle repeats nearly all of Node's own list, wrapped at another line length, and every certificate takes time to load. */
function unique(certificates: readonly string[]): string[] {
  return [...new Map(certificates.map((each) => [each.replace(/\s/g, ''), each])).values()];
}

/** Node itself only warns about a bad NODE_EXTRA_CA_CERTS and ignores it. */
function extraOnes(path: string | undefined): string[] {
  try {
    return path ? certificatesOf(readLatin1(path)) : [];
  } catch {
    return [];
  }
}

async function readAuthorities(file: AuthorityFile): Promise<string[]> {
  const text = readNamed(file, 'Give a PEM file of certificates');
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw usage(`${nameOf(file)} holds a private key.`, 'Give a file with only certificates, and keep the key private');
  }
  const certificates = certificatesOf(text);
  if (certificates.length === 0) {
    const hint = 'Convert a DER file with: openssl x509 -inform der';
    throw usage(`${nameOf(file)} holds no certificate in PEM format.`, hint);
  }
  await checkCertificates(certificates, nameWithin(file));
  return certificates;
}

async function checkCertificates(certificates: readonly string[], name: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw usage(`Certificate ${index + 1} of ${name} cannot be read.`, 'Export it again, in PEM format');
    }
  }
}
