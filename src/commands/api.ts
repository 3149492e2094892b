import { command } from '../command.ts';
import type { Context } from '../context.ts';
import type { Operation } from '../contract/operation.ts';
import { jsonText, type WireRequest } from '../contract/wire.ts';
import { usage } from '../failure.ts';
import { readText } from '../files.ts';
import type { Mask } from '../http/mask.ts';
import { pages } from '../http/pages.ts';
import { readJson } from '../json-file.ts';
import type { Result } from '../output/result.ts';
import { baseUrl } from '../target.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

const api = command({
  name: 'api',
  summary: 'Call any operation of the platform',
  description:
    "Sends one request with this tool's login, repeats and output. The path is below the base URL; an absolute URL is taken only of the platform's own " +
    'origin. Fields make a JSON body. A method other than GET changes something: rehearse it with --dry-run.',
  changes: 'final',
  result: { description: "The platform's answer; where it has no body, the method, the path and the status" },
  arguments: {
    method: { type: 'string', value: 'METHOD', optional: true, description: methods.join(', ') },
    path: {
      type: 'string',
      value: 'PATH',
      optional: true,
      description: 'Path below the base URL, with its query or without',
    },
  },
  flags: {
    field: {
      type: 'object',
      additionalProperties: { type: 'string', description: 'Text' },
      description: 'Field of the body, a text',
    },
    rawField: {
      type: 'object',
      additionalProperties: { type: 'string', description: 'JSON' },
      value: 'KEY=JSON',
      description: 'Field of the body, any JSON',
    },
    queryParam: {
      type: 'array',
      items: { type: 'string', description: 'Pair' },
      value: 'KEY=VALUE',
      description: 'Query parameter',
    },
    header: {
      type: 'array',
      items: { type: 'string', description: 'Header' },
      value: 'NAME:VALUE',
      description: 'Further header',
    },
    bodyFile: { type: 'string', value: 'FILE', description: 'The whole body; - is standard input' },
    all: { type: 'boolean', description: 'Follow the pages of a list, and give its items' },
    openapi: { type: 'boolean', description: 'Print the interface as OpenAPI 3.1, and send nothing' },
    dryRun: { type: 'boolean', description: 'Check, print the request and a curl line, send nothing' },
  },
  examples: [
    { line: 'iiot api GET /api/v1/oauth2/client-credentials', says: 'An operation of the interface' },
    {
      line: 'iiot api PUT /platform/solutions/api/v1/devices/press-0001/custom-info --field line=3 --dry-run',
      says: 'See the request first',
    },
    { line: 'iiot api --openapi > openapi.json', says: 'For other tools' },
  ],
  async run(input, context) {
    if (input.openapi) {
      if (input.method !== undefined) throw usage('--openapi prints the interface, and takes no METHOD.');
      return openapiDocument(context);
    }
    const method = methodOf(input.method);
    const target = targetOf(input.path, baseUrl(context), context.mask);
    const query = [...target.query, ...(input.queryParam ?? []).map(pairOf)];
    const headers = headersOf(input.header ?? []);
    const body = await bodyOf(input, headers, context);
    if (method === 'GET' && body)
      throw usage('A GET has no body.', 'Give --query-param instead of fields, or another method');
    const request: WireRequest = { method, path: target.path, query, ...(body && { body }) };
    const operation = operationOf(method, target.path);
    const { 'content-type': _type, ...further } = headers;
    if (method === 'GET')
      return input.dryRun
        ? rehearsed(request, further, context)
        : read(operation, request, further, input.all === true, context);
    if (input.all) throw usage('--all follows the pages of a list, which is read with GET.');
    return {
      kind: 'change',
      operation,
      input: {},
      request,
      headers: further,
      about: `${method} ${target.path}`,
      result: ({ value, status }) =>
        value === undefined
          ? {
              kind: 'done',
              value: { method, path: target.path, status },
              sentence: `${method} ${target.path} answered ${status}`,
            }
          : { kind: 'record', value },
    };
  },
});

async function openapiDocument({ options }: Context): Promise<Result> {
  const { openapi } = await import('../contract/openapi.ts');
  // As it is kept in a file, unless a filter or another format is wanted.
  if (options.jq !== undefined || (options.output ?? 'table') !== 'table') return { kind: 'record', value: openapi() };
  return { kind: 'text', text: `${JSON.stringify(openapi(), null, 2)}\n` };
}

async function rehearsed(request: WireRequest, headers: Readonly<Record<string, string>>, context: Context) {
  const { rehearsal } = await import('../rehearsal.ts');
  return rehearsal([{ request, headers }], baseUrl(context));
}

async function read(
  operation: Operation,
  request: WireRequest,
  headers: Readonly<Record<string, string>>,
  all: boolean,
  context: Context,
): Promise<Result> {
  const platform = await context.platform();
  if (!all)
    return {
      kind: 'record',
      value: (await platform.send(operation, request, { headers, anyText: true })).value ?? null,
    };
  const size = Number(request.query.find(([name]) => name === 'maxResultCount')?.[1] ?? defaultPage);
  const others = request.query.filter(([name]) => name !== 'skipCount' && name !== 'maxResultCount');
  const fetchPage = async (skip: number, most: number) => {
    const paging = [['skipCount', String(skip)] as const, ['maxResultCount', String(most)] as const];
    return (await platform.send(operation, { ...request, query: [...others, ...paging] }, { headers })).value;
  };
  const wanted = { skip: 0, pageSize: size, largestPage: size, id: 'id' };
  return {
    kind: 'list',
    pages: pages(fetchPage, wanted, context.notice),
    id: 'id',
    columns: [],
    noun: 'items',
    empty: 'No items.',
  };
}

const defaultPage = 100;

function operationOf(method: Method, path: string): Operation {
  return { id: 'api', summary: 'Call', description: '', method, path, security: 'bearer', params: {}, responses: {} };
}

function methodOf(word: string | undefined): Method {
  const method = methods.find((each) => each === word?.toUpperCase());
  if (!method)
    throw usage(
      `METHOD is one of ${methods.join(', ')}.`,
      'For example: iiot api GET /api/v1/oauth2/client-credentials',
    );
  return method;
}

/**
 * The path below the base URL and its query, however it was written.
 * @throws usage for what would leave the platform's origin, or the path of its base URL
 */
function targetOf(
  word: string | undefined,
  base: string,
  mask: Mask,
): { path: string; query: (readonly [string, string])[] } {
  if (!word) throw usage('PATH is missing.', 'For example: iiot api GET /api/v1/oauth2/client-credentials');
  const elsewhere = usage(
    `${mask.url(word).slice(0, 200)} is not on ${new URL(base).origin}, and nothing is sent elsewhere.`,
    'Give a path that begins with one /',
  );
  if (/^[\s]|^\/\/|[\\\0-\x1f]/.test(word)) throw elsewhere;
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(word);
  const text = absolute ? word : `${base}/${word.replace(/^\//, '')}`;
  if (!URL.canParse(text)) throw elsewhere;
  const url = new URL(text);
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const inside = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  if (url.origin !== new URL(base).origin || url.username !== '' || url.password !== '' || !inside) throw elsewhere;
  return { path: url.pathname.slice(prefix.length), query: [...url.searchParams] };
}

function pairOf(word: string): readonly [string, string] {
  const split = word.indexOf('=');
  if (split < 0) throw usage('--query-param takes KEY=VALUE.');
  return [word.slice(0, split), word.slice(split + 1)];
}

function headersOf(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(word) ?? [];
      if (name === '') throw usage('--header takes NAME:VALUE, in ASCII.');
      if (/^(authorization|host|cookie|content-length|transfer-encoding|connection)$/i.test(name)) {
        throw usage(`--header cannot set ${name.toLowerCase()}: this tool does.`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

type BodyInput = {
  readonly field?: ReadonlyMap<string, string> | undefined;
  readonly rawField?: ReadonlyMap<string, string> | undefined;
  readonly bodyFile?: string | undefined;
};

async function bodyOf(
  input: BodyInput,
  headers: Readonly<Record<string, string>>,
  context: Context,
): Promise<WireRequest['body']> {
  const { field = new Map(), rawField = new Map(), bodyFile } = input;
  const names = [...field.keys(), ...rawField.keys()];
  const type = headers['content-type'] ?? 'application/json';
  if (bodyFile !== undefined) {
    if (names.length > 0)
      throw usage('--body-file is the whole body, and a field a part of it.', 'Give one or the other');
    const text = await readText(bodyFile, '--body-file', context);
    if (/json/i.test(type)) await readJson(text, '--body-file');
    return { type, text };
  }
  if (names.length === 0) return undefined;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usage(`--field and --raw-field both name "${twice}".`);
  const body = new Map<string, unknown>(field);
  for (const [name, text] of rawField) body.set(name, await readJson(text, `--raw-field ${name}`));
  return { type, text: jsonText(body) };
}

export const commands = [api];
