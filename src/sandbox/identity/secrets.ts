import { createHash, createHmac } from 'node:crypto';
import type { SandboxClock } from '../world/world.ts';

export type Secrets = {
  /** A new text of 43 characters (256 bits), never the same twice: texts signed elsewhere always contain a dot. */
  text(): string;
  sign(text: string): string;
};

/** Makes and signs secrets. They are unpredictable with a random key, and reproducible with a key chosen by a test. */
export function createSecrets(key: Uint8Array | string): Secrets {
  let count = 0;
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const text = () => sign(`secret ${count++}`);
  return { text, sign };
}

/** The stored form of a secret: enough to recognize it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** The claims of an access token. Times are in seconds since 1970, as in RFC 7519. */
export type Claims = {
  readonly [name: string]: unknown;
  readonly tenantid: string;
  /** If absent, the token does not expire. */
  readonly exp?: number;
  /** The login of a user's token. */
  readonly sid?: string;
  readonly client_credential_id?: string;
};

const header = encode({ alg: 'HS256', typ: 'JWT' });

export function issueToken(secrets: Secrets, claims: Claims): string {
  const signed = `${header}.${encode(claims)}`;
  return `${signed}.${secrets.sign(signed)}`;
}

/** The claims of a token that this platform has signed and that has not expired; otherwise undefined. */
export function readToken(secrets: Secrets, clock: SandboxClock, token: string): Claims | undefined {
  const end = token.lastIndexOf('.');
  if (!token.startsWith(`${header}.`) || end <= header.length) return undefined;
  if (secrets.sign(token.slice(0, end)) !== token.slice(end + 1)) return undefined;
  const text = Buffer.from(token.slice(header.length + 1, end), 'base64url').toString();
  const claims = JSON.parse(text) as Claims; // our own signature, so also our own claims
  return claims.exp === undefined || clock.now() < claims.exp * 1000 ? claims : undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
