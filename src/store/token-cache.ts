import { isRecord, type JsonRecord } from '../text/record.ts';
import type { ShapeResult } from './json-document.ts';

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
    tokens[key] = { accessToken, ...(typeof expiresAt === 'number' && { expiresAt }) };
  }
  return { value: { version, tokens } };
}

/** The cache with the token added, and without tokens that have expired at `now`. */
export function withToken(cache: TokenCache, key: string, token: MachineToken, now: number): TokenCache {
  const good = Object.entries(cache.tokens).filter(([, { expiresAt = Number.POSITIVE_INFINITY }]) => expiresAt > now);
  return { version: 1, tokens: { ...Object.fromEntries(good.slice(-99)), [key]: token } };
}
