/** Runs the steps of the login, with their cookies, and failures that name their step. */
import { Failure, type FailureFacts } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../network/fetch.ts';
import { alsoCheck, foreignLoginResponseIn, foreignResponseFailure } from '../network/foreign-response.ts';
import { openCookieJar, type TakenCookies } from './cookie-jar.ts';
import { withoutGaps } from './oauth-error.ts';

type Step = 1 | 2 | 3 | 4 | 5;

export type LoginSteps = {
  /** Makes one request of a step with the cookies so far, and stores the cookies of the response. */
  send(step: Step, request: Omit<ExchangeRequest, 'about'>): Promise<StepResult>;
  /** Removes the secret from all further messages of the platform. */
  hide(secret: string): void;
};

export type StepResult = TakenCookies & {
  readonly response: ExchangeResponse;
  readonly url: string;
  /** Names of the cookies in the request. */
  readonly sent: readonly string[];
  readonly facts: FailureFacts;
};

/** @param remember called with every secret as soon as it is known */
export async function openLoginSteps(
  exchange: Exchange,
  base: URL,
  { password, remember }: { readonly password: string; readonly remember: (secret: string) => void },
): Promise<LoginSteps> {
  remember(password);
  const jar = await openCookieJar(base, remember);
  return {
    async send(step, request) {
      const { origin, pathname } = new URL(request.url);
      // The last line of defence: the caller should have refused this URL already.
      if (origin !== base.origin) throw new Error(`step ${step} would leave ${base.origin}`);
      const cookie = await jar.header(request.url);
      const headers = { ...request.headers, ...(cookie !== undefined && { cookie }) };
      const sent = exchange({ ...request, headers, about: `step ${step} of the login` });
      const response = withoutGaps(await named(step, sent), password);
      const cookies = await jar.take(request.url, response.headers);
      const facts = { status: response.status, request: { method: request.method, path: pathname } };
      return { response, url: request.url, sent: namesIn(cookie), ...cookies, facts };
    },
    hide: remember,
  };
}

/**
 * A response that is not from the platform ends the login, and does not mean that the input was wrong.
 * @param also what else to check
 * @throws Failure for a web page, a challenge or a redirect elsewhere instead of a response
 */
export function refuseForeignResponse({ response, facts }: StepResult, also: string): void {
  const foreign = foreignLoginResponseIn(response);
  if (!foreign) return;
  throw foreignResponseFailure(alsoCheck(foreign, response, also), response, facts);
}

/** "Step 3 of the login failed: …" */
export function stepFailed(
  step: Step,
  kind: Failure['kind'],
  reason: string,
  hint: string,
  facts: FailureFacts = {},
): Failure {
  return new Failure(kind, `Step ${step} of the login failed: ${reason}.`, { ...facts, hint });
}

function namesIn(header = ''): string[] {
  return header.split('; ').map((pair) => pair.slice(0, pair.indexOf('=')));
}

async function named(step: Step, exchanged: Promise<ExchangeResponse>): Promise<ExchangeResponse> {
  try {
    return await exchanged;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    // Where the platform does not answer, the number of the step is of no use.
    if (error.facts.cause instanceof ConnectionLost || error.facts.notPlatform) throw error;
    throw new Failure(error.kind, `Step ${step} of the login failed. ${error.message}`, {
      ...error.facts,
      cause: error,
    });
  }
}
