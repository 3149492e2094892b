/** Reads the refusals of an identity platform, in OAuth's spelling, in camel case or in ABP's wrapper. */

import type { FailureFacts } from '../failure.ts';
import type { ExchangeResponse } from '../network/fetch.ts';
import { readProblem } from '../network/problem.ts';
import { isRecord, type JsonRecord, memberOf, readRecord, textOf } from '../text/record.ts';
import { hasGap } from '../text/secret-names.ts';

/** Why the platform refused: a code such as invalid_grant, and its own words. */
export type OAuthRefusal = { readonly code?: string; readonly words?: string };

const longestWords = 300;

/** Matches a secret that could be a word or a number of any sentence. Masked there, it could be guessed from the gap. */
const ordinaryWord = /^([\p{L}\p{M}\s'’-]{1,40}|\d{1,4})$/u;

/** The response to a request with a secret. Hides the whole text of the platform if the secret is an ordinary word and is in it. */
export function hideSecret(response: ExchangeResponse, secret: string): ExchangeResponse {
  const { masked } = response;
  if (!ordinaryWord.test(secret)) return response;
  const text = masked.text === response.text ? response.text : '';
  const header = (name: string) =>
    masked.header(name)?.replace(/=[^&#]*/g, (value) => (hasGap(value) ? '=' : value)) ?? null;
  return { ...response, masked: { text, header } };
}

/** Reads a refusal in OAuth's form (RFC 6749, 5.2), ABP's, problem details (RFC 9457) or plain text. Pass masked text. */
export function readRefusal(text: string): OAuthRefusal {
  const record = readRecord(text);
  const isPlain = text.length <= longestWords && !/^\s*[<{[]/.test(text);
  const { code, words } = record ? refusalOf(record) : { code: undefined, words: isPlain ? text : undefined };
  const message = words?.replace(/\s+/g, ' ').trim().slice(0, longestWords);
  return { ...(code !== undefined && /^[\w.:-]{1,80}$/.test(code) && { code }), ...(message && { words: message }) };
}

/** The status of a response and, of an error, the fields that it names and the platform's ID of the request. */
export function responseFacts({ status, masked }: ExchangeResponse): FailureFacts {
  if (status < 400) return { status };
  const { details, id } = readProblem(masked.text, masked.header('content-type') ?? '');
  return { status, ...(details.length > 0 && { details }), ...(id !== undefined && { requestId: id }) };
}

function refusalOf(record: JsonRecord): { code: string | undefined; words: string | undefined } {
  const error = memberOf(record, 'error');
  const inner = isRecord(error) ? error : record;
  const words = ['error_description', 'message', 'detail', 'description', 'details', 'title'];
  // A value with spaces is a message and not a code.
  const isSentence = typeof error === 'string' && /\s/.test(error.trim());
  return {
    code: typeof error === 'string' ? error : textOf(inner, 'code'),
    words: words.map((name) => textOf(inner, name)).find(Boolean) ?? (isSentence ? error : undefined),
  };
}

/** The platform's message as the end of a sentence without its full stop, such as ", and says: Account locked"; empty if there is none. */
export function platformSays({ code, words }: OAuthRefusal): string {
  const message = words ?? code;
  return message === undefined ? '' : `, and says: ${message.replace(/[.\s]+$/, '')}`;
}

/** The hint for OpenIddict's error ID2083, mostly caused by a gateway that terminates TLS; undefined for anything else. */
export function httpsHint({ words = '' }: OAuthRefusal): string | undefined {
  if (!/\bonly accepts https\b/i.test(words)) return undefined;
  return 'The base URL must start with https://. If it does, the gateway in front of the platform must send X-Forwarded-Proto: https';
}
