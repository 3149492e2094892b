import { Failure, type FailureFacts, type FailureKind } from '../failure.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../network/fetch.ts';
import {
  alsoCheck,
  type ForeignResponse,
  foreignLoginResponseIn,
  foreignResponseFailure,
} from '../network/foreign-response.ts';
import { readRecord } from '../text/record.ts';
import { saysItFailed } from '../text/wrapper.ts';
import { type OAuthRefusal, platformSays, readRefusal } from './oauth-error.ts';
import { containsToken, readTokens, type Tokens } from './tokens.ts';

type TokenRequest = {
  readonly exchange: Exchange;
  readonly request: ExchangeRequest;
  /** Who answers, for error messages: "Step 5 of the login". */
  readonly from: string;
  readonly now: () => number;
  /** What was refused and what to do, by the platform's code. */
  readonly refused: (refusal: OAuthRefusal) => { readonly sentence: string; readonly hint: string };
  /** What else to check if something other than the platform answers. */
  readonly also: string;
};

/**
 * Requests tokens, once.
 * @throws Failure 'unauthenticated' if it is refused (with any status), 'not_found' for 404, else 'unavailable'
 */
export async function requestTokens(options: TokenRequest): Promise<Tokens> {
  const { request, from } = options;
  const response = await options.exchange(request);
  const facts = { status: response.status, request: { method: request.method, path: new URL(request.url).pathname } };
  const refusal = readRefusal(response.masked.text);
  const good = response.status >= 200 && response.status < 300;
  if (good && containsToken(response.text)) return readTokens(response, from, options.now(), facts);
  const foreign = foreignLoginResponseIn(response);
  if (foreign) throw insteadOfToken(options, response, foreign, facts);
  // Some platforms always answer 200, and report a refusal in the body.
  const isRefusal = refusal.code !== undefined || saysItFailed(readRecord(response.text));
  if (good && !isRefusal) return readTokens(response, from, options.now(), facts);
  throw good ? refusedBy(options, refusal, facts) : failed(options, response, refusal, facts);
}

/** A 400 that is not the platform's says nothing about the client: for example, "plain HTTP was sent to an HTTPS port". */
function insteadOfToken(
  options: TokenRequest,
  response: ExchangeResponse,
  foreign: ForeignResponse,
  facts: FailureFacts,
): Failure {
  const kind = response.status === 400 ? 'unavailable' : undefined;
  return foreignResponseFailure(alsoCheck(foreign, response, options.also), response, facts, kind);
}

function failed(
  options: TokenRequest,
  response: ExchangeResponse,
  refusal: OAuthRefusal,
  facts: FailureFacts,
): Failure {
  const { status } = response;
  const kind = kindOfTokenStatus(status);
  if (kind === 'unauthenticated') return refusedBy(options, refusal, facts);
  if (kind === 'not_found') {
    return new Failure(kind, `${options.from} failed: there is nothing at its address (404)${platformSays(refusal)}.`, {
      ...facts,
      hint: 'Check the base URL, the tenant and the application: iiot profiles show --origin',
    });
  }
  const received = status >= 300 && status < 400 ? `a redirect (${status}), which is not followed` : `status ${status}`;
  return new Failure(
    kind,
    `${options.from} returned no token: the platform answered with ${received}${platformSays(refusal)}.`,
    {
      ...facts,
      hint: 'Try again later; to find the cause, run: iiot doctor',
    },
  );
}

function refusedBy(options: TokenRequest, refusal: OAuthRefusal, facts: FailureFacts): Failure {
  const { sentence, hint } = options.refused(refusal);
  return new Failure('unauthenticated', `${sentence}${platformSays(refusal)}.`, { ...facts, hint });
}

// A refused client or refresh token gives 400 or 401 (RFC 6749, 5.2), or 403 with ABP.
function kindOfTokenStatus(status: number): FailureKind {
  if ([400, 401, 403, 422].includes(status)) return 'unauthenticated';
  return status === 404 ? 'not_found' : 'unavailable';
}
