import { lstatSync } from 'node:fs';
import { command, refusals } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { dryRunFlag } from '../command/global-options.ts';
import { refuseChange } from '../command/read-only.ts';
import type { ChangeResponse } from '../command/record.ts';
import { baseUrl } from '../command/target.ts';
import { boolean, list, text } from '../contract/shared.ts';
import { Failure, madeAnyway, usage } from '../failure.ts';
import { createPrivate, reserveSpace } from '../files/private-file.ts';
import { pages } from '../http/pages.ts';
import type { Platform } from '../http/platform.ts';
import type { Result } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { visible } from '../text/visible.ts';
import { type ApiCall, methods, readCall } from './api-call.ts';
import { readWithEnding } from './list.ts';

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
