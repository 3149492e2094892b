import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedExpiry, readTokens } from '../../src/auth/tokens.ts';
import { Failure } from '../../src/failure.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const seconds = (count: number) => now + count * 1000;

function answer(value: unknown, date?: string) {
  const headers = new Headers(date === undefined ? {} : { date });
  return { text: typeof value === 'string' ? value : JSON.stringify(value), headers };
}

const read = (value: unknown, date?: string) => readTokens(answer(value, date), 'Step 5 of the login', now);

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}

describe('a token answer', () => {
  it('is read as the interface shows it', () => {
    const value = { accessToken: 'a.b.c', refreshToken: 'r-1', expiresIn: 7200, tokenType: 'Bearer' };
    expect(read(value)).toEqual({ accessToken: 'a.b.c', refreshToken: 'r-1', expiresAt: seconds(7200), issuedAt: now });
  });

  const tokens = { accessToken: 'a', refreshToken: 'r', expiresIn: 3599 };
  it.each([
    ["in OAuth's spelling", { access_token: 'a', refresh_token: 'r', expires_in: 3599, token_type: 'bearer' }],
    ['in any letter case', { AccessToken: 'a', RefreshToken: 'r', ExpiresIn: 3599 }],
    ["in ABP's wrapper", { result: tokens, success: true, __abp: true }],
    ['inside token', { message: 'ok', token: { access_token: 'a', refresh_token: 'r', expires_in: 3599 } }],
    ['inside data beside a user', { user: { id: 1 }, data: tokens }],
    ['inside data', { data: { access_token: 'a', refresh_token: 'r', expires_in: 3599 } }],
    ['with numbers as text', { accessToken: 'a', refreshToken: 'r', expiresIn: '3599' }],
    ['with a byte order mark', `\ufeff${JSON.stringify(tokens)}`],
  ])('is read %s', (_, value) => {
    expect(read(value)).toEqual({ accessToken: 'a', refreshToken: 'r', expiresAt: seconds(3599), issuedAt: now });
  });

  it.each([
    ['expires two hours later', 7200, seconds(7200)],
    ['expires two hours later', '7200', seconds(7200)],
    ['expires in the year 9999', 1e12, 253_402_300_799_000],
    ['has no expiry', 0, undefined],
    ['has no expiry', -5, undefined],
    ['has no expiry', undefined, undefined],
    ['has no expiry', null, undefined],
    ['has no expiry', 'NaN', undefined],
    ['has no expiry', '', undefined],
    ['has no expiry', true, undefined],
    ['has no expiry', [7200], undefined],
    ['has no expiry', 5e-324, undefined],
  ])('%s if its expiresIn is %j', (_, expiresIn, expiresAt) => {
    expect(read({ accessToken: 'opaque', expiresIn }).expiresAt).toBe(expiresAt);
  });

  const at = (time: string) => `Fri, 01 May 2026 ${time} GMT`;
  it.each([
    ['an exp in seconds', { exp: seconds(600) / 1000 }, undefined, seconds(600)],
    ['an exp in milliseconds', { exp: seconds(600) }, undefined, seconds(600)],
    ['an exp far away', { exp: 9e15 }, undefined, 253_402_300_799_000],
    ['an exp of a clock an hour behind', { exp: seconds(600 - 3600) / 1000 }, at('11:00:00'), seconds(600)],
    ['an exp of a clock an hour ahead', { exp: seconds(600 + 3600) / 1000 }, at('13:00:00'), seconds(600)],
    ['an exp of a clock ten seconds behind', { exp: seconds(600) / 1000 }, at('11:59:50'), seconds(600)],
    ['an exp in the past, which does not count', { exp: seconds(-1) / 1000 }, undefined, undefined],
    ['an exp in words, which does not count', { exp: 'soon' }, undefined, undefined],
    ['no exp', {}, undefined, undefined],
  ])('without expiresIn may hold a JWT with %s', (_, claims, date, expiresAt) => {
    expect(read({ accessToken: jwt(claims) }, date).expiresAt).toBe(expiresAt);
  });

  it('has no refresh token if that is null, empty or not a string', () => {
    for (const refreshToken of [null, '', ' ', 7, undefined]) {
      expect(read({ accessToken: 'a', refreshToken })).toEqual({ accessToken: 'a', issuedAt: now });
    }
  });

  const noObject = 'the platform answered with something that is not a JSON object';
  const unsendable = 'the access token has characters that a header cannot have';
  it.each([
    ['nothing', '', 'the platform answered with nothing'],
    ['a web page', '<!doctype html><p>SECRETWORD', 'the platform answered with a web page'],
    ['plain text', 'SECRETWORD', noObject],
    ['a list', '["SECRETWORD"]', noObject],
    ['other JSON', '{"token":"SECRETWORD"}', 'the platform answered with JSON without an access token'],
    ['a token with a line end', '{"accessToken":"SECRET\\r\\nWORD"}', unsendable],
    ['a token beyond ASCII', '{"accessToken":"SECRETWÖRD"}', unsendable],
  ])('that is %s is reported as unavailable, and not quoted', (_, text, reason) => {
    const message = `Step 5 of the login returned no token: ${reason}.`;
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'unavailable', message }));
  });

  it('of any shape gives a token or a failure', () => {
    const value = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .dictionary(fc.constantFrom('accessToken', 'access_token', 'result', 'expiresIn'), fc.jsonValue())
        .map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(value, (text) => {
        try {
          const { accessToken, expiresAt = now + 1 } = read(text);
          return /^[\x21-\x7e]+$/.test(accessToken) && expiresAt > now;
        } catch (error) {
          return error instanceof Failure && error.kind === 'unavailable';
        }
      }),
    );
  });
});

it.each([
  ['an opaque token', 'reference-token'],
  ['a JWT without a payload', 'a..c'],
  ['not base64', 'a.!!!.c'],
  ['JSON but not an object', `a.${Buffer.from('7').toString('base64url')}.c`],
])('the expiry in a token is unknown if it is %s', (_, token) => {
  expect(claimedExpiry(token)).toBeUndefined();
});
