import { isRepeatable, type Operation } from '../contract/operation.ts';
import { Failure, kindOfStatus, kinds, lookFirstHint, outcomeUnknown } from '../failure.ts';
import { readBearerRefusal } from '../network/bearer-challenge.ts';
import type { ExchangeResponse } from '../network/fetch.ts';
import { type ForeignResponse, foreignResponseFailure, foreignResponseIn } from '../network/foreign-response.ts';
import { errorCodeIn, isOwnError, readProblem } from '../network/problem.ts';
import { valueIn } from '../text/json.ts';
import { optionForShell } from '../text/shell-lines.ts';
import { saysItFailed } from '../text/wrapper.ts';
import { isBare, saysNotDone, transientStatuses } from './retry-after.ts';

/** The failure for an unsuccessful response, in the platform's words (ABP, RFC 9457, OAuth, text, HTML) or the interface's sentence for the status. */
export function refusalFailure(operation: Operation, response: ExchangeResponse, path: string): Failure {
  const { status } = response;
  const foreign = foreignResponseIn(response);
  if (foreign) return foreignResponseRefusal(operation, response, path, foreign);
  // The text of a 2xx gives a reason only if it says that the operation failed.
  const text = isOtherSuccess(status) && !saysItFailed(valueIn(response.text)) ? '' : response.masked.text;
  const problem = readProblem(text, response.masked.header('content-type') ?? '');
  const bearer = readBearerRefusal(response.masked.header('www-authenticate') ?? '');
  const words = problem.message ?? (bearer && `${standardWords(status)}: ${bearer.reason}`);
  // A 503 that says when to try again is not the verdict that the interface has for this status.
  const own = saysNotDone(response) ? undefined : operation;
  const verdict = own?.failures?.[status];
  const doubtful =
    verdict && isBare(response) && `T${kinds[verdict].means.slice(1)}, or something in front of it is out of order`;
  const sentence = withStatus(words ?? (doubtful || sentenceForStatus(own, response)), status);
  const details = [...problem.details, ...(bearer ? [{ message: bearer.reason }] : [])];
  const isOpen = mayBeDone(operation, response);
  const usual = transientStatuses.has(status) ? 'unavailable' : kindOfStatus(status);
  const failure = new Failure(verdict ?? usual, sentence, {
    status,
    details: details.length > 0 ? details : undefined,
    hint: isOpen && !isRepeatable(operation) && status >= 300 ? lookFirstHint : hintFor(response, bearer?.scopes ?? []),
    requestId: requestIdOf(response) ?? problem.id,
    request: { method: operation.method, path },
    ...(isBare(response) && { refused: 'silently' as const }),
    ...(status === 403 && (bearer || isOwnError(response.masked.text)) && { refused: 'caller' as const }),
  });
  return isOpen ? outcomeUnknown(failure) : failure;
}

/** The failure for the response of a proxy or gateway, which leaves open whether an earlier attempt has been applied. */
function foreignResponseRefusal(
  operation: Operation,
  response: ExchangeResponse,
  path: string,
  foreign: ForeignResponse,
): Failure {
  const { status, earlier } = response;
  const isOpen = status < 300 || (status >= 500 && !saysNotDone(response)) || status === 408 || earlier !== 'none';
  const look = isOpen && status >= 300 && !isRepeatable(operation) ? lookFirstHint : foreign.hint;
  const own = saysNotDone(response) ? undefined : operation.failures?.[status];
  const says = own && kinds[own].means.replace('the platform', 'it');
  const hint = own
    ? `If the platform sent it, ${says}; if a gateway did, the change may have been made. ${look}`
    : look;
  const facts = { requestId: requestIdOf(response), request: { method: operation.method, path } };
  const failure = foreignResponseFailure({ ...foreign, hint }, response, facts);
  return isOpen && operation.method !== 'GET' ? outcomeUnknown(failure) : failure;
}

/** Whether a change may have been made although this response came: from a gateway, for an error after the change, or because of an earlier attempt. */
function mayBeDone(operation: Operation, response: ExchangeResponse): boolean {
  const { status, earlier } = response;
  const { method, responses } = operation;
  if (method === 'GET') return false;
  if (saysNotDone(response)) return earlier !== 'none';
  if (isBare(response)) return true;
  if (earlier === 'possible' && [401, 403].includes(status)) return true;
  if (earlier !== 'none' && status === statusOfRepeat(operation)) return true;
  if (responses[status] !== undefined) return false;
  if (status >= 500) return status !== 501 && status !== 505;
  return isOtherSuccess(status) || status === 408;
}

/** The status that a repeated change gets if an earlier attempt was applied. */
export function statusOfRepeat({ method, repeat }: Operation): number | undefined {
  if (method === 'DELETE') return 404;
  return method === 'POST' && repeat === 'always' ? 409 : undefined;
}

/** The failure for a change that another 2xx, such as 202, leaves open. */
export function acceptedFailure(status: number): Failure {
  const sentence = withStatus(sentenceForStatus(undefined, { status, text: '' }), status);
  return outcomeUnknown(new Failure('unavailable', sentence, { status }));
}

/** Whether a status is a 2xx that does not say that a change was made: "Success statuses: 200, 201, 204." */
export function isOtherSuccess(status: number): boolean {
  return status >= 200 && status < 300 && ![200, 201, 204].includes(status);
}

/** The sentence for a response without words. A 404 may also mean that the base URL is wrong, which is said before an ID is called unknown. */
function sentenceForStatus(
  operation: Operation | undefined,
  { status, text }: Pick<ExchangeResponse, 'status' | 'text'>,
): string {
  if (status === 202 && operation?.method !== 'GET')
    return 'The platform accepted the request, and may carry it out later';
  const own = status >= 300 ? operation?.responses[status] : undefined;
  if (status !== 404 || own === undefined || /^\s*[[{]/.test(text)) return own ?? standardWords(status);
  return `The platform has nothing at this address: the base URL may be wrong, or: ${own}`;
}

function withStatus(words: string, status: number): string {
  const sentence = words.trim().replace(/\s+/g, ' ');
  return `${/[.!?…。]$/u.test(sentence) ? sentence : `${sentence}.`} (${status})`;
}

const standardSentences: Readonly<Record<number, string>> = {
  401: 'The platform does not accept the login',
  403: 'The platform does not allow it',
  404: 'The platform could not find it',
  405: 'The platform does not offer this operation',
  408: 'The platform waited too long for the request',
  409: 'It conflicts with what is already there',
  413: 'The request is larger than the platform accepts',
  414: 'The request is longer than the platform accepts',
  421: 'The platform does not answer for this address',
  422: 'The platform rejects the values',
  425: 'The platform refuses the request as too early',
  429: 'The platform asks for fewer requests',
  431: 'The request is longer than the platform accepts',
  503: 'The platform, or a gateway in front of it, takes no requests right now',
};

function standardWords(status: number): string {
  if (standardSentences[status]) return standardSentences[status];
  if (status >= 500) return 'The platform failed';
  if (status >= 400) return 'The platform rejects the request';
  if (status >= 300) return 'The platform redirects elsewhere';
  return "The platform's response cannot be understood";
}

/** Matches error codes about rights, and no code. Another one, such as Batches:NameExists, is a reason for a 403 that no right would change. */
const aboutRights = /auth|denied|forbid|permi|access|allowed|privilege|right|role|scope|credential|admin|^\d*$/i;

function hintFor(response: ExchangeResponse, scopes: readonly string[]): string | undefined {
  const { status } = response;
  if (scopes.length > 0) {
    const create = 'Log in with a client credential that has it: iiot credentials create --name NAME';
    return [create, ...scopes.map((scope) => optionForShell('scope', scope))].join(' ');
  }
  if (status === 401) return 'Log in again: iiot login';
  if (response.headers.get('abp-tenant-resolve-error') !== null)
    return 'The platform does not know the tenant; check it with: iiot profiles show';
  if (status === 403 && !aboutRights.test(errorCodeIn(response.masked.text))) return undefined;
  if (status === 403) return 'See whose login this is: iiot login status --check';
  if (status === 429) return 'Wait, then try again with fewer at a time';
  if (status < 500 && !transientStatuses.has(status)) return undefined;
  return `Try again ${response.pause ? `in ${response.pause}` : 'later'}; to find the cause, run: iiot doctor`;
}

const idHeaders = 'x-request-id x-correlation-id request-id x-ms-request-id x-amzn-requestid traceparent'.split(' ');

/** The platform's own ID of the request, from the usual headers. */
export function requestIdOf({ masked }: { readonly masked: Pick<ExchangeResponse['masked'], 'header'> }) {
  return idHeaders.map(masked.header).find(Boolean)?.slice(0, 200);
}
