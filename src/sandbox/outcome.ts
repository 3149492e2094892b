/** A response, or none: the connection is cut, or left open without a response. */
export type SandboxOutcome = Response | 'reset' | 'hang';

/** A request and its outcome. The bodies of request and response can still be read. */
export type ObservedRequest = {
  /** The time of arrival, by the platform's clock. */
  readonly at: number;
  readonly milliseconds: number;
  readonly request: Request;
  readonly outcome: SandboxOutcome;
};

export type WorldChange = {
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  /** Undefined if there was no body, or one that is too large to keep. */
  readonly body: unknown;
  /** The account or the client ID, never the token. */
  readonly caller: string;
  /** The IDs in its path. */
  readonly ids: readonly string[];
};

/** One request and its outcome, for people who watch. Contains no query, no body, and no secret. */
export type LogEntry = {
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The status, or what happened to the connection. */
  readonly outcome: number | 'reset' | 'hang';
  readonly fault?: string;
};
