import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { sentenceWithDetails } from '../../src/text/failure-sentence.ts';
import { failureOf } from '../support/failing.ts';
import { madeForEach } from '../support/fixtures.ts';
import { type Expected, html, json, type Reply, scriptedPlatform } from '../support/scripted.ts';
import { formPage, logInAt, password, redirect, steps, tenantId } from './platform.ts';

const platform = madeForEach(scriptedPlatform);

const passwordInHtml = password.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const last = { 1: 'one', 2: 'two', 3: 'three', 4: 'four', 5: 'five' } as const;
type Step = keyof typeof last;
const everyStep = [1, 2, 3, 4, 5] as const;

/** The failure of a login that gets this answer in a step, and no further request afterwards. */
const end = async (step: Step, answer: Expected['answer'], changed = {}, retries = 0) => {
  platform.expect(...steps(platform.base, { [last[step]]: answer }, step));
  return failureOf(logInAt(platform, changed, retries));
};
const inStep = (step: number, reason: string) => `Step ${step} of the login failed: ${reason}.`;
const [refused, missing, down] = ['unauthenticated', 'not_found', 'unavailable'] as const;
const says = (status: number, message: string) => json(status, { error: { message } });
const cookie = (line: string | string[]) => json(200, {}, { 'set-cookie': line });

const instead = (status: number) =>
  `the platform answered ${status} instead of redirecting to the login of tenant path acme, application console`;
const unreadable = 'the platform redirects (302) to an address that cannot be read';
const without = 'the redirect for the tenant path acme holds';
const ended = 'the platform ends the login, and says:';
const noCookie = (status: number) => `the platform answered ${status} without the cookie SvcOidc.Login`;
const cut = 'x'.repeat(290);
const denied = `<form><input name=error value=access_denied><input name=error_description value='${cut}${passwordInHtml} '></form>`;
const toDenied = `/?error=access_denied&error_description=${cut}${encodeURIComponent(password)}`;

const abp = (status: number) => json(status, {}, { 'Abp-Tenant-Resolve-Error': 'x' });
const foreignCookie = 'the cookie Identity.Permission is for another host, or for https only, and cannot be used';
const manyCookies = [...Array(180).keys()].map((index) => `c${index}=1`);
const noRoom = 'the platform sets too many cookies, so there is no room for Identity.Permission';
const refuses = 'The platform refuses the login of ada@example.com';
const unknown = 'the platform does not know';
const again = 'the platform shows its login page again';

it('a refused login names the cookies that were dropped', async () => {
  const one = redirect(`/identity/login?tenantId=${tenantId}`, 302, {
    'set-cookie': ['ctx=context-1; Domain=corp.example', 'a=1; Domain=evil.example'],
  });
  platform.expect(...steps(platform.base, { one, two: says(400, 'The session of the login is missing') }, 2));
  const failure: unknown = await logInAt(platform).catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw failure;
  expect(sentenceWithDetails(failure)).toBe(
    `${refuses}: The session of the login is missing. The cookie ctx is not kept: it is for corp.example; The cookie a is not kept: it is for evil.example`,
  );
});

const plain = 'error:invalid_request error_description:This server only accepts HTTPS requests';
const tooLarge = 'the page is larger than 64 KiB, too large for a login form';

describe('a login', () => {
  it.each<[Step, string, Reply, string, string]>([
    [1, '200', json(200, {}), refused, instead(200)],
    [1, '404', json(404, {}), missing, `${unknown} the tenant path acme or its application console (404)`],
    [1, '400', says(400, 'No such tenant.'), refused, `${instead(400)}, and says: No such tenant`],
    [1, '500 for a tenant', json(500, {}), down, 'the platform answered 500'],
    [1, '429', json(429, {}), down, 'the platform answered 429'],
    [1, "403 with ABP's sign", abp(403), refused, `${unknown} the tenant path acme (403)`],
    [1, '302 without a Location', { status: 302 }, down, `${unreadable}, for the tenant path acme`],
    [1, '302 to no address', redirect('https://['), down, `${unreadable}, for the tenant path acme`],
    [1, '302 without a tenant', redirect('/error?message=tenant'), refused, `${without} no tenantId`],
    [1, '302 with an empty tenant', redirect('/login?tenantId='), refused, `${without} no tenantId`],
    [1, '302 with two tenants', redirect('/login?tenantId=a&tenantId=b'), refused, `${without} more than one tenantId`],
    [2, '404', json(404, {}), missing, 'the platform has no login at /identity/api/v1.0/account/login (404)'],
    [2, '503', { status: 503 }, down, 'the platform answered 503'],
    [2, '429', { status: 429 }, down, 'the platform answered 429'],
    [2, 'a cookie of another host', cookie('Identity.Permission=x; Domain=evil.example'), down, foreignCookie],
    [2, 'too many cookies', cookie([...manyCookies, 'Identity.Permission=x']), down, noRoom],
    [3, '302 without a Location', redirect(''), down, unreadable],
    [3, '302 to no address', redirect('https://['), down, unreadable],
    [3, '404', { status: 404 }, missing, `${unknown} this tenant or application (404)`],
    [3, '403', says(403, 'Not yours.'), refused, 'the platform does not complete the login (403), and says: Not yours'],
    [3, '502', html(502, ''), down, 'the platform answered 502'],
    [3, '400 without https', { status: 400, body: plain }, down, `the platform answered 400, and says: ${plain}`],
    [3, 'a huge page', html(200, 'x'.repeat(65_537)), down, tooLarge],
    [3, 'an error in a redirect', redirect('/?error=x&error_description=Not+you'), refused, `${ended} Not you`],
    [3, 'an error elsewhere', redirect('https://evil.example/?error=access_denied'), refused, `${ended} access_denied`],
    [4, '302 without the cookie', redirect('/acme/console'), refused, noCookie(302)],
    [4, '307', redirect('/acme/elsewhere', 307), refused, noCookie(307)],
    [4, '400', says(400, 'Correlation failed.'), refused, `${noCookie(400)}, and says: Correlation failed`],
    [4, '400 with the code', { status: 400, body: 'not c-0123456789' }, refused, `${noCookie(400)}, and says: not ***`],
    [4, '404', { status: 404 }, missing, 'its form leads to /acme/console/signin-oidc, which does not exist (404)'],
    [4, '500', { status: 500 }, down, 'the platform answered 500'],
  ])('fails in step %i with %s', async (step, _, answer, kind, reason) => {
    expect(await end(step, answer)).toMatchObject({ kind, message: inStep(step, reason) });
  });

  it.each<[string, Reply]>([
    ['an error', html(200, denied)],
    ['a title', html(200, `<title>${cut.slice(100)}${passwordInHtml}</title>`)],
    ['a redirect', redirect(toDenied)],
  ])('hides the password where %s of step 3 is cut inside it', async (_, answer) => {
    expect((await end(3, answer)).message).toContain(`${cut.slice(100)}***`);
  });

  const noTokens = 'failed: the platform does not issue tokens to this account';
  it.each<[string, Reply, string, string]>([
    ['401', { status: 401 }, refused, `${noTokens}.`],
    ['302', redirect('/identity/login'), refused, `${noTokens} (302).`],
    ['200 with an error', json(200, { error: 'access_denied' }), refused, `${noTokens}, and says: access_denied.`],
    ['400', json(400, { error: 'invalid_request' }), down, 'status 400, and says: invalid_request.'],
    ['404', { status: 404 }, missing, 'failed: '],
    ['503', { status: 503 }, down, 'status 503.'],
  ])('fails in step 5 with %s', async (_, answer, kind, reason) => {
    const failure = await end(5, answer);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(/^Step 5 of the login /) });
    expect(failure.message).toContain(reason);
  });

  it('whose first answer is lost fails with the address of the request', async () => {
    expect(await end(1, 'lost')).toMatchObject({ kind: down, message: expect.stringMatching(/^The request to /) });
  });
});

it('a platform that cannot be reached is not reported as a failed step', async () => {
  const gone = await scriptedPlatform();
  await gone.done();
  expect(await failureOf(logInAt(gone))).toMatchObject({
    kind: 'unavailable',
    message: `Cannot reach ${gone.base}: nothing listens there.`,
  });
});

describe('step 2 of a login', () => {
  it.each([429, 503])('sends the password again only if a %i asks to wait', async (status) => {
    const waits = { status, headers: { 'retry-after': '0' } };
    platform.expect(...steps(platform.base, { two: waits }, 2), ...steps(platform.base).slice(1));
    expect(await logInAt(platform, {}, 3)).toMatchObject({ accessToken: 'access-1' });
    expect(await end(2, { status }, {}, 3)).toMatchObject({ kind: down });
  });

  it('reports the fields that the platform names, but no words about a secret', async () => {
    const errors = { Account: ['The Account field is too short.'], Password: ['The Password s3cr3t is too short.'] };
    const problem = { title: 'Not valid.', status: 400, errors, traceId: '00-ab-cd-00' };
    platform.expect(...steps(platform.base, { two: json(400, problem) }, 2));
    const failure = logInAt(platform);
    const details = [
      { field: 'Account', message: 'The Account field is too short.' },
      { field: 'Password', message: 'is not valid' },
    ];
    await expect(failure).rejects.toMatchObject({ facts: { details, requestId: '00-ab-cd-00' } });
  });

  const why = (status: number, words: string) => `${refuses} (${status}): ${words}`;
  const oauth = { error: 'invalid_grant', error_description: 'Invalid user name or password!' };
  const locked = { error: { code: 'Account:Locked', message: 'The account is locked.' } };
  const basic = { 'www-authenticate': 'Basic realm="x"' };
  const inBase64 = Buffer.from(password).toString('base64url');

  it.each([
    ['400', json(400, oauth), why(400, 'Invalid user name or password!')],
    ['401 and words of type text/html', html(401, 'Bad password'), why(401, 'Bad password.')],
    ['401, JSON and a Basic challenge', json(401, oauth, basic), why(401, oauth.error_description)],
    ['200 without the cookie', json(200, { result: 2, description: 'InvalidPassword' }), why(200, 'InvalidPassword.')],
    ['401 and the password', says(401, `not ${password}`), why(401, 'not ***.')],
    ['401 and the encoded password', says(401, `not ${encodeURIComponent(password)}`), why(401, 'not ***.')],
    ['401 and the password in base64', says(401, `not ${inBase64}`), why(401, 'not ***.')],
  ])('that is answered with %s is reported as a wrong password', async (_, two, message) => {
    const hint =
      'Check the account and the password, then run iiot login again. Too many wrong passwords may lock the account';
    expect(await end(2, two)).toEqual({ kind: refused, message, hint });
  });

  it.each<[string, Reply, number]>([
    ['401', { status: 401 }, 401],
    ['400 without a body', { status: 400 }, 400],
    ['400 with only a title', json(400, { type: 'about:blank', title: 'Bad Request', status: 400 }), 400],
    ['200 and a success', json(200, { result: 1, description: 'Success' }), 200],
    ['403 with an empty object', json(403, {}), 403],
    ['200 with the cookie taken away', cookie('Identity.Permission=; Path=/; Max-Age=0'), 200],
    ['200 with a cookie of a longer name', cookie('Identity.PermissionHint=1; Path=/'), 200],
    ['200 with fields set to false', json(200, { isLockedOut: false, twoFactor: { enabled: false }, mfa: null }), 200],
    ['200 and a lockout policy', json(200, { lockoutEnabled: true, unlocked: true }), 200],
    ['302 without the cookie', redirect('/identity/login'), 302],
  ])('that is answered with %s is reported without a reason', async (_, two, status) => {
    expect(await end(2, two)).toEqual({
      kind: 'unauthenticated',
      message:
        `The platform set no session for ada@example.com and gave no reason (${status}): the account or its password may be wrong, ` +
        'or it may need a second factor, a new password or consent.',
      hint:
        'Log in with the same account in a browser to see what is missing, then run iiot login again. ' +
        'For scripts use: iiot login m2m',
    });
  });

  const abpWord = (result: number, description: string) => json(200, { result, description });
  const tooMany = { error: 'invalid_grant', error_description: 'Too many attempts.' };
  const lockedOut = 'The user account has been locked out due to invalid login attempts.';
  it.each<[string, string, Reply, string?]>([
    ['a second factor', 'a field', json(200, { requiresTwoFactor: true, twoFactorProviders: ['Email'] })],
    ['a second factor', 'a field with MFA', json(200, { data: { MFARequired: 'true', mfa_token: 'x' } })],
    ['a second factor', 'a field with 2FA', json(401, { requires2FA: 1 })],
    ['a second factor', "ABP's word", abpWord(5, 'RequiresTwoFactor'), 'RequiresTwoFactor.'],
    ['a second factor', 'an address', redirect('/Account/SendSecurityCode?returnUrl=x', 302)],
    ['a new password', "ABP's field", json(200, { result: { shouldResetPassword: true, resetCode: 'x' } })],
    ['a new password', 'a code', json(401, { error: 'PASSWORD_EXPIRED' }), 'PASSWORD_EXPIRED.'],
    ['a new password', 'a sentence', json(400, { message: 'Change your password.' }), 'Change your password.'],
    ['account is locked', "ABP's word", abpWord(3, 'LockedOut'), 'LockedOut.'],
    ['account is locked', "ABP's sentence", says(403, lockedOut), lockedOut],
    ['account is locked', 'a code and a sentence', json(403, locked), 'The account is locked.'],
    ['account is locked', "OAuth's error", json(400, tooMany), 'Too many attempts.'],
    ['consent', 'a field', json(200, { consentRequired: true })],
    ['a captcha', 'a code', json(200, { error: { code: 'Captcha' } }), 'Captcha.'],
  ])('names the obstacle "%s" that the platform shows with %s', async (obstacle, _, two, words) => {
    const { message, ...told } = await end(2, two);
    expect(told).toEqual({
      kind: 'unauthenticated',
      hint: 'Do that in a browser, then log in again. For scripts use: iiot login m2m',
    });
    expect(message).toContain(obstacle);
    expect(message.split(', and says: ').slice(1)).toEqual(words ? [words] : []);
  });

  const lacksCookie = expect.stringMatching(/: no cookie Identity\.Permission came \(200\), and says: Welcome\.$/);
  const forgery = 'Empty or invalid anti forgery header token';
  const wantsToken = `the platform requires the antiforgery token of its login page, and says: ${forgery}`;
  it.each<[string, Reply, string, string]>([
    ['an account that may not', says(403, 'Not allowed.'), refused, why(403, 'Not allowed.')],
    ['a success without the cookie', abpWord(1, 'Welcome'), refused, lacksCookie],
    ['an antiforgery token', says(400, `${forgery}.`), down, inStep(2, wantsToken)],
  ])('that fails because of %s suggests a browser', async (_, two, kind, message) => {
    const hint = expect.stringContaining('in a browser');
    expect(await end(2, two)).toEqual({ kind, message, hint });
  });

  it('does not take the name of an account for something the platform asks for', async () => {
    const account = 'mfa@otp.example';
    expect((await end(2, json(200, { account }), { account })).message).toContain('gave no reason (200)');
  });

  const asks = 'asks for another password';
  const asksNot = 'does not ask for another password';
  it.each<[string, Reply]>([
    [asks, json(400, oauth)],
    [asks, { status: 401 }],
    [asks, abpWord(2, 'InvalidUserNameOrPassword')],
    [asksNot, json(403, oauth)],
    [asksNot, says(403, 'Locked out due to invalid login attempts.')],
    [asksNot, says(401, 'User is not active! Can not login.')],
    [asksNot, abpWord(4, 'NotAllowed')],
    [asksNot, says(400, 'Email confirmation is required.')],
    [asksNot, abpWord(1, 'Welcome')],
    [asksNot, { status: 400 }],
    [asksNot, json(200, {})],
    [asksNot, json(401, { requiresTwoFactor: true })],
  ])('%s after the answer %j', async (outcome, two) => {
    platform.expect(...steps(platform.base, { two }, 2));
    const failure: unknown = await logInAt(platform).catch((error: unknown) => error);
    expect(failure instanceof Failure && failure.facts.refused).toBe(outcome === asks ? 'password' : undefined);
  });

  it.each([
    'Invalid user name or password. The account is locked after 5 attempts.',
    'Wrong password! To reset your password, ask an administrator.',
    'The credentials are not valid, or two-factor login is required.',
  ])('is reported as a wrong password if the platform says: %s', async (message) => {
    expect(await end(2, json(401, { message }))).toMatchObject({ message: why(401, message) });
  });

  it.each([307, 308])('never sends the password to the target of a %i', async (status) => {
    const elsewhere = await scriptedPlatform();
    const session = { 'set-cookie': 'Identity.Permission=permission-1; Path=/' };
    const two = redirect(`${elsewhere.base}/login`, status, session);
    const reason = `the platform redirects (${status}) the request with the password, which is never sent elsewhere`;
    expect(await end(2, two)).toMatchObject({ kind: 'unavailable', message: inStep(2, reason) });
    await elsewhere.done();
  });

  it('is not repeated if its answer is lost', async () => {
    expect(await end(2, 'lost')).toMatchObject({ kind: down });
  });
});

describe('step 3 of a login', () => {
  it.each([
    ['another host', 'https://evil.example/login', 'https://evil.example'],
    ['another host by slashes', '//evil.example/login', 'http://evil.example'],
    ['another host by backslashes', '\\\\evil.example\\login', 'http://evil.example'],
    ['another host without slashes', 'https:evil.example', 'https://evil.example'],
    ['another port', 'http://127.0.0.1:1/login', 'http://127.0.0.1:1'],
    ['a script', 'javascript:alert(1)', 'a javascript: address'],
  ])('does not follow a redirect to %s', async (_, location, target) => {
    const reason = `the platform redirects to ${target}, which is not followed`;
    expect(await end(3, redirect(location))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it('does not follow a redirect with a user in it', async () => {
    const to = platform.base.replace('http://', 'http://ada:secret@');
    const reason = `the platform redirects to ${platform.base}, which is not followed`;
    expect(await end(3, redirect(to))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it('follows no sixth redirect', async () => {
    const hops = Array.from({ length: 5 }, () => ({ method: 'GET', path: '/hop', answer: redirect('/hop') }));
    platform.expect(...steps(platform.base, { three: redirect('/hop') }, 3), ...hops);
    const reason = 'the platform redirects more than 5 times';
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unavailable', message: inStep(3, reason) });
  });

  it('recognizes the login page by its address, on the same host and elsewhere', async () => {
    platform.expect(...steps(platform.base, { three: redirect('/identity/login?again') }, 3));
    platform.expect({ method: 'GET', path: '/identity/login?again', answer: html(200, '<div id=root></div>') });
    const message = inStep(3, again);
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
    platform.expect(...steps(platform.base, { three: redirect('/identity/login?again') }, 3));
    platform.expect({ method: 'GET', path: '/identity/login?again', answer: { status: 404 } });
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
    const one = redirect(`https://sso.example/login?tenantId=${tenantId}`);
    platform.expect(...steps(platform.base, { one, three: redirect('https://sso.example/login?again') }, 3));
    expect(await failureOf(logInAt(platform))).toMatchObject({ kind: 'unauthenticated', message });
  });

  it('reports a session cookie that is for other addresses only', async () => {
    const two = json(200, {}, { 'set-cookie': 'Identity.Permission=permission-1; Path=/identity' });
    const three = html(200, '<form><input name=account><input type=password name=password></form>');
    platform.expect(...steps(platform.base, { two, three }, 3));
    expect(await failureOf(logInAt(platform))).toEqual({
      kind: 'unauthenticated',
      message: inStep(3, `${again}, because its cookie Identity.Permission is for other addresses only`),
      hint: 'Tell the operator of the platform: the cookie needs Path=/',
    });
  });

  it('does not blame a session cookie that was sent along the redirects', async () => {
    const two = json(200, {}, { 'set-cookie': 'Identity.Permission=permission-1; Path=/identity/connect' });
    platform.expect(...steps(platform.base, { two, three: redirect('/identity/connect/authorize') }, 3));
    platform.expect({ method: 'GET', path: '/identity/connect/authorize', answer: redirect('/identity/login') });
    platform.expect({ method: 'GET', path: '/identity/login', answer: html(200, '<div id=root></div>') });
    const message = inStep(3, again);
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
  ])('fails if the issuer is the invalid address %s', async (iss) => {
    const three = html(200, formPage(platform.base, issuer(iss.replace('BASE', new URL(platform.base).host))));
    const message = inStep(3, 'the issuer (iss) in its form is not a valid address');
    expect(await end(3, three)).toMatchObject({ kind: down, message });
  });

  const of = (address: string) => `the issuer (iss) in its form belongs to ${address}, not to BASE`;
  const notRecorded = 'the issuer (iss) in its form is not the one recorded for this profile';
  const noField = 'no field iss';
  it.each([
    ['of another host', 'https://evil.example/x', '', of('https://evil.example')],
    ['of another port', 'http://127.0.0.1:1/x', '', of('http://127.0.0.1:1')],
    ['of another scheme', 'https://127.0.0.1/x', '', of('https://127.0.0.1')],
    ['in another letter case', 'BASE/Identity', 'BASE/identity', notRecorded],
    ['that ends with a slash', 'BASE/identity/', 'BASE/identity', notRecorded],
    ['of another path', 'BASE/central/identity', 'BASE/identity', notRecorded],
    ['of another name', 'urn:elsewhere', 'urn:platform', notRecorded],
    ['that is a name and not the recorded address', 'platform', 'http://127.0.0.1/identity', notRecorded],
    ['that is empty', '', 'BASE/identity', noField],
    ['that is missing', undefined, 'BASE/identity', noField],
  ])('fails for an issuer %s', async (_, iss, known, reason) => {
    const at = (text: string) => text.replace('BASE', platform.base);
    const three = html(200, formPage(platform.base, iss === undefined ? '' : issuer(at(iss))));
    const { kind, message } = await end(3, three, { knownIssuer: at(known) || undefined });
    expect(kind).toBe(down);
    expect(message).toContain(at(reason));
  });
});

const page = (title: string, status: number) => expect.stringContaining(`: "${title}" (${status}).`);

const noHttps = '400 The plain HTTP request was sent to HTTPS port';
const unauthorized = '401 Authorization Required';
const gateway = 'A gateway or proxy asks for its own login (Negotiate), before the platform is reached (401).';
const plant = { 'www-authenticate': 'Basic realm="plant"' };
const ntlm = { 'www-authenticate': 'Negotiate, NTLM' };

/** Servers that are not the platform, byte by byte as they answer, and what is told of them in place of a verdict. */
const strangers: readonly (readonly [string, Reply, string, string])[] = [
  ['nginx that wants https', html(400, `<head><title>${noHttps}</title></head>`), 'rejected', page(noHttps, 400)],
  ['a gateway with Basic', html(401, `<title>${unauthorized}</title>`, plant), refused, page(unauthorized, 401)],
  ['a gateway with a challenge and nothing else', { status: 401, headers: ntlm }, refused, gateway],
  ['a firewall', html(403, '<html><title>Access &amp; Security</title>'), 'forbidden', page('Access & Security', 403)],
  ['another web server', html(404, '<h1>Not Found</h1>'), missing, page('Not Found', 404)],
  ['a maintenance page', html(503, '<title>Back soon</title>'), down, page('Back soon', 503)],
];

describe('a login that another server answers', () => {
  it.each(strangers)('is reported as such for %s', async (_, answer, kind, message) => {
    for (const step of everyStep) {
      const { hint, ...told } = await end(step, answer);
      expect([step, told]).toEqual([step, { kind: step === 5 && kind === 'rejected' ? down : kind, message }]);
      expect(hint).toMatch(/base URL|gateway/);
      expect(hint).not.toMatch(/^Check the (account|tenant)/);
    }
  });

  const look = 'whether a gateway or proxy answers';
  const ask = 'Check the base URL, and ask the operator of the gateway or proxy how to get through it: iiot doctor';
  const https = 'use https://HOST as the base URL';
  const certificate = 'A gateway asks for a client certificate: give it with --client-cert FILE and --client-key FILE';
  const blank = '<p>No.</p>';

  it.each<[string, Reply, string]>([
    ['a page with an unusual title', html(403, '<title>Plant WiFi</title>'), look],
    ['a page with status 200', html(200, '<title>Plant WiFi</title>'), look],
    ['a page of nginx', html(404, blank, { server: 'nginx/1.22.1' }), look],
    ['a page with a Basic challenge', html(401, blank, { 'www-authenticate': 'Basic realm="x"' }), look],
    ['a challenge without a page', { status: 401, headers: { 'www-authenticate': 'Negotiate' } }, ask],
    ['a page that asks for https', html(400, '<p>The plain HTTP request was sent to HTTPS port</p>'), https],
    ['Apache, which asks for https', html(400, "You're speaking plain HTTP to an SSL-enabled server port."), https],
    ['Go, which asks for https', { status: 400, body: 'Client sent an HTTP request to an HTTPS server.\n' }, https],
    ['a page that asks for a certificate', html(400, '<p>No required SSL certificate was sent</p>'), certificate],
    ['words that ask for a certificate', { status: 403, body: 'Client certificate required' }, certificate],
  ])('gives the same hint in each step for %s', async (_, answer, hint) => {
    for (const step of everyStep) {
      if (step === 3 && answer.status === 200) continue; // a page is what step 3 gets
      const expected = expect.stringContaining(hint.replace('HOST', new URL(platform.base).host));
      expect([step, (await end(step, answer)).hint]).toEqual([step, expected]);
    }
  });

  it.each<[string, Reply]>([
    ['without a title', html(404, blank)],
    ['of the web server Kestrel', html(404, blank, { server: 'Kestrel' })],
    ['with a common title', html(404, '<title>404 Not Found</title>')],
  ])('suggests to check the tenant, too, for a page %s', async (_, answer) => {
    const tenant = 'If all of that is right, check the tenant path acme (--tenant, IIOT_TENANT or the profile)';
    expect((await end(1, answer)).hint).toContain(tenant);
  });

  it.each([1, 2, 4, 5] as const)('fails with the title of a page that has status 200 in step %i', async (step) => {
    const answer = html(200, '<title>Hotel</title>');
    expect(await end(step, answer)).toMatchObject({ kind: down, message: page('Hotel', 200) });
  });

  it.each([
    ['https', (base: string, path: string) => base.replace('http:', 'https:') + path],
    ['another host', (_: string, path: string) => `https://elsewhere.example${path}`],
    ['the start of another host', () => 'https://elsewhere.example/'],
  ])('fails at a redirect of step 1 to %s', async (_, to) => {
    const [first] = steps(platform.base);
    const location = to(platform.base, first?.path ?? '');
    const message = `${platform.base} redirects to ${new URL(location).origin}, which is not followed (301).`;
    expect(await end(1, redirect(location, 301))).toMatchObject({ kind: down, message });
  });

  it.each([2, 5] as const)('fails at a redirect of step %i to another host', async (step) => {
    const message = `${platform.base} redirects to https://elsewhere.example, which is not followed (302).`;
    expect(await end(step, redirect('https://elsewhere.example/x'))).toMatchObject({ kind: down, message });
  });
});

it.each<[Step, number]>([
  [2, 429],
  [4, 429],
  [5, 502],
])('a login sends step %i once after a %i even if retries are allowed', async (step, status) => {
  expect(await end(step, { status }, {}, 3)).toMatchObject({ kind: down });
});

it.each([
  ['the tenant ..', { tenant: '..' }, /^tenantPath .* dot segment/],
  ['an empty tenant', { tenant: '' }, /^tenantPath .* empty/],
  ['an application with a line end', { app: 'a\nb' }, /^appPath cannot hold control characters\.$/],
])('a login with %s is refused, and sends nothing', async (_, changed, message) => {
  const failure = { kind: 'usage', message: expect.stringMatching(message) };
  expect(await failureOf(logInAt(platform, changed))).toMatchObject(failure);
});
