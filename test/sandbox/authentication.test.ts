import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.ts';
import {
  type Browser,
  externalLogin,
  logIn,
  machineToken,
  readFormPost,
  refusal,
  root,
  start,
  startPlatform,
  startWithCallers,
  walkToTokens,
} from './browser.ts';

const login = '/identity/api/v1.0/account/login';
const tokens = '/factory/console/api/v1/auth/tokens';
const users = `/api/v1/orgs/${root}/users`;
const tenantId = '7e7a7e7a-0000-4000-8000-000000000001';
const ada = { account: 'ada@factory.example', password: 'correct horse', tenantId };

/** A browser that has taken the first steps of a login: 1 or 2. */
async function stepsTaken(steps: 1 | 2) {
  const started = startPlatform();
  const browser = started.browse();
  await browser.get(externalLogin);
  if (steps === 2) await browser.send('POST', login, ada);
  return { ...started, browser };
}

describe('the login of the sandbox', () => {
  it('answers each of the five steps with what the next one needs', async () => {
    const browser = startPlatform().browse();
    const one = await browser.get(externalLogin);
    const { origin, pathname, searchParams } = new URL(one.headers.get('location') ?? '');
    const page = 'http://factory.test/identity/account/login';
    expect([one.status, origin + pathname, searchParams.get('tenantId')]).toEqual([302, page, tenantId]);
    const context = expect.stringMatching(/^SvcOidc\.Context=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(one.headers.getSetCookie()).toEqual([context]);
    expect((await browser.send('POST', login, ada)).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual(['SvcOidc.Context', 'Identity.Permission']);
    const three = await browser.get(externalLogin);
    const html = await three.text();
    const { action, fields } = readFormPost(html);
    const form = [200, 'text/html; charset=utf-8', 'http://factory.test/signin-oidc', 'http://factory.test/identity'];
    expect([three.status, three.headers.get('content-type'), action, fields.iss]).toEqual(form);
    expect([Object.keys(fields), html.match(/<form/g)?.length]).toEqual([['code', 'state', 'iss'], 3]);
    const four = await browser.form(action, fields);
    expect([four.status, four.headers.get('location')]).toEqual([302, 'http://factory.test/factory/console']);
    expect([...browser.cookies.keys()]).toContain('SvcOidc.Login');
    expect(await (await browser.send('POST', tokens)).json()).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      expiresIn: 7200,
      tokenType: 'Bearer',
    });
  });

  it('gives an access token that is a JWT with the account, signed with HS256', async () => {
    const key = new Uint8Array([1, 2, 3]);
    const { accessToken } = await logIn(startPlatform({ key }).browse());
    const [header = '', payload = '', signature] = accessToken.split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decode(payload)).toEqual({
      iss: 'http://factory.test/identity',
      sub: 'ada',
      email: 'ada@factory.example',
      tenantid: tenantId,
      iat: start / 1000,
      exp: start / 1000 + 7200,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      sid: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(signature).toBe(createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url'));
  });
});

describe('a single step of the login', () => {
  it.each([
    ['/other/portal/external-login?returnUrl=http%3A%2F%2Ffactory.test%2Fother%2Fconsole', 404],
    ['/factory/portal/external-login', 400],
    ['/factory/portal/external-login?returnUrl=http%3A%2F%2Fevil.test%2Ffactory%2Fconsole', 400],
    ['/factory/portal/external-login?returnUrl=http%3A%2F%2Ffactory.test%2Ffactory%2Fother', 400],
    ['/factory/portal/external-login?returnUrl=http%3A%2F%2Ffactory.test%2Ffactory%2Fconsole%2F', 302],
  ])('answers step 1 at %s with %i', async (path, status) => {
    expect((await startPlatform().browse().get(path)).status).toBe(status);
  });

  it.each([
    ['a wrong password', { ...ada, password: 'wrong' }, [401, 'InvalidCredentials']],
    ['an unknown account', { ...ada, account: 'eve@factory.example' }, [401, 'InvalidCredentials']],
    ['another tenant', { ...ada, tenantId: '00000000-0000-4000-8000-000000000000' }, [400, 'Validation']],
    ['no password', { account: ada.account, tenantId }, [400, 'Validation']],
    ['a password that is a number', { ...ada, password: 1 }, [400, 'Validation']],
  ])('refuses step 2 with %s, and sets no cookie', async (_, body, expected) => {
    const { browser } = await stepsTaken(1);
    expect(await refusal(await browser.send('POST', login, body))).toEqual(expected);
    expect([...browser.cookies.keys()]).toEqual(['SvcOidc.Context']);
  });

  it('refuses step 2 without the cookie of step 1', async () => {
    const browser = startPlatform().browse();
    expect(await refusal(await browser.send('POST', login, ada))).toEqual([400, 'SignInContextMissing']);
  });

  it.each(['SvcOidc.Context', 'Identity.Permission'])(
    'answers step 3 without the cookie %s as step 1',
    async (name) => {
      const { browser } = await stepsTaken(2);
      browser.cookies.delete(name);
      const answer = await browser.get(externalLogin);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        302,
        expect.stringContaining('/identity/account/login?tenantId=7e7a7e7a-0000-4000-8000-000000000001&'),
      ]);
    },
  );

  async function atStep4() {
    const started = await stepsTaken(2);
    const { fields } = readFormPost(await (await started.browser.get(externalLogin)).text());
    return { ...started, fields };
  }
  it.each<[string, (given: Awaited<ReturnType<typeof atStep4>>) => unknown]>([
    ['a code for the second time', ({ browser, fields }) => browser.form('/signin-oidc', { ...fields })],
    ['a code older than five minutes', ({ time }) => (time.now += 300_000)],
    ['no cookie of step 1', ({ browser }) => browser.cookies.delete('SvcOidc.Context')],
    ...['code', 'state', 'iss'].flatMap((name): [string, (given: { fields: Record<string, string> }) => unknown][] => [
      [`a wrong ${name}`, ({ fields }) => Object.assign(fields, { [name]: 'x' })],
      [`no ${name}`, ({ fields }) => delete fields[name]],
    ]),
  ])('refuses step 4 with %s', async (_, change) => {
    const started = await atStep4();
    await change(started);
    const answer = await started.browser.form('/signin-oidc', started.fields);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
  });

  it('refuses step 4 in JSON', async () => {
    const { browser, fields } = await atStep4();
    expect((await browser.send('POST', '/signin-oidc', fields)).status).toBe(415);
  });

  it('refuses step 5 without the cookie of step 4', async () => {
    const browser = startPlatform().browse();
    await walkToTokens(browser);
    browser.cookies.delete('SvcOidc.Login');
    const answer = await browser.send('POST', tokens);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('refuses step 5 with a body', async () => {
    const browser = startPlatform().browse();
    await walkToTokens(browser);
    expect((await browser.send('POST', tokens, {})).status).toBe(400);
    expect((await browser.send('POST', tokens)).status).toBe(200);
  });

  it('answers step 5 with 404 below another tenant or application', async () => {
    const browser = startPlatform().browse();
    await walkToTokens(browser);
    expect((await browser.send('POST', '/factory/other/api/v1/auth/tokens')).status).toBe(404);
    expect((await browser.send('POST', '/other/console/api/v1/auth/tokens')).status).toBe(404);
  });

  it('refuses step 5 eight hours after step 4', async () => {
    const { browse, time } = startPlatform();
    const browser = browse();
    await walkToTokens(browser);
    time.now += 8 * 3_600_000;
    expect((await browser.send('POST', tokens)).status).toBe(401);
  });
});

describe('a user token', () => {
  it('expires after 7200 seconds', async () => {
    const { browse, time } = startPlatform();
    const { accessToken } = await logIn(browse());
    time.now += 7_199_999;
    expect((await browse(accessToken).get(users)).status).toBe(200);
    time.now += 1;
    const answer = await browse(accessToken).get(users);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="The access token is not valid"',
    ]);
  });

  const renew = (browser: Browser, refreshToken: string) =>
    browser.send('POST', `${tokens}?grant_type=refresh_token`, { refreshToken });

  it('is renewed with a new refresh token', async () => {
    const { browse, time } = startPlatform();
    const first = await logIn(browse());
    time.now += 7_200_000;
    const answer = await renew(browse(), first.refreshToken);
    const second = (await answer.json()) as typeof first;
    expect(answer.status).toBe(200);
    expect(second).toMatchObject({ expiresIn: 7200, tokenType: 'Bearer' });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await browse(second.accessToken).get(users)).status).toBe(200);
    expect((await renew(browse(), second.refreshToken)).status).toBe(200);
  });

  it('is revoked if its refresh token is used twice', async () => {
    const { browse } = startPlatform();
    const first = await logIn(browse());
    const second = (await (await renew(browse(), first.refreshToken)).json()) as typeof first;
    expect(await refusal(await renew(browse(), first.refreshToken))).toEqual([400, 'invalid_grant']);
    expect((await browse(second.accessToken).get(users)).status).toBe(401);
    expect((await renew(browse(), second.refreshToken)).status).toBe(400);
  });

  it('keeps its refresh token valid for the refreshLeeway only', async () => {
    const { browse, time } = startPlatform({ refreshLeeway: 30_000 });
    const first = await logIn(browse());
    const second = (await (await renew(browse(), first.refreshToken)).json()) as typeof first;
    time.now += 29_999;
    const again = (await (await renew(browse(), first.refreshToken)).json()) as typeof first;
    expect((await renew(browse(), second.refreshToken)).status).toBe(200);
    expect((await browse(again.accessToken).get(users)).status).toBe(200);
    time.now += 1;
    expect(await refusal(await renew(browse(), first.refreshToken))).toEqual([400, 'invalid_grant']);
    expect((await browse(again.accessToken).get(users)).status).toBe(401);
  });

  it('stays valid if someone sends an invented refresh token', async () => {
    const { browse } = startPlatform();
    const { accessToken, refreshToken } = await logIn(browse());
    expect((await renew(browse(), `${refreshToken.slice(0, 22)}.forged`)).status).toBe(400);
    expect((await renew(browse(), 'x')).status).toBe(400);
    expect((await browse(accessToken).get(users)).status).toBe(200);
  });

  it.each([
    [`${tokens}?grant_type=password`, 'a token', { refreshToken: 'x' }, 400],
    [`${tokens}?grant_type=refresh_token`, 'no token', {}, 400],
    [`${tokens}?grant_type=refresh_token`, 'null for a token', { refreshToken: null }, 400],
    [`${tokens}?grant_type=refresh_token`, 'no body', undefined, 400],
    ['/factory/other/api/v1/auth/tokens?grant_type=refresh_token', 'a token', { refreshToken: 'x' }, 404],
  ])('is not renewed at %s with %s: %i', async (path, _, body, status) => {
    expect((await startPlatform().browse().send('POST', path, body)).status).toBe(status);
  });
});

describe('the token of a machine', () => {
  it('has the form of OAuth and does not expire', async () => {
    const { browse, time } = startPlatform();
    const answer = await machineToken(browse());
    expect(answer).toEqual({ access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), token_type: 'Bearer' });
    time.now += 50 * 365 * 86_400_000;
    expect((await browse(answer.access_token).get(users)).status).toBe(200);
  });

  it('expires at the expiredAt of its credential', async () => {
    const { admin, browse, time } = await startWithCallers();
    const created = await admin.send('POST', '/api/v1/oauth2/client-credentials', {
      name: 'short',
      expiredAt: '2026-01-15T09:00:00Z',
    });
    const { clientId, clientSecret } = (await created.json()) as { clientId: string; clientSecret: string };
    const answer = await machineToken(browse(), clientId, clientSecret);
    expect(answer.expires_in).toBe(3600);
    time.now += 3_599_999;
    expect((await browse(answer.access_token).get(users)).status).toBe(200);
    time.now += 1;
    expect((await browse(answer.access_token).get(users)).status).toBe(401);
    expect(await machineToken(browse(), clientId, clientSecret)).toMatchObject({ error: 'invalid_client' });
  });

  it.each([
    [{ grant_type: 'client_credentials', client_id: 'sandbox-machine', client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'sandbox-secret' }, 401, 'invalid_client'],
    [
      { grant_type: 'password', client_id: 'sandbox-machine', client_secret: 'sandbox-secret' },
      400,
      'unsupported_grant_type',
    ],
    [{ grant_type: 'client_credentials', client_id: 'sandbox-machine' }, 400, 'invalid_request'],
  ])('is refused for %j with %i and an OAuth error', async (fields, status, error) => {
    const answer = await startPlatform().browse().form('/identity/connect/token', fields);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error, error_description: expect.stringMatching(/\.$/) });
  });
});

describe('the bearer token', () => {
  const calls = operations.flatMap(({ security, method, path }) =>
    security === 'bearer' ? [[method, path.replace(/\{\w+\}/g, 'x')] as const] : [],
  );
  it.each(calls)('is required by %s %s before anything else is checked', async (method, path) => {
    const answer = await startPlatform().browse().send(method, path);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('is refused if its signature is not from the platform', async () => {
    const { browse } = startPlatform();
    const { accessToken } = await logIn(browse());
    const [header, payload, signature = ''] = accessToken.split('.');
    const other = await logIn(startPlatform({ key: new Uint8Array([9]) }).browse());
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const forged = [
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      other.accessToken,
      'x',
    ];
    const statuses = [];
    for (const token of forged) statuses.push((await browse(token).get(users)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('is accepted after the scheme "%s"', async (scheme) => {
    const { browse } = startPlatform();
    const { accessToken } = await logIn(browse());
    expect((await browse().get(users, { authorization: `${scheme} ${accessToken}` })).status).toBe(200);
  });

  it('is refused as a cookie or as Basic', async () => {
    const browser = startPlatform().browse();
    const { accessToken } = await logIn(browser);
    expect((await browser.get(users)).status).toBe(401);
    expect((await browser.get(users, { authorization: `Basic ${accessToken}` })).status).toBe(401);
  });
});

describe('the pages of the login', () => {
  it('let a person log in without JavaScript', async () => {
    const browser = startPlatform().browse();
    const first = await browser.get(externalLogin);
    const location = new URL(first.headers.get('location') ?? '');
    const page = await browser.get(location.pathname + location.search);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('<label for="password">Password</label>');
    const returnUrl = location.searchParams.get('returnUrl') ?? '';
    const wrong = await browser.form('/identity/account/login', { ...ada, password: 'wrong', returnUrl });
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringContaining('<p role="alert">The account or its password is wrong.</p>'),
    ]);
    const right = await browser.form('/identity/account/login', { ...ada, returnUrl });
    expect(right.status).toBe(302);
    const form = readFormPost(await (await browser.get(right.headers.get('location') ?? '')).text());
    const done = await browser.form(form.action, form.fields);
    const application = await browser.get(done.headers.get('location') ?? '');
    expect(await application.text()).toContain('You are logged in as ada@factory.example.');
  });

  it('never redirect to another origin', async () => {
    const { browser } = await stepsTaken(1);
    const answer = await browser.form('/identity/account/login', { ...ada, returnUrl: '//evil.test/x' });
    expect(answer.headers.get('location')).toBe('http://factory.test/factory/console');
  });

  it('escape values of the query', async () => {
    const page = await startPlatform()
      .browse()
      .get('/identity/account/login?tenantId=%22%3E%3Cscript%3E&returnUrl=%27');
    expect(await page.text()).toContain('value="&#34;&#62;&#60;script&#62;"');
  });

  it('load nothing from other servers', async () => {
    const page = await startPlatform().browse().get('/identity/account/login');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });
});
