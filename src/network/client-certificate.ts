/** Reads and checks the client certificate for a gateway that requires one, before anything is sent. Never shows its key. */
import { usage } from '../failure.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import { certificatesOf, type NamedFile, nameOf, nameWithin, privateKeyOf, readNamed } from './pem.ts';
import { weaknessOf } from './weak-certificate.ts';

/** A certificate with its key, as `createSecureContext` expects them. */
export type ClientIdentity =
  | { readonly cert: string; readonly key: string; readonly passphrase?: string }
  | { readonly pfx: Buffer; readonly passphrase?: string };

/** The certificate, and the only origin that it is shown to. */
export type ClientCertificate = { readonly origin: string; readonly identity: ClientIdentity };

export type ClientFiles = {
  /** A file in PEM format, or in PKCS#12 with the key inside. */
  readonly cert: NamedFile;
  /** The file with the key; by default that of the certificate. */
  readonly key?: NamedFile | undefined;
};

/** Returns the passphrase of the named file, or undefined if nobody has given it. */
export type PassphraseSource = (file: string) => Promise<string | undefined>;

/** Reads the files and checks that they belong together. @throws usage with the file that cannot be used and why, never quoting its content */
export async function openIdentity(files: ClientFiles, passphrase: PassphraseSource): Promise<ClientIdentity> {
  const text = readNamed(files.cert, 'Give a file in PEM or PKCS#12 format');
  if (text.includes('-----BEGIN ')) return openPem(text, files, passphrase);
  return openPkcs12(Buffer.from(text, 'latin1'), files.cert, passphrase);
}

async function openPem(text: string, files: ClientFiles, passphrases: PassphraseSource): Promise<ClientIdentity> {
  const certificates = certificatesOf(text);
  if (certificates.length === 0) throw usage(`${nameOf(files.cert)} holds no certificate.`, 'Is this the key file?');
  const keyFile = files.key ?? files.cert;
  const key = privateKeyOf(files.key ? readNamed(files.key, 'Give a PEM file with a private key') : text);
  if (key === undefined) throw noKeyFailure(files);
  const isEncrypted = key.slice(0, 200).includes('ENCRYPTED');
  const passphrase = isEncrypted ? await requirePassphrase(keyFile, passphrases) : undefined;
  const { createPrivateKey, X509Certificate } = await import('node:crypto');
  const closed = passphrase === undefined ? unreadableFailure(keyFile, 'private key') : passphraseFailure(keyFile);
  const privateKey = orThrow(() => createPrivateKey({ key, passphrase }), closed);
  const broken = unreadableFailure(files.cert, 'certificate');
  const own = certificates.find((each) => orThrow(() => new X509Certificate(each).checkPrivateKey(privateKey), broken));
  if (own === undefined) {
    const sentence = `The key in ${nameWithin(keyFile)} does not belong to the certificate in ${nameWithin(files.cert)}.`;
    throw usage(sentence, 'Give the certificate and the key that were issued together');
  }
  // Node wants the certificate of the key first, whatever the order in the file; its issuers follow.
  const identity = { cert: [own, ...certificates.filter((each) => each !== own)].join('\n'), key, passphrase };
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext(identity);
  } catch (error) {
    throw weaknessFailure(files.cert, error) ?? broken;
  }
  return identity;
}

function weaknessFailure(file: NamedFile, error: unknown): Error | undefined {
  const weakness = weaknessOf(error);
  const hint = 'Ask the operator of the gateway for a new one';
  return weakness === undefined ? undefined : usage(`The certificate in ${nameWithin(file)} ${weakness}.`, hint);
}

function noKeyFailure({ cert, key }: ClientFiles): Error {
  return key
    ? usage(`${nameOf(key)} holds no private key in PEM format.`, 'Convert a DER key with: openssl pkey -inform der')
    : usage(`${nameOf(cert)} holds no private key.`, 'Give the file of its key with --client-key FILE');
}

async function requirePassphrase(file: NamedFile, passphrases: PassphraseSource): Promise<string> {
  const given = await passphrases(nameWithin(file));
  if (given !== undefined) return given;
  const hint = 'Set IIOT_CLIENT_KEY_PASSPHRASE, or IIOT_CLIENT_KEY_PASSPHRASE_FILE to the path of a file that holds it';
  throw usage(`${nameOf(file)} is encrypted, and no passphrase was given.`, hint);
}

async function openPkcs12(pfx: Buffer, file: NamedFile, passphrases: PassphraseSource): Promise<ClientIdentity> {
  const { createSecureContext } = await import('node:tls');
  for (let passphrase: string | undefined; ; passphrase = await requirePassphrase(file, passphrases)) {
    try {
      createSecureContext({ pfx, passphrase });
      return { pfx, passphrase };
    } catch (error) {
      const words = error instanceof Error ? error.message : '';
      if (!/mac verify/i.test(words)) throw weaknessFailure(file, error) ?? (await pkcs12Failure(pfx, file, words));
      if (passphrase !== undefined) throw passphraseFailure(file);
    }
  }
}

async function pkcs12Failure(bytes: Buffer, file: NamedFile, words: string): Promise<Error> {
  const { X509Certificate } = await import('node:crypto');
  if (ignoreError(() => new X509Certificate(bytes))) {
    const hint = `Convert it to PEM: openssl x509 -inform der -in ${quoteForShell(file.value)}`;
    return usage(`${nameOf(file)} is a certificate in DER format; it must be PEM, or PKCS#12 with its key.`, hint);
  }
  if (!/unsupported/i.test(words)) return usage(`${nameOf(file)} is neither PEM nor PKCS#12.`, 'Export it again');
  const hint = `Export it again, or convert it to PEM: openssl pkcs12 -legacy -in ${quoteForShell(file.value)}`;
  return usage(`${nameOf(file)} is encrypted with an algorithm that is no longer safe.`, hint);
}

function passphraseFailure(file: NamedFile): Error {
  const hint = 'Check IIOT_CLIENT_KEY_PASSPHRASE, or what you typed';
  return usage(`The passphrase does not open ${nameWithin(file)}.`, hint);
}

function unreadableFailure(file: NamedFile, what: string): Error {
  return usage(`The ${what} in ${nameWithin(file)} cannot be read.`, 'Export it again, in PEM format');
}

/** Does the work, or throws `failure` without its cause, which could quote the content of the file. */
function orThrow<T>(work: () => T, failure: Error): T {
  try {
    return work();
  } catch {
    throw failure;
  }
}
