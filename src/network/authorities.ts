import { readdirSync } from 'node:fs';
import type { SecureContext } from 'node:tls';
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { once } from '../text/once.ts';
import type { ClientIdentity } from './client-certificate.ts';
import { certificatesOf, type NamedFile, nameOf, nameWithin, readLatin1, readNamed } from './pem.ts';

/** The authorities whose certificates are trusted. */
export type Trust = {
  /** The context for TLS; undefined if Node's own default is enough, which costs nothing. */
  readonly secureContext: (identity?: ClientIdentity) => Promise<SecureContext | undefined>;
  /** Whether authorities of the system were added. */
  readonly isWide: () => boolean;
  /** Adds the authorities of the system. @returns whether there are any */
  readonly widen: () => Promise<boolean>;
  /** The places where authorities are looked for, in words. */
  readonly places: () => readonly string[];
};

/** The certificates of authorities in PEM, and the places where they were looked for, in words. */
type Authorities = { readonly certificates: readonly string[]; readonly places: readonly string[] };

/** Opens the authorities of Node, NODE_EXTRA_CA_CERTS and a file. @throws usage if the file is missing, has no certificate, or has a private key */
export async function openTrust(
  file: NamedFile | undefined,
  env: Environment,
  platform: NodeJS.Platform = 'linux',
): Promise<Trust> {
  const ofFile = file ? await readAuthorities(file) : [];
  const contexts = new Map<ClientIdentity | undefined, Promise<SecureContext | undefined>>();
  let system: Authorities = { certificates: [], places: [] };
  return {
    secureContext(identity) {
      const context = contexts.get(identity) ?? makeContext([...ofFile, ...system.certificates], identity, env);
      contexts.set(identity, context);
      return context;
    },
    isWide: () => system.certificates.length > 0,
    widen: once(async () => {
      system = await readSystemAuthorities(env, platform);
      contexts.clear();
      return system.certificates.length > 0;
    }),
    places() {
      const extra = env.NODE_EXTRA_CA_CERTS ? [`NODE_EXTRA_CA_CERTS (${env.NODE_EXTRA_CA_CERTS})`] : [];
      return [...new Set(["Node's own list", ...extra, ...(file ? [nameWithin(file)] : []), ...system.places])];
    },
  };
}

async function makeContext(authorities: readonly string[], identity: ClientIdentity | undefined, env: Environment) {
  if (authorities.length === 0 && !identity) return undefined;
  const tls = await import('node:tls');
  if (authorities.length === 0) return tls.createSecureContext({ ...identity });
  // A list of authorities replaces the built-in ones, so it includes them, of which newer versions of Node have more.
  const builtIn = (tls as NewerTls).getCACertificates?.('default') ?? tls.rootCertificates;
  const others = [...readCertificates(env.NODE_EXTRA_CA_CERTS ?? ''), ...authorities];
  return tls.createSecureContext({ ca: unique([...builtIn, ...others]), ...identity });
}

/** Node from 22.15 on. */
type NewerTls = { readonly getCACertificates?: (kind: 'default' | 'system') => string[] };

/** Removes certificates that are there twice, because each takes time to load. A distribution's bundle has most of Node's, with other line breaks. */
function unique(certificates: readonly string[]): string[] {
  return [...new Map(certificates.map((each) => [each.replace(/\s/g, ''), each])).values()];
}

async function readAuthorities(file: NamedFile): Promise<string[]> {
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
    if (!ignoreError(() => new X509Certificate(certificate)))
      throw usage(`Certificate ${index + 1} of ${name} cannot be read.`, 'Export it again, in PEM format');
  }
}

/** The files in which distributions keep the bundle that curl, Go and Python read. The first that exists is used. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt', // Debian, Ubuntu, Arch, Gentoo
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', // Fedora, RHEL
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem', // openSUSE
  '/etc/ssl/cert.pem', // Alpine
  '/usr/local/etc/ssl/cert.pem', // FreeBSD
];

/**
 * Reads the authorities of this machine: those of SSL_CERT_FILE and SSL_CERT_DIR, and those of the system's store on Windows and macOS. Elsewhere the
 * usual bundle replaces SSL_CERT_FILE if that is not set. Node itself does not read them, so that all versions of Node find the same.
 */
export async function readSystemAuthorities(env: Environment, platform: NodeJS.Platform): Promise<Authorities> {
  const namedFiles = [...(env.SSL_CERT_FILE ? [env.SSL_CERT_FILE] : []), ...filesIn(env.SSL_CERT_DIR ?? '', platform)];
  const places = [env.SSL_CERT_FILE ?? '', env.SSL_CERT_DIR ?? ''].filter((place) => place !== '');
  if (platform === 'win32' || platform === 'darwin') {
    const tls = (await import('node:tls')) as NewerTls;
    const store = tls.getCACertificates?.('system');
    const place = store ? "the system's store" : "not in the system's store, for which Node 22.15 or newer is needed";
    return { certificates: [...namedFiles.flatMap(readCertificates), ...(store ?? [])], places: [...places, place] };
  }
  const bundle = env.SSL_CERT_FILE ? [] : (bundles.find((path) => readCertificates(path).length > 0) ?? []);
  const all = [bundle, namedFiles].flat().flatMap(readCertificates);
  return { certificates: [...new Set(all)], places: [bundle, places].flat() };
}

/** Reads the certificates of a file. Skips an unreadable one, as Node does, which never makes a certificate trusted. */
function readCertificates(path: string): string[] {
  return ignoreError(() => certificatesOf(readLatin1(path))) ?? [];
}

/** The files in a list of folders, which are separated as in PATH. */
function filesIn(folders: string, platform: NodeJS.Platform): string[] {
  const paths = folders.split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '');
  return paths.flatMap((folder) => ignoreError(() => readdirSync(folder).map((name) => `${folder}/${name}`)) ?? []);
}
