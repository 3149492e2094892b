import { readBytes } from './body.ts';
import type { Outcome } from './outcome.ts';
import { Refusal } from './reply.ts';

/** A request, and its answer or what became of the connection. The bodies of both can still be read. */
export type Observed = {
  /** When it came, by the platform's clock. */
  readonly at: number;
  readonly milliseconds: number;
  readonly request: Request;
  readonly answer: Outcome;
};

/**
 * Reads a request to its end and gives it twice, to carry out and to look at. A clone would not do: where the caller leaves in the middle of
 * the body, one half of a clone waits for ever. Rejects where that happens.
 */
export async function readAhead(request: Request): Promise<{ readonly request: Request; readonly copy: Request }> {
  const { method, url, headers } = request;
  if (method === 'GET' || method === 'HEAD') return { request, copy: new Request(url, { method, headers }) };
  const bytes = await readBytes(request).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  const again = new Headers(headers);
  // Too large to keep: it is refused by its length, once its turn comes.
  again.set('content-length', String(bytes ? bytes.byteLength : Number.MAX_SAFE_INTEGER));
  const make = () =>
    new Request(url, { method, headers: again, ...(bytes?.byteLength && { body: Buffer.from(bytes) }) });
  return { request: make(), copy: make() };
}
