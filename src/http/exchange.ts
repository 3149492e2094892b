import { setMaxListeners } from 'node:events';
import { type Arrival, asFailure, Failure, outcomeUnknown, repeatableMethods } from '../failure.ts';
import { connectionFailure } from '../network/connection-failure.ts';
import { ConnectionLost, isTransient, neverSent } from '../network/connection-lost.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse, Fetch } from '../network/fetch.ts';
import { foreignResponseFailure, foreignResponseIn } from '../network/foreign-response.ts';
import { attempt, type RawResponse, timeoutOf } from './attempt.ts';
import { backoff, isBare, longestWait, retryAfter, saysNotDone, transientStatuses } from './retry-after.ts';
import type { Trace } from './trace.ts';

export type ExchangeParts = {
  readonly fetch: Fetch;
  /** The most time for each request, in milliseconds. */
  readonly timeout: number;
  /** How many times a request may be repeated. */
  readonly retries: number;
  readonly trace: Trace;
  /** Aborted when the user stops the command, with the Failure as its reason. */
  readonly interrupt: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves after that many milliseconds, rejects when interrupted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Shows the user why the command is waiting. */
  readonly notice: (line: string) => void;
  /** Masks the secrets that this process knows in a text, or in its first `most` characters. */
  readonly clean: (text: string, most?: number) => string;
  /** Called with the status and headers of every response. */
  readonly onResponse?: (response: Pick<ExchangeResponse, 'status' | 'headers'>) => void;
};

/** How one attempt ended. */
type Ending = { readonly response: RawResponse } | { readonly lost: ConnectionLost };

/**
 * Gives a function that sends a request, repeats it if that is safe (docs/contract.md, "Repeated requests"), and returns the response, whatever its
 * status. It throws a Failure, 'unavailable' without a response or 'interrupted', which says of a change whether it may have been applied.
 */
export function openExchange(parts: ExchangeParts): Exchange {
  // Every request in progress listens to this signal.
  setMaxListeners(0, parts.interrupt);
  return async (request) => {
    const repeat = request.repeat ?? (repeatableMethods.has(request.method) ? 'always' : 'unsent');
    let earlier: Arrival = 'none';
    for (let count = 1; ; count += 1) {
      const outcome = await exchangeOnce(parts, request, count);
      const wait = mayRepeat(repeat, outcome) ? waitAfter(parts, outcome, count) : undefined;
      if (wait !== undefined && wait > longestWait)
        throw longWaitFailure(request, conclude(parts, request, outcome, earlier), describeDuration(wait));
      if (wait === undefined || count > parts.retries) return conclude(parts, request, outcome, earlier);
      const before = earlier;
      earlier = moreDoubtful(earlier, arrivalOf(outcome));
      const mayHaveArrived = earlier !== 'none';
      const reason =
        'response' in outcome ? `the platform answered ${outcome.response.status}` : 'the connection failed';
      const next = `Attempt ${count + 1} of ${parts.retries + 1} follows.`;
      if (wait >= 1000) parts.notice(`Waiting ${describeDuration(wait)}: ${reason}. ${next}`);
      await parts.sleep(wait).catch((error: unknown) => {
        throw stoppedFailure(error, request, mayHaveArrived);
      });
      const mayGoOn = await request.beforeRepeat?.(arrivalOf(outcome)).catch((error: unknown) => {
        throw stoppedFailure(asFailure(error), request, mayHaveArrived);
      });
      if (mayGoOn === false) return conclude(parts, request, outcome, before);
    }
  };
}

async function exchangeOnce(parts: ExchangeParts, request: ExchangeRequest, count: number): Promise<Ending> {
  const sent = parts.trace.onRequest(request, count, parts.retries + 1);
  try {
    const response = await attempt(parts.fetch, request, parts);
    parts.trace.onResponse(sent, request, response);
    parts.onResponse?.(response);
    return { response };
  } catch (error) {
    parts.trace.onFailure(sent, error instanceof Error ? error.message : 'failed');
    if (error instanceof ConnectionLost) return { lost: error };
    throw error instanceof Failure ? unreadableResponse(error, request) : error;
  }
}

function mayRepeat(repeat: ExchangeRequest['repeat'], outcome: Ending): boolean {
  if (repeat === 'never') return false;
  if ('lost' in outcome)
    return repeat !== 'asked' && isTransient(outcome.lost) && (repeat === 'always' || neverSent(outcome.lost));
  const { response } = outcome;
  if (repeat === 'always') return transientStatuses.has(response.status);
  if (repeat === 'asked') return saysNotDone(response) && response.headers.get('retry-after') !== null;
  return repeat !== 'unreached' && (saysNotDone(response) || (repeat === 'unsent' && isBare(response)));
}

/** How many milliseconds to wait before the next attempt, as the platform asks, or else by back-off. */
function waitAfter(parts: ExchangeParts, outcome: Ending, count: number): number {
  const own = backoff(count, parts.random);
  if (!('response' in outcome)) return own;
  return retryAfter(outcome.response.headers, parts.now()) || own;
}

/** Whether the platform may have processed the request. */
function arrivalOf(outcome: Ending | { readonly response: ExchangeResponse }): Arrival {
  if ('lost' in outcome) return neverSent(outcome.lost) ? 'none' : 'possible';
  if (saysNotDone(outcome.response)) return 'none';
  return isBare(outcome.response) ? 'unlikely' : 'possible';
}

function moreDoubtful(one: Arrival, other: Arrival): Arrival {
  return one === 'none' || other === 'possible' ? other : one;
}

function conclude(parts: ExchangeParts, request: ExchangeRequest, outcome: Ending, earlier: Arrival): ExchangeResponse {
  if ('lost' in outcome) throw lostFailure(parts, request, outcome.lost, earlier);
  const { bytes: _, ...response } = outcome.response;
  const wait = response.status >= 400 ? retryAfter(response.headers, parts.now()) : undefined;
  const pause = wait ? { pause: describeDuration(wait) } : {};
  return { ...response, ...pause, url: request.url, earlier, masked: maskedParts(outcome.response, parts.clean) };
}

/** The most characters of a response that are masked. A longer error is not meant for people. */
const longestMasked = 1_048_576;

/** The masked parts of a response, computed on first use, because most responses are never shown. */
function maskedParts({ text, headers }: RawResponse, clean: ExchangeParts['clean']): ExchangeResponse['masked'] {
  let cleaned: string | undefined;
  return {
    get text() {
      cleaned ??= clean(text, longestMasked);
      return cleaned;
    },
    header(name) {
      const value = headers.get(name);
      return value === null ? null : clean(value);
    },
  };
}

function lostFailure(parts: ExchangeParts, request: ExchangeRequest, lost: ConnectionLost, earlier: Arrival): Failure {
  const arrived = moreDoubtful(earlier, arrivalOf({ lost })) !== 'none';
  if (lost.code === 'INTERRUPTED') return stoppedFailure(lost.facts.cause, request, arrived);
  const mayTryAgain = !arrived || !isChange(request) || repeatableMethods.has(request.method);
  const timeout = describeDuration(timeoutOf(request, parts));
  const failure = connectionFailure(lost, new URL(request.url).origin, timeout, mayTryAgain);
  return withRequest(failure, request, arrived);
}

function stoppedFailure(reason: unknown, request: ExchangeRequest, arrived: boolean): Failure {
  return withRequest(reason instanceof Failure ? reason : new Failure('interrupted', 'Stopped.'), request, arrived);
}

/** The failure for a response that arrived but cannot be read, so that a change may have been made. A usage error means that nothing was sent. */
function unreadableResponse(failure: Failure, request: ExchangeRequest): Failure {
  return failure.kind === 'usage' ? failure : withRequest(failure, request, (failure.facts.status ?? 200) < 400);
}

/** Whether a request may change something. Those of a login do not count. */
function isChange({ method, about }: ExchangeRequest): boolean {
  return method !== 'GET' && about === undefined;
}

/** Adds the request to a failure, and that the outcome of a change is unknown if the request may have arrived. */
function withRequest(failure: Failure, request: ExchangeRequest, arrived: boolean): Failure {
  const facts = { request: { method: request.method, path: new URL(request.url).pathname } };
  return arrived && isChange(request) ? outcomeUnknown(failure.with(facts)) : failure.with(facts);
}

/** "A Retry-After beyond 60 s is not waited for: the command ends with 8 and says how long." */
function longWaitFailure(request: ExchangeRequest, response: ExchangeResponse, pause: string): Failure {
  const { status, earlier } = response;
  const hint = 'Try again then';
  const foreign = foreignResponseIn(response);
  const failure = foreign
    ? foreignResponseFailure({ ...foreign, hint }, response, {}, 'unavailable')
    : new Failure('unavailable', `The platform asks to wait ${pause} (${status}).`, { status, hint });
  return withRequest(failure, request, moreDoubtful(earlier, arrivalOf({ response })) !== 'none');
}

/** Milliseconds in words: "250 ms", "30 s", "12 min", "5 h". */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`;
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes < 180 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
