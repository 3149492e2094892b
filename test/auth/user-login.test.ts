import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { html, scriptedPlatform } from '../support/scripted.ts';
import { formPage, logInAt, now, password, redirect, steps, tenantId } from './platform.ts';

const platform = madeForEach(scriptedPlatform);

const loggedIn = () => ({
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  expiresAt: now + 7_200_000,
  issuedAt: now,
  issuer: `${platform.base}/identity`,
});

it('a login makes the five requests of the interface, each with the cookies set before', async () => {
  platform.expect(...steps(platform.base));
  expect(await logInAt(platform)).toEqual(loggedIn());
  const [one, two, three, four, five] = platform.received;
  expect(one?.headers.cookie).toBeUndefined();
  expect(two?.headers).toMatchObject({ cookie: 'ctx=context-1', 'content-type': 'application/json' });
  expect(JSON.parse(two?.body ?? '')).toEqual({ account: 'ada@example.com', password, tenantId });
  expect(three?.headers.cookie).toBe('ctx=context-1; Identity.Permission=permission-1');
  expect(four?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  const iss = encodeURIComponent(`${platform.base}/identity`);
  expect(four?.body).toBe(`code=c-0123456789&state=s-0123456789&iss=${iss}`);
  expect(five?.headers.cookie).toBe('ctx=context-1; Identity.Permission=permission-1; SvcOidc.Login=login-1');
  expect(five?.headers).toMatchObject({ 'content-length': '0' });
  expect([five?.headers['content-type'], five?.body]).toEqual([undefined, '']);
});

it('a login sends the antiforgery token of the cookie XSRF-TOKEN in headers', async () => {
  const one = redirect(`${platform.base}/identity/login?tenantId=${tenantId}`, 302, {
    'set-cookie': 'XSRF-TOKEN=CfDJ8%2Babc; Path=/',
  });
  platform.expect(...steps(platform.base, { one }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  const sent = platform.received.map(({ headers: { requestverificationtoken: token } }) => token);
  expect(sent).toEqual([undefined, 'CfDJ8+abc', undefined, 'CfDJ8+abc', 'CfDJ8+abc']);
  expect(platform.received[1]?.headers['x-xsrf-token']).toBe('CfDJ8+abc');
});

it('a login works below the path of a base URL with or without a trailing slash', async () => {
  for (const base of [`${platform.base}/iot/eu`, `${platform.base}/iot/eu/`]) {
    const prefixed = `${platform.base}/iot/eu`;
    platform.expect(...steps(prefixed, { three: html(200, formPage(platform.base)) }));
    expect(await logInAt({ base })).toEqual(loggedIn());
  }
});

it('a login encodes tenant and application as one segment each', async () => {
  const path = `/a%2Fb%20c/portal/external-login?returnUrl=${encodeURIComponent(`${platform.base}/a%2Fb%20c/x%3Fy`)}`;
  const paths = [path, undefined, path, undefined, '/a%2Fb%20c/x%3Fy/api/v1/auth/tokens'];
  platform.expect(...steps(platform.base).map((step, index) => ({ ...step, path: paths[index] ?? step.path })));
  expect(await logInAt(platform, { tenant: 'a/b c', app: 'x?y' })).toEqual(loggedIn());
});

it('a login reads the redirect of step 1 to another host, and does not follow it', async () => {
  const elsewhere = await scriptedPlatform();
  const one = redirect(`${elsewhere.base}/login?returnUrl=${encodeURIComponent(`/x?tenantId=${tenantId}`)}`);
  platform.expect(...steps(platform.base, { one }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  await elsewhere.done();
});

it('a login follows five redirects of step 3 on one origin, and keeps their cookies', async () => {
  const three = redirect('../../identity/authorize?n=1', 302, { 'set-cookie': 'hop=hop-1; Path=/' });
  const all = steps(platform.base, { three });
  const hop = (n: number, status: number, to = `authorize?n=${n + 1}`) => ({
    method: 'GET',
    path: `/identity/authorize?n=${n}`,
    answer: redirect(to, status),
  });
  const last = { method: 'GET', path: '/identity/done', answer: html(200, formPage(platform.base)) };
  const hops = [hop(1, 301), hop(2, 303), hop(3, 307), hop(4, 308, `${platform.base}/identity/done`), last];
  platform.expect(...all.slice(0, 3), ...hops, ...all.slice(3));
  expect(await logInAt(platform)).toEqual(loggedIn());
  expect(platform.received.at(7)?.headers.cookie).toBe('ctx=context-1; Identity.Permission=permission-1; hop=hop-1');
});

const session = 'Identity.Permission';
const good = `${session}=permission-1; Path=/`;
it.each([
  ['in lower case', ['identity.permission=permission-1; Path=/']],
  ['in chunks', ['=chunks-2', 'C1=permission-1', 'C2=permission-2'].map((rest) => `${session}${rest}; Path=/`)],
  ['with Secure on loopback', [`${good}; Secure; SameSite=None`]],
  ['without a path', [`${session}=permission-1; HttpOnly`]],
  ['for the path of step 3', [`${session}=permission-1; Path=/acme`]],
  ['after one that is taken away', [`${session}=; Path=/; Max-Age=0`, good]],
  ['beside cookies that are dropped', ['evil=1; Domain=evil.example', 'no-equals-sign', good]],
  ['with status 302', [good], 302],
  ['with status 204', [good], 204],
  ['with status 201', [good], 201],
])('a login accepts the session cookie %s', async (_, cookies, status = 200) => {
  const two = { status, headers: { location: '/', 'set-cookie': cookies } };
  platform.expect(...steps(platform.base, { two }));
  expect(await logInAt(platform)).toEqual(loggedIn());
});

const large = [...'123456'].map((n) => `C${n}=${n.repeat(4000)}`);
it.each([
  ['status 200', 200, ['SvcOidc.Login=login-1']],
  ['a redirect to another host', 303, ['SvcOidc.Login=login-1']],
  ['a cookie in chunks', 302, ['SvcOidc.LoginC1=login-1', 'SvcOidc.LoginC2=login-2']],
  ['a cookie of 24 kB in chunks', 302, ['=chunks-6', ...large].map((rest) => `SvcOidc.Login${rest}`)],
])('a login goes on after a step 4 with %s', async (_, status, cookies) => {
  const set = cookies.map((cookie) => `${cookie}; Path=/`);
  const four = { status, headers: { location: 'https://elsewhere.example/', 'set-cookie': set } };
  platform.expect(...steps(platform.base, { four }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  expect(platform.received.at(4)?.headers.cookie?.split('; ')).toEqual(expect.arrayContaining(cookies));
});

it.each([
  ['empty', ''],
  ['full of characters of a form', 'a&b=c+d%20e f'],
  ['several lines long', 'one\ntwo'],
  ['as large as the page may be', 's'.repeat(60_000)],
  ['beyond ASCII', 'zürich 日本'],
])('a login passes on unchanged a state that is %s', async (_, state) => {
  const text = state.replaceAll('&', '&amp;').replaceAll('\n', '&#10;').replaceAll('ü', '&uuml;');
  const page = formPage(platform.base).replace('s-0123456789', text);
  platform.expect(...steps(platform.base, { three: html(200, page) }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  expect(new URLSearchParams(platform.received.at(3)?.body).get('state')).toBe(state);
});

it('a login waits and repeats step 5 if the platform asks for it', async () => {
  const [five] = steps(platform.base, { five: { status: 429, headers: { 'retry-after': '0' } } }).slice(4);
  platform.expect(...steps(platform.base, {}, 4), ...(five ? [five] : []), ...steps(platform.base).slice(4));
  expect(await logInAt(platform, {}, 1)).toEqual(loggedIn());
});

const nameless = 'an issuer (iss) that is not an address';
it.each([
  ['no issuer', undefined, 'no issuer (iss)'],
  ['the name IdSrv', 'IdSrv', nameless],
  ['a URN', 'urn:example:platform', nameless],
  ['an ID', '7f3c', nameless],
  ['a host without a scheme', 'platform.example/identity', nameless],
  ['a name like a scheme', 'https-idp', nameless],
  ['a path', '/identity', nameless],
])('a login with %s in place of the issuer succeeds, and says so once', async (_, iss, what) => {
  const field = iss === undefined ? '' : `<input type="hidden" name="iss" value="${iss}"/>`;
  const three = html(200, formPage(platform.base, field));
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  platform.expect(...steps(platform.base, { three }));
  expect((await logInAt(platform, { note })).issuer).toBe(iss);
  expect(notes).toEqual([`The form of step 3 names ${what}; it is trusted because it comes from this platform.`]);
  const sent = iss === undefined ? '' : `&iss=${encodeURIComponent(iss)}`;
  expect(platform.received.at(3)?.body).toBe(`code=c-0123456789&state=s-0123456789${sent}`);
  if (iss === undefined) return;
  platform.expect(...steps(platform.base, { three }));
  await logInAt(platform, { knownIssuer: iss, note });
  expect(notes).toHaveLength(1);
});

it('a login accepts the issuer that was recorded', async () => {
  platform.expect(...steps(platform.base));
  expect(await logInAt(platform, { knownIssuer: `${platform.base}/identity` })).toEqual(loggedIn());
});

it('a login registers every secret for masking', async () => {
  platform.expect(...steps(platform.base));
  const secrets: string[] = [];
  await logInAt(platform, { remember: (secret) => void secrets.push(secret) });
  expect(secrets).toEqual([
    password,
    'context-1',
    'permission-1',
    'c-0123456789',
    's-0123456789',
    'access-1',
    'refresh-1',
  ]);
});

it('a second login sends no cookie of the first', async () => {
  platform.expect(...steps(platform.base), ...steps(platform.base));
  await logInAt(platform);
  await logInAt(platform);
  expect(platform.received.at(5)?.headers.cookie).toBeUndefined();
});
