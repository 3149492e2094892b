import { readdirSync } from 'node:fs';
import type { SecureContext } from 'node:tls';
import { usage } from '../failure.ts';
import type { Environment } from '../text/environment.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { once } from '../text/once.ts';
import type { ClientIdentity } from './client-certificate.ts';
import { certificatesOf, type NamedFile, nameOf, nameWithin, readLatin1, readNamed } from './pem.ts';

export type Trust = Awaited<ReturnType<typeof openTrust>>;

/**
 * The trusted authorities: those of Node, of NODE_EXTRA_CA_CERTS, and of the file, which is read at once. They can be extended once: the system's are
 * added if an issuer is unknown.
 * @throws usage if the file is missing, contains no certificate, or contains a private key
 */
export async function openTrust(file: NamedFile | undefined, env: Environment, platform: NodeJS.Platform = 'linux') {
  const own = file ? await readAuthorities(file) : [];
  const contexts = new Map<ClientIdentity | undefined, Promise<SecureContext | undefined>>();
  let system: Awaited<ReturnType<typeof systemAuthorities>> = { certificates: [], places: [] };
  const makeContext = async (identity: ClientIdentity | undefined) => {
    const authorities = [...own, ...system.certificates];
    if (authorities.length === 0 && !identity) return undefined;
    const tls = await import('node:tls');
    if (authorities.length === 0) return tls.createSecureContext({ ...identity });
    // A list of authorities replaces the built-in ones, so it has to include them. Newer versions of Node can list them all.
    const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] }; // from Node 22.15 on
    const known = [...(getCACertificates?.('default') ?? tls.rootCertificates), ...read(env.NODE_EXTRA_CA_CERTS ?? '')];
    return tls.createSecureContext({ ca: unique([...known, ...authorities]), ...identity });
  };
  return {
    /** The context for TLS; undefined if Node's own default is enough, which costs nothing. */
    context(identity?: ClientIdentity) {
      const known = contexts.get(identity) ?? makeContext(identity);
      contexts.set(identity, known);
      return known;
    },
    isWide: () => system.certificates.length > 0,
    /** Adds the system's authorities. @returns whether there are any */
    widen: once(async () => {
      system = await systemAuthorities(env, platform);
      contexts.clear();
      return system.certificates.length > 0;
    }),
    /** Where authorities are looked for, in words. */
    places() {
      const extra = env.NODE_EXTRA_CA_CERTS ? [`NODE_EXTRA_CA_CERTS (${env.NODE_EXTRA_CA_CERTS})`] : [];
      return [...new Set(["Node's own list", ...extra, ...(file ? [nameWithin(file)] : []), ...system.places])];
    },
  };
}

/** A distribution's bundle repeats nearly all of Node's own list, wrapped at another line length, and every certificate takes time to load. */
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

/** Where distributions keep the bundle that curl, Go and Python read; the first that exists is used. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt', // Debian, Ubuntu, Arch, Gentoo
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', // Fedora, RHEL
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem', // openSUSE
  '/etc/ssl/cert.pem', // Alpine
  '/usr/local/etc/ssl/cert.pem', // FreeBSD
];

/**
 * The authorities installed on this machine, and in words where they were looked for; read only if an issuer is unknown. These are those of
 * SSL_CERT_FILE and SSL_CERT_DIR, and on Windows and macOS those of the system's store; elsewhere the usual bundle replaces a variable that is not set.
 * They are read here rather than by Node, so that all versions of Node find the same.
 */
export async function systemAuthorities(env: Environment, platform: NodeJS.Platform) {
  const named = [...(env.SSL_CERT_FILE ? [env.SSL_CERT_FILE] : []), ...filesIn(env.SSL_CERT_DIR ?? '', platform)];
  const places = [env.SSL_CERT_FILE ?? '', env.SSL_CERT_DIR ?? ''].filter((place) => place !== '');
  if (platform === 'win32' || platform === 'darwin') {
    const tls = (await import('node:tls')) as { getCACertificates?: (kind: 'system') => string[] }; // from Node 22.15 on
    const store = tls.getCACertificates?.('system');
    const place = store ? "the system's store" : "not in the system's store, for which Node 22.15 or newer is needed";
    return { certificates: [...named.flatMap(read), ...(store ?? [])], places: [...places, place] };
  }
  const bundle = env.SSL_CERT_FILE ? [] : (bundles.find((path) => read(path).length > 0) ?? []);
  const all = [bundle, named].flat().flatMap(read);
  return { certificates: [...new Set(all)], places: [bundle, places].flat() };
}

/** Unreadable files are skipped, as by Node: only the machine's owner can fix them, and skipping never makes a certificate trusted. */
function read(path: string): string[] {
  return ignoreError(() => certificatesOf(readLatin1(path))) ?? [];
}

/** The files in folders, which are separated as in PATH. */
function filesIn(folders: string, platform: NodeJS.Platform): string[] {
  const named = folders.split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '');
  return named.flatMap((folder) => ignoreError(() => readdirSync(folder).map((name) => `${folder}/${name}`)) ?? []);
}
