import { createHash, createHmac } from 'node:crypto';

/** Makes and signs secrets. They are unpredictable with a random key, and reproducible with a key chosen by a test. */
export type Secrets = {
  /** A new text of 43 characters (256 bits), never the same twice. */
  text(): string;
  /** HMAC-SHA256 in base64url. */
  sign(text: string): string;
};

export function createSecrets(key: Uint8Array | string): Secrets {
  let count = 0;
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  // Texts signed elsewhere always contain a dot, so no signature ever equals such a secret.
  return { text: () => sign(`secret ${count++}`), sign };
}

/** The stored form of a secret: enough to recognize it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
