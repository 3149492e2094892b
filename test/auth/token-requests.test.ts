import { describe, expect, it } from 'vitest';
import { renewTokens, requestMachineToken } from '../../src/auth/token-request.ts';
import type { Exchange } from '../../src/network/fetch.ts';
import { createMask } from '../../src/text/mask.ts';
import { realExchange } from '../support/exchange.ts';
import { failureOf } from '../support/failing.ts';
import { closedAfterEach, madeForEach } from '../support/fixtures.ts';
import { rawServer } from '../support/raw-server.ts';
import { html, json, scriptedPlatform } from '../support/scripted.ts';
import { loggedOutBy, machine, machineTokens, noon, renewal, userTokens } from './world.ts';

const platform = madeForEach(scriptedPlatform);
const opened = closedAfterEach();

const secret = ' -p%+&="ü\n\\';
const mask = createMask(new Set());
mask.remember(secret);
const ask = async (retries = 0) =>
  requestMachineToken(
    await realExchange(retries, mask.text),
    { base: platform.base, clientId: 'client-1', clientSecret: secret },
    () => noon,
  );

const refusal = (status: number, words: string) => json(status, { error: 'invalid_client', error_description: words });

describe("a machine's token", () => {
  it('is requested with the three fields of the interface, encoded as a form', async () => {
    platform.expect(machine(machineTokens(1, 3599)));
    expect(await ask()).toEqual({ accessToken: 'machine-1', expiresAt: noon + 3_599_000, issuedAt: noon });
    const [request] = platform.received;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.headers.authorization).toBeUndefined();
    expect([...new URLSearchParams(request?.body)]).toEqual([
      ['grant_type', 'client_credentials'],
      ['client_id', 'client-1'],
      ['client_secret', secret],
    ]);
  });

  it('is requested again after temporary failures', async () => {
    platform.expect(machine('lost'), machine({ status: 503 }), machine({ status: 429 }), machine(machineTokens(1)));
    expect(await ask(3)).toEqual({ accessToken: 'machine-1', issuedAt: noon });
  });

  it.each([
    ['400 invalid_client', json(400, { error: 'invalid_client' }), ', and says: invalid_client.'],
    ['401 and words', refusal(401, 'No such client.'), ', and says: No such client.'],
    ['401 and nothing', { status: 401 }, '.'],
    ['200 invalid_client', json(200, { error: 'invalid_client' }), ', and says: invalid_client.'],
    ['400 and the secret', refusal(400, `no ${secret}`), ', and says: no ***.'],
    ['400 and the encoded secret', { status: 400, body: `no ${encodeURIComponent(secret)}` }, ', and says: no ***.'],
  ])('that is refused with %s is reported as a refused credential', async (_, answer, end) => {
    platform.expect(machine(answer));
    const perhaps = /says: (?!invalid_client)/.test(end) ? '' : ', which may have expired or been deleted';
    const message = `The platform refuses the client credential client-1${perhaps}${end}`;
    expect(await failureOf(ask(3))).toEqual(loggedOutBy(message, 'Check the client ID and its secret'));
  });

  const operator = 'Tell the operator of the platform, or of a gateway on the way to it, what it says';
  const https =
    'The base URL must start with https://. If it does, the gateway in front of the platform must send X-Forwarded-Proto: https';
  const later = expect.stringContaining('Try again later');
  const request = 'The request for a machine token';
  const noToken = `${request} returned no token: the platform answered with status`;
  it.each([
    ['invalid_request', 'This server only accepts HTTPS requests.', https],
    ['invalid_request', "The mandatory 'grant_type' parameter is missing.", operator],
    ['unsupported_grant_type', undefined, operator],
    ['invalid_scope', undefined, operator],
    ['invalid_grant', undefined, operator],
    ['slow_down', undefined, later],
    ['temporarily_unavailable', undefined, later],
  ])('that is answered with %s (%s) is not reported as a refused credential', async (error, words, hint) => {
    platform.expect(machine(json(400, { error, error_description: words })));
    const says = (words ?? error).replace(/\.$/, '');
    const message = `${noToken} 400, and says: ${says}.`;
    expect(await failureOf(ask())).toMatchObject({ kind: 'unavailable', message, hint });
  });

  const away = { status: 302, headers: { location: 'https://evil.example' } };
  it.each([
    ['404', { status: 404 }, 'not_found', `${request} failed: there is nothing at its address (404).`],
    ['500', { status: 500 }, 'unavailable', `${noToken} 500.`],
    ['a redirect', away, 'unavailable', 'redirects to https://evil.example, which is not followed (302).'],
    ['a web page', html(200, '<p>'), 'unavailable', 'A web page'],
  ] as const)('that is answered with %s fails', async (_, answer, kind, message) => {
    platform.expect(machine(answer));
    expect(await failureOf(ask())).toMatchObject({ kind, message: expect.stringContaining(message) });
  });

  it.each([
    ['a text as the reason', { success: false, error: 'Client is disabled.' }],
    ['an object as the reason', { success: false, error: { code: 0, message: 'Client is disabled.' } }],
    ['a message in a wrapper', { success: false, message: 'Client is disabled.', data: null }],
  ])('that is refused with 200 and %s is reported as unauthenticated', async (_, body) => {
    platform.expect(machine(json(200, body)));
    const message = expect.stringContaining('Client is disabled');
    expect(await failureOf(ask())).toMatchObject({ kind: 'unauthenticated', message });
  });
});

const login = () => ({ base: platform.base, tenant: 'acme', app: 'console', refreshToken: 'refresh-1' });
const clock = { now: () => noon, sleep: () => Promise.resolve() };
const renew = async (retries = 0, told = clock) => renewTokens(await realExchange(retries), login(), told);

describe('the renewal of a login', () => {
  it('sends the refresh token as JSON, and gives its successor', async () => {
    platform.expect(renewal(userTokens(2)));
    const times = { expiresAt: noon + 7_200_000, issuedAt: noon };
    expect(await renew()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2', ...times });
    const [request] = platform.received;
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.headers.cookie).toBeUndefined();
    expect(JSON.parse(request?.body ?? '')).toEqual({ refreshToken: 'refresh-1' });
  });

  it.each([
    ['missing', { access_token: 'access-2', expires_in: 60 }],
    ['null', { accessToken: 'access-2', refreshToken: null, expiresIn: 60 }],
    ['empty', { accessToken: 'access-2', refreshToken: '', expiresIn: 60 }],
  ])('keeps the refresh token if the new one is %s', async (_, value) => {
    platform.expect(renewal(json(200, value)));
    const times = { expiresAt: noon + 60_000, issuedAt: noon };
    expect(await renew()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-1', ...times });
  });

  it.each([
    ['lost', 'lost' as const],
    ['the 502 of a gateway', { status: 502 }],
    ['the 504 of a gateway', html(504, '<title>Gateway</title>')],
    ['a web page', html(200, '<p>')],
  ])('sends the same token once more if the answer is %s', async (_, answer) => {
    platform.expect(renewal(answer), renewal(userTokens(2)));
    expect(await renew(0)).toMatchObject({ accessToken: 'access-2' });
  });

  it('sends the same token once more if no response comes within ten seconds', async () => {
    const limits: (number | undefined)[] = [];
    const real = await realExchange();
    const silent = await opened(rawServer());
    const exchange: Exchange = (request) => {
      const isFirst = limits.push(request.timeout) === 1;
      return real(isFirst ? { ...request, url: silent.origin, timeout: 1 } : request);
    };
    platform.expect(renewal(userTokens(2)));
    expect(await renewTokens(exchange, login(), clock)).toMatchObject({ accessToken: 'access-2' });
    expect(limits).toEqual([10_000, 10_000]);
  });

  it('reports the lost answer if the same token is refused afterwards', async () => {
    platform.expect(renewal('lost'), renewal(refusal(400, 'The refresh token has already been redeemed.')));
    const message = 'redeemed. The response to an earlier request with the same refresh token was lost.';
    expect(await failureOf(renew())).toMatchObject({
      kind: 'unauthenticated',
      message: expect.stringContaining(message),
    });
  });

  it('does not send the same token a third time', async () => {
    platform.expect(renewal('lost'), renewal('lost'));
    expect(await failureOf(renew(3))).toMatchObject({ kind: 'unavailable' });
  });

  it('does not send the same token again after 30 seconds', async () => {
    const times = [noon, noon + 30_000];
    platform.expect(renewal('lost'));
    const late = { ...clock, now: () => times.shift() ?? 0 };
    expect(await failureOf(renew(3, late))).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    ['400 invalid_grant', json(400, { error: 'invalid_grant', error_description: 'Gone.' }), 'Gone.'],
    ['a 403 of ABP', json(403, { error: { code: 'Auth:InvalidGrant', message: 'No more.' } }), 'No more.'],
    ['words', json(401, { error: { message: 'The refresh token is expired.' } }), 'The refresh token is expired.'],
  ])('that is refused with %s asks for a new login, and is not repeated', async (_, answer, words) => {
    platform.expect(renewal(answer));
    const message = `The platform no longer renews the login, and says: ${words}`;
    expect(await failureOf(renew(3))).toEqual(loggedOutBy(message, 'Log in again: iiot login'));
  });

  it.each([
    ['400', { status: 400 }, ' (400).'],
    ['401', { status: 401 }, ' (401).'],
    ['401 invalid_client', refusal(401, 'No such client.'), ' (401), and says: No such client.'],
    ['a 403 of ABP', json(403, { error: { code: null, message: 'Not allowed.' } }), ' (403), and says: Not allowed.'],
  ])('that is refused with %s suggests to try again', async (_, answer, end) => {
    platform.expect(renewal(answer));
    const hint = 'Try again: iiot login refresh. If that does not help, log in again: iiot login';
    expect(await failureOf(renew(3))).toEqual(loggedOutBy(`The platform did not renew the login${end}`, hint));
  });

  it.each(['temporarily_unavailable', 'invalid_request', 'slow_down'])(
    'that fails with %s is reported as unavailable, and is not repeated',
    async (error) => {
      platform.expect(renewal(json(400, { error })));
      expect(await failureOf(renew(3))).toMatchObject({ kind: 'unavailable' });
    },
  );

  it.each([
    ['500', { status: 500 }, 'the platform answered with status 500'],
    ['501', { status: 501 }, 'the platform answered with status 501'],
    ['nothing', { status: 200 }, 'the platform answered with nothing'],
  ])('that is answered with %s is reported as unavailable, and is not repeated', async (_, answer, reason) => {
    platform.expect(renewal(answer));
    const message = `The renewal of the login returned no token: ${reason}.`;
    expect(await failureOf(renew(3))).toMatchObject({ kind: 'unavailable', message });
  });
});
