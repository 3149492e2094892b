import { isRecord, type JsonRecord } from '../text/record.ts';
import type { ShapeResult } from './json-document.ts';

const required = {
  flow: 'string',
  /** The base URL of the login, including its path prefix. */
  base: 'string',
} as const;

const optional = {
  /** Scheme, host and port, for earlier versions. */
  origin: 'string',
  accessToken: 'string',
  /** Epoch milliseconds; if missing, valid until refused. */
  expiresAt: 'number',
  /** Epoch milliseconds. */
  issuedAt: 'number',
  refreshToken: 'string',
  /** When the platform refused to renew the login, in epoch milliseconds. The refresh token is useless since then. */
  renewalRefusedAt: 'number',
  /** When a renewal was sent that has no response yet, in epoch milliseconds. It may have used up the refresh token. */
  renewalSentAt: 'number',
  /** When the platform refused a token that had just been renewed, in epoch milliseconds. */
  refusedInVainAt: 'number',
  /** The profile's name before it was last renamed, by which running commands find the login, and when that was, in epoch milliseconds. */
  renamedFrom: 'string',
  renamedAt: 'number',
  tenant: 'string',
  /** Known for a machine whose credential this tool has created. */
  tenantId: 'string',
  app: 'string',
  account: 'string',
  issuer: 'string',
  clientId: 'string',
  /** The `firstClientId` of a `Place`. */
  firstClientId: 'string',
  clientSecret: 'string',
  clientCredentialId: 'string',
} as const;

type LoginValues = { readonly string: string; readonly number: number };

/** One profile's login. Its tokens and secrets are sent to `base` alone (docs/contract.md, "Origins"). */
export type Login = { readonly flow: 'user' | 'm2m' } & {
  readonly base: string;
} & { readonly [K in keyof typeof optional]?: LoginValues[(typeof optional)[K]] };

/** credentials.json: logins by profile name. */
export type Credentials = { readonly version: number; readonly logins: Readonly<Record<string, Login>> };

export const emptyCredentials: Credentials = { version: 1, logins: Object.create(null) };

/** Turns a parsed file into logins, or says what is wrong with it without quoting any value. */
export function shapeCredentials(whole: JsonRecord, version: number): ShapeResult<Credentials> {
  const { logins = Object.create(null) } = whole;
  if (!isRecord(logins)) return { wrong: '"logins" is not an object' };
  for (const login of Object.values(logins)) {
    const wrong = problemInLogin(login);
    if (wrong) return { wrong };
  }
  // The loop above has checked the type of every login.
  return { value: { ...whole, version, logins: logins as Credentials['logins'] } };
}

function problemInLogin(login: unknown): string | undefined {
  if (!isRecord(login)) return 'a login is not an object';
  for (const [field, type] of Object.entries({ ...required, ...optional })) {
    const value = login[field];
    if (value === undefined && field in optional) continue;
    if (typeof value !== type) return `"${field}" of a login is not ${type === 'string' ? 'text' : 'a number'}`;
  }
  return login.flow === 'user' || login.flow === 'm2m' ? undefined : '"flow" of a login is not user or m2m';
}

/** A machine's token. `expiresAt` is in epoch milliseconds; if missing, it is valid until refused. */
export type MachineToken = { readonly accessToken: string; readonly expiresAt?: number };

/** tokens.json: a cache, by `machineTokenKey`. Losing it costs one request. */
export type TokenCache = { readonly version: number; readonly tokens: Readonly<Record<string, MachineToken>> };

export const emptyTokens: TokenCache = { version: 1, tokens: Object.create(null) };

/** The tokens in a parsed file; anything else is dropped. */
export function shapeTokens(whole: JsonRecord, version: number): ShapeResult<TokenCache> {
  const tokens: Record<string, MachineToken> = Object.create(null);
  for (const [key, token] of Object.entries(isRecord(whole.tokens) ? whole.tokens : {})) {
    if (!isRecord(token) || typeof token.accessToken !== 'string') continue;
    const { accessToken, expiresAt } = token;
    tokens[key] = { accessToken, expiresAt: typeof expiresAt === 'number' ? expiresAt : undefined };
  }
  return { value: { version, tokens } };
}

/** The cache with the token added, and without tokens that have expired at `now`. */
export function withToken(cache: TokenCache, key: string, token: MachineToken, now: number): TokenCache {
  const good = Object.entries(cache.tokens).filter(([, { expiresAt = Number.POSITIVE_INFINITY }]) => expiresAt > now);
  return { version: 1, tokens: { ...Object.fromEntries(good.slice(-99)), [key]: token } };
}
