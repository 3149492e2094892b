/** Throw-away PKCS#12 files (RFC 7292), handwritten: one key and its certificate, protected by a passphrase. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { identifier, type Pair, sequence, tagged } from './certificates.ts';

/** The key is not encrypted; the passphrase only protects the file against changes, but no reader opens it without. */
export function pkcs12({ key, cert }: Pair, passphrase: string): Buffer {
  const bags = sequence(
    bag('1.2.840.113549.1.12.10.1.1', bytesOf(key)),
    bag('1.2.840.113549.1.12.10.1.3', sequence(identifier('1.2.840.113549.1.9.22.1'), inside(octets(bytesOf(cert))))),
  );
  const safe = sequence(dataOf(bags));
  return sequence(integer(3), dataOf(safe), integrity(safe, passphrase));
}

function integrity(content: Buffer, passphrase: string): Buffer {
  const salt = randomBytes(8);
  const mac = createHmac('sha256', macKey(passphrase, salt)).update(content).digest();
  const algorithm = sequence(identifier('2.16.840.1.101.3.4.2.1'), tagged(0x05, Buffer.alloc(0))); // SHA-256
  return sequence(sequence(algorithm, octets(mac)), octets(salt), integer(1));
}

// RFC 7292 B.2 for one round and one block, which is all that this key needs.
function macKey(passphrase: string, salt: Buffer): Buffer {
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  return createHash('sha256').update(Buffer.alloc(64, 3)).update(filled(salt)).update(filled(password)).digest();
}

function filled(bytes: Buffer): Buffer {
  return Buffer.alloc(64 * Math.ceil(bytes.length / 64), bytes);
}

function dataOf(content: Buffer): Buffer {
  return sequence(identifier('1.2.840.113549.1.7.1'), inside(octets(content)));
}

function bag(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), inside(value));
}

function inside(content: Buffer): Buffer {
  return tagged(0xa0, content);
}

function octets(content: Buffer): Buffer {
  return tagged(0x04, content);
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]));
}

function bytesOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}
