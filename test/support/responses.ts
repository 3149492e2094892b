import type { Fetch } from '../../src/network/fetch.ts';

/** A platform that returns tokens, and sends the same response to every other request. */
export function respondingWith(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Fetch {
  return async (url) => {
    if (new URL(url).pathname.endsWith('/connect/token')) {
      return Response.json({ access_token: 'a-token-of-the-tests', expires_in: 3600, token_type: 'Bearer' });
    }
    if (body === undefined) return new Response(null, { status, headers });
    if (typeof body === 'string' || body instanceof Uint8Array) return new Response(body, { status, headers });
    return Response.json(body, { status, headers });
  };
}
