import { ignoreError } from './ignore-error.ts';

/**
 * A URL, by the URL Standard; undefined for a text that is none. `URL.canParse` would refuse letters such as ü on Node 20 and 22, once V8 has
 * optimized the call: after some thousand rows.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return ignoreError(() => new URL(text, base));
}
