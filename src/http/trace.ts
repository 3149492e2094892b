import type { ExchangeRequest } from '../network/fetch.ts';
import type { Mask } from '../text/mask.ts';
import type { RawResponse } from './attempt.ts';

/** What --verbose and --debug show on stderr: a line per request and response, and with --debug also headers and bodies; secrets are masked. */
export type Trace = {
  /** Returns the start time, for the matching end of the request. */
  sending(request: ExchangeRequest, attempt: number, attempts: number): number;
  answered(began: number, request: ExchangeRequest, response: RawResponse): void;
  failed(began: number, reason: string): void;
};

export type TraceLevel = 'off' | 'verbose' | 'debug';

/** Only this many characters of a body are shown. */
const longestBody = 65_536;

export const noTrace: Trace = { sending: () => 0, answered() {}, failed() {} };

/**
 * Whether the response can contain a token, a client secret or a login code. Their names and formats differ from platform to platform, so none of its
 * text is shown.
 */
function carriesSecret({ method, url }: ExchangeRequest): boolean {
  const { pathname } = new URL(url);
  if (method === 'GET') return pathname.endsWith('/portal/external-login');
  return /\/(connect\/token|auth\/tokens|client-credentials)\/?$/i.test(pathname);
}

/**
 * @param write takes a line without its line break
 * @param monotonic returns milliseconds
 * @param proxyOf returns the proxy for an address, in a form that may be shown
 */
export function openTrace(
  level: TraceLevel,
  mask: Mask,
  write: (line: string) => void,
  monotonic: () => number,
  proxyOf: (url: string) => string | undefined = () => undefined,
): Trace {
  if (level === 'off') return noTrace;
  const debug = level === 'debug';
  const body = (mark: string, text: string, request: ExchangeRequest) => {
    const of = request.about === undefined && !carriesSecret(request) ? 'other' : 'login';
    for (const line of mask.body(text, of, longestBody).split('\n')) write(`${mark} ${line}`);
  };
  return {
    sending(request, attempt, attempts) {
      const about = request.about ? ` (${request.about})` : '';
      const as = request.credential ? ` as ${request.credential}` : '';
      const proxy = proxyOf(request.url);
      const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
      const again = attempt > 1 ? ` (attempt ${attempt} of ${attempts})` : '';
      write(`> ${request.method} ${mask.url(request.url)}${as}${through}${about}${again}`);
      if (!debug) return monotonic();
      for (const [name, value] of Object.entries(request.headers ?? {}))
        write(`> ${name}: ${mask.header(name, value, 'request')}`);
      if (request.body) {
        write(`> content-type: ${request.body.type}`);
        body('>', request.body.text, request);
      }
      return monotonic();
    },
    answered(began, request, { status, headers, bytes, text }) {
      write(`< ${status} in ${Math.round(monotonic() - began)} ms, ${bytes} bytes`);
      if (!debug) return;
      for (const [name, value] of headers.entries()) write(`< ${name}: ${mask.header(name, value, 'response')}`);
      if (bytes === 0) return;
      if (carriesSecret(request)) write('< (not shown: this response may hold a secret)');
      else body('<', text, request);
    },
    failed(began, reason) {
      write(`< ${mask.text(reason)} after ${Math.round(monotonic() - began)} ms`);
    },
  };
}
