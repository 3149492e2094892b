/** Passes reports to a reader in groups, and tells the writer when to wait. */
export type ReportStream<R> = {
  readonly push: (report: R) => void;
  /** A promise if the reader is far behind. */
  readonly backpressure: () => Promise<void> | undefined;
  /** Ends the stream. */
  readonly end: () => void;
  /** For one reader. If it stops early, later reports are dropped. */
  readonly read: () => AsyncGenerator<readonly R[], void>;
  /** Drops later reports. */
  readonly leave: () => void;
};

/** @param most how many reports wait for the reader before the writer has to */
export function openReportStream<R>(most = 10_000): ReportStream<R> {
  let held: R[] = [];
  let state: 'open' | 'ended' | 'left' = 'open';
  const waiting: { reader?: () => void; writers: (() => void)[] } = { writers: [] };
  const resumeRows = () => {
    for (const go of waiting.writers) go();
    waiting.writers = [];
  };
  const leave = () => {
    state = 'left';
    held = [];
    resumeRows();
  };
  async function* read(): AsyncGenerator<readonly R[], void> {
    try {
      for (;;) {
        if (held.length > 0) {
          const reports = held;
          held = [];
          resumeRows();
          yield reports;
        } else if (state === 'open') await new Promise<void>((resolve) => (waiting.reader = resolve));
        else return;
      }
    } finally {
      leave();
    }
  }
  return {
    push(report) {
      if (state === 'left') return;
      held.push(report);
      waiting.reader?.();
    },
    backpressure: () =>
      state === 'left' || held.length < most ? undefined : new Promise((resolve) => waiting.writers.push(resolve)),
    end() {
      if (state === 'open') state = 'ended';
      waiting.reader?.();
    },
    read,
    leave,
  };
}
