import type { EmbeddedPlatform } from '../../src/sandbox/handler.ts';
import { rejectOnAbort } from '../../src/text/abort.ts';

/** A platform as a fetch, without a socket: a cut connection rejects, and a silent one waits until the request is aborted. */
export async function platformFetch(platform: EmbeddedPlatform, request: Request): Promise<Response> {
  const outcome = await platform.respond(request);
  if (typeof outcome !== 'string') return outcome;
  if (outcome === 'reset') throw Object.assign(new Error('The connection was reset'), { code: 'ECONNRESET' });
  return rejectOnAbort(request.signal);
}
