import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { failureOf } from '../support/failing.ts';
import { madeForEach } from '../support/fixtures.ts';
import { type Expected, html, json, type Reply, scriptedPlatform } from '../support/scripted.ts';
import { formPage, logInAt, password, redirect, steps, tenantId } from './platform.ts';

const platform = madeForEach(scriptedPlatform);

const passwordInHtml = password.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const inStep = (step: number, reason: string) => `Step ${step} of the login failed: ${reason}.`;

describe('step 1', () => {
  const end = async (one: Expected['answer']) => {
    platform.expect(...steps(platform.base, { one }, 1));
    return failureOf(logInAt(platform));
  };

  const instead = (status: string) =>
    `instead of a redirect to the login of the tenant path acme and its application console, the platform answered with status ${status}`;
  const unreadable = 'the platform redirects (302) to an address that cannot be read, for the tenant path acme';
  const without = 'the redirect for the tenant path acme holds no tenantId';

  it.each([
    ['200', json(200, {}), 'unauthenticated', instead('200')],
    [
      '404',
      json(404, {}),
      'not_found',
      'the platform does not know the tenant path acme or its application console (404)',
    ],
    [
      '400',
      json(400, { error: { message: 'No such tenant.' } }),
      'unauthenticated',
      instead('400, and says: No such tenant'),
    ],
    ['500 for a tenant', json(500, {}), 'unavailable', 'the platform answered 500'],
    ['429', json(429, {}), 'unavailable', 'the platform answered 429'],
    [
      '403 of a tenant that ABP does not resolve',
      json(403, {}, { 'Abp-Tenant-Resolve-Error': 'x' }),
      'unauthenticated',
      'the platform does not know the tenant path acme (403)',
    ],
    ['302 without a Location', { status: 302 }, 'unavailable', unreadable],
    ['302 to no address', redirect('https://['), 'unavailable', unreadable],
    ['302 without a tenant', redirect('/error?message=tenant'), 'unauthenticated', without],
    ['302 with an empty tenant', redirect('/login?tenantId='), 'unauthenticated', without],
    [
      '302 with two tenants',
      redirect('/login?tenantId=a&tenantId=b'),
      'unauthenticated',
      'the redirect for the tenant path acme holds more than one tenantId',
    ],
  ] as const)('that answers %s ends the login', async (_, one, kind, reason) => {
    expect(await end(one)).toMatchObject({ kind, message: inStep(1, reason) });
  });

  it('that answers nothing says where and why', async () => {
    const { kind, message } = await end('lost');
    expect({ kind, named: message.startsWith('The exchange with ') }).toEqual({
      kind: 'unavailable',
      named: true,
    });
  });
});

it('a platform that cannot be reached is no failed step', async () => {
  const gone = await scriptedPlatform();
  await gone.done();
  expect(await failureOf(logInAt(gone))).toMatchObject({
    kind: 'unavailable',
    message: `Cannot reach ${gone.base}: nothing listens there.`,
  });
});

describe('step 2', () => {
  const end = async (two: Expected['answer']) => {
    platform.expect(...steps(platform.base, { two }, 2));
    return failureOf(logInAt(platform));
  };

  const refused = (status: number, why: string) =>
    `The platform refuses the login of ada@example.com (${status}): ${why}`;
  const oauth = { error: 'invalid_grant', error_description: 'Invalid user name or password!' };
  const locked = { error: { code: 'Account:Locked', message: 'The account is locked.' } };
  const repeating = (text: string) => json(400, { error: { message: `not ${text}` } });

  it.each([
    ['400', json(400, oauth), refused(400, 'Invalid user name or password!')],
    ['401 in words that are called a page', html(401, 'Bad password'), refused(401, 'Bad password.')],
    [
      '401 in JSON that challenges for Basic',
      json(401, oauth, { 'www-authenticate': 'Basic realm="x"' }),
      refused(401, oauth.error_description),
    ],
    [
      '200 without the cookie',
      json(200, { result: 2, description: 'InvalidPassword' }),
      refused(200, 'InvalidPassword.'),
    ],
    ['400 with the password in its words', repeating(password), refused(400, 'not ***.')],
    ['400 with the password encoded in its words', repeating(encodeURIComponent(password)), refused(400, 'not ***.')],
    [
      '400 with the password in base64',
      repeating(Buffer.from(password).toString('base64url')),
      refused(400, 'not ***.'),
    ],
  ])('that refuses the password by %s is unauthenticated', async (_, two, message) => {
    const hint =
      'Check the account and the password, then run iiot login again. Too many wrong passwords may lock the account';
    expect(await end(two)).toEqual({ kind: 'unauthenticated', message, hint });
  });

  it.each<[string, Reply, number]>([
    ['401', { status: 401 }, 401],
    ['400 without a body, as the antiforgery filter of ABP does', { status: 400 }, 400],
    ['403 with an empty object', json(403, {}), 403],
    ['200 with the cookie taken away', json(200, {}, { 'set-cookie': 'Identity.Permission=; Path=/; Max-Age=0' }), 200],
    ['200 with a cookie of a longer name', json(200, {}, { 'set-cookie': 'Identity.PermissionHint=1; Path=/' }), 200],
    ['200 with names that say no', json(200, { isLockedOut: false, twoFactor: { enabled: false }, mfa: null }), 200],
    ['200 that could lock the account', json(200, { lockoutEnabled: true, unlocked: true }), 200],
    ['302 without the cookie', redirect('/identity/login'), 302],
  ])('that gives no reason, by %s, is not told as a wrong password', async (_, two, status) => {
    expect(await end(two)).toEqual({
      kind: 'unauthenticated',
      message:
        `The platform set no session for ada@example.com and gave no reason (${status}): the account or its password may be wrong, ` +
        'or it may need a second factor, a new password or consent.',
      hint:
        'Log in with the same account in a browser, which shows what is missing, then run iiot login again. ' +
        'For scripts use: iiot login m2m',
    });
  });

  const second = 'asks for a second factor, which iiot does not support';
  const fresh = 'asks for a new password';
  const isLocked = 'says that the account is locked';
  it.each<[string, Reply, string]>([
    ['a name', json(200, { requiresTwoFactor: true, twoFactorProviders: ['Email'] }), second],
    ['a short name', json(200, { data: { MFARequired: 'true', mfa_token: 'x' } }), second],
    ['a name with a number', json(401, { requires2FA: 1 }), second],
    [
      "ABP's word",
      json(200, { result: 5, description: 'RequiresTwoFactor' }),
      `${second}, and says: RequiresTwoFactor`,
    ],
    ['an address', redirect('/Account/SendSecurityCode?returnUrl=x', 302), second],
    ["ABP's name", json(200, { result: { shouldResetPassword: true, resetCode: 'x' }, success: true }), fresh],
    ['a code', json(401, { error: 'PASSWORD_EXPIRED' }), `${fresh}, and says: PASSWORD_EXPIRED`],
    [
      'a sentence',
      json(400, { message: 'You must change your password.' }),
      `${fresh}, and says: You must change your password`,
    ],
    ["ABP's word", json(200, { result: 3, description: 'LockedOut' }), `${isLocked}, and says: LockedOut`],
    ['a code and a sentence', json(403, locked), `${isLocked}, and says: The account is locked`],
    [
      "OAuth's error",
      json(400, { error: 'invalid_grant', error_description: 'Too many attempts.' }),
      `${isLocked}, and says: Too many attempts`,
    ],
    ['a name', json(200, { consentRequired: true }), 'asks for consent'],
    ['a word', json(200, { error: { code: 'Captcha' } }), 'asks for a captcha, and says: Captcha'],
  ])('that says by %s what stands in the way is told as that: %j', async (_, two, reason) => {
    expect(await end(two)).toEqual({
      kind: 'unauthenticated',
      message: inStep(2, `the platform ${reason}`),
      hint: 'Do that in a browser, then log in again. For scripts use: iiot login m2m',
    });
  });

  it('takes no name of an account for what the platform asks for', async () => {
    const account = 'mfa@otp.example';
    platform.expect(...steps(platform.base, { two: json(200, { account }) }, 2));
    expect((await failureOf(logInAt(platform, { account }))).message).toContain('gave no reason (200)');
  });

  it.each<[Reply, true | undefined]>([
    [json(400, oauth), true],
    [{ status: 401 }, true],
    [{ status: 400 }, undefined],
    [json(200, {}), undefined],
    [json(401, { requiresTwoFactor: true }), undefined],
  ])('asks for another password only where this one may be wrong: %j', async (two, passwordRefused) => {
    platform.expect(...steps(platform.base, { two }, 2));
    const failure: unknown = await logInAt(platform).catch((error: unknown) => error);
    expect(failure instanceof Failure && failure.facts.passwordRefused).toBe(passwordRefused);
  });

  it.each([
    'Invalid user name or password. The account is locked after 5 attempts.',
    'Wrong password! To reset your password, ask an administrator.',
    'The credentials are not valid, or two-factor login is required.',
  ])('that speaks of the password is told in its own words, whatever else they name: %s', async (message) => {
    expect(await end(json(401, { message }))).toMatchObject({ message: refused(401, message) });
  });

  it.each([307, 308])('never sends the password to where a %i points', async (status) => {
    const elsewhere = await scriptedPlatform();
    const two = redirect(`${elsewhere.base}/login`, status, {
      'set-cookie': 'Identity.Permission=permission-1; Path=/',
    });
    const reason = `the platform redirects (${status}) the request with the password, which is never sent elsewhere`;
    expect(await end(two)).toMatchObject({ kind: 'unavailable', message: inStep(2, reason) });
    await elsewhere.done();
  });

  it.each([
    ['404', json(404, {}), 'not_found', 'the platform has no login at /identity/api/v1.0/account/login (404)'],
    ['503', { status: 503 }, 'unavailable', 'the platform answered 503'],
    ['429', { status: 429 }, 'unavailable', 'the platform answered 429'],
    [
      'a cookie of another host',
      json(200, {}, { 'set-cookie': 'Identity.Permission=x; Domain=evil.example' }),
      'unavailable',
      'the cookie Identity.Permission is for another host, or for https only, and cannot be used',
    ],
    [
      'more cookies than a login may have',
      json(
        200,
        {},
        { 'set-cookie': [...Array(180).keys()].map((index) => `c${index}=1`).concat('Identity.Permission=x') },
      ),
      'unavailable',
      'the platform sets more cookies than a login may have, so there is no room for Identity.Permission',
    ],
  ] as const)('that answers %s ends the login without a second try', async (_, two, kind, reason) => {
    expect(await end(two)).toMatchObject({ kind, message: inStep(2, reason) });
  });

  it('is not repeated where its answer was lost', async () => {
    expect(await end('lost')).toMatchObject({ kind: 'unavailable' });
  });
});

describe('step 3', () => {
  const end = async (three: Expected['answer'], known?: string) => {
    platform.expect(...steps(platform.base, { three }, 3));
    return failureOf(logInAt(platform, { knownIssuer: known }));
  };

  it.each([
    ['another host', 'https://evil.example/login', 'https://evil.example'],
    ['another host by slashes', '//evil.example/login', 'http://evil.example'],
    ['another host by backslashes', '\\\\evil.example\\login', 'http://evil.example'],
    ['another host without slashes', 'https:evil.example', 'https://evil.example'],
    ['another port', 'http://127.0.0.1:1/login', 'http://127.0.0.1:1'],
    ['a script', 'javascript:alert(1)', 'a javascript: address'],
  ])('does not follow a redirect to %s', async (_, location, target) => {
    const reason = `the platform redirects to ${target}, which is not followed`;
    expect(await end(redirect(location))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it('does not follow a redirect with a user in it', async () => {
    const to = platform.base.replace('http://', 'http://ada:secret@');
    const reason = `the platform redirects to ${platform.base}, which is not followed`;
    expect(await end(redirect(to))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it.each([
    ['empty', ''],
    ['no address', 'https://['],
  ])('says where a Location is %s', async (_, location) => {
    const reason = 'the platform redirects (302) to an address that cannot be read';
    expect(await end(redirect(location))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it('follows no sixth redirect', async () => {
    platform.expect(...steps(platform.base, { three: redirect('/hop') }, 3));
    for (let n = 0; n < 5; n += 1) platform.expect({ method: 'GET', path: '/hop', answer: redirect('/hop') });
    const reason = 'the platform redirects more than 5 times';
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it.each([
    ['404', { status: 404 }, 'not_found', 'the platform does not know this tenant or application (404)'],
    [
      '403',
      json(403, { error: { message: 'Not your application.' } }),
      'unauthenticated',
      'the platform does not complete the login (403), and says: Not your application',
    ],
    ['502', html(502, ''), 'unavailable', 'the platform answered 502'],
    [
      'a page beyond 64 KiB',
      html(200, 'x'.repeat(65_537)),
      'unavailable',
      'the page is larger than 64 KiB, too large for a login form',
    ],
    [
      'an error in a redirect',
      redirect('/acme/console?error=access_denied&error_description=Not+assigned'),
      'unauthenticated',
      'the platform ends the login, and says: Not assigned',
    ],
    [
      'an error with the password, which is cut',
      html(
        200,
        `<form><input name=error value=access_denied><input name=error_description value='${'x'.repeat(290)}${passwordInHtml} '></form>`,
      ),
      'unauthenticated',
      `the platform ends the login, and says: ${'x'.repeat(290)}***`,
    ],
    [
      'a title with the password, which is cut',
      html(200, `<title>${'x'.repeat(190)}${passwordInHtml}</title>`),
      'unavailable',
      `the page "${'x'.repeat(190)}***" has no form with the fields code and state`,
    ],
    [
      'an error with the password in a redirect',
      redirect(`/?error=access_denied&error_description=${'x'.repeat(290)}${encodeURIComponent(password)}`),
      'unauthenticated',
      `the platform ends the login, and says: ${'x'.repeat(290)}***`,
    ],
    [
      'an error in a redirect elsewhere',
      redirect('https://evil.example/?error=access_denied'),
      'unauthenticated',
      'the platform ends the login, and says: access_denied',
    ],
  ] as const)('that answers %s ends the login', async (_, three, kind, reason) => {
    expect(await end(three)).toMatchObject({ kind, message: inStep(3, reason) });
  });

  it('knows the login page by its address, on the own host and elsewhere', async () => {
    platform.expect(...steps(platform.base, { three: redirect('/identity/login?again') }, 3));
    platform.expect({ method: 'GET', path: '/identity/login?again', answer: html(200, '<div id=root></div>') });
    const message = inStep(3, 'the platform shows its login page again');
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
    platform.expect(...steps(platform.base, { three: redirect('/identity/login?again') }, 3));
    platform.expect({ method: 'GET', path: '/identity/login?again', answer: { status: 404 } });
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
    const one = redirect(`https://sso.example/login?tenantId=${tenantId}`);
    platform.expect(...steps(platform.base, { one, three: redirect('https://sso.example/login?again') }, 3));
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
  });

  it('says so where the session cookie was for other addresses alone', async () => {
    const two = json(200, {}, { 'set-cookie': 'Identity.Permission=permission-1; Path=/identity' });
    const three = html(200, '<form><input name=account><input type=password name=password></form>');
    platform.expect(...steps(platform.base, { two, three }, 3));
    const reason =
      'the platform shows its login page again, because its cookie Identity.Permission is for other addresses only';
    expect(await failureOf(logInAt(platform))).toEqual({
      kind: 'unauthenticated',
      message: inStep(3, reason),
      hint: 'Tell the operator of the platform: the cookie needs Path=/',
    });
  });

  it('knows that the session cookie went along on the way', async () => {
    const two = json(200, {}, { 'set-cookie': 'Identity.Permission=permission-1; Path=/identity/connect' });
    platform.expect(...steps(platform.base, { two, three: redirect('/identity/connect/authorize') }, 3));
    platform.expect({ method: 'GET', path: '/identity/connect/authorize', answer: redirect('/identity/login') });
    platform.expect({ method: 'GET', path: '/identity/login', answer: html(200, '<div id=root></div>') });
    const message = inStep(3, 'the platform shows its login page again');
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
  });

  const issuer = (iss: string) => `<input type="hidden" name="iss" value="${iss}">`;

  it.each([
    'https:/platform',
    'https//platform.example/identity',
    'http:evil',
    'http:\\\\evil.example',
    '//evil.example',
    '/\\evil.example',
    'https:///evil.example',
    'https://',
    'https:',
    'HTTPS:BASE',
    ' http:/BASE/identity',
    'ftp://evil.example',
    'https://[evil',
  ])('ends for an issuer that begins like an address and is none: %s', async (iss) => {
    const three = html(200, formPage(platform.base, issuer(iss.replace('BASE', new URL(platform.base).host))));
    const message = inStep(3, 'the issuer (iss) in its form is not a valid address');
    expect(await end(three)).toMatchObject({ kind: 'unavailable', message });
  });

  it.each(['IdSrv', 'urn:platform', 'platform.example/identity', 'https-idp', '/identity'])(
    'takes an issuer that is a name and no address: %s',
    async (iss) => {
      const notes: string[] = [];
      platform.expect(...steps(platform.base, { three: html(200, formPage(platform.base, issuer(iss))) }));
      const { issuer: recorded } = await logInAt(platform, { note: (line) => notes.push(line) });
      expect([recorded, notes]).toEqual([
        iss,
        [
          'The form of step 3 names an issuer (iss) that is not an address; it is trusted because it comes from this platform.',
        ],
      ]);
    },
  );

  const notRecorded = 'the issuer (iss) in its form is not the one recorded for this profile';
  it.each([
    [
      'of another host',
      'https://evil.example/x',
      '',
      'the issuer (iss) in its form is of https://evil.example, and not of BASE',
    ],
    [
      'of another port',
      'http://127.0.0.1:1/x',
      '',
      'the issuer (iss) in its form is of http://127.0.0.1:1, and not of BASE',
    ],
    ['of https', 'https://127.0.0.1/x', '', 'the issuer (iss) in its form is of https://127.0.0.1, and not of BASE'],
    ['in another case', 'BASE/Identity', 'BASE/identity', notRecorded],
    ['that ends with a slash', 'BASE/identity/', 'BASE/identity', notRecorded],
    ['of another path', 'BASE/central/identity', 'BASE/identity', notRecorded],
    ['of another name', 'urn:elsewhere', 'urn:platform', notRecorded],
    ['that is a name in place of the address', 'platform', 'http://127.0.0.1/identity', notRecorded],
    ['that is empty', '', 'BASE/identity', 'its form has no field iss'],
    ['that is missing', undefined, 'BASE/identity', 'its form has no field iss'],
  ])('ends for an issuer %s', async (_, iss, known, reason) => {
    const at = (text: string) => text.replace('BASE', platform.base);
    const three = html(200, formPage(platform.base, iss === undefined ? '' : issuer(at(iss))));
    expect(await end(three, at(known) || undefined)).toMatchObject({
      kind: 'unavailable',
      message: inStep(3, at(reason)),
    });
  });
});

describe('step 4', () => {
  const no = (status: number, says = '') => `the platform answered ${status} without the cookie SvcOidc.Login${says}`;

  it.each([
    ['302 without the cookie', redirect('/acme/console'), 'unauthenticated', no(302)],
    ['307', redirect('/acme/elsewhere', 307), 'unauthenticated', no(307)],
    [
      '400',
      json(400, { error: { message: 'Correlation failed.' } }),
      'unauthenticated',
      no(400, ', and says: Correlation failed'),
    ],
    [
      '400 that repeats the code',
      { status: 400, body: 'unknown code c-0123456789' },
      'unauthenticated',
      no(400, ', and says: unknown code ***'),
    ],
    [
      '404',
      { status: 404 },
      'not_found',
      'the platform has no /acme/console/signin-oidc (404), where its own form leads',
    ],
    ['500', { status: 500 }, 'unavailable', 'the platform answered 500'],
  ] as const)('that answers %s ends the login', async (_, four: Reply, kind, reason) => {
    platform.expect(...steps(platform.base, { four }, 4));
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind, message: inStep(4, reason) });
  });
});

describe('step 5', () => {
  const refused = 'failed: the platform does not issue tokens to this account';
  it.each([
    ['401', { status: 401 }, 'unauthenticated', `${refused}.`],
    ['302', redirect('/identity/login'), 'unauthenticated', `${refused} (302).`],
    [
      '200 with an error',
      json(200, { error: 'access_denied' }),
      'unauthenticated',
      `${refused}, and says: access_denied.`,
    ],
    ['404', { status: 404 }, 'not_found', 'failed: there is nothing at its address (404).'],
    ['503', { status: 503 }, 'unavailable', 'returned no token: the platform answered with status 503.'],
    [
      'no token',
      json(200, { tokenType: 'Bearer' }),
      'unavailable',
      'returned no token: the platform answered with JSON without an access token.',
    ],
  ] as const)('that answers %s ends the login', async (_, five: Reply, kind, says) => {
    platform.expect(...steps(platform.base, { five }));
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind, message: `Step 5 of the login ${says}` });
  });
});

const page = (title: string, status: number) =>
  `A web page came instead of the platform's response: "${title}" (${status}).`;

/** Servers that are not the platform, byte by byte as they answer, and what is told of them in place of a verdict. */
const strangers: readonly (readonly [string, Reply, string, string])[] = [
  [
    'nginx that wants https',
    html(400, '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>'),
    'rejected',
    page('400 The plain HTTP request was sent to HTTPS port', 400),
  ],
  [
    'a gateway with a Basic challenge',
    html(401, '<title>401 Authorization Required</title>', { 'www-authenticate': 'Basic realm="plant"' }),
    'unauthenticated',
    page('401 Authorization Required', 401),
  ],
  [
    'a gateway with a challenge and nothing else',
    { status: 401, headers: { 'www-authenticate': 'Negotiate, NTLM' } },
    'unauthenticated',
    'A gateway or proxy asks for its own login (Negotiate), before the platform is reached (401).',
  ],
  ['a firewall', html(403, '<html><title>Access &amp; Security</title>'), 'forbidden', page('Access & Security', 403)],
  ['another web server', html(404, '<h1>Not Found</h1>'), 'not_found', page('Not Found', 404)],
  ['a maintenance page', html(503, '<title>Back soon</title>'), 'unavailable', page('Back soon', 503)],
];

describe('what is not the platform is never told as its verdict on a login:', () => {
  const last = { 1: 'one', 2: 'two', 3: 'three', 4: 'four', 5: 'five' } as const;

  it.each(strangers.flatMap((stranger) => ([1, 2, 3, 4, 5] as const).map((step) => [...stranger, step] as const)))(
    '%s',
    async (_, answer, kind, message, step) => {
      platform.expect(...steps(platform.base, { [last[step]]: answer }, step));
      const failure = await failureOf(logInAt(platform));
      const follows = step === 5 && kind === 'rejected' ? 'unavailable' : kind;
      expect(failure).toMatchObject({ kind: follows, message });
      expect(failure.hint).toMatch(/base URL|gateway/);
      expect(failure.hint).not.toMatch(/^Check the (account|tenant)/);
    },
  );

  const look = 'Check the base URL, and whether a gateway or proxy answers in place of the platform: iiot doctor';
  const ask = 'Check the base URL, and ask the operator of the gateway or proxy how to get through it: iiot doctor';
  const https = 'The server expects https: use https://HOST as the base URL';
  const certificate = 'A gateway asks for a client certificate: give it with --client-cert FILE and --client-key FILE';
  const blank = '<p>No.</p>';

  it.each<[string, Reply, string]>([
    ['a page with a title of its own', html(403, '<title>Plant WiFi</title>'), look],
    ['a page with 200 and a title', html(200, '<title>Plant WiFi</title>'), look],
    ['a page of a server that names itself', html(404, blank, { server: 'nginx/1.22.1' }), look],
    ['a page with a Basic challenge', html(401, blank, { 'www-authenticate': 'Basic realm="x"' }), look],
    ['a challenge without a page', { status: 401, headers: { 'www-authenticate': 'Negotiate' } }, ask],
    ['a page that wants https', html(400, '<p>The plain HTTP request was sent to HTTPS port</p>'), https],
    ['Apache, which wants https', html(400, "<p>You're speaking plain HTTP to an SSL-enabled server port.</p>"), https],
    [
      'a server in Go, which wants https',
      { status: 400, body: 'Client sent an HTTP request to an HTTPS server.\n' },
      https,
    ],
    ['a page that wants a certificate', html(400, '<p>No required SSL certificate was sent</p>'), certificate],
    ['words that want a certificate', { status: 403, body: 'Client certificate required' }, certificate],
  ])('%s is known, and no reason to check tenant, account or application', async (_, answer, hint) => {
    for (const step of [1, 2, 3, 4, 5] as const) {
      if (step === 3 && answer.status === 200) continue; // a page is what step 3 gets
      platform.expect(...steps(platform.base, { [last[step]]: answer }, step));
      const failure = await failureOf(logInAt(platform));
      expect([step, failure.hint]).toEqual([step, hint.replace('HOST', new URL(platform.base).host)]);
    }
  });

  it.each<[string, Reply]>([
    ['without a title', html(404, blank)],
    ['of the server that the platform uses', html(404, blank, { server: 'Kestrel' })],
    ['with a title as any server has it', html(404, '<title>404 Not Found</title>')],
  ])("a page %s may be the platform's own, and what else to check is told", async (_, answer) => {
    platform.expect(...steps(platform.base, { one: answer }, 1));
    const tenant = 'check the tenant path acme (--tenant, IIOT_TENANT or the profile)';
    expect((await failureOf(logInAt(platform))).hint).toBe(`${look}. If all of that is right, ${tenant}`);
  });

  it.each([
    [1, 'one'],
    [2, 'two'],
    [4, 'four'],
    [5, 'five'],
  ] as const)('a page with 200 in step %i', async (step, name) => {
    platform.expect(...steps(platform.base, { [name]: html(200, '<title>Hotel</title>') }, step));
    const message = page('Hotel', 200);
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unavailable', message });
  });

  it.each([
    ['https', (base: string, path: string) => base.replace('http:', 'https:') + path],
    ['another host', (_: string, path: string) => `https://elsewhere.example${path}`],
    ['the start of another host', () => 'https://elsewhere.example/'],
  ])('a redirect of step 1 to %s', async (_, to) => {
    const [first] = steps(platform.base);
    const location = to(platform.base, first?.path ?? '');
    platform.expect(...steps(platform.base, { one: redirect(location, 301) }, 1));
    const message = `${platform.base} redirects to ${new URL(location).origin}, which is not followed (301).`;
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unavailable', message });
  });

  it.each([
    [2, 'two'],
    [5, 'five'],
  ] as const)('a redirect of step %i to another host', async (step, name) => {
    platform.expect(...steps(platform.base, { [name]: redirect('https://elsewhere.example/x') }, step));
    const message = `${platform.base} redirects to https://elsewhere.example, which is not followed (302).`;
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unavailable', message });
  });
});

it.each([
  [2, { two: { status: 429 } }],
  [4, { four: { status: 429 } }],
  [5, { five: { status: 503 } }],
])('makes step %i once, also where repeats are allowed', async (step, answers) => {
  platform.expect(...steps(platform.base, answers, step));
  expect(await failureOf(logInAt(platform, {}, 3))).toMatchObject({ kind: 'unavailable' });
});

it.each([
  ['tenant', { tenant: '..' }, 'tenantPath cannot be a dot segment: URLs resolve it away.'],
  ['tenant', { tenant: '' }, 'tenantPath takes a string that is not empty.'],
  ['app', { app: 'a\nb' }, 'appPath cannot hold control characters.'],
])('refuses a %s that cannot be part of a path, and sends nothing', async (_, changed, message) => {
  expect(await failureOf(logInAt(platform, changed))).toMatchObject({ kind: 'usage', message });
});
