import { Failure } from '../failure.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse } from '../network/fetch.ts';
import { movedHint } from '../network/foreign-response.ts';

const mostRedirects = 5;

/**
 * Sends a request and follows up to five redirects of a GET: "Redirects are followed for GET on the same origin only". Returns a 3xx response that
 * names no other address unchanged.
 * @throws Failure 'unavailable' for a redirect that is not followed, with the origin it leads to; nothing is sent there
 */
export async function followRedirects(exchange: Exchange, request: ExchangeRequest): Promise<ExchangeResponse> {
  let current = request;
  for (let count = 0; ; count += 1) {
    const response = await exchange(current);
    if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
    const location = response.headers.get('location');
    if (!location) return response;
    const shown = response.masked.header('location') ?? '';
    current = { ...request, url: nextOf(current.url, { location, shown }, request.method, count) };
  }
}

/** `shown` is the location without secrets. */
type Redirect = { readonly location: string; readonly shown: string };

/** Resolves the location as a URL and compares origins, never text: `//other`, `\\other` and `https:other` lead elsewhere too. */
function nextOf(from: string, { location, shown }: Redirect, method: string, count: number): string {
  const { origin, pathname, username, password } = new URL(from);
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const refuse = (reason: string, hint?: string) =>
    new Failure('unavailable', `${origin} ${reason}.`, {
      request: { method, path: pathname },
      ...(hint !== undefined && { hint }),
    });
  const check = 'Check the base URL: iiot profiles show --origin';
  if (to === undefined) return raise(refuse('redirects to an address that cannot be read', check));
  if (to.origin !== origin || to.username !== username || to.password !== password) {
    const moved = movedHint(new URL(from), to);
    return raise(refuse(`redirects to ${placeOf(to)}, which is not followed`, moved).with({ notPlatform: true }));
  }
  if (method !== 'GET') {
    const place = `${to.origin}${URL.canParse(shown, from) ? new URL(shown, from).pathname : ''}`;
    return raise(refuse(`redirects a change to ${place}, which is not followed, so it was not made`, check));
  }
  if (count >= mostRedirects) return raise(refuse(`redirects more than ${mostRedirects} times`, check));
  return to.href;
}

function placeOf({ origin, protocol }: URL): string {
  return origin === 'null' ? `an address that starts with ${protocol}` : origin;
}

function raise(failure: Failure): never {
  throw failure;
}
