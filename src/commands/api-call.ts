/** Reads the request of `iiot api` from its command line. */
import { sourceOfOrg } from '../command/body.ts';
import type { Context } from '../command/context.ts';
import { readJson, readText } from '../command/read-file.ts';
import { baseUrl, organization } from '../command/target.ts';
import { isSameId } from '../contract/formats.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { segmentProblem, type WireRequest } from '../contract/wire.ts';
import { usage } from '../failure.ts';
import { parseOrdered } from '../text/json.ts';
import { jsonText } from '../text/json-write.ts';
import type { Mask } from '../text/mask.ts';
import { parseUrl } from '../text/parse-url.ts';
import { isHarmlessHeader } from '../text/secret-names.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

export type ApiCall = {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly headers: Readonly<Record<string, string>>;
};

type ApiInput = BodyInput & TypedRequest & { readonly [K in 'queryParam' | 'header']?: readonly string[] | undefined };

/** Reads the request from the command line. @throws usage for an argument or option that cannot be sent */
export async function readCall(input: ApiInput, context: Context): Promise<ApiCall> {
  const [method, typedPath] = readMethodAndPath(input);
  const { path, query } = readTarget(fillOrgId(typedPath, context), baseUrl(context), context.mask);
  const params = (input.queryParam ?? []).map(readQueryParam);
  const { 'content-type': type, ...headers } = readHeaders(input.header ?? []);
  for (const [name, value] of Object.entries(headers)) if (!isHarmlessHeader(name)) maskKey(value, context.mask);
  const body = await readBody(input, type, context);
  if (method === 'GET' && body)
    throw usage('A GET has no body.', 'Give a method, such as -X POST, or --query-param instead of fields');
  const request = { method, path, query: [...query, ...params], ...(body && { body }) };
  return { operation: operationOf(method, path), request, headers };
}

/** An operation for the method and path. If the interface has one there, both are repeated by the same rule. */
function operationOf(method: Method, path: string): Operation {
  const segments = path.split('/');
  const isAt = (known: readonly string[]) =>
    known.length === segments.length && known.every((each, at) => each.startsWith('{') || each === segments[at]);
  const known: readonly Operation[] = operations;
  const repeat = known.find((each) => each.method === method && isAt(each.path.split('/')))?.repeat;
  const words = { id: 'api', summary: 'Call', description: '' };
  return { ...words, method, path, security: 'bearer', params: {}, responses: {}, repeat };
}

function readQueryParam(word: string): readonly [string, string] {
  const split = word.indexOf('=');
  if (split < 0) throw usage('--query-param takes KEY=VALUE.');
  return [word.slice(0, split), word.slice(split + 1)];
}

function readHeaders(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(word) ?? [];
      if (name === '') throw usage('--header takes NAME:VALUE, in ASCII.');
      if (/^(authorization|host|cookie|content-length|transfer-encoding|connection)$/i.test(name)) {
        throw usage(`--header cannot set ${name.toLowerCase()}: iiot does.`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

/** Hides a header's value in all output, because it may be a key: the whole value, and its last word, as in "ApiKey …". */
function maskKey(value: string, mask: Mask): void {
  for (const word of [value, value.slice(value.lastIndexOf(' ') + 1)]) if (word.length >= 8) mask.remember(word);
}

type BodyInput = {
  readonly field?: ReadonlyMap<string, string> | undefined;
  readonly rawField?: ReadonlyMap<string, string> | undefined;
  readonly bodyFile?: string | undefined;
};

async function readBody(input: BodyInput, type = 'application/json', context: Context) {
  const { field = new Map(), rawField = new Map(), bodyFile } = input;
  const names = [...field.keys(), ...rawField.keys()];
  if (bodyFile !== undefined) {
    if (names.length > 0)
      throw usage('--body-file is the whole body and cannot be combined with a field.', 'Give one or the other');
    const text = await readText(bodyFile, '--body-file', context);
    if (/json/i.test(type)) readJson(text, '--body-file');
    return { type, text };
  }
  if (names.length === 0) return undefined;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw usage(`--field and --raw-field both name "${repeated}".`);
  const body = new Map<string, unknown>(rawField);
  for (const [name, text] of field) {
    const read = parseOrdered(text);
    // A text that is not JSON is sent as a string.
    body.set(name, 'value' in read ? read.value : text);
  }
  return { type, text: jsonText(body) };
}

type TypedRequest = { readonly [K in 'method' | 'path' | 'httpMethod']?: string | undefined };
const example = 'For example: iiot api /api/v1/orgs/{orgId}/users';

/** Reads "PUT /x", "/x -X PUT" or "/x", which is a GET. @throws usage for two methods, an unknown method, or no path */
function readMethodAndPath({ method: first, path: second, httpMethod }: TypedRequest): readonly [Method, string] {
  const isPathAlone = second === undefined && methodNamed(first) === undefined;
  const [word, path] = isPathAlone ? [undefined, first] : [first, second];
  if (word !== undefined && httpMethod !== undefined)
    throw usage(`The method is given twice: ${word.slice(0, 20)} and -X.`, 'Give it once');
  const typedMethod = word ?? httpMethod ?? 'GET';
  const method = methodNamed(typedMethod);
  if (!method) throw usage(`METHOD must be one of ${methods.join(', ')}.`, example);
  if (!path) throw usage('iiot api needs a path.', example);
  return [method, path];
}

function methodNamed(word: string | undefined): Method | undefined {
  return methods.find((each) => each === word?.toUpperCase());
}

/** Replaces {orgId} in the path. @throws usage for another placeholder, an organization that cannot be a path segment, and an --org that the path does not use */
function fillOrgId(path: string, context: Context): string {
  const [unknown] = /\{(?!orgId\})[^{}/]*\}/.exec(path.replace(/[?#].*/s, '')) ?? [];
  if (unknown) {
    const literal = 'Write the value itself; for a brace in the path write %7B or %7D';
    throw usage(`${unknown} in the path is not filled in: only {orgId} is.`, literal);
  }
  if (path.includes('{orgId}')) {
    const orgId = organization(context);
    const problem = segmentProblem(orgId);
    if (problem) throw usage(`${sourceOfOrg(context) ?? '--org'} ${problem}.`);
    return path.replaceAll('{orgId}', encodeURIComponent(orgId));
  }
  const { org } = context.options;
  const [, named = ''] = /\/orgs\/([^/?#]+)/.exec(path) ?? [];
  if (org === undefined || [org, encodeURIComponent(org.trim())].some((each) => isSameId(named, each))) return path;
  const problem = named === '' ? 'has no effect: the path has no {orgId}' : `names ${org}, but the path names ${named}`;
  throw usage(`--org ${problem}.`, named === '' ? example : 'Give one of them, or {orgId} in the path');
}

/** Reads a path or an absolute URL as a path below the base URL and a query. @throws usage if it leads to another origin, or out of the base URL's path */
function readTarget(word: string, base: string, mask: Mask): { path: string; query: (readonly [string, string])[] } {
  // A password with an unescaped slash ends the host early, and would stand in the path.
  const shown = mask.url(word).replace(/\/\/.*@/s, '//***@');
  const elsewhere = usage(
    `${shown.slice(0, 200)} is not on ${new URL(base).origin}, and nothing is sent elsewhere.`,
    /^[a-z]:[\\/]/i.test(word)
      ? 'Git Bash rewrites such paths: leave out the first slash, or set MSYS_NO_PATHCONV=1'
      : 'Give a path that starts with a single /',
  );
  if (/^[\s]|^\/\/|[\\\0-\x1f]/.test(word)) throw elsewhere;
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(word);
  const text = isAbsolute ? word : `${base}/${word.replace(/^\//, '')}`;
  const url = parseUrl(text);
  if (!url) throw elsewhere;
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const isInside = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  if (url.origin !== new URL(base).origin || url.username !== '' || url.password !== '' || !isInside) throw elsewhere;
  return { path: url.pathname.slice(prefix.length), query: [...url.searchParams] };
}
