import type { Operation } from '../contract/operation.ts';
import type { WireRequest } from '../contract/wire.ts';
import { Failure, outcomeUnknown } from '../failure.ts';
import { decoded } from '../network/base-url.ts';
import type { ExchangeResponse } from '../network/fetch.ts';
import { foreignResponseIn } from '../network/foreign-response.ts';
import { isWebPage } from '../text/html.ts';
import { parseLossless, valueIn } from '../text/json.ts';
import { isHolder, isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { soundsSecret } from '../text/secret-names.ts';
import { decodeAs } from '../text/utf8.ts';
import { saysItFailed, saysNotLoggedIn, unwrapEnvelope } from '../text/wrapper.ts';
import { declaredKind } from './attempt.ts';
import { isOtherSuccess, refusalFailure, requestIdOf, statusOfRepeat } from './refusal.ts';

/** The platform's response to one operation. */
export type PlatformResponse = {
  readonly status: number;
  /** The parsed body, or its text if it is not JSON; undefined if there is none. */
  readonly value: unknown;
  /** The bytes of a body that is not JSON, if any content was asked for. */
  readonly data?: Uint8Array;
  readonly httpResponse: ExchangeResponse;
  /** The IDs of the path for which the response to a change has another value, as from mock servers with fixed examples. */
  readonly mismatches?: readonly IdMismatch[];
  /** The fields of an update for which the response has another value than was sent. */
  readonly otherwise?: readonly string[];
};

export type IdMismatch = { readonly name: string; readonly requested: string; readonly returned: string };

/**
 * Reads a response. A success is 200, 201 or 204 from the platform itself, whichever of them the interface names for the operation.
 * @param anyContent whether a body that is not JSON, a part of one (206) and "not modified" (304) are successes too
 * @throws Failure for any other status, for text that is not JSON, and for a GET whose response is about something else
 */
export async function readResponse(
  operation: Operation,
  request: WireRequest,
  httpResponse: ExchangeResponse,
  anyContent: boolean,
): Promise<PlatformResponse> {
  const { status, earlier } = httpResponse;
  const isForeign = foreignResponseIn(httpResponse) !== undefined;
  // "A DELETE that finds 404 on a repeat has succeeded if an earlier try may have arrived." So has a creation that finds its own name.
  const isWords = /^\s*[^\s{["]/.test(httpResponse.text); // a text, as web servers send for an address that they do not know
  if (earlier === 'possible' && status === statusOfRepeat(operation) && !isForeign && !isWords)
    return { status, value: undefined, httpResponse };
  if (status === 304 && anyContent) return { status, value: undefined, httpResponse };
  if (status < 200 || status >= 300 || isForeign) throw refusalFailure(operation, httpResponse, request.path);
  const data = await dataIn(httpResponse);
  if (data)
    return { status, value: decodeAs(data, httpResponse.headers.get('content-type') ?? ''), data, httpResponse };
  // The response to a GET is a success by its content, whatever other 2xx it has.
  const isRead = anyContent || (request.method === 'GET' && ![202, 206].includes(status));
  const isSuccess = isRead || !isOtherSuccess(status);
  if (httpResponse.text.trim() === '' && isSuccess) return { status, value: undefined, httpResponse };
  const value = isSuccess ? await readValue(httpResponse, request) : valueIn(httpResponse.text);
  if (saysItFailed(value)) {
    // Some platforms send a refusal with the status of a success.
    const { message, facts } = refusalFailure(operation, httpResponse, request.path);
    throw new Failure(saysNotLoggedIn(value) ? 'unauthenticated' : 'rejected', message, facts);
  }
  if (!isSuccess) throw refusalFailure(operation, httpResponse, request.path);
  const mismatches = idMismatches(operation, request, value);
  const [other] = mismatches;
  if (other === undefined) return { status, value, httpResponse, otherwise: fieldsShownOtherwise(request, value) };
  // A change was made as requested, whatever the response shows. Another item in the response to a GET must not be taken for the requested one.
  if (request.method !== 'GET') return { status, value, httpResponse, mismatches };
  throw unclearFailure(`The platform's response (${status}) is about another ${other.name}.`, httpResponse, request);
}

/** The bytes of a body that is not declared as JSON or a web page, and cannot be read as JSON. */
async function dataIn({ status, headers, text, content }: ExchangeResponse): Promise<Uint8Array | undefined> {
  if (!content?.length) return undefined;
  const declared = declaredKind(headers);
  if (status === 206 || declared === 'lines') return content;
  if (declared === 'json' || declared === 'html' || (declared === undefined && isWebPage(text, ''))) return undefined;
  const value = /^\s*[[{]/.test(text) && (await parseLossless(text).catch(() => undefined));
  return value ? undefined : content;
}

/** Whether the body of a change is a short text such as "OK", which some servers send in place of no body. */
function isWord({ headers, text }: ExchangeResponse, { method }: WireRequest): boolean {
  if (method === 'GET' || text.length > 200 || /^\s*[[{<"]/.test(text)) return false;
  return /^text\/(?!html|json)/i.test(headers.get('content-type') ?? '');
}

async function readValue(httpResponse: ExchangeResponse, request: WireRequest): Promise<unknown> {
  if (isWord(httpResponse, request)) return httpResponse.text;
  try {
    return await parseLossless(httpResponse.text, httpResponse.outline);
  } catch {
    throw unclearFailure(
      `The platform's response (${httpResponse.status}) cannot be read as JSON.`,
      httpResponse,
      request,
    );
  }
}

/** The failure for a success that cannot be read, so that a change may have been made. */
function unclearFailure(sentence: string, httpResponse: ExchangeResponse, request: WireRequest): Failure {
  const { method, path } = request;
  const facts = { status: httpResponse.status, request: { method, path }, requestId: requestIdOf(httpResponse) };
  const failure = new Failure('unavailable', sentence, { ...facts, hint: 'See it with --debug' });
  return request.method === 'GET' ? failure : outcomeUnknown(failure);
}

/** The IDs of the path for which the response has another value. */
function idMismatches(operation: Operation, request: WireRequest, value: unknown): IdMismatch[] {
  if (!isRecord(value)) return [];
  const template = operation.path.split('/');
  return request.path.split('/').flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(template[index] ?? '')?.[1];
    const returned = name !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
    const requested = decoded(segment);
    return name === undefined || typeof returned !== 'string' || returned === '' || isSameGuid(returned, requested)
      ? []
      : [{ name, requested, returned }];
  });
}

/** The fields of an update for which the response has another value of the same type. A platform may leave out fields, and hide secrets. */
function fieldsShownOtherwise({ method, body }: WireRequest, value: unknown): string[] {
  const sent = method === 'PATCH' ? valueIn(body?.text ?? '') : undefined;
  const compare = (given: JsonRecord, shown: JsonRecord, path: string): string[] =>
    Object.entries(given).flatMap(([name, one]) => {
      const other = memberOf(shown, name);
      if (isRecord(one) && isRecord(other)) return compare(one, other, `${path}${name}.`);
      const isSame =
        comparable(one) === undefined || comparable(other) === undefined || comparable(one) === comparable(other);
      return isSame || soundsSecret(name) || typeof one !== typeof other ? [] : [path + name];
    });
  const record = unwrapEnvelope(value);
  return isRecord(sent) && isRecord(record) ? compare(sent, record, '') : [];
}

/** A value as a text to compare, with lists in any order and names in any case; undefined for a hidden value or one that has objects in it. */
function comparable(value: unknown): string | undefined {
  const words = [value].flat().map((each) => (isHolder(each) || each === null ? '*****' : String(each).toLowerCase()));
  return words.some((word) => /^[*•●]{3,}$/.test(word)) ? undefined : words.sort().join('\n');
}

/** Compares IDs as .NET parses GUIDs: in any case, with or without braces and hyphens. */
function isSameGuid(left: string, right: string): boolean {
  const plain = (id: string) => id.toLowerCase().replace(/[{}()-]/g, '');
  return plain(left) === plain(right);
}
