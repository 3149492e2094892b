import type { Operation } from '../contract/operation.ts';
import type { WireRequest } from '../contract/wire.ts';
import { Failure, type FailureFacts } from '../failure.ts';
import type { Exchanged } from '../fetch.ts';
import { isWrappedRefusal } from './envelope.ts';
import { parseJson } from './json.ts';
import { titleOf } from './problem.ts';
import { refusal, requestIdOf } from './refusal.ts';
import { unsettled } from './unsettled.ts';

/** What the platform answered to one operation. `value` is undefined where it sent no body. */
export type Reply = { readonly status: number; readonly value: unknown; readonly answer: Exchanged };

/**
 * Reads an answer: any 2xx is done, whatever the interface documents.
 * @param anyText gives what says it is a text, and no JSON, as that text
 * @throws Failure for any other status, for what is no JSON, and for an answer about something else than was asked
 */
export async function readReply(
  operation: Operation,
  request: WireRequest,
  answer: Exchanged,
  anyText: boolean,
): Promise<Reply> {
  const { status } = answer;
  // "A DELETE that finds 404 on a repeat has succeeded."
  if (status === 404 && request.method === 'DELETE' && answer.earlier > 0) return { status, value: undefined, answer };
  // A part of an answer (206) was not asked for.
  if (status < 200 || status >= 300 || status === 206) throw refusal(operation, answer, request.path);
  if (answer.text.trim() === '') return { status, value: undefined, answer };
  const value = isOtherText(answer, anyText || isWord(answer, request))
    ? answer.text
    : await readValue(answer, request);
  if (isWrappedRefusal(value)) throw wrappedRefusal(operation, request, answer);
  checkSubject(operation, request, value, answer);
  return { status, value, answer };
}

function wrappedRefusal(operation: Operation, request: WireRequest, answer: Exchanged): Failure {
  const { message, facts } = refusal(operation, answer, request.path);
  return new Failure('rejected', message, facts);
}

function isOtherText({ headers, text }: Exchanged, anyText: boolean): boolean {
  return anyText && text !== '' && /^text\/(?!html|json)/i.test(headers.get('content-type') ?? '');
}

/** "OK", with which some servers answer a change where others answer nothing. */
function isWord({ text }: Exchanged, { method }: WireRequest): boolean {
  return method !== 'GET' && text.length <= 200 && !/^\s*[[{<"]/.test(text);
}

async function readValue(answer: Exchanged, request: WireRequest): Promise<unknown> {
  if (/^\s*</.test(answer.text)) throw webPage(answer.text).with(factsOf(answer, request));
  try {
    return await parseJson(answer.text);
  } catch {
    throw misunderstood(`The platform's answer (${answer.status}) is not JSON that can be read.`, answer, request);
  }
}

function factsOf(answer: Exchanged, { method, path }: WireRequest): FailureFacts {
  const id = requestIdOf(answer);
  return { status: answer.status, request: { method, path }, ...(id !== undefined && { requestId: id }) };
}

/** A success that says nothing we understand: the change it answers may have been made. */
function misunderstood(sentence: string, answer: Exchanged, request: WireRequest): Failure {
  const facts = { ...factsOf(answer, request), hint: 'See it with --debug' };
  const failure = new Failure('unavailable', sentence, facts);
  return request.method === 'GET' ? failure : unsettled(failure);
}

function webPage(html: string): Failure {
  const title = titleOf(html);
  const named = title === undefined ? 'a web page' : `a web page, "${title}",`;
  if (/type\s*=\s*["']?password/i.test(html)) {
    const sentence = `The platform answers with ${named} that asks to log in.`;
    return new Failure('unauthenticated', sentence, { hint: 'Log in: iiot login' });
  }
  return new Failure('unavailable', `What answers is ${named} and not the platform.`, {
    hint: 'A gateway, a captive portal or a wrong base URL may be the reason; see: iiot doctor',
  });
}

/** An answer that names another subject than the path did is the answer to somebody else's request. */
function checkSubject(operation: Operation, request: WireRequest, value: unknown, answer: Exchanged): void {
  if (typeof value !== 'object' || value === null) return;
  const asked = operation.path.split('/');
  for (const [index, segment] of request.path.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(asked[index] ?? '')?.[1];
    const told = name === undefined ? undefined : subjectIn(value, name);
    if (told === undefined || same(told, decoded(segment))) continue;
    throw misunderstood(`The platform's answer (${answer.status}) is about another ${name}.`, answer, request);
  }
}

function subjectIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const told = (value as Readonly<Record<string, unknown>>)[name]; // the line above has looked
  return typeof told === 'string' && told !== '' ? told : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Ids are compared as .NET reads GUIDs: in any case, with or without braces and hyphens. */
function same(left: string, right: string): boolean {
  const plain = (id: string) => id.toLowerCase().replace(/[{}()-]/g, '');
  return plain(left) === plain(right);
}
