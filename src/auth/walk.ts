/** The walk through the steps of the sign-in: cookies on the way, and failures that name their step. */
import { Failure, type FailureFacts } from '../failure.ts';
import type { Exchange, Exchanged, ExchangeRequest } from '../fetch.ts';
import { openJar } from './jar.ts';

export type Step = 1 | 2 | 3 | 4 | 5;

export type Walk = {
  /** One request of a step, with the cookies so far; its answer's cookies are taken. */
  ask(step: Step, request: Omit<ExchangeRequest, 'about'>): Promise<Asked>;
  /** Hidden from now on in everything that is shown, and in the platform's words. */
  hide(secret: string): void;
  readonly secrets: readonly string[];
};

export type Asked = {
  readonly answer: Exchanged;
  readonly url: string;
  /** Names of the cookies that went along. */
  readonly sent: readonly string[];
  /** Names of cookies that the answer set: those we keep, and those that no client may keep. */
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  readonly facts: FailureFacts;
};

/** @param remember hears of every secret as soon as it is known */
export async function beginWalk(exchange: Exchange, base: URL, remember: (secret: string) => void): Promise<Walk> {
  const secrets: string[] = [];
  const hide = (secret: string) => {
    secrets.push(secret);
    remember(secret);
  };
  const jar = await openJar(base, hide);
  return {
    async ask(step, request) {
      const { origin, pathname } = new URL(request.url);
      // The last line of defence: whoever built this address should have refused it before.
      if (origin !== base.origin) throw new Error(`step ${step} would leave ${base.origin}`);
      const cookie = await jar.header(request.url);
      const headers = { ...request.headers, ...(cookie !== undefined && { cookie }) };
      const answer = await named(step, exchange({ ...request, headers, about: `step ${step} of the sign-in` }));
      const cookies = await jar.take(request.url, answer.headers);
      const facts = { status: answer.status, request: { method: request.method, path: pathname } };
      return { answer, url: request.url, sent: namesIn(cookie), ...cookies, facts };
    },
    hide,
    secrets,
  };
}

/** "Step 3 of the sign-in failed: …" */
export function stepFailed(
  step: Step,
  kind: Failure['kind'],
  reason: string,
  hint: string,
  facts: FailureFacts = {},
): Failure {
  return new Failure(kind, `Step ${step} of the sign-in failed: ${reason}.`, { ...facts, hint });
}

function namesIn(header = ''): string[] {
  return header.split('; ').map((pair) => pair.slice(0, pair.indexOf('=')));
}

async function named(step: Step, exchanged: Promise<Exchanged>): Promise<Exchanged> {
  try {
    return await exchanged;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    throw new Failure(error.kind, `Step ${step} of the sign-in failed: ${error.message}`, {
      ...error.facts,
      cause: error,
    });
  }
}
