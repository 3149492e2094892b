import { readBytes } from './body.ts';
import type { Fault } from './faults.ts';
import { type ErrorForm, Refusal, refusalResponse } from './route-response.ts';

/** A response, or none: the connection is cut, or left open without a response. */
export type SandboxOutcome = Response | 'reset' | 'hang';

export function faultResponse(
  { status, retryAfter }: Extract<Fault, { kind: 'status' }>,
  marks: Readonly<Record<string, string>>,
  errors: ErrorForm,
): Response {
  const message = `A fault of the sandbox: ${status}, as --fault asks for.`;
  const headers = { ...marks, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  const { body, text } = refusalResponse(new Refusal(status, 'Sandbox:Fault', message), errors);
  if (!text) return Response.json(body, { status, headers });
  return new Response(text.content, { status, headers: { ...headers, 'content-type': text.type } });
}

/** A request, and its response or what happened to the connection. The bodies of both can still be read. */
export type ObservedRequest = {
  /** The time of arrival, by the platform's clock. */
  readonly at: number;
  readonly milliseconds: number;
  readonly request: Request;
  readonly outcome: SandboxOutcome;
};

/**
 * Reads a request completely and returns it twice, to carry it out and to observe it. Cloning does not work: if the caller leaves in the middle of
 * the body, one half of a clone waits for ever. In that case this rejects.
 */
export async function readTwice(request: Request): Promise<{ readonly request: Request; readonly copy: Request }> {
  const { method, url, headers } = request;
  if (method === 'GET' || method === 'HEAD') return { request, copy: new Request(url, { method, headers }) };
  const bytes = await readBytes(request).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  const again = new Headers(headers);
  // Too large to store: its length makes the handler refuse it.
  again.set('content-length', String(bytes ? bytes.byteLength : Number.MAX_SAFE_INTEGER));
  const make = () =>
    new Request(url, { method, headers: again, ...(bytes?.byteLength && { body: Buffer.from(bytes) }) });
  return { request: make(), copy: make() };
}

/** A request that has changed something. */
export type WorldChange = {
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  /** Undefined if there was none, or it is too large to keep. */
  readonly body: unknown;
  /** The account or the client ID, never the token. */
  readonly caller: string;
  /** The IDs in its path. */
  readonly ids: readonly string[];
};

/** One request and its outcome, for people who watch. Contains no query, no body, and no secret. */
export type LogEntry = {
  readonly number: number;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The status, or what happened to the connection. */
  readonly outcome: number | 'reset' | 'hang';
  /** The rule that caused it. */
  readonly fault?: string;
};

export type Log = ReturnType<typeof createLog>;

/** The latest requests; older ones are dropped, to limit memory. */
export function createLog() {
  const kept: LogEntry[] = [];
  let count = 0;
  return {
    add: (entry: Omit<LogEntry, 'number'>) => {
      kept.push({ ...entry, number: ++count });
      if (kept.length > mostKept) kept.shift();
    },
    /** The entries after a number, oldest first. */
    after: (number: number): readonly LogEntry[] => kept.filter((entry) => entry.number > number),
    count: () => count,
  };
}

const mostKept = 200;
