import type { Session } from '../auth/session.ts';
import type { Operation } from '../contract/operation.ts';
import { target, type WireRequest } from '../contract/wire.ts';
import { Failure, type FailureFacts } from '../failure.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../network/fetch.ts';
import { redirectWords } from '../network/foreign-response.ts';
import { parseUrl } from '../text/parse-url.ts';
import { type IdMismatch, type PlatformResponse, readResponse } from './platform-response.ts';

export type Platform = {
  /** Calls one operation with the current login. @throws Failure for everything except a 2xx with a readable body */
  send(operation: Operation, request: WireRequest, extra?: SendOptions): Promise<PlatformResponse>;
};

export type SendOptions = {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether a body that is not JSON, a part of one (206) and "not modified" (304) are successes too. */
  readonly anyContent?: boolean;
  /** Decides whether an operation may be repeated that is repeated only after a lookup. */
  readonly beforeRepeat?: ExchangeRequest['beforeRepeat'];
  /** Whether to wait for the response even after an interruption. */
  readonly isFinished?: boolean;
};

type PlatformParts = {
  readonly base: string;
  readonly exchange: Exchange;
  readonly session: Pick<Session, 'bearer' | 'after401'> & Partial<Pick<Session, 'accepted'>>;
  /** Called with method and path before each request that may change something. Throws to refuse it. */
  readonly beforeChange?: (request: string) => void;
  /** Called before each request. Throws if the token is for another tenant than the organization in the path. */
  readonly beforeSending?: (path: string, token: string) => void;
  /** Warns the user about a response that names another ID than the requested one. */
  readonly notice?: (line: string) => void;
};

export function openPlatform(parts: PlatformParts): Platform {
  const { base, exchange, session, beforeChange, beforeSending, notice } = parts;
  const send: Platform['send'] = async (operation, request, extra = {}) => {
    const { headers = {}, anyContent = false, beforeRepeat, isFinished } = extra;
    if (request.method !== 'GET') beforeChange?.(`${request.method} ${request.path}`);
    const { token, from, remedy } = await session.bearer();
    beforeSending?.(request.path, token);
    const sendWith = (bearer: string) =>
      followRedirects(exchange, base, {
        method: request.method,
        url: base + target(request),
        headers: { ...headers, authorization: `Bearer ${bearer}` },
        credential: from,
        anyContent,
        body: request.body,
        repeat: operation.repeat === 'looked' ? (beforeRepeat ? 'always' : 'unreached') : operation.repeat,
        beforeRepeat,
        isFinished,
      });
    const exchanged = await sendRenewing(session, token, sendWith);
    const response = await readResponse(operation, request, exchanged, anyContent).catch((error: unknown) => {
      const isRefused =
        error instanceof Failure && error.kind === 'unauthenticated' && error.facts.refused !== 'elsewhere';
      throw isRefused && remedy ? error.with({ hint: remedy() }) : error;
    });
    if (response.mismatches) notice?.(mismatchNotice(response.mismatches));
    return response;
  };
  return { send };
}

/** More than one, because a token may be good for a few requests only, and other requests may use up the new one. */
const mostRenewals = 3;

/**
 * "A 401 with a token that can be renewed is renewed once and repeated once; a token that was accepted before and is refused now may be renewed
 * again at any time." A 401 also means that nothing was done. The session knows which token has worked.
 */
async function sendRenewing(
  session: PlatformParts['session'],
  first: string,
  sendWith: (bearer: string) => Promise<ExchangeResponse>,
): Promise<ExchangeResponse> {
  let token = first;
  let response = await sendWith(token);
  for (let count = 0; response.status === 401 && count < mostRenewals; count += 1) {
    const fresh = await session.after401(token);
    if (fresh === undefined) return response;
    token = fresh;
    response = await sendWith(token);
  }
  // These statuses are about the request itself, so the token was accepted.
  if (response.status < 300 || [400, 403, 404, 409, 422].includes(response.status)) session.accepted?.(token);
  return response;
}

function mismatchNotice(mismatches: readonly IdMismatch[]): string {
  const oneLine = (id: string) => id.replace(/\s+/g, ' ').slice(0, 200);
  const named = mismatches
    .map(({ name, requested, returned }) => `${name} ${oneLine(returned)}, not ${requested}`)
    .join('; ');
  return `The platform's response names ${named}. The change counts as done; mock servers with fixed examples respond like this.`;
}

const mostRedirects = 5;

/**
 * Sends a request and follows up to five redirects of a GET: "Redirects are followed for GET on the same origin only", and below the base URL, which the
 * token belongs to. Returns a 3xx response that names no other address unchanged.
 * @throws Failure 'unavailable' for a redirect that is not followed, with the origin it leads to; nothing is sent there
 */
async function followRedirects(exchange: Exchange, base: string, request: ExchangeRequest): Promise<ExchangeResponse> {
  let current = request;
  for (let count = 0; ; count += 1) {
    const response = await exchange(current);
    if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
    const location = response.headers.get('location');
    if (!location) return response;
    const shown = response.masked.header('location') ?? '';
    current = { ...request, url: readLocation(current.url, base, { location, shown }, request.method, count) };
  }
}

/** A location, and the same without secrets to be shown. */
type Redirect = { readonly location: string; readonly shown: string };

/** Resolves a location, and compares origins and never text, because `//other`, `\\other` and `https:other` lead elsewhere too. @throws Failure */
function readLocation(url: string, base: string, { location, shown }: Redirect, method: string, count: number): string {
  const from = new URL(url);
  const usual = { request: { method, path: from.pathname }, hint: 'Check the base URL: iiot profiles show --origin' };
  const refuse = (sentence: string, facts?: FailureFacts) =>
    new Failure('unavailable', `${sentence}.`, { ...usual, ...facts });
  const { origin } = from;
  const to = parseUrl(location, url);
  if (!to) throw refuse(`${origin} redirects to an address that cannot be read`);
  if (to.origin !== origin || to.username !== from.username || to.password !== from.password) {
    const { sentence, hint } = redirectWords(from, to);
    throw refuse(sentence, { hint, refused: 'elsewhere' });
  }
  const path = parseUrl(shown, url)?.pathname ?? '';
  const prefix = new URL(`${base}/`).pathname;
  if (!`${to.pathname}/`.startsWith(prefix))
    throw refuse(`${base} redirects to ${origin}${path}, outside of it, which is not followed`, {
      refused: 'elsewhere',
    });
  if (method !== 'GET') {
    throw refuse(`${origin} redirects a change to ${origin}${path}, which is not followed, so it was not made`);
  }
  if (count >= mostRedirects) throw refuse(`${origin} redirects more than ${mostRedirects} times`);
  return to.href;
}
