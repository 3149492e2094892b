/** A request that has changed something. */
export type Change = {
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

/** Keeps the latest fifty changes, newest first. */
export function addChange(changes: Change[], change: Change): void {
  changes.unshift(change);
  changes.splice(50);
}

/** One request and its outcome, for people who watch. Contains no query, no body, and no secret. */
export type LogEntry = {
  readonly number: number;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The status, or what happened to the connection. */
  readonly outcome: number | 'reset' | 'hang';
  /** The rule that caused it. */
  readonly fault?: string;
};

/** The latest requests; older ones are dropped, to limit memory. */
export type Log = {
  add(entry: Omit<LogEntry, 'number'>): void;
  /** The entries after a number, oldest first. */
  after(number: number): readonly LogEntry[];
  /** The number of all requests so far. */
  count(): number;
};

export function createLog(capacity = 200): Log {
  const ring: LogEntry[] = [];
  let count = 0;
  return {
    add: (entry) => {
      ring[count % capacity] = { ...entry, number: ++count };
    },
    after: (number) => {
      const kept = ring.filter((entry) => entry.number > number);
      return kept.sort((one, other) => one.number - other.number);
    },
    count: () => count,
  };
}
