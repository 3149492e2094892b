import type { Operation } from '../contract/operation.ts';
import type { WireRequest } from '../contract/wire.ts';
import { Failure, type FailureFacts, outcomeUnknown } from '../failure.ts';
import type { ExchangeAnswer } from '../network/fetch.ts';
import { strangerIn } from '../network/stranger.ts';
import { parseLossless } from '../text/json-lossless.ts';
import { saysItFailed, saysNotLoggedIn } from '../text/wrapper.ts';
import { refusal, requestIdOf } from './refusal.ts';

/** The platform's response to one operation. `value` is undefined if there is no body. */
export type Reply = {
  readonly status: number;
  readonly value: unknown;
  readonly answer: ExchangeAnswer;
  /** IDs of the path for which the response to a change names another value, as mocks with fixed examples do. */
  readonly others?: readonly OtherSubject[];
};

export type OtherSubject = { readonly name: string; readonly asked: string; readonly told: string };

/**
 * Reads a response. Every 2xx is a success, whatever the interface documents.
 * @param anyText returns a response that is declared as text, not JSON, as that text
 * @throws Failure for any other status, for text that is not JSON, and for a GET whose response is about something else
 */
export async function readReply(
  operation: Operation,
  request: WireRequest,
  answer: ExchangeAnswer,
  anyText: boolean,
): Promise<Reply> {
  const { status } = answer;
  // "A DELETE that finds 404 on a repeat has succeeded."
  if (status === 404 && request.method === 'DELETE' && answer.earlier > 0 && !strangerIn(answer))
    return { status, value: undefined, answer };
  // 206 is a partial response, which was not requested.
  if (status < 200 || status >= 300 || status === 206) throw refusal(operation, answer, request.path);
  if (answer.text.trim() === '') return { status, value: undefined, answer };
  const isText = isOtherText(answer, anyText || isWord(answer, request));
  if (!isText && strangerIn(answer)) throw refusal(operation, answer, request.path);
  const value = isText ? answer.text : await readValue(answer, request);
  if (saysItFailed(value)) throw wrappedRefusal(operation, request, answer, value);
  const others = otherSubjects(operation, request, value);
  const [other] = others;
  if (other === undefined) return { status, value, answer };
  // A change was made as requested, whatever the response shows. The response to a GET would be mistaken for the requested item.
  if (request.method !== 'GET') return { status, value, answer, others };
  throw misunderstood(`The platform's answer (${status}) is about another ${other.name}.`, answer, request);
}

/** A refusal sent with the status of a success. */
function wrappedRefusal(operation: Operation, request: WireRequest, answer: ExchangeAnswer, value: unknown): Failure {
  const { message, facts } = refusal(operation, answer, request.path);
  return new Failure(saysNotLoggedIn(value) ? 'unauthenticated' : 'rejected', message, facts);
}

function isOtherText({ headers, text }: ExchangeAnswer, anyText: boolean): boolean {
  return anyText && text !== '' && /^text\/(?!html|json)/i.test(headers.get('content-type') ?? '');
}

/** "OK", which some servers send where others send no body. */
function isWord({ text }: ExchangeAnswer, { method }: WireRequest): boolean {
  return method !== 'GET' && text.length <= 200 && !/^\s*[[{<"]/.test(text);
}

async function readValue(answer: ExchangeAnswer, request: WireRequest): Promise<unknown> {
  try {
    return await parseLossless(answer.text, answer.outline);
  } catch {
    throw misunderstood(`The platform's answer (${answer.status}) cannot be read as JSON.`, answer, request);
  }
}

function factsOf(answer: ExchangeAnswer, { method, path }: WireRequest): FailureFacts {
  const id = requestIdOf(answer);
  return { status: answer.status, request: { method, path }, ...(id !== undefined && { requestId: id }) };
}

/** A success that cannot be read: the change may have been made. */
function misunderstood(sentence: string, answer: ExchangeAnswer, request: WireRequest): Failure {
  const facts = { ...factsOf(answer, request), hint: 'See it with --debug' };
  const failure = new Failure('unavailable', sentence, facts);
  return request.method === 'GET' ? failure : outcomeUnknown(failure);
}

/** The IDs of the path for which the response names another value. */
function otherSubjects(operation: Operation, request: WireRequest, value: unknown): OtherSubject[] {
  if (typeof value !== 'object' || value === null) return [];
  const asked = operation.path.split('/');
  return request.path.split('/').flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(asked[index] ?? '')?.[1];
    const told = name === undefined ? undefined : subjectIn(value, name);
    const wanted = decoded(segment);
    return name === undefined || told === undefined || same(told, wanted) ? [] : [{ name, asked: wanted, told }];
  });
}

function subjectIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const told = (value as Readonly<Record<string, unknown>>)[name]; // checked in the line above
  return typeof told === 'string' && told !== '' ? told : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Compares IDs as .NET parses GUIDs: in any case, with or without braces and hyphens. */
function same(left: string, right: string): boolean {
  const plain = (id: string) => id.toLowerCase().replace(/[{}()-]/g, '');
  return plain(left) === plain(right);
}
