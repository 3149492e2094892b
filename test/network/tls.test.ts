import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import tls, { type TlsOptions } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readSystemAuthorities } from '../../src/network/authorities.ts';
import { peerCertificate } from '../../src/network/certificate.ts';
import { openNetwork } from '../../src/network/network.ts';
import { weaknessOf } from '../../src/network/weak-certificate.ts';
import { change, ending, folderWith, get, openWire } from '../http/wire.ts';
import { authority, selfSignedPair, serverPair, type Wanted } from '../support/certificates.ts';
import { failureOf } from '../support/failing.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { always, answerText, greetingServer, type RawServer, rawServer } from '../support/raw-server.ts';

const ours = authority('Factory Authority');
const others = authority('Somebody Else');
const plant = authority('Plant Root');
const past: Wanted = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2021-03-04T05:06:07Z') };
const future: Wanted = { from: new Date('2044-01-02T03:04:05Z'), until: new Date('2045-01-01T00:00:00Z') };

const { folder, file, caFile } = folderWith(ours.certificate);
/** The system of a machine on which one more authority is installed. */
const system = { SSL_CERT_FILE: file('system.pem', plant.certificate) };
/** One that knows no authorities. */
const empty = { SSL_CERT_FILE: '/dev/null' };
const keep = closedAfterEach();
/** Without options it speaks HTTP, and answers whatever it hears. */
function serve(options: TlsOptions | undefined): Promise<RawServer> {
  const plain = (socket: Socket) => socket.on('data', () => socket.end(answerText(400, 'Bad Request')));
  return keep(options ? rawServer(always(200, '[]'), options) : greetingServer(plain));
}

const unknownAuthority =
  'If this authority is yours, install its certificate on this machine or name it with --ca-file FILE; checking cannot be switched off. ';
const lookedIn = "Looked in: Node's own list, --ca-file CA, SYSTEM. See iiot doctor";
const authorityHint = unknownAuthority + lookedIn;
const leafHint = `${unknownAuthority}If it is a public one, the server leaves out an intermediate certificate. ${lookedIn}`;
const clockHint = "Check this machine's clock; if it is right, the platform needs a new certificate";
const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;

const unknown = 'its certificate comes from an authority that this machine does not trust (issued by Somebody Else)';
const expired = 'its certificate has expired, on 2021-03-04 (issued by Factory Authority)';
const early = 'its certificate is not valid yet, only from 2044-01-02 on (issued by Factory Authority)';
const misnamed = 'its certificate is for another name: other.test, 10.1.2.3 (issued by Factory Authority)';
const signedBadly = 'is signed with SHA-1 or MD5, or one above it is';
const weak = `its certificate ${signedBadly} (issued by Factory Authority)`;
const stronger = 'The platform needs a new certificate, signed with SHA-256 and with a key of 2048 bits or more';
const tooOld = 'it speaks only versions of TLS that are no longer safe';
const beside = () => {
  const pair = serverPair(others);
  return { ...pair, cert: pair.cert + others.certificate };
};

const otherName: Wanted = { hosts: ['other.test', '10.1.2.3'] };
const sha1 = () => ({ ...serverPair(ours, { hash: 'sha1' }), ciphers: 'ALL:@SECLEVEL=0' });
const newer = 'The platform must offer TLS 1.2 or newer';
const notTls = 'it does not speak TLS';
const useHttp = 'Check whether the base URL should start with http://';
const refused: readonly (readonly [string, () => TlsOptions | undefined, string, string])[] = [
  ['a self-signed certificate', () => selfSignedPair(), 'its certificate is self-signed (alone.test)', authorityHint],
  ['a certificate of an unknown authority', () => serverPair(others), unknown, leafHint],
  ['a certificate and its unknown authority', beside, unknown, authorityHint],
  ['an expired certificate', () => serverPair(ours, past), expired, clockHint],
  ['a certificate that is not valid yet', () => serverPair(ours, future), early, clockHint],
  ['a certificate for another name', () => serverPair(ours, otherName), misnamed, 'Check the base URL'],
  ['a certificate signed with SHA-1', sha1, weak, stronger],
  ['an old version of TLS', () => ({ ...serverPair(ours), ...oldTls }), tooOld, newer],
  ['http in place of TLS', () => undefined, notTls, useHttp],
];

describe.each([
  ['a single request', {}],
  ['a request of an import', { connections: 2 }],
])('%s', (how, pooled) => {
  it.each(refused)('sends nothing to a server with %s', async (_, options, reason, hint) => {
    const server = await serve(options());
    const origin = `https://127.0.0.1:${server.port}`;
    const { exchange, waits } = await openWire({ caFile, env: system, ...pooled });
    const request = { ...change('POST', origin), headers: { authorization: 'Bearer secret-word' } };
    expect({ ...(await ending(exchange, request)), waits }).toEqual({
      kind: 'unavailable',
      message: `Cannot connect to ${origin}: ${reason}.`,
      hint: expect.stringContaining(hint.replace('CA', caFile).replace('SYSTEM', system.SSL_CERT_FILE)),
      waits: [],
    });
    expect(server.requests.join()).not.toContain('secret-word');
  });

  it('trusts the authorities of --ca-file', async () => {
    const server = await serve(serverPair(ours));
    const { exchange } = await openWire({ caFile, ...pooled });
    for (const origin of [server.origin, `https://localhost:${server.port}`])
      expect(await ending(exchange, get(origin))).toEqual({ status: 200, text: '[]', earlier: 'none' });
  });

  it('trusts the authorities of the system', async () => {
    const server = await serve(serverPair(plant));
    const { exchange } = await openWire({ env: system, ...pooled });
    expect(await ending(exchange, get(server.origin))).toEqual({ status: 200, text: '[]', earlier: 'none' });
    // The first was refused; what came then was trusted from the start, and kept.
    expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
    if (how === 'a single request') expect(server.connections()).toBe(2);
  });

  it('trusts the authorities of a file and of the system at once', async () => {
    const { exchange } = await openWire({ caFile, env: system, ...pooled });
    for (const issuer of [ours, plant, ours]) {
      const server = await serve(serverPair(issuer));
      expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
    }
  });

  it('trusts a self-signed certificate that the system trusts', async () => {
    const alone = selfSignedPair();
    const server = await serve(alone);
    const { exchange } = await openWire({ env: { SSL_CERT_FILE: file('alone.pem', alone.cert) }, ...pooled });
    expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
  });
});

it.each([
  [['CA signature digest algorithm too weak', 'error:0A00018E:SSL routines::ca md too weak'], signedBadly],
  [
    ['EE certificate key too weak', 'error:0A00018F:SSL routines::ee key too small'],
    'has a key that is too short to be safe',
  ],
  [
    ['CA certificate key too weak', 'error:0A00018D:SSL routines::ca key too small'],
    'has one above it whose key is too short to be safe',
  ],
  [['certificate has expired'], 'is not weak'],
])('OpenSSL errors such as %j mean that the certificate %s', (errors, weakness) => {
  for (const error of errors) expect(weaknessOf(new Error(error)) ?? 'is not weak').toBe(weakness);
});

it('a POST is repeated if the TLS handshake is aborted', async () => {
  const server = await keep(greetingServer((socket) => socket.on('data', () => socket.resetAndDestroy())));
  const origin = `https://127.0.0.1:${server.port}`;
  const { exchange } = await openWire();
  expect({ ...(await ending(exchange, change('POST', origin))), connections: server.connections() }).toMatchObject({
    kind: 'unavailable',
    message: `Cannot connect to ${origin}: the TLS handshake was aborted.`,
    connections: 4,
  });
});

it('authorities of NODE_EXTRA_CA_CERTS are trusted beside those of a file', async () => {
  const server = await serve(serverPair(others));
  const NODE_EXTRA_CA_CERTS = file('extra.pem', others.certificate);
  const { exchange } = await openWire({ caFile, env: { NODE_EXTRA_CA_CERTS } });
  expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
});

it('an expired certificate is not tried again with the authorities of the system', async () => {
  const server = await serve(serverPair(ours, past));
  const { exchange } = await openWire({ caFile, env: system, retries: 0 });
  await ending(exchange, get(server.origin));
  // One handshake, and one to look at the certificate.
  expect(server.connections()).toBe(2);
});

it('a 401 that asks for Basic or NTLM gets no credentials', async () => {
  const server = await keep(
    rawServer(always(401, '', ['WWW-Authenticate: Basic realm="x"', 'WWW-Authenticate: NTLM'])),
  );
  const { exchange } = await openWire();
  expect(await ending(exchange, get(server.origin))).toEqual({ status: 401, text: '', earlier: 'none' });
  expect(server.requests.join()).not.toMatch(/authorization/i);
});

it('authorities are read from SSL_CERT_DIR beside files of other kinds', async () => {
  const SSL_CERT_DIR = join(folder, 'authorities');
  await mkdir(join(SSL_CERT_DIR, 'a-folder'), { recursive: true });
  file('authorities/README', 'no certificate');
  file('authorities/1f2e3d4c.0', plant.certificate);
  await symlink('/nowhere', join(SSL_CERT_DIR, 'dangling.pem'));
  const found = await readSystemAuthorities({ ...empty, SSL_CERT_DIR: `${folder}/none:${SSL_CERT_DIR}` }, 'linux');
  expect(found).toEqual({
    certificates: [plant.certificate.trim()],
    places: [empty.SSL_CERT_FILE, `${folder}/none:${SSL_CERT_DIR}`],
  });
});

it('SSL_CERT_DIR is split at semicolons on Windows', async () => {
  await mkdir(join(folder, 'colon:here'));
  file('colon:here/plant.pem', plant.certificate);
  const { certificates } = await readSystemAuthorities({ SSL_CERT_DIR: `C:\\none;${folder}/colon:here` }, 'win32');
  expect(certificates).toContain(plant.certificate.trim());
});

it('the bundle of the distribution is read if no variable names another', async () => {
  const { certificates, places } = await readSystemAuthorities({}, 'linux');
  // A container may have none.
  expect(places.length).toBe(certificates.length > 0 ? 1 : 0);
});

it.skipIf('getCACertificates' in tls)('the stores of Windows and macOS need Node 22.15 or newer', async () => {
  for (const platform of ['win32', 'darwin'] as const)
    expect(await readSystemAuthorities({}, platform)).toEqual({
      certificates: [],
      places: ["not in the system's store, for which Node 22.15 or newer is needed"],
    });
});

const pem = () => ours.certificate;
const key = () => serverPair(ours).key;
const none = '--ca-file FILE holds no certificate in PEM format.';
const der = 'Convert a DER file with: openssl x509 -inform der';
const isKey = '--ca-file FILE holds a private key.';
const noKeys = 'Give a file with only certificates, and keep the key private';
const broken = () => pem() + pem().replace(/\n[A-Za-z0-9]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
const wrongFiles: readonly (readonly [string, (() => string | Buffer) | undefined, string, string])[] = [
  ['that does not exist', undefined, '--ca-file FILE does not exist.', 'Give a PEM file of certificates'],
  ['that is empty', () => '', none, der],
  ['in DER format', () => Buffer.from(pem().replace(/-----[^-]+-----|\n/g, ''), 'base64'), none, der],
  ['with a private key', () => key(), isKey, noKeys],
  ['with a certificate and a private key', () => pem() + key(), isKey, noKeys],
  [
    'with a broken second certificate',
    broken,
    'Certificate 2 of --ca-file FILE cannot be read.',
    'Export it again, in PEM format',
  ],
];

it.each(wrongFiles)('a --ca-file %s is refused', async (_, content, sentence, hint) => {
  const value = content ? file('wrong.pem', content()) : join(folder, 'missing.pem');
  const failure = await failureOf(openNetwork({ env: {}, caFile: { value, from: '--ca-file' } }));
  const message = failure.message.replace(value, 'FILE');
  expect({ ...failure, message }).toEqual({ kind: 'usage', message: sentence, hint });
});

it('a folder in IIOT_CA_FILE is refused', async () => {
  const failure = await failureOf(openNetwork({ env: {}, caFile: { value: folder, from: 'IIOT_CA_FILE' } }));
  expect(failure).toMatchObject({
    kind: 'usage',
    message: `The file ${folder} (from IIOT_CA_FILE) cannot be read: it is a folder.`,
  });
});

it('a --ca-file may hold several authorities and comments', async () => {
  const text = `# ours\r\n${others.certificate}\nand\n${ours.certificate.replaceAll('\n', '\r\n')}`;
  const server = await serve(serverPair(ours));
  const { exchange } = await openWire({ caFile: file('many.pem', text) });
  expect(await ending(exchange, get(server.origin))).toMatchObject({ status: 200 });
});

it('a certificate that is not trusted is described without a request', async () => {
  const until = new Date('2044-11-11T11:00:00Z');
  const server = await serve(
    serverPair(ours, { from: new Date('2020-10-01T00:00:00Z'), until, hosts: ['127.0.0.1', 'a.test'] }),
  );
  const seen = {
    subject: 'server.test',
    issuer: 'Factory Authority',
    validFrom: '2020-10-01T00:00:00.000Z',
    validTo: '2044-11-11T11:00:00.000Z',
    names: ['127.0.0.1', 'a.test'],
  };
  const socket = tls.connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  expect(peerCertificate(socket)).toEqual(seen);
  socket.destroy();
  expect(server.requests).toEqual([]);
});
