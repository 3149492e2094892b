/** Throw-away certificates: handwritten X.509 (RFC 5280), just enough for TLS. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

type Identity = { readonly name: string; readonly key: KeyObject; readonly certificate: string };
export type Pair = { readonly key: string; readonly cert: string };

export type Wanted = {
  /** The host names and addresses of the certificate. */
  readonly hosts?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
  /** What its signature hashes with; sha256 by default. */
  readonly hash?: 'sha1';
};

const day = 86_400_000;

/** A new authority: the certificate to trust, and the key that signs others. */
export function authority(name = 'Throw-away Authority'): Identity {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const basic = extension('2.5.29.19', sequence(Buffer.from([0x01, 0x01, 0xff])), true);
  const certificate = issue({ name, key: privateKey }, { name, key: privateKey }, {}, basic);
  return { name, key: privateKey, certificate };
}

/** The key and certificate of a server, by default for 127.0.0.1 and localhost, signed by an authority. */
export function serverPair(issuer: Identity, wanted: Wanted = {}, name = 'server.test'): Pair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return pairOf(privateKey, issue({ name, key: privateKey }, issuer, wanted, alternatives(wanted)));
}

/** A self-signed certificate. */
export function selfSignedPair(wanted: Wanted = {}, name = 'alone.test'): Pair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = { name, key: privateKey };
  return pairOf(privateKey, issue(own, own, wanted, alternatives(wanted)));
}

function pairOf(key: KeyObject, cert: string): Pair {
  return { key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

function alternatives({ hosts = ['127.0.0.1', 'localhost'] }: Wanted): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  );
  return extension('2.5.29.17', sequence(...names), false);
}

type Named = { readonly name: string; readonly key: KeyObject };

function issue(subject: Named, issuer: Named, { from, until, hash }: Wanted, extensions: Buffer): string {
  const algorithm = sequence(identifier(hash ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2')); // ecdsa-with-SHA1, -SHA256
  const validity = sequence(time(from ?? new Date(Date.now() - day)), time(until ?? new Date(Date.now() + 30 * day)));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const version = tagged(0xa0, tagged(0x02, Buffer.from([2])));
  const publicKey = createPrivateKey(subject.key.export({ type: 'pkcs8', format: 'pem' }));
  const body = sequence(
    version,
    serial,
    algorithm,
    distinguished(issuer.name),
    validity,
    distinguished(subject.name),
    publicKeyOf(publicKey),
    tagged(0xa3, sequence(extensions)),
  );
  const signature = bits(sign(hash ?? 'sha256', body, issuer.key));
  const pem = sequence(body, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`;
}

function publicKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return sequence(sequence(identifier('1.2.840.10045.2.1'), identifier('1.2.840.10045.3.1.7')), bits(point));
}

function distinguished(name: string): Buffer {
  return sequence(tagged(0x31, sequence(identifier('2.5.4.3'), tagged(0x0c, Buffer.from(name)))));
}

function extension(id: string, value: Buffer, critical: boolean): Buffer {
  const mark = critical ? [Buffer.from([0x01, 0x01, 0xff])] : [];
  return sequence(identifier(id), ...mark, tagged(0x04, value));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text));
}

function bits(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

export function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
