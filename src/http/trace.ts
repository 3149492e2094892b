import type { AnswerHeaders, ExchangeRequest } from '../fetch.ts';
import type { Mask } from './mask.ts';

/** What --verbose and --debug show on stderr: a line a request and an answer, and with debug headers and bodies; secrets masked. */
export type Trace = {
  /** Gives when it was, for the end of the same request. */
  sending(request: ExchangeRequest, attempt: number, attempts: number): number;
  answered(began: number, status: number, headers: AnswerHeaders, bytes: number, text: () => string): void;
  failed(began: number, reason: string): void;
};

export type TraceLevel = 'off' | 'verbose' | 'debug';

/** Of a body this many characters are shown. */
const longestBody = 65_536;

export const noTrace: Trace = { sending: () => 0, answered() {}, failed() {} };

/**
 * @param write takes a line without its end
 * @param monotonic gives milliseconds
 */
export function openTrace(
  level: TraceLevel,
  mask: Mask,
  write: (line: string) => void,
  monotonic: () => number,
): Trace {
  if (level === 'off') return noTrace;
  const debug = level === 'debug';
  const body = (mark: string, text: string) => {
    // Cut after it is masked: half a secret would not be known.
    for (const line of mask
      .body(text.slice(0, 2 * longestBody))
      .slice(0, longestBody)
      .split('\n'))
      write(`${mark} ${line}`);
  };
  return {
    sending(request, attempt, attempts) {
      const about = request.about ? ` (${request.about})` : '';
      const as = request.credential ? ` as ${request.credential}` : '';
      const again = attempt > 1 ? ` (attempt ${attempt} of ${attempts})` : '';
      write(`> ${request.method} ${mask.url(request.url)}${as}${about}${again}`);
      if (!debug) return monotonic();
      for (const [name, value] of Object.entries(request.headers ?? {}))
        write(`> ${name}: ${mask.header(name, value)}`);
      if (request.body) {
        write(`> content-type: ${request.body.type}`);
        body('>', request.body.text);
      }
      return monotonic();
    },
    answered(began, status, headers, bytes, text) {
      write(`< ${status} in ${Math.round(monotonic() - began)} ms, ${bytes} bytes`);
      if (!debug) return;
      for (const [name, value] of headers.entries()) write(`< ${name}: ${mask.header(name, value)}`);
      if (bytes > 0) body('<', text());
    },
    failed(began, reason) {
      write(`< ${mask.text(reason)} after ${Math.round(monotonic() - began)} ms`);
    },
  };
}
