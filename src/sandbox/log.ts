/** One request and how it ended, for people who watch. No query, no body, nothing secret. */
export type LogEntry = {
  readonly number: number;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** The status, or what happened to the connection. */
  readonly outcome: number | 'reset' | 'hang';
  /** The rule that made it so. */
  readonly fault?: string;
};

/** The last requests; older ones are forgotten, so that a long rehearsal does not grow. */
export type Log = {
  add(entry: Omit<LogEntry, 'number'>): void;
  /** Those after a number, oldest first. */
  after(number: number): readonly LogEntry[];
  /** How many there were in all. */
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
