import type { ResponseHeaders } from '../network/fetch.ts';

/** Statuses that may go away on another attempt: those of docs/contract.md, "Repeated requests", 421 (another connection) and 425 (too early). */
export const transientStatuses: ReadonlySet<number> = new Set([408, 421, 425, 429, 500, 502, 503, 504]);

type Answered = { readonly status: number; readonly text: string; readonly headers: ResponseHeaders };

/** Whether a response says that nothing was done: 429, or a 503 that says when to try again. */
export function saysNotDone({ status, headers }: Omit<Answered, 'text'>): boolean {
  return status === 429 || (status === 503 && headers.get('retry-after') !== null);
}

/** Whether a response is a 503 without a body. Mostly it comes from a limiter or a gateway, which has done nothing, but the work may be done too. */
export function isBare(response: Answered): boolean {
  return response.status === 503 && response.text.trim() === '' && !saysNotDone(response);
}

/** The longest Retry-After that is waited for, in milliseconds. */
export const longestWait = 60_000;

const firstPause = 500;
const longestPause = 20_000;

/** Milliseconds to wait before a repeat, by exponential back-off with full jitter: up to 0.5 s, 1 s, 2 s …, at most 20 s. */
export function backoff(count: number, random: () => number): number {
  return random() * Math.min(longestPause, firstPause * 2 ** (count - 1));
}

// IMF-fixdate, and the two older forms that a recipient has to read (RFC 9110 5.6.7).
const dates =
  /^(\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The milliseconds that Retry-After asks for (RFC 9110 10.2.3), in seconds or as a date, which is compared with the Date of the response, or else with
 * `now`, in epoch milliseconds. 0 for a date in the past; undefined if the header is missing or invalid.
 */
export function retryAfter(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  const date = timeOf(value);
  return date === undefined ? undefined : Math.max(0, date - (timeOf(headers.get('date') ?? '') ?? now));
}

function timeOf(value: string): number | undefined {
  if (!dates.test(value)) return undefined;
  // The third form has no time zone and means UTC.
  const time = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
