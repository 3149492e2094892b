/** Names in files and locks that tell nothing of what they stand for. Apart from the rest: hashing costs a call that needs none of it. */
import { createHash } from 'node:crypto';

/**
 * The name under which the token of client credentials from the environment is kept: 64 hexadecimal digits that tell nothing. Another
 * origin, another client or a rotated secret gives another name.
 */
export function machineTokenKey(origin: string, clientId: string, clientSecret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([origin, clientId, clientSecret]))
    .digest('hex');
}

/** The file name of the lock for a login: safe on every file system, whatever the name is. */
export function loginLockKey(name: string): string {
  return `login-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}
