import type { ExchangeRequest } from '../network/fetch.ts';
import type { Mask } from '../text/mask.ts';
import { shownBody } from '../text/shown-body.ts';
import type { RawResponse } from './attempt.ts';
import { requestIdOf } from './refusal.ts';

/** Writes the lines of --verbose and --debug, without secrets: one for each request and response, and with --debug also headers and bodies. */
export type Trace = {
  /** @returns the request, to be passed to the function for its end */
  onRequest(request: ExchangeRequest, attempt: number, attempts: number): TracedRequest;
  onResponse(sent: TracedRequest, request: ExchangeRequest, response: RawResponse): void;
  onFailure(sent: TracedRequest, reason: string): void;
};

/** The number of a request in the trace, and the time when it was sent, in milliseconds of the monotonic clock. */
type TracedRequest = { readonly number: number; readonly began: number };

export type TraceLevel = 'off' | 'verbose' | 'debug';

/** The most characters of a body that are shown. */
const longestBody = 65_536;

export const noTrace: Trace = { onRequest: () => ({ number: 0, began: 0 }), onResponse() {}, onFailure() {} };

/** Whether a response may hold a token, a client secret or a login code, in whatever form, so that none of its text is shown. */
function carriesSecret({ method, url }: ExchangeRequest): boolean {
  const { pathname } = new URL(url);
  if (method === 'GET') return pathname.endsWith('/portal/external-login');
  return /\/(connect\/token|auth\/tokens|client-credentials)\/?$/i.test(pathname);
}

/** The number of the last request of this process. */
let lastNumber = 0;

/** @param write writes a line @param isHarmless whether the value of that name may be shown @param proxyOf gives a proxy in a form that may be shown */
export function openTrace(
  level: TraceLevel,
  mask: Mask,
  write: (line: string) => void,
  { now, monotonic }: { readonly now: () => number; readonly monotonic: () => number },
  isHarmless: (name: string, purpose: 'login' | 'other') => boolean,
  proxyOf: (url: string) => string | undefined = () => undefined,
): Trace {
  if (level === 'off') return noTrace;
  const debug = level === 'debug';
  const line = ({ number }: TracedRequest, text: string) =>
    write(`${new Date(now()).toISOString()} #${number} ${text}`);
  const body = (sent: TracedRequest, mark: string, text: string, request: ExchangeRequest) => {
    const of = request.about === undefined && !carriesSecret(request) ? 'other' : 'login';
    const shown = mask.text(
      shownBody(text, (name) => isHarmless(name, of)),
      longestBody,
    );
    for (const each of shown.split('\n')) line(sent, `${mark} ${each}`);
  };
  const took = ({ began }: TracedRequest) => `${Math.round(monotonic() - began)} ms`;
  return {
    onRequest(request, attempt, attempts) {
      lastNumber += 1;
      const sent = { number: lastNumber, began: monotonic() };
      const about = request.about ? ` (${request.about})` : '';
      const as = request.credential ? ` as ${request.credential}` : '';
      const proxy = proxyOf(request.url);
      const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
      const again = attempt > 1 ? ` (attempt ${attempt} of ${attempts})` : '';
      line(sent, `> ${request.method} ${mask.url(request.url)}${as}${through}${about}${again}`);
      if (!debug) return sent;
      for (const [name, value] of Object.entries(request.headers ?? {}))
        line(sent, `> ${name}: ${mask.header(name, value, 'request')}`);
      if (request.body) {
        line(sent, `> content-type: ${request.body.type}`);
        body(sent, '>', request.body.text, request);
      }
      return sent;
    },
    onResponse(sent, request, { status, headers, bytes, text }) {
      const header = (name: string) => headers.get(name) && mask.header(name, headers.get(name) ?? '', 'response');
      const id = requestIdOf({ masked: { header } });
      line(sent, `< ${status} in ${took(sent)}, ${bytes} bytes${id ? `, request ${id}` : ''}`);
      if (!debug) return;
      for (const [name, value] of headers.entries()) line(sent, `< ${name}: ${mask.header(name, value, 'response')}`);
      if (bytes === 0) return;
      if (carriesSecret(request)) line(sent, '< (not shown: this response may hold a secret)');
      else body(sent, '<', text, request);
    },
    onFailure(sent, reason) {
      line(sent, `< ${mask.text(reason)} after ${took(sent)}`);
    },
  };
}
