import type { WireRequest } from '../contract/wire.ts';
import { curlLine } from '../http/curl.ts';
import type { Column, RecordResult, ScreenOptions } from '../output/result.ts';
import { parseLossless } from '../text/json.ts';
import { compact, pretty } from '../text/json-write.ts';
import { isHolder } from '../text/record.ts';
import { withoutSecrets } from '../text/secret-names.ts';
import { visible } from '../text/visible.ts';

/** A request that would be sent, with the headers that the user gave. */
type DryRunRequest = {
  readonly request: WireRequest;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The fields of its body that replace the whole of a stored field, such as a list. */
  readonly replaces?: readonly string[] | undefined;
  /** Notes for the user about what is replaced, and what a dry run cannot know. */
  readonly notes?: readonly string[] | undefined;
};

/** The result of a dry run: the requests of a change as an object or, if they are several, a list. Sends nothing, not even a login. */
export async function dryRunResult(
  steps: readonly DryRunRequest[],
  base: string,
  platform: NodeJS.Platform,
): Promise<RecordResult> {
  const all = await Promise.all(steps.map((step) => describeStep(step, base, platform)));
  const shown = all.map((step, at) => maskStep(step, steps[at]?.request, base, platform));
  const hasBody = steps.some(({ request }) => request.body);
  const [only] = all;
  return {
    kind: 'record',
    value: all.length === 1 ? only : all,
    asText: all.length === 1 ? shown[0] : shown,
    id: 'curl',
    columns: [
      column('request.method', 'METHOD'),
      column('request.url', 'URL'),
      ...(hasBody ? [column('request.body', 'BODY')] : []),
      column('curl', 'CURL'),
    ],
    screen: (options) => shown.map((step) => stepText(step, options)).join('\n'),
  };
}

/** Masks secrets of the body, for the screen and the history of the shell. The line of curl reads such a body from standard input. */
function maskStep(step: DryRun, request: WireRequest | undefined, base: string, platform: NodeJS.Platform): DryRun {
  const { body, headers } = step.request;
  const masked = withoutSecrets(body);
  if (!request || !isHolder(body) || compact(masked) === compact(body)) return step;
  const curl = curlLine(base, request, { headers: headers ?? undefined, platform, bodyFromInput: true }).line;
  return { ...step, request: { ...step.request, body: masked }, curl };
}

/** The request, its indented body, and the line of curl, which is never broken, so that it can be copied. */
function stepText({ request: { method, url, body }, curl }: DryRun, { paint }: ScreenOptions): string {
  const text = body === null ? '' : visible(typeof body === 'string' ? body : pretty(body), 'keep');
  const lines = text === '' ? [] : text.trimEnd().split('\n');
  return [paint.heading(`${method} ${url}`), ...lines.map((line) => `  ${line}`), paint.dim(curl), ''].join('\n');
}

/** The output of a dry run for one request. `curl` is the same request as a command line, with the token in a variable. */
export type DryRun = {
  readonly dryRun: true;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>> | null;
    readonly contentType: string | null;
    readonly body: unknown;
  };
  readonly curl: string;
  readonly replaces: readonly string[];
  readonly notes: readonly string[];
};

async function describeStep(
  { request, headers, replaces = [], notes = [] }: DryRunRequest,
  base: string,
  platform: NodeJS.Platform,
): Promise<DryRun> {
  const { url, line } = curlLine(base, request, { headers, platform });
  const { method, body } = request;
  return {
    dryRun: true,
    request: {
      method,
      url,
      headers: headers && Object.keys(headers).length > 0 ? headers : null,
      contentType: body?.type ?? null,
      body: body ? await bodyValue(body) : null,
    },
    curl: line,
    replaces,
    notes,
  };
}

/** Parses JSON, with all digits of its numbers. Returns any other text as it is, even if it is declared as JSON. */
async function bodyValue({ type, text }: NonNullable<WireRequest['body']>): Promise<unknown> {
  return /json/i.test(type) ? parseLossless(text).catch(() => text) : text;
}

function column(field: string, header: string): Column {
  return { field, header, keep: 'whole' };
}
