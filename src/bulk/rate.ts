/** The maximum number of starts per second: as configured, or as learnt from refusals. */
type Rate = {
  /** Milliseconds until the next start; 0 for now. */
  readonly wait: (now: number) => number;
  readonly started: (now: number) => void;
  readonly succeeded: (now: number) => void;
  /** A request was refused, and nothing starts before `until`. `underWay` is the number of requests that have not ended. */
  readonly refused: (now: number, until: number, underWay: number) => void;
  /** One of those requests has ended. */
  readonly ended: (isRefused: boolean) => void;
};

const second = 1000;
const slots = 11;
const slot = 100;
const span = slots * slot;

/** How much timer delay starts may catch up on, in milliseconds. */
const lateness = 10;

/** The share of the measured limit to use, so that the platform stops refusing. */
const below = 0.97;

/** How long to keep that rate before trying more, in milliseconds: at first, and at most. */
const firstPatience = 10_000;
const longestPatience = 80_000;

/** The increase to try in one second, doubled in the next: for a well-known rate, and for an uncertain one. */
const [careful, bold] = [0.05, 0.2];

/** Fewer requests than this between two refusals say little. */
const few = 20;

/** A refusal whose meaning is not clear yet. */
type Refusal = {
  readonly at: number;
  /** The end of its pause. */
  readonly until: number;
  /** How many requests the platform accepted in the second before. */
  readonly lately: number;
  readonly underWay: number;
  refused: number;
  answered: number;
};

/** What was measured before the first unclear refusal. */
type Baseline = { readonly requests: number; readonly speed: number; readonly perSecond: number };

/**
 * Starts as fast as possible until the platform refuses. If many requests are refused together, there is a limit: from then on the rate stays
 * a little below it, and tries a little more after a while. A single refusal among many responses is chance, and only causes the pause. If too
 * few requests are under way to tell, it counts as a limit, unless the next refusal comes just as soon at the lower rate.
 * @param ceiling starts per second, never exceeded; Infinity for no limit
 */
export function openRate(ceiling: number): Rate {
  const recent = slidingCount();
  let perSecond = ceiling;
  /** The learnt limit; `patience` says how often more than that is tried. */
  let known = ceiling;
  let patience = firstPatience;
  let probed = 0;
  /** The rate before the last increase, which worked. */
  let served = ceiling;
  let boldness = careful;
  let step = 0;
  let next = 0;
  let resumed = 0;
  let requests = 0;
  let successes = 0;
  let open: Refusal | undefined;
  let baseline: Baseline | undefined;
  /** How many unclear refusals still count as chance, and how many will the next time. */
  let [spared, chances] = [0, 1];
  let isSpared = false;

  function probe(now: number): void {
    while (perSecond < ceiling && now - probed >= (step === 0 ? patience : second)) {
      probed += step === 0 ? patience : second;
      served = perSecond;
      perSecond = Math.min(ceiling, perSecond * (1 + boldness * 2 ** step));
      step += 1;
    }
    // A limit far above the actual rate is useless: remove it.
    if (perSecond > 100 && perSecond > 4 * recent.count(now) && perSecond > 4 * known) perSecond = ceiling;
  }

  function settle(refusal: Refusal): void {
    const stretch = refusal.at - resumed;
    const speed = (successes * second) / Math.max(1, stretch);
    const admitted = stretch > span ? refusal.lately : (successes * second) / Math.max(1, refusal.until - resumed);
    const meaning = meaningOf(refusal);
    if (meaning === 'limit' || (meaning === 'unclear' && !isChance(requests, Math.min(perSecond, speed))))
      learn(admitted);
    open = undefined;
    resumed = next = probed = refusal.until;
    requests = successes = 0;
  }

  /** If a limit is uncertain, a much lower rate is tried once: if a refusal then comes just as soon, it is chance. */
  function isChance(requests: number, speed: number): boolean {
    if (requests < few && !isSpared) {
      isSpared = true;
      return true;
    }
    isSpared = false;
    if (spared > 0) {
      spared -= 1;
      return true;
    }
    if (step > 0 || (baseline && requests >= 4 * baseline.requests)) baseline = undefined;
    else if (baseline && perSecond <= 0.6 * baseline.speed) {
      perSecond = baseline.perSecond;
      baseline = undefined;
      spared = chances;
      chances = Math.min(2 * chances, 64);
      return true;
    } else baseline ??= { requests, speed, perSecond };
    return false;
  }

  function learn(admitted: number): void {
    const isMeasured = perSecond === ceiling || admitted < perSecond / 3;
    // A measurement at a rate that was just learnt has few samples: lower it only a little, unless the measurement is far lower.
    const found = step > 0 ? Math.min(served, admitted) : isMeasured ? Math.min(perSecond, admitted) : 0.85 * perSecond;
    const isSure = requests >= 50;
    if (step > 0 && isAlike(found, known)) patience = Math.min(2 * patience, longestPatience);
    else patience = isSure ? firstPatience : firstPatience / 4;
    boldness = isSure ? careful : bold;
    known = Math.max(0.5, found);
    perSecond = Math.min(ceiling, below * known);
    step = 0;
  }

  return {
    wait(now) {
      if (open && now >= open.until) settle(open);
      probe(now);
      return perSecond === Number.POSITIVE_INFINITY ? 0 : Math.max(0, next - now);
    },
    started(now) {
      requests += 1;
      next = Math.max(next, now - lateness) + 1000 / perSecond;
    },
    succeeded(now) {
      recent.add(now);
      successes += 1;
    },
    refused(now, until, underWay) {
      open = { at: now, until: Math.max(now, until), lately: recent.count(now), underWay, refused: 1, answered: 0 };
    },
    ended(isRefused) {
      if (open && isRefused) open.refused += 1;
      else if (open) open.answered += 1;
    },
  };
}

function meaningOf({ underWay, refused, answered }: Refusal): 'limit' | 'chance' | 'unclear' {
  const share = refused / (refused + answered);
  if (refused > 1 && share >= 1 / 3) return 'limit';
  return underWay >= 3 && share <= 1 / 3 ? 'chance' : 'unclear';
}

function isAlike(one: number, other: number): boolean {
  return one < 2 * other && other < 2 * one;
}

/** Counts events, and returns how many there were per second lately. */
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
      const sum = counts.reduce((total, count) => total + count, 0);
      return (sum * second) / ((slots - 1) * slot + (now - newest * slot) || 1);
    },
  };
}
