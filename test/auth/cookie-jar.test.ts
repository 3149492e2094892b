import fc from 'fast-check';
import { expect, it } from 'vitest';
import { includesCookie, openCookieJar } from '../../src/auth/cookie-jar.ts';
import { character } from '../support/any-text.ts';

const page = 'https://platform.example/identity/login/step';

const headersOf = (lines: readonly string[], date: string | null = null) => ({
  get: (name: string) => (name === 'date' ? date : null),
  getSetCookie: () => [...lines],
  entries: () => [],
});

async function jarOf(lines: readonly string[], url = page, heard: string[] = []) {
  const jar = await openCookieJar(new URL(url), (secret) => void heard.push(secret));
  return { jar, ...(await jar.take(url, headersOf(lines))) };
}

it.each([
  ['a plain cookie', ['a=1'], 'a=1'],
  ['two cookies', ['a=1; Path=/', 'b=2; HttpOnly; SameSite=None; Secure'], 'b=2; a=1'],
  ['the last of two cookies with the same name', ['a=1; Path=/', 'a=2; Path=/'], 'a=2'],
  ['no cookie that was taken away', ['a=1; Path=/', 'a=; Path=/; Max-Age=0'], undefined],
  ['no expired cookie', ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], undefined],
  ['no cookie for a foreign host', ['a=1; Domain=evil.example'], undefined],
  ['no cookie for a public suffix', ['a=1; Domain=example'], undefined],
  ['no cookie for a sibling host', ['a=1; Domain=other.platform.example'], undefined],
  ['no cookie for another path', ['a=1; Path=/elsewhere'], undefined],
  ['no cookie without a name', ['just text', '=1', ''], undefined],
  ['no cookie that is too large', [`a=${'x'.repeat(100_000)}`, 'b=1'], 'b=1'],
  ['a __Host- cookie for the whole host', ['__Host-a=1; Path=/; Secure'], '__Host-a=1'],
  ['no __Host- cookie for one path', ['__Host-a=1; Path=/x; Secure'], undefined],
])('a login sends %s', async (_, lines, header) => {
  const { jar } = await jarOf(lines);
  expect(await jar.header(page)).toBe(header);
});

it.each([
  ['ahead', -3],
  ['behind', 3],
])("a cookie expires by the platform's clock if the clock here is three hours %s", async (_, hours) => {
  const theirs = Date.now() + hours * 3_600_000;
  const date = new Date(theirs).toUTCString();
  const until = (minutes: number) => `Expires=${new Date(theirs + minutes * 60_000).toUTCString()}`;
  const jar = await openCookieJar(new URL(page), () => {});
  await jar.take(page, headersOf([`a=1; ${until(15)}`, `b=2; ${until(-15)}`], date));
  expect(await jar.header(page)).toBe('a=1');
});

const elsewhere = 'https://platform.example/acme/portal';

it.each([
  ['a cookie without a path', ['a=1'], 'a=1'],
  ['a cookie without a path that is for subdomains, too', ['a=1; Domain=platform.example; Secure'], 'a=1'],
  ['a cookie with an empty path', ['a=1; Path='], 'a=1'],
  ['no cookie of another path', ['a=1; Path=/identity'], undefined],
  ['no cookie that one of another path replaced', ['a=1', 'a=2; Path=/identity', 'a=; Max-Age=0'], undefined],
  [
    'no cookie that was taken away',
    ['a=1', 'a=; Path=/identity/login; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    undefined,
  ],
  ['the cookie with the path of that address', ['a=1', 'a=2; Path=/acme', 'b=3'], 'a=2; b=3'],
])('a login sends %s to its other addresses', async (_, lines, header) => {
  const { jar } = await jarOf(lines);
  expect(await jar.header(elsewhere)).toBe(header);
});

it('a login keeps the cookies of two applications apart if they have the same name', async () => {
  const jar = await openCookieJar(new URL(page), () => {});
  for (const [url, line] of [
    [elsewhere, 'session=portal'],
    [page, 'session=identity'],
  ] as const)
    await jar.take(url, headersOf([line]));
  expect([await jar.header(elsewhere), await jar.header(page)]).toEqual(['session=portal', 'session=identity']);
});

it.each([
  ['the encoded path of the address', '/werk%20s%C3%BCd', 'a=1'],
  ['no part of an encoded segment', '/werk%20s', undefined],
  ['no encoded slash', '/werk%20s%C3%BCd%2Fost', undefined],
])('the path of a cookie matches %s', async (_, path, header) => {
  const url = 'https://platform.example/werk%20s%C3%BCd/portal';
  const { jar } = await jarOf([`a=1; Path=${path}`], url);
  expect(await jar.header(url)).toBe(header);
});

it('a cookie jar reports which cookies it keeps and which it drops', async () => {
  const { kept, dropped } = await jarOf(['a=1', 'b=1; Domain=evil.example', 'c=; Max-Age=0', 'd']);
  expect({ kept, dropped }).toEqual({ kept: ['a'], dropped: ['b'] });
});

it.each([
  ['https://platform/', 'platform'],
  ['https://platform/', '.Platform'],
  ['https://github.io/', 'github.io'],
  ['https://platform.plant.local/', 'platform.plant.local'],
  ['http://127.0.0.1:8080/', '127.0.0.1'],
])('a login at %s keeps a cookie with Domain=%s', async (url, domain) => {
  const { jar } = await jarOf([`a=1; Domain=${domain}`, `__Host-b=2; Secure; Path=/; Domain=${domain}`], url);
  expect(await jar.header(url)).toBe('a=1');
});

it('a cookie jar says why it drops a cookie without showing its value', async () => {
  const lines = ['a=1; Domain=evil.example', '__Host-b=2', 'c=3; Secure', 'd=4; Domain=example', 'e=; Domain=example'];
  const { jar } = await jarOf(lines, 'http://platform.example/');
  const insecure = 'it needs https, or is not what its prefix promises';
  expect([...jar.dropped.values()].map(({ message }) => message)).toEqual([
    'The cookie a is not kept: it is for evil.example',
    `The cookie __Host-b is not kept: ${insecure}`,
    `The cookie c is not kept: ${insecure}`,
    'The cookie d is not kept: it is for example',
  ]);
});

it('a cookie jar has room for 180 cookies of 64 KiB in all, and reports the others', async () => {
  const many = [...Array(180).keys()].map((index) => `c${index}=1`);
  expect((await jarOf([...many, 'a=1', 'c0=2'])).beyond).toEqual(['a']);
  expect((await jarOf([`a=${'x'.repeat(65_000)}`, `b=${'x'.repeat(1000)}`])).beyond).toEqual(['b']);
});

it.each([
  ['another port', 'https://platform.example:8443/identity/login/step'],
  ['another scheme', 'http://platform.example/identity/login/step'],
  ['a subdomain', 'https://sso.platform.example/identity/login/step'],
])('a cookie of the whole domain is not sent to %s', async (_, url) => {
  const { jar } = await jarOf(['a=1; Domain=platform.example; Path=/']);
  expect(await jar.header(page)).toBe('a=1');
  expect(await jar.header(url)).toBeUndefined();
});

it.each([
  ['http://127.0.0.1:8080/', 'sent', 'a=1'],
  ['http://127.0.0.2:8080/', 'sent', 'a=1'],
  ['http://[::1]:8080/', 'sent', 'a=1'],
  ['http://localhost:8080/', 'sent', 'a=1'],
  ['http://p.localhost:8080/', 'sent', 'a=1'],
  ['https://10.0.0.1/', 'sent', 'a=1'],
  ['http://10.0.0.1/', 'not sent', undefined],
  ['http://platform.example/', 'not sent', undefined],
])('a Secure cookie of %s is %s', async (url, _, header) => {
  const { jar } = await jarOf(['a=1; Secure; Path=/'], url);
  expect(await jar.header(url)).toBe(header);
});

it('the values of cookies are masked unless they are short enough to be ordinary words', async () => {
  const heard: string[] = [];
  await jarOf(['a=long-enough', 'b=en', 'c=not-kept-either; Domain=evil.example'], page, heard);
  expect(heard).toEqual(['long-enough', 'not-kept-either']);
});

it.each([
  ['passes', ['Identity.Permission'], true],
  ['passes', ['identity.permission'], true],
  ['passes', ['a', 'Identity.PermissionC1'], true],
  ['does not pass', ['Identity.PermissionC'], false],
  ['does not pass', ['Identity.PermissionX1'], false],
  ['does not pass', ['Identity.Permissions'], false],
  ['does not pass', ['Identity'], false],
  ['does not pass', [], false],
])('a jar %s for the cookie Identity.Permission if it holds %j', (_, names, holds) => {
  expect(includesCookie(names, 'Identity.Permission')).toBe(holds);
});

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

it('a cookie of any spelling never throws, and is never sent to another origin', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const { jar } = await jarOf(lines);
      for (const url of [
        'https://platform.example:8443/',
        'http://platform.example/',
        'https://evil.example/',
        'https://example/',
      ])
        expect(await jar.header(url)).toBeUndefined();
      const sent = await jar.header(page);
      expect(sent === undefined || !/[\r\n]/.test(sent)).toBe(true);
    }),
  );
});
