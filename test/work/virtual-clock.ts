import type { Clock } from '../../src/work/clock.ts';

type VirtualClock = Clock & {
  /** Lets time pass: what was to run later runs in its order, and what that sets off as well. */
  advance(milliseconds: number): Promise<void>;
};

/** Time that passes when the test says so. */
export function virtualClock(): VirtualClock {
  let time = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => time,
    after(milliseconds, run) {
      const timer = { at: time + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      for (;;) {
        await settled();
        const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        time = Math.max(time, next.at);
        next.run();
      }
      time = end;
      await settled();
    },
  };
}

/** Everything that waits for nothing but promises has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}
