/** A response, or none: the connection is cut, or left open without a response. */
export type SandboxOutcome = Response | 'reset' | 'hang';

/** A request, and its response or what happened to the connection. The bodies of both can still be read. */
export type ObservedRequest = {
  /** The time of arrival, by the platform's clock. */
  readonly at: number;
  readonly milliseconds: number;
  readonly request: Request;
  readonly outcome: SandboxOutcome;
};

/** A request that has changed something. */
export type WorldChange = {
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  /** Undefined if there was none, or it is too large to keep. */
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
  /** The rule that caused it. */
  readonly fault?: string;
};
