import type { WireRequest } from '../contract/wire.ts';
import { curlLine } from '../http/curl.ts';
import type { Column, RecordResult, ScreenOptions } from '../output/result.ts';
import { parseLossless } from '../text/json.ts';
import { compact, pretty } from '../text/json-write.ts';
import { isHolder } from '../text/record.ts';
import { withoutSecrets } from '../text/secret-names.ts';
import { visible } from '../text/visible.ts';

/** A request that would be sent, with its own headers, if any. */
type DryRunRequest = {
  readonly request: WireRequest;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The fields of its body that replace a whole that is stored. */
  readonly replaces?: readonly string[] | undefined;
  /** Notes for the user: what it replaces, what a dry run cannot know. */
  readonly notes?: readonly string[] | undefined;
};

/** The requests of a change, with a curl line each, whose token is a variable. Sends nothing, not even a login. One is an object, several are a list. */
export async function dryRunResult(
  steps: readonly DryRunRequest[],
  base: string,
  platform: NodeJS.Platform,
): Promise<RecordResult> {
  const all = await Promise.all(steps.map((step) => stepOf(step, base, platform)));
  const shown = all.map((step, at) => withoutItsSecrets(step, steps[at]?.request, base, platform));
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

/** For a person's eyes and a shell's history: `***` for the secrets of its body, which curl then reads from standard input. */
function withoutItsSecrets(
  step: DryRun,
  request: WireRequest | undefined,
  base: string,
  platform: NodeJS.Platform,
): DryRun {
  const { body, headers } = step.request;
  const masked = withoutSecrets(body);
  if (!request || !isHolder(body) || compact(masked) === compact(body)) return step;
  const curl = curlLine(base, request, { headers: headers ?? undefined, platform, bodyFromInput: true }).line;
  return { ...step, request: { ...step.request, body: masked }, curl };
}

/** The request, its body indented below, and the line for curl, which is never broken, to be copied. */
function stepText({ request: { method, url, body }, curl }: DryRun, { paint }: ScreenOptions): string {
  const text = body === null ? '' : visible(typeof body === 'string' ? body : pretty(body), 'keep');
  const lines = text === '' ? [] : text.trimEnd().split('\n');
  return [paint.heading(`${method} ${url}`), ...lines.map((line) => `  ${line}`), paint.dim(curl), ''].join('\n');
}

/** What it says of one request. */
export type DryRun = Awaited<ReturnType<typeof stepOf>>;

async function stepOf(
  { request, headers, replaces = [], notes = [] }: DryRunRequest,
  base: string,
  platform: NodeJS.Platform,
) {
  const { url, line } = curlLine(base, request, { headers, platform });
  const { method, body } = request;
  return {
    dryRun: true as const,
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

/** JSON as a value whose numbers keep their digits; anything else as text. */
async function bodyValue({ type, text }: NonNullable<WireRequest['body']>): Promise<unknown> {
  // What is not valid JSON, though declared as such, is shown as it is.
  return /json/i.test(type) ? parseLossless(text).catch(() => text) : text;
}

function column(field: string, header: string): Column {
  return { field, header, keep: 'whole' };
}
