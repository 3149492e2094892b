/** The certificate authorities installed on this machine. Read only if an issuer is unknown. */
import { readdirSync } from 'node:fs';
import type { Environment } from '../text/environment.ts';
import { certificatesOf, readLatin1 } from './pem.ts';

export type SystemAuthorities = {
  readonly certificates: readonly string[];
  /** Where they were looked for, in words. */
  readonly places: readonly string[];
};

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
 * The authorities of SSL_CERT_FILE and SSL_CERT_DIR, and on Windows and macOS those of the system's store; elsewhere the usual bundle replaces a
 * variable that is not set. It is read here rather than by Node, so that all versions of Node find the same.
 */
export async function systemAuthorities(env: Environment, platform: NodeJS.Platform): Promise<SystemAuthorities> {
  const named = [...(env.SSL_CERT_FILE ? [env.SSL_CERT_FILE] : []), ...filesIn(env.SSL_CERT_DIR ?? '', platform)];
  const places = [env.SSL_CERT_FILE ?? '', env.SSL_CERT_DIR ?? ''].filter((place) => place !== '');
  if (platform === 'win32' || platform === 'darwin') {
    const store = await readStore();
    const place = store ? "the system's store" : "not in the system's store, for which Node 22.15 or newer is needed";
    return { certificates: [...named.flatMap(read), ...(store ?? [])], places: [...places, place] };
  }
  const bundle = env.SSL_CERT_FILE ? undefined : bundles.find((path) => read(path).length > 0);
  const files = bundle === undefined ? named : [bundle, ...named];
  const all = files.flatMap(read);
  return { certificates: [...new Set(all)], places: bundle === undefined ? places : [bundle, ...places] };
}

async function readStore(): Promise<readonly string[] | undefined> {
  const tls = (await import('node:tls')) as { getCACertificates?: (kind: 'system') => string[] }; // from Node 22.15 on
  return tls.getCACertificates?.('system');
}

/** Unreadable files are skipped: only the machine's owner can fix them, and skipping never makes a certificate trusted. */
function read(path: string): string[] {
  try {
    return certificatesOf(readLatin1(path));
  } catch {
    return [];
  }
}

/** The files in folders, which are separated as in PATH. */
function filesIn(folders: string, platform: NodeJS.Platform): string[] {
  return folders.split(platform === 'win32' ? ';' : ':').flatMap((folder) => {
    try {
      return folder === '' ? [] : readdirSync(folder).map((name) => `${folder}/${name}`);
    } catch {
      return [];
    }
  });
}
