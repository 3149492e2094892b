/** Passes reports to a reader in groups, and tells the writer when to wait. */
type ReportStream<R> = {
  readonly push: (report: R) => void;
  /** A promise if the reader is far behind. */
  readonly backpressure: () => Promise<void> | undefined;
  /** Ends the stream. */
  readonly end: () => void;
  /** For one reader. If it stops early, later reports are dropped. */
  readonly read: () => AsyncGenerator<readonly R[], void>;
};

const most = 10_000;

export function openReportStream<R>(): ReportStream<R> {
  let held: R[] = [];
  let state: 'open' | 'ended' | 'left' = 'open';
  let wakeReader: (() => void) | undefined;
  let writers: (() => void)[] = [];
  const resumeRows = () => {
    for (const go of writers) go();
    writers = [];
  };
  async function* read(): AsyncGenerator<readonly R[], void> {
    try {
      for (;;) {
        if (held.length > 0) {
          const reports = held;
          held = [];
          resumeRows();
          yield reports;
        } else if (state === 'open') await new Promise<void>((resolve) => (wakeReader = resolve));
        else return;
      }
    } finally {
      state = 'left';
      held = [];
      resumeRows();
    }
  }
  return {
    push(report) {
      if (state === 'left') return;
      held.push(report);
      wakeReader?.();
    },
    backpressure: () =>
      state === 'left' || held.length < most ? undefined : new Promise((resolve) => writers.push(resolve)),
    end() {
      if (state === 'open') state = 'ended';
      wakeReader?.();
    },
    read,
  };
}
