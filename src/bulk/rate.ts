/** How many starts a second there may be: as asked for, or as learnt from a platform that refuses. */
type Rate = {
  /** Milliseconds until the next start may be, 0 for now. */
  readonly wait: (now: number) => number;
  readonly started: (now: number) => void;
  readonly succeeded: (now: number) => void;
  /** A request was refused, and nothing starts before `until`. `underWay` requests have not ended. */
  readonly refused: (now: number, until: number, underWay: number) => void;
  /** How one of those has ended. */
  readonly ended: (isRefused: boolean) => void;
};

const second = 1000;
const slots = 11;
const slot = 100;
const span = slots * slot;

/** Starts may catch up with what timers were late, in milliseconds. */
const lateness = 10;

/** Of what a platform has admitted, so that it refuses no more. */
const below = 0.97;

/** How long that is kept before more is tried, in milliseconds: at first, and at most. */
const firstPatience = 10_000;
const longestPatience = 80_000;

/** How much more is tried in a second, and twice as much in the next one: where the rate is known well, and where it is not. */
const [careful, bold] = [0.05, 0.2];

/** So few requests between two refusals say little. */
const few = 20;

/** A refusal, until it is clear what it means. */
type Refusal = {
  readonly at: number;
  /** When it is over. */
  readonly until: number;
  /** What the platform admitted in the second before it. */
  readonly lately: number;
  readonly underWay: number;
  refused: number;
  answered: number;
};

/** What was seen before the first refusal of which it is not clear what it means. */
type Doubt = { readonly requests: number; readonly speed: number; readonly perSecond: number };

/**
 * As many as go, until the platform refuses. Where most of what is under way is refused together, there is a limit: from then on a little less
 * than it admits is started, and after a while a little more is tried. A refusal that comes alone is by chance, and has no consequence but the
 * pause. Where too little is under way to tell, it is taken for a limit, unless the next one comes just as soon at the lower rate.
 * @param ceiling starts a second, never exceeded; Infinity for no limit
 */
export function openRate(ceiling: number): Rate {
  const recent = slidingCount();
  let perSecond = ceiling;
  /** What is kept to below it is tried no more often than `patience` says. */
  let known = ceiling;
  let patience = firstPatience;
  let probed = 0;
  /** The rate before the last step, which went well. */
  let served = ceiling;
  let boldness = careful;
  let step = 0;
  let next = 0;
  let resumed = 0;
  let requests = 0;
  let successes = 0;
  let open: Refusal | undefined;
  let doubt: Doubt | undefined;
  /** Unclear refusals that are taken for chance; and how many the next time. */
  let [spared, chances] = [0, 1];
  let isSpared = false;

  function probe(now: number): void {
    while (perSecond < ceiling && now - probed >= (step === 0 ? patience : second)) {
      probed += step === 0 ? patience : second;
      served = perSecond;
      perSecond = Math.min(ceiling, perSecond * (1 + boldness * 2 ** step));
      step += 1;
    }
    // A rate that is never reached restrains nobody.
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

  /** Where it is not clear whether there is a limit, a much lower rate is tried once: a refusal that comes as soon as before is by chance. */
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
    if (step > 0 || (doubt && requests >= 4 * doubt.requests)) doubt = undefined;
    else if (doubt && perSecond <= 0.6 * doubt.speed) {
      perSecond = doubt.perSecond;
      doubt = undefined;
      spared = chances;
      chances = Math.min(2 * chances, 64);
      return true;
    } else doubt ??= { requests, speed, perSecond };
    return false;
  }

  function learn(admitted: number): void {
    const isMeasured = perSecond === ceiling || admitted < perSecond / 3;
    // At a rate that was just learnt the measure is made of few: a little less is enough, unless it says far less.
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

/** Counts what happens, and tells how often it was in a second, lately. */
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
