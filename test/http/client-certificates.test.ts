import { createPrivateKey } from 'node:crypto';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import {
  type ClientFiles,
  type ClientIdentity,
  openIdentity,
  type PassphraseSource,
} from '../../src/network/client-certificate.ts';
import { connectionFailure } from '../../src/network/connection-failure.ts';
import { ConnectionLost, neverSent } from '../../src/network/connection-lost.ts';
import { authority, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { pkcs12 } from '../support/pkcs12.ts';
import { always, answerText, type Behaviour, rawServer } from '../support/raw-server.ts';
import { change, ending, folderWith, get, openWire } from './wire.ts';

const ours = authority('Factory Authority');
const client = serverPair(ours, {}, 'line-3');
const stranger = serverPair(authority('Somebody Else'), {}, 'stranger');
const passphrase = 'passphrase-CANARY';
const protectedKey = createPrivateKey(client.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();

const { folder, file, caFile } = folderWith(ours.certificate);
const keep = closedAfterEach();

/** Says who the client is, as a gateway tells the server behind it. */
const whoami: Behaviour = (socket) => {
  const shown = (socket as TLSSocket).getPeerCertificate(); // every server here speaks TLS
  socket.write(answerText(200, JSON.stringify(shown.subject?.CN ?? 'nobody')));
};
const asking = (more: object = {}) => ({
  ...serverPair(ours, { hosts: ['127.0.0.1', 'platform.test'] }),
  ca: ours.certificate,
  requestCert: true,
  ...more,
});
const gateway = (more?: object) => keep(rawServer(whoami, asking(more)));
const checkClient = expect.stringContaining('Check --client-cert');
const known = async () => passphrase;
const none = async () => undefined;
const other = async () => 'other-CANARY';
const named = (value: string, from = '--client-cert') => ({ value, from });

type Written = { readonly cert: string | Buffer; readonly key?: string };

async function identityOf({ cert, key }: Written, source: PassphraseSource = known): Promise<ClientIdentity> {
  const files: ClientFiles = {
    cert: named(file('client', cert)),
    ...(key !== undefined && { key: named(file('client.key', key), '--client-key') }),
  };
  return openIdentity(files, source);
}

const forms: readonly (readonly [string, () => Written])[] = [
  ['two PEM files', () => client],
  ['one PEM file', () => ({ cert: client.key + client.cert })],
  ['a PEM file that begins with its authority', () => ({ cert: ours.certificate + client.cert, key: client.key })],
  ['a PEM file with an encrypted key', () => ({ cert: client.cert, key: protectedKey })],
  ['a PKCS#12 file', () => ({ cert: pkcs12(client, passphrase) })],
  ['a PKCS#12 file without a passphrase', () => ({ cert: pkcs12(client, '') })],
];

describe.each([
  ['a single request', {}],
  ['a request of an import', { connections: 2 }],
])('%s', (_how, pooled) => {
  it.each(forms)('shows the client certificate from %s', async (_, written) => {
    const server = await gateway();
    const identity = await identityOf(written());
    const { exchange } = await openWire({ caFile, client: { origin: server.origin, identity }, ...pooled });
    expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200, text: '"line-3"' });
  });

  it('shows the client certificate to a platform behind a proxy, and the proxy does not see it', async () => {
    const server = await gateway();
    const shown: string[] = [];
    const tunnel: Behaviour = (socket) => {
      shown.push((socket as TLSSocket).getPeerCertificate().subject?.CN?.toString() ?? 'nobody');
      const there = connect(server.port, '127.0.0.1', () => {
        socket.removeAllListeners('data');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      there.on('error', () => socket.destroy());
    };
    const proxy = await keep(rawServer(tunnel, asking({ rejectUnauthorized: false })));
    const origin = 'https://platform.test';
    const { exchange } = await openWire({
      caFile,
      env: { HTTPS_PROXY: proxy.origin },
      client: { origin, identity: await identityOf(client) },
      ...pooled,
    });
    expect(await ending(exchange, get(origin))).toMatchObject({ status: 200, text: '"line-3"' });
    expect(shown).toEqual(['nobody']);
  });

  it('shows no client certificate if it belongs to another origin', async () => {
    const server = await gateway({ rejectUnauthorized: false });
    const identity = await identityOf(client);
    for (const origin of [`https://127.0.0.1:${server.port + 1}`, `https://localhost:${server.port}`]) {
      const { exchange } = await openWire({ caFile, client: { origin, identity }, ...pooled });
      expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200, text: '"nobody"' });
    }
  });

  it.each([
    ['TLSv1.2', 'it refused the TLS handshake'],
    ['TLSv1.3', 'it asks for a client certificate'],
  ])('sends nothing over %s if the server asks for a client certificate', async (maxVersion, reason) => {
    const server = await gateway({ maxVersion });
    const { exchange } = await openWire({ caFile, ...pooled });
    expect(await ending(exchange, change('PATCH', server.origin))).toEqual({
      kind: 'unavailable',
      message: `Cannot connect to ${server.origin}: ${reason}.`,
      hint: expect.stringContaining('Give one with --client-cert FILE and --client-key FILE'),
    });
    expect(server.requests).toEqual([]);
  });

  it('fails if the server closes the connection on its client certificate', async () => {
    const server = await gateway();
    const client = { origin: server.origin, identity: await identityOf(stranger) };
    const { exchange } = await openWire({ caFile, client, retries: 0, ...pooled });
    const message = expect.stringContaining('connection was closed');
    expect(await ending(exchange, get(server.origin))).toEqual({ kind: 'unavailable', message, hint: checkClient });
  });
});

it.each([
  ['TLSV1_ALERT_UNKNOWN_CA', 'unknown ca'],
  ['SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'certificate expired'],
  ['SSLV3_ALERT_BAD_CERTIFICATE', 'bad certificate'],
])('the TLS alert %s means that the client certificate is not accepted', (code, word) => {
  const refused = new ConnectionLost('response', `ERR_SSL_${code}`, { client: true });
  expect(connectionFailure(refused, 'https://platform.test', '30 s', !neverSent(refused))).toMatchObject({
    message: `Cannot connect to https://platform.test: it does not accept the client certificate (${word}).`,
    facts: { hint: checkClient },
  });
  // Go's servers have this for no certificate at all.
  const none = new ConnectionLost('tls', `ERR_SSL_${code}`, {});
  expect(connectionFailure(none, 'https://platform.test', '30 s')).toMatchObject({
    message: expect.stringContaining('asks for'),
  });
});

it('a client certificate works with the authorities of the system', async () => {
  const server = await gateway();
  const identity = await identityOf(client);
  const env = { SSL_CERT_FILE: caFile };
  const { exchange } = await openWire({ env, client: { origin: server.origin, identity } });
  expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200, text: '"line-3"' });
});

const der = () => Buffer.from(client.cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
const together = 'Give the certificate and the key that were issued together';
const useful = 'Give the file of its key with --client-key FILE';
const passphrases =
  'Set IIOT_CLIENT_KEY_PASSPHRASE, or IIOT_CLIENT_KEY_PASSPHRASE_FILE to the path of a file that holds it';
const wrongPassphrase = 'Check IIOT_CLIENT_KEY_PASSPHRASE, or what you typed';

const inPem = expect.stringMatching(/PEM/);
const closed = 'is encrypted, and no passphrase was given.';
const broken = (pem: string) => pem.replace(/\n[A-Za-z0-9]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
const { cert, key } = client;
const isDer = 'is a certificate in DER format; it must be PEM, or PKCS#12 with its key.';
const isOther = 'The key in --client-key KEY does not belong to the certificate in --client-cert CERT.';
const old = serverPair(ours, { hash: 'sha1' });
const isOld = expect.stringMatching(/^The certificate in --client-cert CERT is signed with SHA-1/);
const convert = 'Convert it to PEM: openssl x509 -inform der -in CERT';
const inPkcs12 = pkcs12(client, passphrase);
const notOpened = 'The passphrase does not open';
const another = 'Ask the operator of the gateway for a new one';
const noKeyInKey = '--client-key KEY holds no private key in PEM format.';

const wrong: readonly (readonly [string, Written, string, string, PassphraseSource?])[] = [
  ['no key', { cert }, '--client-cert CERT holds no private key.', useful],
  ['no certificate', { cert: key }, '--client-cert CERT holds no certificate.', 'Is this the key file?'],
  ['a key file without a key', { cert, key: cert }, noKeyInKey, 'Convert a DER key with: openssl pkey -inform der'],
  ['the key of another certificate', { cert, key: stranger.key }, isOther, together],
  ['a broken key', { cert, key: broken(key) }, 'The private key in --client-key KEY cannot be read.', inPem],
  ['a broken file', { cert: broken(cert), key }, 'The certificate in --client-cert CERT cannot be read.', inPem],
  ['a key without its passphrase', { cert, key: protectedKey }, `--client-key KEY ${closed}`, passphrases],
  ['another passphrase', { cert, key: protectedKey }, `${notOpened} --client-key KEY.`, wrongPassphrase, other],
  ['no passphrase for PKCS#12', { cert: inPkcs12 }, `--client-cert CERT ${closed}`, passphrases],
  ['another passphrase for PKCS#12', { cert: inPkcs12 }, `${notOpened} --client-cert CERT.`, wrongPassphrase, other],
  ['a file in DER format', { cert: der() }, `--client-cert CERT ${isDer}`, convert],
  ['a signature by SHA-1', old, isOld, another],
  ['a signature by SHA-1 in PKCS#12', { cert: pkcs12(old, passphrase) }, isOld, another, known],
  ['other content', { cert: 'a word' }, '--client-cert CERT is neither PEM nor PKCS#12.', 'Export it again'],
];

it.for(wrong)(
  'a client certificate with %s is refused without showing its content',
  async ([, written, sentence, hint, source = none]) => {
    const failure = await identityOf(written, source).catch((error: unknown) => error);
    if (!(failure instanceof Failure)) throw failure;
    const plain = (text = '') => text.replaceAll(`${folder}/client.key`, 'KEY').replaceAll(`${folder}/client`, 'CERT');
    expect([failure.kind, plain(failure.message), plain(failure.facts.hint)]).toEqual(['usage', sentence, hint]);
    expect(JSON.stringify([failure, failure.stack, failure.cause])).not.toMatch(/CANARY|BEGIN/);
  },
);

it('a missing file of a client certificate is refused', async () => {
  const missing = { cert: named('/nowhere/client.pem', 'IIOT_CLIENT_CERT') };
  await expect(openIdentity(missing, none)).rejects.toThrow(
    'The file /nowhere/client.pem (from IIOT_CLIENT_CERT) does not exist.',
  );
});

it('a client certificate without encryption asks for no passphrase', async () => {
  const source = () => Promise.reject(new Error('It asked.'));
  for (const written of [client, { cert: pkcs12(client, '') }])
    await expect(identityOf(written, source)).resolves.toBeDefined();
});

it('a client certificate does not hinder a request over http', async () => {
  const server = await keep(rawServer(always(200, '[]')));
  const identity = await identityOf(client);
  const { exchange } = await openWire({ client: { origin: server.origin, identity } });
  expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
});
