import type { Earlier } from '../failure.ts';
import type { Outline } from '../text/json.ts';

/** The only interface to the network: the real one, the sandbox and a test's script implement it, with the part of `Response` that we read. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export type FetchInit = {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the exchange at any point, including while the body is read. */
  readonly signal: AbortSignal;
};

/** In bytes: ASP.NET cuts its cookies into parts of 4 KB, and sends as many as it takes. */
export const longestHeaders = 131_072;

export type ResponseHeaders = {
  get(name: string): string | null;
  getSetCookie(): string[];
  entries(): Iterable<[string, string]>;
};

/** @param raw names and values alternating, as they arrived */
export function responseHeaders(raw: readonly string[]): ResponseHeaders {
  const all = (name: string) =>
    raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name.toLowerCase());
  return {
    get: (name) => (all(name).length > 0 ? all(name).join(', ') : null),
    getSetCookie: () => all('set-cookie'),
    *entries() {
      for (let at = 0; at < raw.length; at += 2) yield [raw[at]?.toLowerCase() ?? '', raw[at + 1] ?? ''];
    },
  };
}

export type FetchResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The bytes as they arrived; our own `Fetch` functions do not decompress. */
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
};

/** A request with its complete response: within the deadline and the size limit, repeated if that is safe, traced and masked. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResponse>;

export type ExchangeRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  /**
   * 'always': after any failure that may go away. 'unsent': only if most probably nothing was done: the connection was never made, 429, or a 503 with
   * Retry-After or without a body. 'told': the same, but without a 503 that says nothing. 'unreached': only if the connection was never made.
   * 'asked': only after 429 or 503 with Retry-After. 'never': not at all. By default GET, PUT and DELETE are 'always' and the others 'unsent'.
   */
  readonly repeat?: 'always' | 'unsent' | 'told' | 'unreached' | 'asked' | 'never';
  /** Called after the wait before each repeat with what may have become of the last attempt, and says whether the next may be sent. */
  readonly beforeRepeat?: (last: Earlier) => Promise<boolean>;
  /** Reads a body that does not say that it is JSON, whatever it is, and keeps the bytes of every body. */
  readonly anyContent?: boolean;
  /** In milliseconds; never longer than the command's own. */
  readonly timeout?: number;
  /** After an interruption, the response is waited for up to five more seconds: it cannot be had again. */
  readonly isFinished?: boolean;
  /** In bytes; 32 MiB by default. */
  readonly maximumBytes?: number;
  /** What a request of a login is for, in a trace: "step 2 of the login". Even without a response, nothing of the organization has changed. */
  readonly about?: string;
  /** The owner of the token, in a trace: "profile default". */
  readonly credential?: string;
};

export type ExchangeResponse = {
  /** The request's URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** If `anyContent` was asked for and it is not UTF-8, a character per byte. */
  readonly text: string;
  /** The body as it came, if it was asked for. */
  readonly content?: Uint8Array;
  /** The structure of the text, unless the response is an error. */
  readonly outline?: Outline;
  /** What may have become of earlier attempts of this exchange: a DELETE that finds 404 after one that may have arrived has succeeded. */
  readonly earlier: Earlier;
  /** How long it asks to wait (Retry-After), in words. */
  readonly pause?: string;
  /** Text and headers without the secrets that this process knows, which platforms echo. Everything shown of a response, except results, comes from here. */
  readonly masked: { readonly text: string; header(name: string): string | null };
};
