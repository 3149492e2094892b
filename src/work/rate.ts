const second = 1000;

/** How late a timer may be for a start to be caught up on, in milliseconds. */
const lateness = 10;

/** The share of a measured limit that becomes the rate, and the share of a rate that was refused although it had worked before. */
const [shareOfLimit, shareOfRate] = [0.97, 0.85];

/** The number of requests between two refusals from which a limit can be measured well. */
const enoughRequests = 50;

/** How long to keep a rate before trying more, in milliseconds, and the share to add in the first second. Each further second adds twice as much. */
const sure = { patience: 10_000, boldness: 0.05 };
const unsure = { patience: 2000, boldness: 0.2 };
const longestPatience = 80_000;

/** How many unclear refusals count as chance before one lowers the rate: at first, after the rate was lowered, and once a limit is known. */
const toleratedRefusals = { first: 4, again: 2, limited: 1 };

/** A refusal with the number of requests under way, and how many of these have ended in which way. Nothing starts before `until`. */
type Refusal = {
  readonly at: number;
  readonly until: number;
  readonly underWay: number;
  refused: number;
  answered: number;
};

function openState(ceiling: number) {
  return {
    /** Starts per second now, and before the last increase, when nothing was refused. */
    rate: ceiling,
    served: ceiling,
    /** The number of increases since the last refusal. */
    step: 0,
    /** The limit that was learnt last, in starts per second. */
    known: ceiling,
    ...sure,
    /** The times when the rate was set or raised, and when the next request may start. */
    changedAt: 0,
    nextAt: 0,
    /** The time when the first request since the last pause started, and the numbers of requests and successes since. */
    resumedAt: 0,
    requests: 0,
    successes: 0,
    toleratedLeft: toleratedRefusals.first,
    /** The refusal whose pause has not ended. */
    open: undefined as Refusal | undefined,
  };
}

type RateState = ReturnType<typeof openState>;

/**
 * Limits the starts per second, to the ceiling and to what it learns from refusals, by additive increase and multiplicative decrease. There is no limit
 * until the platform refuses. If many requests are refused together, the rate stays a little below that from then on, and tries a little more after a
 * while. A single refusal among many responses is chance, and only causes the pause. With too few requests under way to tell, some refusals are
 * tolerated before one lowers the rate. @param ceiling starts per second, never exceeded; Infinity for no limit
 */
export function openRate(ceiling: number) {
  const state = openState(ceiling);
  return {
    /** How many milliseconds to wait before the next start. */
    wait(now: number): number {
      if (state.open && now >= state.open.until) settle(state, state.open, ceiling);
      raise(state, now, ceiling);
      return state.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(0, state.nextAt - now);
    },
    countStart(now: number): void {
      if (state.requests === 0) state.resumedAt = now;
      state.requests += 1;
      state.nextAt = Math.max(state.nextAt, now - lateness) + second / state.rate;
    },
    countSuccess(): void {
      state.successes += 1;
    },
    /** @param until when the pause ends @param underWay the number of requests that have not ended */
    noteRefusal(now: number, until: number, underWay: number): void {
      state.open = { at: now, until: Math.max(now, until), underWay, refused: 1, answered: 0 };
    },
    /** Counts the end of a request that was under way when another one was refused. */
    countEnd(isRefused: boolean): void {
      if (state.open) state.open[isRefused ? 'refused' : 'answered'] += 1;
    },
  };
}

function raise(state: RateState, now: number, ceiling: number): void {
  for (;;) {
    const wait = state.step === 0 ? state.patience : second;
    if (state.rate === ceiling || now - state.changedAt < wait) return;
    const raised = state.rate * (1 + state.boldness * 2 ** state.step);
    state.served = state.rate;
    // A rate far above the known limit shows that the limit is gone.
    state.rate = raised > 32 * state.known ? ceiling : Math.min(ceiling, raised);
    state.changedAt += wait;
    state.step += 1;
  }
}

/** Learns from a refusal once its pause has ended: there is a limit, it was chance, or it is unclear. */
function settle(state: RateState, { at, until, underWay, refused, answered }: Refusal, ceiling: number): void {
  const isLimit = refused > 1 && 3 * refused >= refused + answered;
  const isChance = !isLimit && underWay >= 3 && 3 * refused <= refused + answered;
  const stretch = at - state.resumedAt;
  // A burst that was shorter than a second has also used up the time of its pause.
  const admitted = (state.successes * second) / Math.max(1, stretch > second ? stretch : until - state.resumedAt);
  // A rate that was just raised is to blame for the refusal. One that was kept had worked before.
  if (isLimit || (state.step > 0 && !isChance)) {
    lower(state, admitted, ceiling);
    state.toleratedLeft = toleratedRefusals.limited;
  } else if (!isChance && state.toleratedLeft > 0) {
    state.toleratedLeft -= 1;
    state.patience = unsure.patience;
  } else if (!isChance) {
    lower(state, admitted, ceiling);
    state.toleratedLeft = toleratedRefusals.again;
  }
  Object.assign(state, { open: undefined, nextAt: until, changedAt: until, requests: 0, successes: 0 });
}

function lower(state: RateState, admitted: number, ceiling: number): void {
  const { rate, served, step, known } = state;
  const isMeasured = rate === ceiling || admitted < rate / 3;
  const estimate = step > 0 ? served : shareOfRate * rate;
  const limit = isMeasured ? Math.min(rate, admitted) : estimate;
  const isSame = step > 0 && limit < 2 * known && known < 2 * limit;
  const { patience, boldness } = state.requests < enoughRequests ? unsure : sure;
  state.patience = isSame ? Math.min(2 * state.patience, longestPatience) : patience;
  state.boldness = boldness;
  state.known = Math.max(0.5, limit);
  state.rate = Math.min(ceiling, shareOfLimit * state.known);
  state.step = 0;
}
