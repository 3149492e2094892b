import { expect, it } from 'vitest';
import { includesCookie, openCookieJar } from '../../src/auth/cookie-jar.ts';

const page = 'https://platform.example/identity/login/step';

async function jarOf(lines: readonly string[], url = page) {
  const jar = await openCookieJar(new URL(url), () => {});
  const taken = await jar.take(url, { get: () => null, getSetCookie: () => [...lines], entries: () => [] });
  return { jar, ...taken };
}

it.each([
  ['a plain cookie', ['a=1'], 'a=1'],
  ['two of them', ['a=1; Path=/', 'b=2; HttpOnly; SameSite=None; Secure'], 'b=2; a=1'],
  ['the last of one name', ['a=1; Path=/', 'a=2; Path=/'], 'a=2'],
  ['none that was taken away', ['a=1; Path=/', 'a=; Path=/; Max-Age=0'], undefined],
  ['none that is past', ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], undefined],
  ['none for a foreign host', ['a=1; Domain=evil.example'], undefined],
  ['none for a public suffix', ['a=1; Domain=example'], undefined],
  ['none for a sibling', ['a=1; Domain=other.platform.example'], undefined],
  ['none for another path', ['a=1; Path=/elsewhere'], undefined],
  ['none without a name', ['just text', '=1', ''], undefined],
  ['none that is too large', [`a=${'x'.repeat(100_000)}`, 'b=1'], 'b=1'],
  ['one whose prefix promises what it keeps', ['__Host-a=1; Path=/; Secure'], '__Host-a=1'],
  ['none whose prefix promises what it does not keep', ['__Host-a=1; Path=/x; Secure'], undefined],
])('sends %s', async (_, lines, header) => {
  const { jar } = await jarOf(lines);
  expect(await jar.header(page)).toBe(header);
});

it.each([
  ['ahead', -3],
  ['behind', 3],
])("judges an expiry by the platform's clock if this machine's is %s by three hours", async (_, hours) => {
  const theirs = Date.now() + hours * 3_600_000;
  const date = new Date(theirs).toUTCString();
  const until = (minutes: number) => `Expires=${new Date(theirs + minutes * 60_000).toUTCString()}`;
  const jar = await openCookieJar(new URL(page), () => {});
  const getSetCookie = () => [`a=1; ${until(15)}`, `b=2; ${until(-15)}`];
  await jar.take(page, { get: (name) => (name === 'date' ? date : null), getSetCookie, entries: () => [] });
  expect(await jar.header(page)).toBe('a=1');
});

const elsewhere = 'https://platform.example/acme/portal';

it.each([
  ['one without a path', ['a=1'], 'a=1'],
  ['one without a path that is for hosts below, too', ['a=1; Domain=platform.example; Secure'], 'a=1'],
  ['one whose path is empty', ['a=1; Path='], 'a=1'],
  ['none of another path', ['a=1; Path=/identity'], undefined],
  ['none that was replaced by one of another path', ['a=1', 'a=2; Path=/identity', 'a=; Max-Age=0'], undefined],
  ['none that was taken away', ['a=1', 'a=; Path=/identity/login; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], undefined],
  ['the one that is for that address', ['a=1', 'a=2; Path=/acme', 'b=3'], 'a=2; b=3'],
])('sends %s to the other addresses of the login', async (_, lines, header) => {
  const { jar } = await jarOf(lines);
  expect(await jar.header(elsewhere)).toBe(header);
});

it('keeps cookies of the same name apart if each application sets its own', async () => {
  const jar = await openCookieJar(new URL(page), () => {});
  for (const [url, line] of [
    [elsewhere, 'session=portal'],
    [page, 'session=identity'],
  ] as const)
    await jar.take(url, { get: () => null, getSetCookie: () => [line], entries: () => [] });
  expect([await jar.header(elsewhere), await jar.header(page)]).toEqual(['session=portal', 'session=identity']);
});

it.each([
  ['/werk%20s%C3%BCd', 'a=1'],
  ['/werk%20s', undefined],
  ['/werk%20s%C3%BCd%2Fost', undefined],
])('compares the path of a cookie as it is written in the address: %s', async (path, header) => {
  const url = 'https://platform.example/werk%20s%C3%BCd/portal';
  const { jar } = await jarOf([`a=1; Path=${path}`], url);
  expect(await jar.header(url)).toBe(header);
});

it('reports which cookies it keeps and which it drops', async () => {
  const { kept, dropped } = await jarOf(['a=1', 'b=1; Domain=evil.example', 'c=; Max-Age=0', 'd']);
  expect({ kept, dropped }).toEqual({ kept: ['a'], dropped: ['b'] });
});

it.each([
  ['https://platform/', 'platform'],
  ['https://platform/', '.Platform'],
  ['https://github.io/', 'github.io'],
  ['https://platform.plant.local/', 'platform.plant.local'],
  ['http://127.0.0.1:8080/', '127.0.0.1'],
])('keeps a cookie for the host itself: %s, Domain=%s', async (url, domain) => {
  const { jar } = await jarOf([`a=1; Domain=${domain}`, `__Host-b=2; Secure; Path=/; Domain=${domain}`], url);
  expect(await jar.header(url)).toBe('a=1');
});

it('says why it drops a cookie, without its value', async () => {
  const lines = ['a=1; Domain=evil.example', '__Host-b=2', 'c=3; Secure', 'd=4; Domain=example', 'e=; Domain=example'];
  const { jar } = await jarOf(lines, 'http://platform.example/');
  expect([...jar.dropped.values()].map(({ message }) => message)).toEqual([
    'The cookie a is not kept: it is for evil.example',
    'The cookie __Host-b is not kept: it needs https, or is not what its prefix promises',
    'The cookie c is not kept: it needs https, or is not what its prefix promises',
    'The cookie d is not kept: it is for example',
  ]);
});

it('reports the cookies it has no room for', async () => {
  const many = [...Array(180).keys()].map((index) => `c${index}=1`);
  expect((await jarOf([...many, 'a=1', 'c0=2'])).beyond).toEqual(['a']);
  expect((await jarOf([`a=${'x'.repeat(65_000)}`, `b=${'x'.repeat(1000)}`])).beyond).toEqual(['b']);
});

it.each([
  ['another port', 'https://platform.example:8443/identity/login/step'],
  ['another scheme', 'http://platform.example/identity/login/step'],
  ['a subdomain', 'https://sso.platform.example/identity/login/step'],
])('sends nothing to %s, even if a cookie has the whole domain', async (_, url) => {
  const { jar } = await jarOf(['a=1; Domain=platform.example; Path=/']);
  expect(await jar.header(page)).toBe('a=1');
  expect(await jar.header(url)).toBeUndefined();
});

it.each([
  ['http://127.0.0.1:8080/', 'a=1'],
  ['http://127.0.0.2:8080/', 'a=1'],
  ['http://[::1]:8080/', 'a=1'],
  ['http://localhost:8080/', 'a=1'],
  ['http://p.localhost:8080/', 'a=1'],
  ['https://10.0.0.1/', 'a=1'],
  ['http://10.0.0.1/', undefined],
  ['http://platform.example/', undefined],
])('sends Secure cookies to the same hosts as browsers: %s', async (url, header) => {
  const { jar } = await jarOf(['a=1; Secure; Path=/'], url);
  expect(await jar.header(url)).toBe(header);
});

it('keeps up to 180 cookies and 64 KiB, and still replaces those it has', async () => {
  const many = await jarOf([...Array.from({ length: 5000 }, (_, index) => `c${index}=1; Path=/`), 'c7=2; Path=/']);
  const header = (await many.jar.header(page)) ?? '';
  expect(header.split('; ')).toHaveLength(180);
  expect(header).toContain('c7=2');
  const large = await jarOf(Array.from({ length: 100 }, (_, index) => `c${index}=${'x'.repeat(4000)}; Path=/`));
  const bytes = (await large.jar.header(page))?.length ?? 0;
  expect(bytes).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThanOrEqual(65_536);
});

it('reports values to mask, except those short enough to be ordinary words', async () => {
  const heard: string[] = [];
  const jar = await openCookieJar(new URL(page), (secret) => void heard.push(secret));
  const lines = ['a=long-enough', 'b=en', 'c=not-kept-either; Domain=evil.example'];
  await jar.take(page, { get: () => null, getSetCookie: () => lines, entries: () => [] });
  expect(heard).toEqual(['long-enough', 'not-kept-either']);
});

it.each([
  [['Identity.Permission'], true],
  [['identity.permission'], true],
  [['a', 'Identity.PermissionC1'], true],
  [['Identity.PermissionC'], false],
  [['Identity.PermissionX1'], false],
  [['Identity.Permissions'], false],
  [['Identity'], false],
  [[], false],
])('%j holds the cookie Identity.Permission: %s', (names, holds) => {
  expect(includesCookie(names, 'Identity.Permission')).toBe(holds);
});
