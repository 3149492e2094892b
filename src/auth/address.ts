import { target, type WireRequest } from '../contract/wire.ts';

/** The absolute URL of a request below a base URL, which may have a path of its own. */
export function requestUrl(base: string, request: Pick<WireRequest, 'path' | 'query'>): string {
  return `${base.replace(/\/+$/, '')}${target(request)}`;
}

/** Scheme, host and port: what "tokens, secrets and cookies are bound to" (cli.md section 8). */
export function originOf(url: string): string {
  return new URL(url).origin;
}
