import { Failure, type FailureFacts, type Kind } from '../failure.ts';
import type { Exchange, Exchanged, ExchangeRequest } from '../fetch.ts';
import { platformSays, type Refusal, readRefusal } from './answer.ts';
import { holdsToken, readTokens, type Tokens } from './tokens.ts';

export type TokenRequest = {
  readonly exchange: Exchange;
  readonly request: ExchangeRequest;
  /** Who answers, for sentences: "Step 5 of the sign-in". */
  readonly from: string;
  /** What is never repeated in a sentence, though the platform may echo it. */
  readonly secrets: readonly string[];
  readonly now: () => number;
  /** What was refused and what to do, by the platform's code. */
  readonly refused: (refusal: Refusal) => { readonly sentence: string; readonly hint: string };
};

/**
 * One request for tokens, and what it gives.
 * @throws Failure 'unauthenticated' where it is refused (whatever status says so), 'not_found' for 404, else 'unavailable'
 */
export async function requestTokens(wanted: TokenRequest): Promise<Tokens> {
  const { request, from } = wanted;
  const answer = await wanted.exchange(request);
  const facts = { status: answer.status, request: { method: request.method, path: new URL(request.url).pathname } };
  const refusal = readRefusal(answer.text, wanted.secrets);
  const good = answer.status >= 200 && answer.status < 300;
  // Some answer 200 to everything, and say in the body that they refuse.
  if (good && (refusal.code === undefined || holdsToken(answer.text))) {
    return readTokens(answer, from, wanted.now(), facts);
  }
  throw good ? refusedBy(wanted, refusal, facts) : failed(wanted, answer, refusal, facts);
}

function failed(wanted: TokenRequest, answer: Exchanged, refusal: Refusal, facts: FailureFacts): Failure {
  const { status } = answer;
  const kind = kindOfTokenStatus(status);
  if (kind === 'unauthenticated') return refusedBy(wanted, refusal, facts);
  if (kind === 'not_found') {
    return new Failure(kind, `${wanted.from} found nothing there (404)${platformSays(refusal)}.`, {
      ...facts,
      hint: 'Check the base URL, the tenant and the application: iiot profiles show --origin',
    });
  }
  const came = status >= 300 && status < 400 ? `a redirect (${status}), which is not followed` : `status ${status}`;
  return new Failure(
    kind,
    `${wanted.from} gave no token: the platform answered with ${came}${platformSays(refusal)}.`,
    {
      ...facts,
      hint: 'Try again in a while; iiot doctor looks for the reason',
    },
  );
}

function refusedBy(wanted: TokenRequest, refusal: Refusal, facts: FailureFacts): Failure {
  const { sentence, hint } = wanted.refused(refusal);
  return new Failure('unauthenticated', `${sentence}${platformSays(refusal)}.`, { ...facts, hint });
}

// A refused client or refresh token is 400 or 401 (RFC 6749, 5.2), and with ABP 403.
function kindOfTokenStatus(status: number): Kind {
  if ([400, 401, 403, 422].includes(status)) return 'unauthenticated';
  return status === 404 ? 'not_found' : 'unavailable';
}
