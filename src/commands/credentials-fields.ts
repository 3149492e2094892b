import { recordOf } from './updated.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a client credential is known by; the interface shows the names, and a platform may spell them otherwise. */
export type Known = {
  readonly id: string | undefined;
  readonly clientId: string | undefined;
  readonly name: string | undefined;
  readonly createdAt: string | undefined;
};

/** The record of a credential in an answer, wrapped or not. */
export function credentialIn(value: unknown): Fields | undefined {
  return recordOf(value, 'clientCredentialId');
}

export function knownOf(record: Fields): Known {
  return {
    id: textOf(record, 'clientcredentialid') ?? textOf(record, 'id'),
    clientId: textOf(record, 'clientid'),
    name: textOf(record, 'name'),
    createdAt: textOf(record, 'createdat'),
  };
}

/** Longer than any header or form takes. */
const longestSecret = 16_384;

/** "clientSecret: returned only once, at creation." Undefined for what cannot be one. */
export function secretIn(record: Fields): string | undefined {
  const secret = textOf(record, 'clientsecret') ?? textOf(record, 'secret');
  return secret !== undefined && secret.length <= longestSecret ? secret : undefined;
}

/** The same value without what is named as a secret, at any depth, and without the secret itself wherever it stands. */
export function withoutSecrets(value: unknown, secret?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secret));
  if (typeof value === 'string') return secret !== undefined && value.includes(secret) ? '***' : value;
  if (!isPlain(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !secretNames.has(plain(name)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutSecrets(inner, secret)]));
}

const secretNames = new Set(['clientsecret', 'secret', 'password', 'accesstoken', 'refreshtoken', 'token']);

function textOf(record: Fields, name: string): string | undefined {
  const found = Object.entries(record).find(([key]) => plain(key) === name)?.[1];
  if (typeof found === 'number' || typeof found === 'bigint') return String(found);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** "client_secret" and "ClientSecret" are clientsecret. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** An object of JSON: numbers that keep their digits are objects of another kind. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
