/** Sends the requests of a login with their cookies. Its failures name the step. */

import { Failure, type FailureFacts } from '../failure.ts';
import { decoded } from '../network/base-url.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../network/fetch.ts';
import { alsoCheck, foreignLoginResponseIn, foreignResponseFailure } from '../network/foreign-response.ts';
import { parseUrl } from '../text/parse-url.ts';
import { includesCookie, openCookieJar, type TakenCookies } from './cookie-jar.ts';
import { hideSecret, httpsHint, platformSays, readRefusal, responseFacts } from './oauth-error.ts';
import { isSendable } from './tokens.ts';

type Step = 1 | 2 | 3 | 4 | 5;

export type LoginSteps = {
  /** Sends one request of a step with the cookies so far, and stores the cookies of the response. */
  send(step: Step, request: Omit<ExchangeRequest, 'about'>): Promise<StepResult>;
  /** Masks the secret in everything that is shown from then on. */
  hide(secret: string): void;
};

export type StepResult = TakenCookies & {
  readonly response: ExchangeResponse;
  readonly url: string;
  /** Where the response redirects to; undefined if that cannot be read. */
  readonly location: URL | undefined;
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
      const headers = {
        ...request.headers,
        ...(cookie !== undefined && { cookie, ...(request.method === 'POST' && antiforgeryHeaders(cookie)) }),
      };
      const exchanged = exchange({ ...request, headers, about: `step ${step} of the login` });
      const response = hideSecret(await nameStepOnFailure(step, exchanged), password);
      const cookies = await jar.take(request.url, response.headers);
      const responsePart = responseFacts(response);
      const details = [...(responsePart.details ?? []), ...jar.dropped.values()];
      const problems = details.length > 0 && { details };
      const facts = { ...responsePart, ...problems, request: { method: request.method, path: pathname } };
      const location = response.headers.get('location') || 'https://';
      const target = parseUrl(location, request.url);
      const sent = (cookie ?? '').split('; ').map((pair) => pair.slice(0, pair.indexOf('=')));
      return { response, url: request.url, location: target, sent, ...cookies, facts };
    },
    hide: remember,
  };
}

/** Ends the login at a response that is not the platform's, and so says nothing about the input. @param also what else to check @throws Failure */
export function refuseForeignResponse({ response, facts }: StepResult, also: string): void {
  const foreign = foreignLoginResponseIn(response);
  if (!foreign) return;
  throw foreignResponseFailure(alsoCheck(foreign, response, also), response, facts);
}

/** A reason, to which the platform's words are appended, and what to do about it. */
type ReasonAndHint = readonly [reason: string, hint: string];

/** What to say for each kind of response that ends a login. */
type StepRefusal = {
  /** What else to check if something other than the platform answers. */
  readonly also: string;
  /** What to do if the platform is out of order or busy; by default to try again later. */
  readonly later?: string;
  /** For 404. */
  readonly missing: ReasonAndHint;
  /** For all others. */
  readonly refused: ReasonAndHint | Failure;
};

/** The failure for a response that ends the login. @throws Failure for a response that is not from the platform */
export function stepRefusal(
  step: Step,
  result: StepResult,
  { also, later = 'Try again later', missing, refused }: StepRefusal,
): Failure {
  refuseForeignResponse(result, also);
  const { response, facts } = result;
  const { status } = response;
  // Instead of redirecting, step 1 may answer with any page: its words do not say why a login failed.
  const refusal = step === 1 && status < 300 ? {} : readRefusal(response.masked.text);
  const says = platformSays(refusal);
  if (status >= 500 || status === 429 || status === 408)
    return stepFailed(step, 'unavailable', `the platform answered ${status}${says}`, later, facts);
  if (status === 404) return stepFailed(step, 'not_found', missing[0] + says, missing[1], facts);
  const https = httpsHint(refusal);
  if (https) return stepFailed(step, 'unavailable', `the platform answered ${status}${says}`, https, facts);
  if (refused instanceof Failure) return refused;
  return stepFailed(step, 'unauthenticated', refused[0] + says, refused[1], facts);
}

/** Whether the response has set the cookie of its step. @throws Failure 'unavailable' for one that cannot be used */
export function isCookieSet(step: Step, name: string, { response, kept, dropped, beyond, facts }: StepResult): boolean {
  if (response.status >= 400) return false;
  if (includesCookie(kept, name)) return true;
  if (includesCookie(beyond, name)) {
    const reason = `the platform sets too many cookies, so there is no room for ${name}`;
    throw stepFailed(step, 'unavailable', reason, 'A login can have 180 cookies, 64 KiB in all', facts);
  }
  if (!includesCookie(dropped, name)) return false;
  const reason = `the cookie ${name} is for another host, or for https only, and cannot be used`;
  throw stepFailed(step, 'unavailable', reason, 'Check the base URL: its scheme and its host name', facts);
}

export function stepFailed(
  step: Step,
  kind: Failure['kind'],
  reason: string,
  hint: string,
  facts: FailureFacts = {},
): Failure {
  return new Failure(kind, `Step ${step} of the login failed: ${reason}.`, { ...facts, hint });
}

/** ASP.NET Core's antiforgery token, which comes in a cookie, under its default header name and that of Angular and ABP. */
function antiforgeryHeaders(cookies: string): Readonly<Record<string, string>> {
  const token = decoded(/(?:^|; )XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1] ?? '');
  return isSendable(token) ? { RequestVerificationToken: token, 'X-XSRF-TOKEN': token } : {};
}

async function nameStepOnFailure(step: Step, exchanged: Promise<ExchangeResponse>): Promise<ExchangeResponse> {
  try {
    return await exchanged;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    // If the platform does not answer at all, the number of the step does not help.
    if (error.facts.cause instanceof ConnectionLost || error.facts.refused === 'elsewhere') throw error;
    const facts = { ...error.facts, cause: error };
    throw new Failure(error.kind, `Step ${step} of the login failed. ${error.message}`, facts);
  }
}
