import type { Outline } from '../text/json-lossless.ts';

/**
 * The wire's one type. The network is one `Fetch`, the sandbox is another, a test's scripted platform a third.
 * `Answer` is the part of the standard's `Response` that we read, so that a real `Response` is one too.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<Answer>;

export type FetchInit = {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the exchange at any point, the reading of the body included. */
  readonly signal: AbortSignal;
};

export type AnswerHeaders = {
  get(name: string): string | null;
  getSetCookie(): string[];
  entries(): Iterable<[string, string]>;
};

export type Answer = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The bytes as they came; a `Fetch` of ours does not decompress. */
  readonly body: AsyncIterable<Uint8Array> | null;
};

/** A whole request and a whole answer: within the deadline and the size limit, repeated where that is safe, traced and masked. */
export type Exchange = (request: ExchangeRequest) => Promise<ExchangeAnswer>;

export type ExchangeRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  /**
   * 'always': after any failure that may pass. 'unsent': only where the connection was never made, or on 429. 'never': not at all.
   * By default GET, PUT and DELETE are 'always' and the others 'unsent'.
   */
  readonly repeat?: 'always' | 'unsent' | 'never';
  /** In bytes; 32 MiB unless told. */
  readonly maximumBytes?: number;
  /**
   * What this request is for, in a trace: "step 2 of the login". Requests of a login have it and no others: where one of them gets no
   * answer, nothing of the organization may have changed.
   */
  readonly about?: string;
  /** Whose token it carries, in a trace: "profile default". */
  readonly credential?: string;
};

export type ExchangeAnswer = {
  /** Of the request, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** Of the text, where it has been looked at. */
  readonly outline?: Outline;
  /** How many requests of this exchange may have reached the platform before this one: a DELETE that finds 404 after one has succeeded. */
  readonly earlier: number;
  /**
   * The text and the headers without the secrets that this process knows, since platforms repeat what they were sent. Whatever a person is
   * to read of an answer that is not a result is read from here, and from here alone.
   */
  readonly said: { readonly text: string; header(name: string): string | null };
};
