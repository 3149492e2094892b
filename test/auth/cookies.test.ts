import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCookieJar } from '../../src/auth/cookie-jar.ts';
import { character } from '../support/any-text.ts';

const headersOf = (lines: readonly string[]) => ({
  get: () => null,
  getSetCookie: () => [...lines],
  entries: () => [],
});
const base = new URL('https://platform.example');

describe('cookies, however they are spelled,', () => {
  const line = fc.oneof(
    fc.string({ unit: character }),
    fc
      .tuple(
        fc.string(),
        fc.string(),
        fc.constantFrom('', '; Domain=example', '; Domain=evil.example', '; Path=/x', '; Secure', '; Max-Age=-1'),
      )
      .map(([name, value, more]) => `${name}=${value}${more}`),
  );

  it('never throw, and are never sent to another origin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const jar = await openCookieJar(base, () => undefined);
        await jar.take(`${base.origin}/factory/portal/external-login`, headersOf(lines));
        const elsewhere = [
          'https://platform.example:8443/',
          'http://platform.example/',
          'https://evil.example/',
          'https://example/',
        ];
        for (const url of elsewhere) expect(await jar.header(url)).toBeUndefined();
        const sent = await jar.header(`${base.origin}/factory/portal/external-login`);
        expect(sent === undefined || !/[\r\n]/.test(sent)).toBe(true);
      }),
    );
  });
});
