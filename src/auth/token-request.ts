import { machineToken, refreshToken as renewLogin } from '../contract/authentication.ts';
import { requestUrl, toRequest, type WireRequest } from '../contract/wire.ts';
import { Failure } from '../failure.ts';
import { ConnectionLost, neverSent } from '../network/connection-lost.ts';
import type { Exchange, ExchangeRequest } from '../network/fetch.ts';
import { alsoCheck, foreignLoginResponseIn, foreignResponseFailure } from '../network/foreign-response.ts';
import type { Login } from '../store/credentials.ts';
import { readRecord } from '../text/record.ts';
import { saysItFailed } from '../text/wrapper.ts';
import { hideSecret, httpsHint, type OAuthRefusal, platformSays, readRefusal, responseFacts } from './oauth-error.ts';
import type { SessionParts } from './session.ts';
import { containsToken, readTokens, type Tokens } from './tokens.ts';

type TokenRequest = {
  readonly exchange: Exchange;
  readonly base: string;
  readonly request: WireRequest;
  readonly sending?: Pick<ExchangeRequest, 'repeat' | 'about' | 'timeout' | 'isFinished'>;
  /** The beginning of error messages: "Step 5 of the login". */
  readonly from: string;
  readonly now: () => number;
  /** What to say if the client or refresh token is refused. */
  readonly describeRefusal: (
    refusal: OAuthRefusal,
    status: number,
  ) => { readonly sentence: string; readonly hint: string; readonly refused?: 'renewal' };
  /** An OAuth code that is about the request, not about the client or token, for this kind of request. */
  readonly unrelated?: string;
  /** What else to check if something other than the platform answers. */
  readonly also: string;
};

/** The statuses for a refused client or refresh token: 400 or 401 (RFC 6749, 5.2), 403 with ABP, or 422 (RFC 9110, 15.5.21). */
const refusalStatuses = [400, 401, 403, 422];

/** OAuth's codes for a platform that is out of order or busy (RFC 6749, 4.1.2.1; RFC 8628, 3.5), whatever the status. */
const temporaryCodes = /^(temporarily_unavailable|server_error|slow_down)$/i;

/** OAuth's codes for a request that cannot be read (RFC 6749, 5.2; RFC 8707), which say nothing about the client or token. */
const malformedCodes = /^(invalid_(request|scope|target)|unsupported_grant_type)$/i;

/** Requests tokens, once. @throws 'unauthenticated' for a refused client or token (2xx or `refusalStatuses`), 'not_found' for 404, else 'unavailable' */
export async function requestTokens(options: TokenRequest): Promise<Tokens> {
  const { exchange, base, request, sending, from, now, describeRefusal, unrelated, also } = options;
  const { path, query, ...sent } = request;
  const url = requestUrl(base, { path, query });
  const response = await exchange({ ...sent, url, headers: { accept: 'application/json' }, ...sending });
  const { status, text } = response;
  const facts = { ...responseFacts(response), request: { method: request.method, path: new URL(url).pathname } };
  const isGood = status >= 200 && status < 300;
  if (isGood && containsToken(text)) return readTokens(response, from, now(), facts);
  const foreign = foreignLoginResponseIn(response);
  if (foreign) {
    // A 400 that is not the platform's says nothing about the client: for example, "plain HTTP was sent to an HTTPS port".
    const kind = status === 400 ? 'unavailable' : undefined;
    throw foreignResponseFailure(alsoCheck(foreign, response, also), response, facts, kind);
  }
  const refusal = readRefusal(response.masked.text);
  // Some platforms always answer 200, and report a refusal in the body.
  const isRefusal = refusal.code !== undefined || saysItFailed(readRecord(text));
  if (isGood && !isRefusal) return readTokens(response, from, now(), facts);
  const says = platformSays(refusal);
  const { code = '' } = refusal;
  const isAboutRequest = malformedCodes.test(code) || code === unrelated;
  if ((isGood || refusalStatuses.includes(status)) && !temporaryCodes.test(code) && !isAboutRequest) {
    const { sentence, ...refusalFacts } = describeRefusal(refusal, status);
    throw new Failure('unauthenticated', `${sentence}${says}.`, { ...facts, ...refusalFacts });
  }
  if (status === 404) {
    const hint = 'Check the base URL, the tenant and the application: iiot profiles show --origin';
    throw new Failure('not_found', `${from} failed: there is nothing at its address (404)${says}.`, { ...facts, hint });
  }
  const received = status >= 300 && status < 400 ? `a redirect (${status}), which is not followed` : `status ${status}`;
  const sentence = `${from} returned no token: the platform answered with ${received}${says}.`;
  const hint = httpsHint(refusal) ?? (isAboutRequest ? tellOperator : tryLater);
  throw new Failure('unavailable', sentence, { ...facts, hint });
}

const tryLater = 'Try again later; to find the cause, run: iiot doctor';
const tellOperator = 'Tell the operator of the platform, or of a gateway on the way to it, what it says';

export type Client = Required<Pick<Login, 'base' | 'clientId' | 'clientSecret'>>;

/**
 * Requests an access token as a machine: "POST {base_url}/identity/connect/token, Content-Type application/x-www-form-urlencoded, fields
 * grant_type (value client_credentials), client_id, client_secret". Repeated after temporary failures (docs/contract.md, "Repeated requests").
 * @throws Failure 'unauthenticated' if the client is refused, 'not_found' if the address does not exist, otherwise 'unavailable'
 */
export function requestMachineToken(exchange: Exchange, client: Client, now: () => number): Promise<Tokens> {
  const { base, clientId, clientSecret } = client;
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return requestTokens({
    exchange: async (request) => hideSecret(await exchange(request), clientSecret),
    base,
    request: toRequest(machineToken, { body }),
    sending: { repeat: 'always', about: 'the request for a machine token' },
    from: 'The request for a machine token',
    now,
    also: 'check the client ID and its secret',
    describeRefusal: ({ words }) => ({
      sentence: `The platform refuses the client credential ${clientId}${words === undefined ? ', which may have expired or been deleted' : ''}`,
      hint: 'Check the client ID and its secret',
    }),
    unrelated: 'invalid_grant',
  });
}

type RenewableLogin = Required<Pick<Login, 'base' | 'tenant' | 'app' | 'refreshToken'>>;

const pauseBeforeSecond = 500;

/** How long platforms that detect reuse still accept a used refresh token, in case the first response was lost, in milliseconds. */
const leeway = 30_000;

/** How long to wait for the response to a renewal, in milliseconds, so that a second request still arrives within the leeway. */
const longestRenewal = 10_000;

/** The statuses of a lost response: none, or those of a gateway that got no response from the platform. */
const statusesOfLost: readonly (number | undefined)[] = [undefined, 502, 504];

/**
 * Renews a user's tokens: "POST {base_url}/{tenantPath}/{appPath}/api/v1/auth/tokens?grant_type=refresh_token, body {refreshToken}". Without a new
 * refresh token, the old one stays. If the response does not arrive, sends the same token once more, and at once: the platform may have replaced it
 * already, and would treat a later use as theft.
 * @throws Failure 'unauthenticated' if the refresh token is refused, with `refused: 'renewal'` unless the platform says that it is not valid any
 * more (invalid_grant); 'not_found' for 404, else 'unavailable'
 */
export async function renewTokens(
  exchange: Exchange,
  login: RenewableLogin,
  { now, sleep }: Pick<SessionParts, 'now' | 'sleep'>,
): Promise<Tokens> {
  const began = now();
  try {
    return await renewOnce(exchange, login, now);
  } catch (error) {
    const elapsed = now() - began;
    if (!isResponseLost(error) || elapsed < 0 || elapsed >= leeway) throw error;
    // An interruption ends the pause only: without the second request the login may be lost.
    await sleep(pauseBeforeSecond).catch(() => undefined);
    return renewOnce(exchange, login, now).catch((second: unknown) => {
      throw saysLoginEnded(second)
        ? new Failure(second.kind, `${second.message} ${responseLost}`, second.facts)
        : second;
    });
  }
}

const responseLost = 'The response to an earlier request with the same refresh token was lost.';

function isResponseLost(error: unknown): boolean {
  if (!(error instanceof Failure) || error.kind !== 'unavailable') return false;
  const { status = 0, refused } = error.facts;
  return statusesOfLost.includes(error.facts.status) || (refused === 'elsewhere' && status < 400);
}

/** Whether the platform may have renewed the login although no response came. */
export function mayBeRenewed(error: unknown): boolean {
  if (!(error instanceof Failure) || !(error.kind === 'interrupted' || isResponseLost(error))) return false;
  return !(error.facts.cause instanceof ConnectionLost && neverSent(error.facts.cause));
}

/** Whether an error says that the login cannot be renewed any more. Other errors may pass, such as those of a portal that is set up wrongly. */
export function saysLoginEnded(error: unknown): error is Failure {
  if (!(error instanceof Failure) || error.kind !== 'unauthenticated') return false;
  return error.facts.refused !== 'elsewhere' && error.facts.refused !== 'renewal';
}

/** Whether the platform refuses the refresh token itself, by OAuth's or ABP's code invalid_grant or in words. */
function isInvalidGrant(words: string): boolean {
  if (/invalid.?grant/i.test(words)) return true;
  return (
    /refresh.?token\b/i.test(words) &&
    /\b(invalid|not valid|no longer|expired|revoked|redeemed|used|unknown)\b/i.test(words)
  );
}

const tryAgain = 'Try again: iiot login refresh. If that does not help, log in again: iiot login';

async function renewOnce(exchange: Exchange, login: RenewableLogin, now: () => number): Promise<Tokens> {
  const { base, tenant: tenantPath, app: appPath, refreshToken } = login;
  const tokens = await requestTokens({
    exchange,
    base,
    request: toRequest(renewLogin, { tenantPath, appPath, grant_type: 'refresh_token', body: { refreshToken } }),
    sending: { repeat: 'unsent', about: 'the renewal of the login', timeout: longestRenewal, isFinished: true },
    from: 'The renewal of the login',
    now,
    also: 'log in again: iiot login',
    describeRefusal: ({ code, words }, status) =>
      isInvalidGrant(`${code} ${words}`)
        ? { sentence: 'The platform no longer renews the login', hint: 'Log in again: iiot login' }
        : { sentence: `The platform did not renew the login (${status})`, hint: tryAgain, refused: 'renewal' },
  });
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}
