import type { AnswerHeaders, ExchangeRequest } from '../fetch.ts';
import type { Mask } from './mask.ts';

/** What --verbose and --debug show on stderr: a line a request and an answer, and with debug headers and bodies; secrets masked. */
export type Trace = {
  sending(request: ExchangeRequest, attempt: number, attempts: number): void;
  answered(status: number, headers: AnswerHeaders, milliseconds: number, bytes: number, text: () => string): void;
  failed(reason: string, milliseconds: number): void;
};

export type TraceLevel = 'off' | 'verbose' | 'debug';

/** Of a body this many characters are shown. */
const longestBody = 65_536;

/** `write` takes a line without its end. */
export function openTrace(level: TraceLevel, mask: Mask, write: (line: string) => void): Trace {
  if (level === 'off') return { sending() {}, answered() {}, failed() {} };
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
      if (!debug) return;
      for (const [name, value] of Object.entries(request.headers ?? {}))
        write(`> ${name}: ${mask.header(name, value)}`);
      if (request.body) {
        write(`> content-type: ${request.body.type}`);
        body('>', request.body.text);
      }
    },
    answered(status, headers, milliseconds, bytes, text) {
      write(`< ${status} in ${Math.round(milliseconds)} ms, ${bytes} bytes`);
      if (!debug) return;
      for (const [name, value] of headers.entries()) write(`< ${name}: ${mask.header(name, value)}`);
      if (bytes > 0) body('<', text());
    },
    failed(reason, milliseconds) {
      write(`< ${mask.text(reason)} after ${Math.round(milliseconds)} ms`);
    },
  };
}
