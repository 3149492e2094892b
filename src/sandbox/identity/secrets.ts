import { createHash, createHmac } from 'node:crypto';

/** Makes and signs what nobody may guess. With a random key nobody can; with a key that a test chose, every run is the same. */
export type Secrets = {
  /** A new text of 43 characters (256 bits), never the same twice. */
  text(): string;
  /** HMAC-SHA256 in base64url. */
  sign(text: string): string;
};

export function createSecrets(key: Uint8Array | string): Secrets {
  let count = 0;
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  // A signed text of ours always holds a dot, so no signature is ever such a secret.
  return { text: () => sign(`secret ${count++}`), sign };
}

/** What is kept of a secret: enough to recognise it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
