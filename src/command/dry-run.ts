import type { WireRequest } from '../contract/wire.ts';
import { curlLine } from '../http/curl.ts';
import type { Column, Result } from '../output/result.ts';
import { parseLossless } from '../text/json-lossless.ts';

/** A request that would be sent, with its own headers where it has any. */
type DryRunRequest = {
  readonly request: WireRequest;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the person should know of it: what it replaces, what a rehearsal cannot tell. */
  readonly notes?: readonly string[] | undefined;
};

/**
 * The requests of a change, and each as a line for curl in this system's shell, in which the token is a variable. Nothing is sent, not even a login. One request is an
 * object, several are a list.
 */
export async function dryRunResult(
  steps: readonly DryRunRequest[],
  base: string,
  platform: NodeJS.Platform,
): Promise<Result> {
  const all = await Promise.all(steps.map((step) => rehearsed(step, base, platform)));
  const hasBody = steps.some(({ request }) => request.body);
  const [only] = all;
  return {
    kind: 'record',
    value: all.length === 1 ? only : all,
    id: 'curl',
    columns: [
      column('request.method', 'METHOD'),
      column('request.url', 'URL'),
      ...(hasBody ? [column('request.body', 'BODY')] : []),
      column('curl', 'CURL'),
    ],
  };
}

async function rehearsed(
  { request, headers, notes }: DryRunRequest,
  base: string,
  platform: NodeJS.Platform,
): Promise<object> {
  const { url, line } = curlLine(base, request, { headers, platform });
  const { method, body } = request;
  return {
    dryRun: true,
    request: {
      method,
      url,
      ...(headers && Object.keys(headers).length > 0 && { headers }),
      ...(body && { contentType: body.type, body: await bodyValue(body) }),
    },
    curl: line,
    ...(notes && notes.length > 0 && { notes }),
  };
}

/** JSON as JSON, whose numbers keep their digits; anything else as its text. */
async function bodyValue({ type, text }: NonNullable<WireRequest['body']>): Promise<unknown> {
  if (!/json/i.test(type)) return text;
  try {
    return await parseLossless(text);
  } catch {
    return text; // it was given as JSON and is none: shown as it is
  }
}

function column(field: string, header: string): Column {
  return { field, header, keep: 'whole' };
}
