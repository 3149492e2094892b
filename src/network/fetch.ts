import type { Arrival } from '../failure.ts';
import type { Outline } from '../text/json.ts';

/** The only interface to the network, which the real network, the sandbox and the scripts of tests implement. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export type FetchInit = {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the exchange at any point, including while the body is read. */
  readonly signal: AbortSignal;
};

/** The most bytes of the headers of a response, which may have many cookies: ASP.NET splits large ones into parts of 4 KB. */
export const longestHeaders = 131_072;

export type ResponseHeaders = {
  get(name: string): string | null;
  getSetCookie(): string[];
  entries(): Iterable<[string, string]>;
};

/** Reads the headers of a response. @param raw names and values alternating, as they arrived */
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
  /** The bytes as they arrived, compressed or not. */
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
};

/** Sends a request and reads its complete response, within deadline and size limit, with safe repeats, trace and masking. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResponse>;

export type ExchangeRequest = {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  /**
   * When to repeat the request; by default 'always' for GET, PUT and DELETE, and 'unsent' for the others.
   * - always: after any failure that may go away.
   * - unsent: if the connection was never made, after 429, or after a 503 with Retry-After or without a body: most probably nothing was done.
   * - told: like 'unsent', but not after a 503 without a body.
   * - unreached: only if the connection was never made.
   * - asked: only after 429 or 503 with Retry-After.
   */
  readonly repeat?: 'always' | 'unsent' | 'told' | 'unreached' | 'asked' | 'never';
  /** Called before each repeat, after its wait, with the arrival of the last attempt. Resolves with whether the repeat may be sent. */
  readonly beforeRepeat?: (last: Arrival) => Promise<boolean>;
  /** Whether to read bodies that are not JSON too, and to keep the bytes of every body. */
  readonly anyContent?: boolean;
  /** A timeout in milliseconds, if it is shorter than that of the command. */
  readonly timeout?: number;
  /** Whether to wait up to five more seconds after an interruption, for a response that cannot be had again. */
  readonly isFinished?: boolean;
  /** The largest body, by default 32 MiB. */
  readonly maximumBytes?: number;
  /** The purpose of a request of a login, for the trace: "step 2 of the login". Such a request changes nothing in an organization. */
  readonly about?: string;
  /** The owner of the token, for the trace: "profile default". */
  readonly credential?: string;
};

export type ExchangeResponse = {
  /** The request's URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body as a text; one character for each byte if it is not UTF-8. */
  readonly text: string;
  /** The bytes of the body, if `anyContent` was asked for. */
  readonly content?: Uint8Array;
  /** The structure of the text, unless the response is an error. */
  readonly outline?: Outline;
  /** Whether an earlier attempt of this exchange may have been applied. After one, a DELETE that finds 404 has succeeded. */
  readonly earlier: Arrival;
  /** How long the response asks to wait (Retry-After), in words. */
  readonly pause?: string;
  /** Text and headers without the secrets that this process knows, which platforms may echo. Except for results, only these are shown. */
  readonly masked: { readonly text: string; header(name: string): string | null };
};
