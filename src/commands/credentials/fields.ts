import { readExpiry, toUtc } from '../../command/time.ts';
import type { Column } from '../../output/result.ts';
import { type JsonRecord, memberOf } from '../../text/record.ts';
import { soundsSecret } from '../../text/secret-names.ts';
import { recordOf } from '../update.ts';

/** The identifying fields of a client credential; a platform may spell their names differently from the interface. */
export type CredentialFacts = {
  readonly id: string | undefined;
  readonly clientId: string | undefined;
  readonly name: string | undefined;
  readonly createdAt: string | undefined;
};

export const credentialColumns: readonly Column[] = [
  { field: 'clientCredentialId', header: 'CREDENTIAL ID', keep: 'whole' },
  { field: 'name', header: 'NAME' },
  { field: 'clientId', header: 'CLIENT ID', keep: 'whole', dropOrder: 4 },
  { field: 'createdAt', header: 'CREATED', keep: 'whole', shows: 'time', dropOrder: 1 },
  { field: 'expiredAt', header: 'EXPIRES', keep: 'whole', shows: 'time' },
  { field: 'scopes', header: 'SCOPES', dropOrder: 3 },
  { field: 'deviceIds', header: 'DEVICES', dropOrder: 2 },
];

/** The record of a credential in a response, wrapped or not. */
export function credentialIn(value: unknown): JsonRecord | undefined {
  return recordOf(value, 'clientCredentialId');
}

export function credentialFacts(record: JsonRecord): CredentialFacts {
  return {
    id: wordOf(record, 'clientCredentialId') ?? wordOf(record, 'id'),
    clientId: wordOf(record, 'clientId'),
    name: wordOf(record, 'name'),
    createdAt: wordOf(record, 'createdAt'),
  };
}

/** Longer than any header or form accepts. */
const longestSecret = 16_384;

/** "clientSecret: returned only once, at creation." Undefined if it cannot be a secret. */
export function secretIn(record: JsonRecord): string | undefined {
  const secret = wordOf(record, 'clientSecret') ?? wordOf(record, 'secret');
  return secret !== undefined && secret.length <= longestSecret ? secret : undefined;
}

/** A copy of the value without fields named like a secret, at any depth, and without the secret itself anywhere. */
export function withoutSecrets(value: unknown, secret?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secret));
  if (typeof value === 'string') return secret !== undefined && value.includes(secret) ? '***' : value;
  if (!isPlain(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !soundsSecret(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSecrets(inner, secret)]));
}

/** A text, or a number, which some platforms use for names and ids. */
function wordOf(record: JsonRecord, name: string): string | undefined {
  const found = memberOf(record, name);
  if (typeof found === 'number' || typeof found === 'bigint') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Whether a value is a JSON object, not one of the objects for numbers that keep their digits. */
function isPlain(value: unknown): value is JsonRecord {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
const zoned = /([zZ]|[+-]\d{2}:?\d{2})$/;

/** The value of --expires as it is sent; null for "never". @throws usage */
export function expiryOf(word: string | null | undefined, now: number): string | null | undefined {
  if (word === undefined || word === null) return word;
  return word === 'never' ? null : readExpiry(word, '--expires', now);
}

/**
 * When a listed credential expires, in epoch milliseconds: "timestamp (ISO 8601, UTC)", so a time without a zone is UTC. Undefined if it
 * never expires, or if the value is not a time.
 */
export function expiresAt(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(zoned.test(value) ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The expiry of one credential for another, as it is sent: null for never, undefined if it cannot be read. */
export function sameExpiry(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  const time = expiresAt(value);
  return time === undefined ? undefined : toUtc(time);
}
