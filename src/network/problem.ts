import type { FailureDetail } from '../failure.ts';
import { isWebPage, isXml, messageInXml, titleOf } from '../text/html.ts';
import { valueIn } from '../text/json.ts';
import { isRecord, type JsonRecord, memberOf } from '../text/record.ts';
import { hidden, soundsSecret } from '../text/secret-names.ts';

/** The content of an error's body: a message, and what is wrong with single fields. */
type ErrorContent = {
  readonly message?: string;
  readonly details: readonly FailureDetail[];
  /** The platform's ID of the request. */
  readonly id?: string;
};

/** The most characters of one text. */
const longestText = 8192;

/** The most details of one problem. */
const mostDetails = 100;

/** Reads an error body: ABP, RFC 9457 with `errors`, OAuth, plain text, XML, HTML's title, or nothing. Never throws. */
export function readProblem(text: string, contentType: string): ErrorContent {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') return { details: [] };
  if (isWebPage(trimmed, contentType)) return messageOnly(titleOf(trimmed));
  if (isXml(trimmed, contentType)) return messageOnly(messageInXml(trimmed));
  const value = valueIn(trimmed);
  if (value === undefined) return messageOnly(/^(?:\{\s*"|\[\s*["{[])/.test(trimmed) ? undefined : plainWords(trimmed));
  if (typeof value === 'string') return messageOnly(value);
  if (isRecord(value)) return contentOf(value);
  return { details: inPlainWords(errorsOf(value)).slice(0, mostDetails) };
}

/** The platform's code for an error, from `error.code`, or `code` if there is no `error`; empty if there is none. */
export function errorCodeIn(text: string): string {
  const value = valueIn(text);
  const error = isRecord(value) ? (memberOf(value, 'error') ?? value) : undefined;
  return (isRecord(error) && wordsIn(error, 'code')) || '';
}

/** Whether a body is an error of this family of platforms: ABP's, problem details (RFC 9457), or no text, as from ASP.NET. */
export function isOwnError(text: string): boolean {
  if (text.trim() === '') return true;
  const value = valueIn(text);
  if (!isRecord(value)) return false;
  return isRecord(memberOf(value, 'error')) || (typeof value.title === 'string' && 'status' in value);
}

function contentOf(record: JsonRecord): ErrorContent {
  const inner = isRecord(record.error) ? record.error : (detailOf(record) ?? record);
  const oauth = typeof record.error === 'string' ? record.error : undefined;
  const message =
    wordsIn(inner, 'error_description') ??
    joinSentences(messageIn(inner), wordsIn(inner, 'detail') ?? wordsIn(inner, 'details')) ??
    ownTitle(inner) ??
    oauth ??
    wordsIn(inner, 'code');
  const listed = listIn(inner) ?? listIn(record);
  // The short form of ASP.NET: only fields with their messages.
  const isBare = message === undefined && listed === undefined && wordsIn(inner, 'title') === undefined;
  const bare = isBare ? record : undefined;
  const details = inPlainWords([...abpDetails(inner), ...errorsOf(listed ?? bare)]).slice(0, mostDetails);
  const id = wordsIn(record, 'traceId') ?? wordsIn(record, 'requestId');
  return { ...messageOnly(message), details, id: id?.slice(0, 200) };
}

/** The plain text of an error without the stack of a developer exception page; undefined if it only repeats the status. */
function plainWords(text: string): string | undefined {
  const [beginning = ''] = text.split(/\n[ \t\r]*(?:\n|at )/, 1);
  const words = beginning.trimEnd();
  return /^(?:status code: \d{3};|404 page not found$|404 not found$|not found$)/i.test(words) ? undefined : words;
}

/** Matches titles that repeat the status, which say less than the interface's sentence for it. */
const statusTitle = /^(bad request|unauthorized|forbidden|not found|conflict|internal server error)\.?\s*$/i;

function ownTitle(record: JsonRecord): string | undefined {
  const title = wordsIn(record, 'title');
  return title !== undefined && statusTitle.test(title) ? undefined : title;
}

/** ASP.NET's message for a value that it cannot read, with the name of the type. */
const conversionMessage = /^The JSON value could not be converted to (?:System\.Nullable`1\[)?([\w.]*\w).*$/s;

const kindsOfValue: readonly (readonly [type: RegExp, kind: string])[] = [
  [/Int\d+$|Decimal$|Double$|Single$|Byte$/, 'number'],
  [/Boolean$/, 'boolean'],
  [/Guid$/, 'UUID'],
  [/Date/, 'time'],
  [/String$/, 'string'],
  [/List|Collection|Array|Enumerable/, 'list'],
];

/**
 * Takes .NET type names out of ASP.NET's message for a value that it cannot read. Leaves out "The input field is required", which ASP.NET adds to such
 * messages. Hides messages about fields with the name of a secret, which may quote it.
 */
function inPlainWords(details: readonly FailureDetail[]): FailureDetail[] {
  const converted = details.some(({ message }) => conversionMessage.test(message));
  return details
    .filter(({ field, message }) => !converted || field !== 'input' || !/ field is required\.?$/.test(message))
    .map((detail) => {
      if (soundsSecret(detail.field ?? '')) return { ...detail, message: 'is not valid' };
      const type = conversionMessage.exec(detail.message)?.[1];
      if (type === undefined) return detail;
      const [, kind = 'value'] = kindsOfValue.find(([pattern]) => pattern.test(type)) ?? [];
      return { ...detail, message: `is not a ${kind} that the platform takes` };
    });
}

/** The inner record of FastAPI, which puts everything into `detail`. */
function detailOf(record: JsonRecord): JsonRecord | undefined {
  const isAlone = messageIn(record) === undefined && wordsIn(record, 'title') === undefined;
  return isAlone && isRecord(record.detail) ? record.detail : undefined;
}

/** The list of what is wrong with fields. FastAPI calls it `detail`, Joi `details`, and Bean Validation `violations`. */
function listIn(record: JsonRecord): unknown {
  const named = memberOf(record, 'errors') ?? memberOf(record, 'modelState');
  if (named !== undefined && named !== null) return named;
  return ['detail', 'details', 'violations', 'issues', 'invalid-params']
    .map((name) => memberOf(record, name))
    .find((list) => Array.isArray(list) && list.some(isRecord));
}

function messageIn(record: JsonRecord): string | undefined {
  return firstIn(record, ['message', 'errorMessage', 'error_message', 'msg']);
}

function joinSentences(message: string | undefined, next: string | undefined): string | undefined {
  if (message === undefined || next === undefined || message.includes(next)) return message ?? next;
  return `${message.trimEnd()}${/[.!?]\s*$/.test(message) ? '' : '.'} ${next}`;
}

/** Reads ABP's `validationErrors: [{message, members: [...]}]`. */
function abpDetails(record: JsonRecord): FailureDetail[] {
  const list = memberOf(record, 'validationErrors');
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((entry) => {
    const message = wordsIn(entry, 'message') ?? 'is not valid';
    const members = memberOf(entry, 'members');
    const names = Array.isArray(members) ? members.filter((name) => typeof name === 'string') : [];
    return names.length > 0 ? names.map((name) => ({ field: fieldName(name), message })) : [{ message }];
  });
}

/** Reads ASP.NET's `errors: {field: ["…"]}`, or a list of texts or of `{field, message}` under these or other names. */
function errorsOf(errors: unknown): FailureDetail[] {
  if (Array.isArray(errors)) {
    return errors.flatMap((entry) => {
      if (typeof entry === 'string') return [{ message: cut(entry) }];
      if (!isRecord(entry)) return [];
      const message = firstIn(entry, ['message', 'detail', 'description', 'errorMessage', 'msg', 'reason']);
      const name =
        firstIn(entry, ['field', 'name', 'pointer', 'propertyName', 'property', 'target', 'param']) ?? lastStep(entry);
      return message ? [{ message, ...(name && { field: fieldName(name) }) }] : [];
    });
  }
  if (!isRecord(errors)) return [];
  return Object.entries(errors).flatMap(([name, messages]) =>
    [messages]
      .flat()
      .filter((message) => typeof message === 'string')
      .map((message) => ({ message: cut(message), ...(fieldName(name) && { field: fieldName(name) }) })),
  );
}

function firstIn(record: JsonRecord, names: readonly string[]): string | undefined {
  return names.map((name) => wordsIn(record, name)).find(Boolean);
}

/** The name of a field that FastAPI and Joi give as a path: `"loc": ["body", "notification", "subject"]`, `"path": ["delay"]`. */
function lastStep(record: JsonRecord): string | undefined {
  const location = memberOf(record, 'loc') ?? memberOf(record, 'path');
  const step: unknown = Array.isArray(location) ? location.findLast((each) => typeof each === 'string') : undefined;
  return typeof step === 'string' && step.trim() !== '' ? cut(step) : undefined;
}

/** A field's name without the root that platforms write before it: "$.notification.channelIds[0]", "#/notification". */
function fieldName(name: string): string {
  return cut(name.replace(/^\$\.?|^#?\//, ''));
}

function wordsIn(record: JsonRecord, name: string): string | undefined {
  const value = memberOf(record, name);
  const text = Array.isArray(value) ? value.filter((each) => typeof each === 'string').join('; ') : value;
  return typeof text === 'string' && text.trim() !== '' ? cut(text) : undefined;
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function messageOnly(message: string | undefined): ErrorContent {
  return { message: message === hidden ? undefined : message && cut(message), details: [] };
}
