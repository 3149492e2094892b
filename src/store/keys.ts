/** Names that do not reveal what they stand for. In a file of their own, so that a command that needs none does not load node:crypto. */
import { createHash } from 'node:crypto';

/**
 * The name under which the token of client credentials from the environment is cached: 64 hexadecimal digits, others for another base URL, client or
 * secret.
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
