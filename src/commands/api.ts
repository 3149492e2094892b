import { lstatSync } from 'node:fs';
import { sourceOfOrg } from '../command/body.ts';
import { command, refusals } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { dryRunFlag } from '../command/global-options.ts';
import { readJson, readText } from '../command/read-file.ts';
import { refuseChange } from '../command/read-only.ts';
import type { ChangeResponse } from '../command/record.ts';
import { baseUrl, organization } from '../command/target.ts';
import { isSameId } from '../contract/formats.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { boolean, list, text } from '../contract/shared.ts';
import { segmentProblem, type WireRequest } from '../contract/wire.ts';
import { Failure, madeAnyway, usage } from '../failure.ts';
import { createPrivate, reserveSpace } from '../files/private-file.ts';
import { pages } from '../http/pages.ts';
import type { Platform } from '../http/platform.ts';
import type { Result } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { parseOrdered } from '../text/json.ts';
import { jsonText } from '../text/json-write.ts';
import type { Mask } from '../text/mask.ts';
import { parseUrl } from '../text/parse-url.ts';
import { isHarmlessHeader } from '../text/secret-names.ts';
import { visible } from '../text/visible.ts';
import { readWithEnding } from './list.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

const fieldFlag = (description: string, value: string) =>
  ({ type: 'object', description, additionalProperties: text(value) }) as const;

const api = command({
  name: 'api',
  without: { agents: 'any request at all could be made with it, and any response read' },
  changes: { undoable: false },
  shell: {
    ends: { ...refusals, conflict: 'the platform refuses it as a conflict' },
    completes: { method: 'requests', path: 'paths' },
  },
  reach: 'organization',
  summary: 'Call any operation of the platform',
  description:
    "Sends one request with this tool's login, retries and output: a GET unless another method is given. The path is below the base URL; an absolute " +
    "URL must have the platform's own origin. {orgId} in the path becomes the organization in use; no other name is filled in. Write %7B for a brace. Fields make a JSON body. The response is printed " +
    'as JSON unless you choose another format; other content is printed as it is, except binary content at a ' +
    'terminal. A method other than GET changes something: try it with --dry-run first.',
  result: {
    description: "The platform's response; if it has no body, or with --output-file, what was sent and the status",
  },
  arguments: {
    method: text(`${methods.join(', ')}; GET if left out`, { value: 'METHOD', optional: true }),
    path: text('Path below the base URL, for example /api/v1/orgs/{orgId}/users', { value: 'PATH', optional: true }),
  },
  flags: {
    httpMethod: text('HTTP method, instead of the argument', { flag: 'method', short: 'X', value: 'METHOD' }),
    rawField: { ...fieldFlag('Field of the body, as a string', 'Text'), short: 'f' },
    field: { ...fieldFlag('Field of the body, as JSON or a string', 'JSON, or text'), short: 'F' },
    queryParam: { ...list('Query parameter', text('Pair')), value: 'KEY=VALUE' },
    header: { ...list('Request header', text('Header')), short: 'H', value: 'NAME:VALUE' },
    bodyFile: text('File with the whole body; - is standard input', { value: 'FILE' }),
    outputFile: text('Write the response to this new, private file', { value: 'FILE' }),
    all: boolean('Read every page of a list and print its items'),
    openapi: boolean('Print the interface as OpenAPI 3.1 and send nothing'),
    dryRun: dryRunFlag,
  },
  examples: {
    'iiot api /api/v1/orgs/{orgId}/users': 'The users of the organization in use, as JSON',
    'iiot api PUT /platform/solutions/api/v1/devices/press-0001/custom-info -f line=3 --dry-run':
      'See the request before sending it',
    'iiot api /api/v1/orgs/{orgId}/users --output-file users.json': 'Save the response, byte for byte',
    'iiot api --openapi > openapi.json': 'For other tools',
  },
  async run(input, context) {
    if (input.openapi) {
      if (input.method !== undefined || input.httpMethod !== undefined)
        throw usage('--openapi prints the interface, and takes no METHOD.');
      return openapiDocument(context);
    }
    const call = await readCall(input, context);
    const { method, path } = call.request;
    const { all = false, dryRun = false, outputFile } = input;
    const sent = { method, path, outputFile };
    if (all && outputFile !== undefined)
      throw usage('--output-file takes one response, but --all makes a list of many.');
    if (outputFile !== undefined) checkOutputFile(outputFile);
    if (method === 'GET') {
      if (!dryRun) refuseMethodOverride(call, context);
      if (dryRun) {
        const { dryRunResult } = await import('../command/dry-run.ts');
        return dryRunResult([call], baseUrl(context), context.world.platform);
      }
      if (all) return readAll(call, context);
      const send = await openExplainedSend(context);
      const options = { headers: call.headers, anyContent: true };
      return saveOrShow(await send(call.operation, call.request, options), sent, context);
    }
    if (all) throw usage('--all follows the pages of a list, and works only with GET.');
    return {
      kind: 'change',
      ...call,
      input: {},
      subject: { type: 'request', id: `${method} ${path}` },
      explain: withPathHint,
      action: `Send ${method} ${path}`,
      result: (response) => {
        try {
          return saveOrShow(response, sent, context);
        } catch (error) {
          throw error instanceof Failure ? madeAnyway(error, `${method} ${path}`) : error;
        }
      },
    };
  },
});

async function openapiDocument({ options }: Context): Promise<Result> {
  const { openapi } = await import('../contract/openapi.ts');
  // Written to the file unchanged, unless a filter or another format is given.
  if (options.jq !== undefined || (options.output ?? 'table') !== 'table') return { kind: 'record', value: openapi() };
  return { kind: 'text', text: `${JSON.stringify(openapi(), null, 2)}\n` };
}

type ApiCall = {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly headers: Readonly<Record<string, string>>;
};

type ApiInput = BodyInput & TypedRequest & { readonly [K in 'queryParam' | 'header']?: readonly string[] | undefined };

/** Reads the request from the command line. @throws usage for an argument or option that cannot be sent */
async function readCall(input: ApiInput, context: Context): Promise<ApiCall> {
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

async function readAll({ operation, request, headers }: ApiCall, context: Context): Promise<Result> {
  const send = await openExplainedSend(context);
  const size = Number(request.query.find(([name]) => name === 'maxResultCount')?.[1] ?? 100);
  const others = request.query.filter(([name]) => name !== 'skipCount' && name !== 'maxResultCount');
  const fetchPage = async (skip: number, most: number) => {
    const paging = [['skipCount', String(skip)] as const, ['maxResultCount', String(most)] as const];
    return (await send(operation, { ...request, query: [...others, ...paging] }, { headers })).value;
  };
  const pageRequest = { skip: 0, pageSize: size, largestPage: size, id: 'id' };
  return {
    kind: 'list',
    ...readWithEnding(pages(fetchPage, pageRequest, context.notice), 'items', context),
    id: 'id',
    columns: [],
    noun: 'items',
    empty: 'No items.',
    jsonByDefault: hasNoFormat(context),
  };
}

async function openExplainedSend(context: Context): Promise<Platform['send']> {
  const platform = await context.platform();
  return (...request) =>
    platform.send(...request).catch((error) => {
      throw error instanceof Failure ? withPathHint(error) : error;
    });
}

/** Adds where the paths and methods are listed, if the platform did not know the one of the request. */
function withPathHint(failure: Failure): Failure {
  const { status, hint = 'See the paths and methods of the interface: iiot api --openapi' } = failure.facts;
  return status === 404 || status === 405 ? failure.with({ hint }) : failure;
}

/** @throws read_only for a GET that some servers would treat as another method, if changes are refused */
function refuseMethodOverride({ request, headers }: ApiCall, { settings }: Context): void {
  const names = [...Object.keys(headers), ...request.query.map(([name]) => name)];
  // Many servers read `_` in the name of a header as `-`.
  const override = names.find((name) => /^(x[-_](http[-_])?method([-_]override)?|_method)$/i.test(name));
  if (override !== undefined) refuseChange(`A GET with ${override}`, settings);
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

type SentRequest = { readonly method: string; readonly path: string; readonly outputFile: string | undefined };

/** Checks, before anything is sent, that the response can be written. @throws usage, io */
function checkOutputFile(path: string): void {
  if (path === '' || path === '-') throw usage('--output-file takes the path of a file.', 'For stdout, leave it out');
  const sentence = `--output-file ${path} already exists and is not overwritten.`;
  if (lstatSync(path, { throwIfNoEntry: false })) throw usage(sentence, 'Choose another name, or remove it first');
  reserveSpace(path)();
}

/** Writes the response to --output-file, or returns it to be printed: as JSON, or unchanged. */
function saveOrShow(response: ChangeResponse, { method, path, outputFile }: SentRequest, context: Context): Result {
  const { status, value, data, httpResponse } = response;
  const content = httpResponse?.content;
  if (value === undefined && data === undefined)
    return { kind: 'done', value: { method, path, status }, sentence: `${method} ${path} answered ${status}` };
  if (outputFile !== undefined && content) {
    createPrivate(outputFile, content);
    const bytes = content.length;
    const sentence = `Wrote ${groupDigits(bytes)} ${bytes === 1 ? 'byte' : 'bytes'} to ${outputFile}`;
    return { kind: 'done', value: { method, path, status, file: outputFile, bytes }, sentence };
  }
  if (data === undefined) return { kind: 'record', value, jsonByDefault: hasNoFormat(context) };
  const isShaped = !hasNoFormat(context) || context.options.jq !== undefined || context.options.columns !== undefined;
  const isTerminal = context.world.stdout.isTTY === true;
  if (typeof value !== 'string' && (isShaped || isTerminal)) {
    const type = httpResponse?.masked.header('content-type') ?? 'no type';
    const action = isShaped ? 'formatted' : 'shown at a terminal';
    const sentence = `The response (${status}, ${type}) is binary, and cannot be ${action}.`;
    throw new Failure('unavailable', sentence, { status, hint: 'Save it with --output-file FILE' });
  }
  if (isShaped) return { kind: 'record', value };
  // Control characters are escaped at a terminal; a file gets the content unchanged.
  const shown = isTerminal && typeof value === 'string' && `${visible(value, 'keep').replace(/\n$/, '')}\n`;
  return { kind: 'text', text: shown || data };
}

function hasNoFormat({ options, settings }: Context): boolean {
  return options.json !== true && settings.resolved.output === undefined;
}

export const commands = [api];
