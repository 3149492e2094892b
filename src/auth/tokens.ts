import { Failure, type FailureFacts } from '../failure.ts';
import type { ExchangeResponse } from '../network/fetch.ts';
import { isRecord, type JsonRecord, memberOf, readRecord, textOf } from '../text/record.ts';

/** The content of a token response, with times in epoch milliseconds of this machine's clock. Without `expiresAt` the token is valid until it is refused. */
export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: number;
  readonly issuedAt: number;
};

type TokenResponse = Pick<ExchangeResponse, 'text' | 'headers'>;

/** The latest time that every date type can hold: the end of year 9999. */
const latestTime = 253_402_300_799_000;

/**
 * Reads a token response in OAuth's snake case or in camel case, maybe inside another member such as ABP's `result`. Numbers may be strings. Without
 * `expires_in`, the expiry comes from the JWT, or is "until refused". @param from the beginning of the error message: "Step 5 of the login"
 * @param now epoch milliseconds @throws Failure 'unavailable' if the response has no usable access token
 */
export function readTokens(response: TokenResponse, from: string, now: number, facts: FailureFacts = {}): Tokens {
  const whole = readRecord(response.text);
  const record = whole && unwrap(whole);
  const accessToken = record && textOf(record, 'accessToken');
  if (!record || accessToken === undefined) {
    const received = whole ? 'JSON without an access token' : kindOfText(response.text);
    throw noTokenIn(from, `the platform answered with ${received}`, facts);
  }
  if (!isSendable(accessToken))
    throw noTokenIn(from, 'the access token has characters that a header cannot have', facts);
  const refreshToken = textOf(record, 'refreshToken');
  return { accessToken, refreshToken, expiresAt: expiryOf(record, accessToken, response, now), issuedAt: now };
}

function kindOfText(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*</.test(text) ? 'a web page' : 'something that is not a JSON object';
}

export function containsToken(text: string): boolean {
  const record = readRecord(text);
  return record !== undefined && textOf(unwrap(record), 'accessToken') !== undefined;
}

/** Whether a text can be a bearer token in a header: visible ASCII without spaces. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** The claims of a JWT; undefined for an opaque token. They are not verified, so they serve to show and to plan, and are never trusted. */
export function claimsOf(token: string): JsonRecord | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  return readRecord(Buffer.from(payload, 'base64url').toString());
}

/** The ID of the tenant in a JWT. Other claims do not name a tenant of the platform: `tid` is that of a directory. */
export function claimedTenant(token = ''): string | undefined {
  const claims = claimsOf(token) ?? {};
  return textOf(claims, 'tenantId') ?? textOf(claims, '__tenant');
}

/** The expiry claim of a JWT, in epoch milliseconds of the platform's clock. */
export function claimedExpiry(token: string): number | undefined {
  const exp = numberOf(claimsOf(token)?.exp);
  if (exp === undefined) return undefined;
  // RFC 7519 uses seconds. A number that would mean the year 5138 or later must be milliseconds.
  return Math.min(exp > 1e11 ? exp : exp * 1000, latestTime);
}

function unwrap(record: JsonRecord): JsonRecord {
  if (textOf(record, 'accessToken') !== undefined) return record;
  const members = Object.entries(record).filter(([name]) => !/^errors?$/i.test(name));
  const wrapped = members.map(([, value]) => value).filter(isRecord);
  return wrapped.find((inner) => textOf(inner, 'accessToken') !== undefined) ?? record;
}

function expiryOf(record: JsonRecord, token: string, { headers }: TokenResponse, now: number): number | undefined {
  const seconds = numberOf(memberOf(record, 'expiresIn'));
  // A life that is shorter than a step of the clock counts as unknown.
  if (seconds !== undefined && now + seconds * 1000 > now) return Math.min(now + seconds * 1000, latestTime);
  const claimed = claimedExpiry(token);
  if (claimed === undefined) return undefined;
  // The claim is a time of the platform's clock, which the Date header gives to the second. This machine's clock may be wrong.
  const theirs = Date.parse(headers.get('date') ?? '');
  const skew = Math.abs(now - theirs) > 60_000 ? now - theirs : 0;
  const expiresAt = Math.min(claimed + skew, latestTime);
  // A token that was just issued cannot have expired: the clocks differ.
  return expiresAt > now ? expiresAt : undefined;
}

// Zero, negative numbers and other text say nothing about a token that was just issued.
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
}

function noTokenIn(from: string, reason: string, facts: FailureFacts): Failure {
  const hint = 'Check the base URL, the tenant and the application: iiot profiles show --origin';
  return new Failure('unavailable', `${from} returned no token: ${reason}.`, { ...facts, hint });
}
