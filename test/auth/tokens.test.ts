import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedExpiry, readTokens } from '../../src/auth/tokens.ts';
import { Failure } from '../../src/failure.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const seconds = (count: number) => now + count * 1000;

function answer(value: unknown, date?: string) {
  const headers = {
    get: (name: string) => (name === 'date' ? (date ?? null) : null),
    getSetCookie: () => [],
    entries: () => [],
  };
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
    ['in any case', { AccessToken: 'a', RefreshToken: 'r', ExpiresIn: 3599 }],
    ["in ABP's wrapper", { result: tokens, success: true, __abp: true }],
    ['inside token', { message: 'ok', token: { access_token: 'a', refresh_token: 'r', expires_in: 3599 } }],
    ['inside data, beside others', { user: { id: 1 }, data: tokens }],
    ['inside data', { data: { access_token: 'a', refresh_token: 'r', expires_in: 3599 } }],
    ['with numbers as text', { accessToken: 'a', refreshToken: 'r', expiresIn: '3599' }],
    ['with a byte order mark', `\ufeff${JSON.stringify(tokens)}`],
  ])('is read %s', (_, value) => {
    expect(read(value)).toEqual({ accessToken: 'a', refreshToken: 'r', expiresAt: seconds(3599), issuedAt: now });
  });

  it.each([
    ['7200', 7200, seconds(7200)],
    ['"7200" as text', '7200', seconds(7200)],
    ['0', 0, undefined],
    ['negative', -5, undefined],
    ['1e12', 1e12, 253_402_300_799_000],
    ['missing', undefined, undefined],
    ['null', null, undefined],
    ['"NaN"', 'NaN', undefined],
    ['empty', '', undefined],
    ['true', true, undefined],
    ['a list', [7200], undefined],
    ['less than any clock shows', 5e-324, undefined],
  ])('with expiresIn %s expires at the right time, or is used until it is refused', (_, expiresIn, expiresAt) => {
    expect(read({ accessToken: 'opaque', expiresIn }).expiresAt).toBe(expiresAt);
  });

  const at = (time: string) => `Fri, 01 May 2026 ${time} GMT`;
  it.each([
    ['in seconds', { exp: seconds(600) / 1000 }, undefined, seconds(600)],
    ['in milliseconds', { exp: seconds(600) }, undefined, seconds(600)],
    ['far away', { exp: 9e15 }, undefined, 253_402_300_799_000],
    ['of a clock an hour behind', { exp: seconds(600 - 3600) / 1000 }, at('11:00:00'), seconds(600)],
    ['of a clock an hour ahead', { exp: seconds(600 + 3600) / 1000 }, at('13:00:00'), seconds(600)],
    ['of a clock ten seconds behind', { exp: seconds(600) / 1000 }, at('11:59:50'), seconds(600)],
    ['that has passed already', { exp: seconds(-1) / 1000 }, undefined, undefined],
    ['that is no number', { exp: 'soon' }, undefined, undefined],
    ['that is missing', {}, undefined, undefined],
  ])('without expiresIn expires with the exp of its JWT, %s', (_, claims, date, expiresAt) => {
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
  ])('that is %s is unavailable, and nothing of it is quoted', (_, text, reason) => {
    const message = `Step 5 of the login returned no token: ${reason}.`;
    expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'unavailable', message }));
  });

  it('of any shape gives a token or a Failure', () => {
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

describe('the expiry in a token', () => {
  it.each([
    ['opaque', 'reference-token'],
    ['a JWT without a payload', 'a..c'],
    ['no base64', 'a.!!!.c'],
    ['JSON that is no object', `a.${Buffer.from('7').toString('base64url')}.c`],
  ])('is unknown if it is %s', (_, token) => {
    expect(claimedExpiry(token)).toBeUndefined();
  });
});
