/** How many starts a second there may be: as told, or as learnt from a platform that refuses. */
export type Rate = {
  /** Milliseconds until the next start may be, 0 for now. */
  readonly wait: (now: number) => number;
  readonly started: (now: number) => void;
  readonly succeeded: (now: number) => void;
  /** Halves the rate: to half of what went well in the last second. Growing begins anew at `until`. */
  readonly halve: (now: number, until: number) => void;
};

const second = 1000;
const slots = 10;
const slot = 100;
/** Starts may catch up with what timers were late, in milliseconds. */
const lateness = 10;

/** @param ceiling starts a second, never exceeded; Infinity for as many as go */
export function openRate(ceiling: number): Rate {
  const recent = slidingCount();
  let perSecond = ceiling;
  let refusedAt = ceiling;
  let grown = 0;
  /** Seconds for which it has gone beyond that. */
  let beyond = 0;
  let next = 0;

  // Quickly back to just below where it was refused; beyond that in small steps, which double while all goes well.
  function grow(now: number): void {
    for (let step = stepOf(); perSecond < ceiling && now - grown >= step.after; step = stepOf()) {
      grown += step.after;
      perSecond = Math.min(step.to, ceiling);
      if (step.after === second) beyond += 1;
    }
    // A rate that is never reached restrains nobody.
    if (perSecond > 100 && perSecond > 4 * recent.count(now) && perSecond > 4 * refusedAt) perSecond = ceiling;
  }

  function stepOf(): { readonly after: number; readonly to: number } {
    const known = 0.9 * refusedAt;
    if (perSecond < known) return { after: second / 4, to: Math.min(2 * perSecond, known) };
    return { after: second, to: perSecond + Math.max(1, (perSecond / 10) * 2 ** beyond) };
  }

  return {
    wait(now) {
      grow(now);
      return perSecond === Number.POSITIVE_INFINITY ? 0 : Math.max(0, next - now);
    },
    started(now) {
      next = Math.max(next, now - lateness) + 1000 / perSecond;
    },
    succeeded: recent.add,
    halve(now, until) {
      refusedAt = Math.max(1, Math.min(perSecond, recent.count(now)));
      perSecond = Math.max(0.5, refusedAt / 2);
      grown = Math.max(now, until);
      beyond = 0;
      next = Math.max(now, until);
    },
  };
}

/** Counts what happened in the last second, in steps of a tenth. */
function slidingCount() {
  const counts = new Array<number>(slots).fill(0);
  let newest = 0;
  const forward = (now: number) => {
    const current = Math.floor(now / slot);
    for (let passed = Math.max(newest + 1, current - slots + 1); passed <= current; passed += 1)
      counts[passed % slots] = 0;
    newest = Math.max(newest, current);
  };
  return {
    add(now: number): void {
      forward(now);
      counts[newest % slots] = (counts[newest % slots] ?? 0) + 1;
    },
    count(now: number): number {
      forward(now);
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
