/** TLS as the built program meets it: whose certificate is taken, why another is not, and what a file of authorities may hold. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { authority, selfSignedPair, serverPair } from '../support/certificates.ts';
import { closedAfterEach } from '../support/fixtures.ts';
import { homeForEach } from '../support/home.ts';
import { always, answerText, greetingServer, type RawServer, rawServer } from '../support/raw-server.ts';
import { guarded, secrets, users } from './guarded.ts';

const ours = authority('Factory Authority');
const others = authority('Somebody Else');
const home = homeForEach();
const keep = closedAfterEach();
let caFile: string;
beforeEach(() => {
  caFile = home.file('ca.pem', ours.certificate);
});

const list = ['orgs', 'users', 'list', '--retries', '0'];
const speaking = (options: TlsOptions) => rawServer(always(200, users), options);
const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('a platform whose TLS is', () => {
  const unknown =
    'hint: If this authority is yours, install its certificate on this machine or name it with --ca-file FILE; checking cannot be switched off. ';
  const looked = "Looked in: Node's own list, --ca-file CA, /dev/null. See iiot doctor";
  const leafAlone = `${unknown}If it is a public one, the server leaves out an intermediate certificate. ${looked}`;
  const clock = "hint: Check this machine's clock; if it is right, the platform needs a new certificate";
  const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
  const plainHttp = (socket: Socket) => socket.on('data', () => socket.end(answerText(400, 'Bad Request')));

  it.each<[string, () => Promise<RawServer>, string, string]>([
    ['self-signed', () => speaking(selfSignedPair()), 'its certificate is self-signed (alone.test)', unknown + looked],
    [
      'for another name',
      () => speaking(serverPair(ours, { hosts: ['other.test'] })),
      'its certificate is for another name: other.test (issued by Factory Authority)',
      'hint: Check the base URL: iiot profiles show --origin',
    ],
    [
      'expired',
      () => speaking(serverPair(ours, { from: day('2020-01-01'), until: day('2021-03-04') })),
      'its certificate has expired, on 2021-03-04 (issued by Factory Authority)',
      clock,
    ],
    [
      'not yet valid, as to a wrong clock',
      () => speaking(serverPair(ours, { from: day('2044-01-02'), until: day('2045-01-01') })),
      'its certificate is not valid yet, only from 2044-01-02 on (issued by Factory Authority)',
      clock,
    ],
    [
      'of an authority nobody here knows',
      () => speaking(serverPair(others)),
      'its certificate comes from an authority that this machine does not trust (issued by Somebody Else)',
      leafAlone,
    ],
    [
      'too old',
      () => speaking({ ...serverPair(ours), ...oldTls }),
      'it speaks only versions of TLS that are no longer safe',
      'hint: The platform has to offer TLS 1.2 or newer',
    ],
    [
      'plain http',
      () => greetingServer(plainHttp),
      'it does not speak TLS',
      'hint: Check whether the base URL should start with http://',
    ],
    [
      'reset in the handshake',
      () => greetingServer((socket) => socket.on('data', () => socket.resetAndDestroy())),
      'the TLS handshake was aborted',
      'hint: To find the cause, run: iiot doctor',
    ],
  ])('%s gets nothing, and the reason is said', async (_, open, reason, hint) => {
    const server = await keep(open());
    const base = `https://127.0.0.1:${server.port}`;
    // No switch of Node's helps.
    const env = { IIOT_BASE_URL: base, NODE_TLS_REJECT_UNAUTHORIZED: '0', SSL_CERT_FILE: '/dev/null' };
    const { exit, stdout, stderr } = await guarded([...list, '--ca-file', caFile], { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 8,
      stdout: '',
      stderr: `error: Cannot connect to ${base}: ${reason}.\n${hint.replace('CA', caFile)}\n`,
    });
    expect(server.requests).toEqual([]);
  });

  it('stalled in the handshake ends at --timeout', async () => {
    const server = await keep(greetingServer(() => undefined));
    const base = `https://127.0.0.1:${server.port}`;
    const { exit, stderr, took } = await guarded([...list, '--timeout', '1s', '--debug'], {
      env: { IIOT_BASE_URL: base },
    });
    expect(exit).toBe(8);
    expect(stderr).toContain(`error: No connection to ${base} within 1 s: the TLS handshake did not finish.\n`);
    expect(took).toBeGreaterThan(990);
  });

  it('asking for a client certificate, of which there is none, names the option', async () => {
    const asking = { requestCert: true, rejectUnauthorized: true, ca: ours.certificate };
    const server = await keep(speaking({ ...serverPair(ours), ...asking }));
    const { exit, stderr } = await guarded([...list, '--ca-file', caFile], { env: { IIOT_BASE_URL: server.origin } });
    expect([exit, stderr]).toEqual([
      8,
      `error: Cannot connect to ${server.origin}: it asks for a client certificate.\nhint: Give one with --client-cert FILE and --client-key FILE\n`,
    ]);
  });
});

it.each(['Basic realm="factory"', 'NTLM', 'Negotiate', 'Digest realm="f", nonce="n"'])(
  'a challenge for other credentials (%s) is answered with none',
  async (challenge) => {
    const server = await keep(rawServer(always(401, '', [`WWW-Authenticate: ${challenge}`])));
    const env = { IIOT_BASE_URL: server.origin, IIOT_ACCOUNT: 'ada@factory.example', IIOT_PASSWORD: secrets.password };
    expect((await guarded(list, { env })).exit).toBe(3);
    const sent = server.requests.map((request) => /^authorization: (\w+)/im.exec(request)?.[1]);
    expect(sent).toEqual(['Bearer']);
  },
);

describe('--ca-file', () => {
  const pem = () => ours.certificate;
  const der = () => Buffer.from(pem().replace(/-----[^-]+-----|\n/g, ''), 'base64');
  const { key } = serverPair(ours);
  const usable = 'hint: Give a PEM file of certificates';

  it.each<[string, (() => string | Buffer) | undefined, string, string]>([
    ['that is missing', undefined, 'error: --ca-file FILE does not exist.', usable],
    [
      'that is empty',
      () => '',
      'error: --ca-file FILE holds no certificate in PEM format.',
      'hint: Convert a DER file with: openssl x509 -inform der',
    ],
    [
      'that is DER',
      der,
      'error: --ca-file FILE holds no certificate in PEM format.',
      'hint: Convert a DER file with: openssl x509 -inform der',
    ],
    [
      'that holds a private key',
      () => pem() + key,
      'error: --ca-file FILE holds a private key.',
      'hint: Give a file with only certificates, and keep the key private',
    ],
    [
      'whose second certificate is broken',
      () => pem() + pem().replace(/\n[A-Za-z0-9]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'),
      'error: Certificate 2 of --ca-file FILE cannot be read.',
      'hint: Export it again, in PEM format',
    ],
  ])('%s is refused before anything is sent', async (_, content, sentence, hint) => {
    const server = await keep(rawServer(always(200, users)));
    const path = content ? home.file('wrong.pem', content()) : home.at('none.pem');
    const { exit, stdout, stderr } = await guarded([...list, '--ca-file', path], {
      env: { IIOT_BASE_URL: server.origin },
    });
    expect({ exit, stdout, stderr: stderr.replace(path, 'FILE') }).toEqual({
      exit: 2,
      stdout: '',
      stderr: `${sentence}\n${hint}\n`,
    });
    expect(server.connections()).toBe(0);
  });

  it.each(['a pipe', 'a folder', 'an endless device'])('that is %s is refused at once', async (what) => {
    const path = what === 'an endless device' ? '/dev/zero' : home.at(what.replace(' ', '-'));
    if (what === 'a pipe') spawnSync('mkfifo', [path]);
    if (what === 'a folder') mkdirSync(path);
    const { exit, stderr } = await guarded([...list, '--ca-file', path], {
      env: { IIOT_BASE_URL: 'https://127.0.0.1:1' },
    });
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: --ca-file .* (cannot be read|holds no certificate)/),
    ]);
  });

  it('with many certificates adds them to those of Node and of NODE_EXTRA_CA_CERTS', async () => {
    const many = home.file(
      'many.pem',
      [...Array.from({ length: 20 }, () => authority().certificate), pem()].join('\n'),
    );
    const extra = home.file('extra.pem', others.certificate);
    for (const issuer of [ours, others]) {
      const server = await keep(speaking(serverPair(issuer)));
      const env = { IIOT_BASE_URL: server.origin, NODE_EXTRA_CA_CERTS: extra };
      const { exit, stderr } = await guarded([...list, '-o', 'id', '--ca-file', many], { env });
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    }
  });
});
