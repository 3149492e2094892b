import { expect, it } from 'vitest';
import { madeForEach } from '../support/fixtures.ts';
import { html, json, scriptedPlatform } from '../support/scripted.ts';
import { formPage, goodAnswers, logInAt, now, password, redirect, steps, tenantId } from './platform.ts';

const platform = madeForEach(scriptedPlatform);

const loggedIn = () => ({
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  expiresAt: now + 7_200_000,
  issuedAt: now,
  issuer: `${platform.base}/identity`,
});

it('makes the five requests of the interface, each with the cookies set before it', async () => {
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
  expect([five?.headers['content-type'], five?.headers['transfer-encoding'], five?.body]).toEqual([
    undefined,
    undefined,
    '',
  ]);
});

it('sends the antiforgery token of the cookie XSRF-TOKEN in the headers that platforms read', async () => {
  const one = redirect(`${platform.base}/identity/login?tenantId=${tenantId}`, 302, {
    'set-cookie': 'XSRF-TOKEN=CfDJ8%2Babc; Path=/',
  });
  platform.expect(...steps(platform.base, { one }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  const sent = platform.received.map(({ headers: { requestverificationtoken: token } }) => token);
  expect(sent).toEqual([undefined, 'CfDJ8+abc', undefined, 'CfDJ8+abc', 'CfDJ8+abc']);
  expect(platform.received[1]?.headers['x-xsrf-token']).toBe('CfDJ8+abc');
});

it('works below the path of a base URL, with or without a trailing slash', async () => {
  for (const base of [`${platform.base}/iot/eu`, `${platform.base}/iot/eu/`]) {
    const prefixed = `${platform.base}/iot/eu`;
    platform.expect(...steps(prefixed, { three: html(200, formPage(platform.base)) }));
    expect(await logInAt({ base })).toEqual(loggedIn());
  }
});

it('encodes tenant and application as one segment each', async () => {
  const path = `/a%2Fb%20c/portal/external-login?returnUrl=${encodeURIComponent(`${platform.base}/a%2Fb%20c/x%3Fy`)}`;
  const { one, two, three, four, five } = goodAnswers(platform.base);
  const [, second, , fourth] = steps(platform.base, { two, four });
  platform.expect({ method: 'GET', path, answer: one });
  if (second) platform.expect(second);
  platform.expect({ method: 'GET', path, answer: three });
  if (fourth) platform.expect(fourth);
  platform.expect({ method: 'POST', path: '/a%2Fb%20c/x%3Fy/api/v1/auth/tokens', answer: five });
  expect(await logInAt(platform, { tenant: 'a/b c', app: 'x?y' })).toEqual(loggedIn());
});

it('reads a redirect of step 1 to another host, and does not follow it', async () => {
  const elsewhere = await scriptedPlatform();
  const one = redirect(`${elsewhere.base}/login?returnUrl=${encodeURIComponent(`/x?tenantId=${tenantId}`)}`);
  platform.expect(...steps(platform.base, { one }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  await elsewhere.done();
});

it('follows five redirects of step 3 on the same origin, and keeps their cookies', async () => {
  const [one, two, , four, five] = steps(platform.base);
  const [, , three] = steps(platform.base, {
    three: redirect('../../identity/authorize?n=1', 302, { 'set-cookie': 'hop=hop-1; Path=/' }),
  });
  const hop = (n: number, status: number, to = `authorize?n=${n + 1}`) => ({
    method: 'GET',
    path: `/identity/authorize?n=${n}`,
    answer: redirect(to, status),
  });
  const last = { method: 'GET', path: '/identity/done', answer: html(200, formPage(platform.base)) };
  for (const step of [one, two, three]) if (step) platform.expect(step);
  platform.expect(hop(1, 301), hop(2, 303), hop(3, 307), hop(4, 308, `${platform.base}/identity/done`), last);
  for (const step of [four, five]) if (step) platform.expect(step);
  expect(await logInAt(platform)).toEqual(loggedIn());
  expect(platform.received.at(7)?.headers.cookie).toBe('ctx=context-1; Identity.Permission=permission-1; hop=hop-1');
});

it.each([
  ['in other case', ['identity.permission=permission-1; Path=/']],
  [
    'in chunks',
    [
      'Identity.Permission=chunks-2; Path=/',
      'Identity.PermissionC1=permission-1; Path=/',
      'Identity.PermissionC2=permission-2; Path=/',
    ],
  ],
  ['Secure on loopback', ['Identity.Permission=permission-1; Path=/; Secure; SameSite=None']],
  ['without a path', ['Identity.Permission=permission-1; HttpOnly']],
  ['with the prefix of a path that step 3 has', ['Identity.Permission=permission-1; Path=/acme']],
  [
    'after it was replaced on the way',
    ['Identity.Permission=; Path=/; Max-Age=0', 'Identity.Permission=permission-1; Path=/'],
  ],
  [
    'beside cookies that no client may keep',
    ['evil=1; Domain=evil.example', 'no-equals-sign', 'Identity.Permission=permission-1; Path=/'],
  ],
])('accepts the session cookie %s', async (_, cookies) => {
  platform.expect(...steps(platform.base, { two: json(200, {}, { 'set-cookie': cookies }) }));
  expect(await logInAt(platform)).toEqual(loggedIn());
});

it.each([
  ['302', 302],
  ['204', 204],
  ['201', 201],
])('accepts the session cookie of a %s', async (_, status) => {
  const two = { status, headers: { location: '/', 'set-cookie': 'Identity.Permission=permission-1; Path=/' } };
  platform.expect(...steps(platform.base, { two }));
  expect(await logInAt(platform)).toEqual(loggedIn());
});

it.each([
  ['200', { status: 200, headers: { 'set-cookie': 'SvcOidc.Login=login-1; Path=/' } }],
  [
    '303 to another host',
    redirect('https://elsewhere.example/', 303, { 'set-cookie': 'SvcOidc.Login=login-1; Path=/' }),
  ],
  [
    'cookie in chunks',
    { status: 302, headers: { 'set-cookie': ['SvcOidc.LoginC1=login-1; Path=/', 'SvcOidc.LoginC2=login-2; Path=/'] } },
  ],
  [
    'cookie of 24 kB in chunks',
    {
      status: 302,
      headers: {
        'set-cookie': [
          'SvcOidc.Login=chunks-6; Path=/',
          ...['1', '2', '3', '4', '5', '6'].map((number) => `SvcOidc.LoginC${number}=${number.repeat(4000)}; Path=/`),
        ],
      },
    },
  ],
])('continues after a step 4 with %s', async (_, four) => {
  platform.expect(...steps(platform.base, { four }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  const sentBack = platform.received.at(4)?.headers.cookie?.split('; ');
  const given = [four.headers?.['set-cookie']].flat().map((cookie) => cookie?.split(';')[0]);
  expect(sentBack).toEqual(expect.arrayContaining(given));
});

it.each([
  ['empty', ''],
  ['with the signs of a form', 'a&b=c+d%20e f'],
  ['of several lines', 'one\ntwo'],
  ['as large as the page may be', 's'.repeat(60_000)],
  ['beyond ASCII', 'zürich 日本'],
])('passes on a state that is %s unchanged', async (_, state) => {
  const text = state.replaceAll('&', '&amp;').replaceAll('\n', '&#10;').replaceAll('ü', '&uuml;');
  const page = formPage(platform.base).replace('s-0123456789', text);
  platform.expect(...steps(platform.base, { three: html(200, page) }));
  expect(await logInAt(platform)).toEqual(loggedIn());
  expect(new URLSearchParams(platform.received.at(3)?.body).get('state')).toBe(state);
});

it('waits if step 5 asks for it, as for every POST without a password or code', async () => {
  const [five] = steps(platform.base, { five: { status: 429, headers: { 'retry-after': '0' } } }).slice(4);
  platform.expect(...steps(platform.base, {}, 4), ...(five ? [five] : []), ...steps(platform.base).slice(4));
  expect(await logInAt(platform, {}, 1)).toEqual(loggedIn());
});

it('says so if no issuer is named, and records none', async () => {
  platform.expect(...steps(platform.base, { three: html(200, formPage(platform.base, '')) }));
  const notes: string[] = [];
  const { issuer: _, ...tokens } = loggedIn();
  expect(await logInAt(platform, { note: (line) => void notes.push(line) })).toEqual(tokens);
  expect(notes).toEqual([
    'The form of step 3 names no issuer (iss); it is trusted because it comes from this platform.',
  ]);
  expect(platform.received.at(3)?.body).toBe('code=c-0123456789&state=s-0123456789');
});

it.each(['platform', 'urn:example:platform', '7f3c'])(
  'accepts an issuer that is not an address, says so once, and records it: %s',
  async (iss) => {
    const three = html(200, formPage(platform.base, `<input type="hidden" name="iss" value="${iss}"/>`));
    const notes: string[] = [];
    platform.expect(...steps(platform.base, { three }), ...steps(platform.base, { three }));
    expect(await logInAt(platform, { note: (line) => void notes.push(line) })).toMatchObject({ issuer: iss });
    await logInAt(platform, { knownIssuer: iss, note: (line) => void notes.push(line) });
    expect(notes).toEqual([
      'The form of step 3 names an issuer (iss) that is not an address; it is trusted because it comes from this platform.',
    ]);
    expect(platform.received.at(3)?.body).toBe(`code=c-0123456789&state=s-0123456789&iss=${encodeURIComponent(iss)}`);
  },
);

it('accepts the issuer that was recorded', async () => {
  platform.expect(...steps(platform.base));
  expect(await logInAt(platform, { knownIssuer: `${platform.base}/identity` })).toEqual(loggedIn());
});

it('registers every secret for masking before it could be shown', async () => {
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

it('starts afresh for each login: nothing of the last one is sent in the next', async () => {
  platform.expect(...steps(platform.base), ...steps(platform.base));
  await logInAt(platform);
  await logInAt(platform);
  expect(platform.received.at(5)?.headers.cookie).toBeUndefined();
});
