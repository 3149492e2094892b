import { usage } from '../failure.ts';
import { isLost } from './environment.ts';
import { decodeUtf8 } from './utf8.ts';

/** In bytes. */
export const largestSecret = 64 * 1024;

/**
 * A given secret without the byte order mark and the line end that editors and shells add.
 * @param name begins the sentence
 * @throws usage for a text that cannot be the secret: sending it could lock the account
 */
export function secretIn(given: string | Buffer, name: string): string {
  const text = typeof given === 'string' ? given : decodeUtf8(given, 'keep');
  const secret = text?.replace(/^\ufeff/, '').replace(/\r?\n$|\r$/, '');
  const hint = 'Save it as UTF-8, on one line';
  if (secret === undefined || isLost(secret)) throw usage(`${name} is not UTF-8 text.`, hint);
  if (secret.includes('\0')) throw usage(`${name} holds NUL characters, as UTF-16 does.`, hint);
  if (/^[\r\n]|[\r\n]$/.test(secret)) throw usage(`${name} begins with a line end, or ends with several.`, hint);
  return secret;
}
