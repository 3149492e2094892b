import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { usage } from '../failure.ts';
import type { Trust } from './connect.ts';

/** A file of further certificate authorities, and where its name comes from: "--ca-file", "IIOT_CA_FILE", "profile default". */
export type AuthorityFile = { readonly value: string; readonly from: string };

/**
 * The authorities of Node, those of NODE_EXTRA_CA_CERTS, and the file's.
 * @throws usage where the file is missing, holds no certificate, or holds a private key; it is read at once
 */
export async function openTrust(
  file: AuthorityFile,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Trust> {
  const own = await readAuthorities(file);
  let made: ReturnType<Trust> | undefined;
  return () => {
    made ??= makeContext(own, env.NODE_EXTRA_CA_CERTS);
    return made;
  };
}

async function makeContext(own: readonly string[], extra: string | undefined): ReturnType<Trust> {
  const tls = await import('node:tls');
  // Authorities that are named replace the built-in ones, so those are named too. Newer versions of Node know them all.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] }; // from Node 22.15 on
  const known = getCACertificates?.('default') ?? [...tls.rootCertificates, ...extraOnes(extra)];
  return tls.createSecureContext({ ca: [...known, ...own] });
}

/** Node itself ignores a bad NODE_EXTRA_CA_CERTS with a warning. */
function extraOnes(path: string | undefined): string[] {
  try {
    return path ? certificatesOf(readFile(path)) : [];
  } catch {
    return [];
  }
}

async function readAuthorities({ value: path, from }: AuthorityFile): Promise<string[]> {
  const name = from === '--ca-file' ? `--ca-file ${path}` : `The file ${path} (from ${from})`;
  const text = readNamed(path, name);
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw usage(`${name} holds a private key.`, 'Give a file with certificates alone, and keep the key private');
  }
  const certificates = certificatesOf(text);
  if (certificates.length === 0) {
    throw usage(`${name} holds no certificate in PEM form.`, 'A DER file becomes PEM with: openssl x509 -inform der');
  }
  await checkCertificates(certificates, name);
  return certificates;
}

function readNamed(path: string, name: string): string {
  try {
    return readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw usage(`${name} cannot be read (${code}).`, 'Give a PEM file of certificates');
  }
}

const largest = 8 * 1024 * 1024;

/** All of a file, or its beginning where it has no end in sight. */
function readFile(path: string): string {
  // Not blocking: a named pipe without a writer would keep us waiting for ever, deaf to signals.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(file).isFIFO()) throw Object.assign(new Error('a pipe'), { code: 'a pipe' });
    const chunks: Buffer[] = [];
    for (let size = 0; size < largest; ) {
      const chunk = Buffer.alloc(65_536);
      const count = readSync(file, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    return Buffer.concat(chunks).toString('latin1');
  } finally {
    closeSync(file);
  }
}

function certificatesOf(text: string): string[] {
  return (
    text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g) ?? []
  );
}

async function checkCertificates(certificates: readonly string[], name: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw usage(
        `Certificate ${index + 1} of ${name.replace(/^The/, 'the')} cannot be read.`,
        'Export it again, in PEM form',
      );
    }
  }
}
