/** Runs the steps of the login, with their cookies, and failures that name their step. */
import { Failure, type FailureFacts } from '../failure.ts';
import type { Exchange, ExchangeAnswer, ExchangeRequest } from '../network/fetch.ts';
import { alsoCheck, strangerFailure, strangerIn } from '../network/stranger.ts';
import { openCookieJar } from './cookie-jar.ts';

type Step = 1 | 2 | 3 | 4 | 5;

export type SignInSteps = {
  /** Makes one request of a step with the cookies so far, and stores the cookies of the answer. */
  ask(step: Step, request: Omit<ExchangeRequest, 'about'>): Promise<StepAnswer>;
  /** Removes the secret from all further messages of the platform. */
  hide(secret: string): void;
};

export type StepAnswer = {
  readonly answer: ExchangeAnswer;
  readonly url: string;
  /** Names of the cookies in the request. */
  readonly sent: readonly string[];
  /** Names of the cookies that the answer set: those we keep, and those that no client may keep. */
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  readonly facts: FailureFacts;
};

/** @param remember called with every secret as soon as it is known */
export async function openSignInSteps(
  exchange: Exchange,
  base: URL,
  remember: (secret: string) => void,
): Promise<SignInSteps> {
  const jar = await openCookieJar(base, remember);
  return {
    async ask(step, request) {
      const { origin, pathname } = new URL(request.url);
      // The last line of defence: the caller should have refused this URL already.
      if (origin !== base.origin) throw new Error(`step ${step} would leave ${base.origin}`);
      const cookie = await jar.header(request.url);
      const headers = { ...request.headers, ...(cookie !== undefined && { cookie }) };
      const answer = await named(step, exchange({ ...request, headers, about: `step ${step} of the login` }));
      const cookies = await jar.take(request.url, answer.headers);
      const facts = { status: answer.status, request: { method: request.method, path: pathname } };
      return { answer, url: request.url, sent: namesIn(cookie), ...cookies, facts };
    },
    hide: remember,
  };
}

/**
 * An answer that is not from the platform ends the login, and does not mean that the input was wrong.
 * @param also what else to check
 * @throws Failure for a web page, a challenge or a redirect elsewhere instead of an answer
 */
export function refuseStranger({ answer, facts }: StepAnswer, also: string): void {
  const stranger = strangerIn(answer);
  if (!stranger) return;
  throw strangerFailure(alsoCheck(stranger, answer, also), answer, facts);
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

async function named(step: Step, exchanged: Promise<ExchangeAnswer>): Promise<ExchangeAnswer> {
  try {
    return await exchanged;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    throw new Failure(error.kind, `Step ${step} of the login failed. ${error.message}`, {
      ...error.facts,
      cause: error,
    });
  }
}
