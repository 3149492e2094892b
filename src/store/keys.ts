/** Names for files and locks that do not reveal what they stand for. In a separate file, so that calls without hashing do not load it. */
import { createHash } from 'node:crypto';

/**
 * The name under which the token of client credentials from the environment is cached: 64 hexadecimal digits that reveal nothing. It changes with the
 * base URL, the client, and the secret.
 */
export function machineTokenKey(base: string, clientId: string, clientSecret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([base, clientId, clientSecret]))
    .digest('hex');
}

/** The file name of the lock for a login: valid on every file system, whatever the name is. */
export function loginLockKey(name: string): string {
  return `login-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}
