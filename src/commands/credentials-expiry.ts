import { readExpiry, utc } from '../time.ts';

const zoned = /([zZ]|[+-]\d{2}:?\d{2})$/;

/** The expiry that --expires means, as it is sent; null for "never". @throws usage */
export function expiryOf(word: string | null | undefined, now: number): string | null | undefined {
  if (word === undefined || word === null) return word;
  return word === 'never' ? null : readExpiry(word, '--expires', now);
}

/**
 * When a listed credential expires, in epoch milliseconds: "timestamp (ISO 8601, UTC)", so that a time without a zone is UTC. Undefined for one that
 * never does, and for what is no time.
 */
export function expiresAt(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(zoned.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The expiry of one credential for another, as it is sent: null for never, undefined for what cannot be read. */
export function sameExpiry(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  const time = expiresAt(value);
  return time === undefined ? undefined : utc(time);
}
