const second = 1000;

/** How much timer delay starts may catch up on, in milliseconds. */
const lateness = 10;

/** The share of a measured limit to use, so that the platform stops refusing; and of a rate that was refused all the same. */
const [below, less] = [0.97, 0.85];

/** Fewer requests than this between two refusals do not measure much. */
const few = 50;

/** How long to keep a rate before trying more, in milliseconds, and the increase to try then in a second, doubled in the next. */
const sure = { patience: 10_000, boldness: 0.05 };
const unsure = { patience: 2000, boldness: 0.2 };
const longestPatience = 80_000;

/** How many unclear refusals are taken for chance before one lowers the rate: at first, after the rate was lowered, and once a limit is known. */
const toleratedRefusals = { first: 4, again: 2, limited: 1 };

/** A refusal, and how the requests that were under way then have ended since. Nothing starts before `until`. */
type Refusal = {
  readonly at: number;
  readonly until: number;
  readonly underWay: number;
  refused: number;
  answered: number;
};

function beginning(ceiling: number) {
  return {
    /** Starts per second, and the same before the last increase, which worked. */
    rate: ceiling,
    served: ceiling,
    /** The number of increases since the last refusal. */
    step: 0,
    /** The limit that was learnt last. */
    known: ceiling,
    ...sure,
    /** When the rate was set or raised, and when the next request may start. */
    changed: 0,
    next: 0,
    /** When the first request since the last pause started, and what has happened since. */
    resumed: 0,
    requests: 0,
    successes: 0,
    forgiving: toleratedRefusals.first,
    /** The refusal whose pause has not ended. */
    open: undefined as Refusal | undefined,
  };
}

type RateState = ReturnType<typeof beginning>;

/**
 * The maximum number of starts per second: as configured, or as learnt from refusals, by additive increase and multiplicative decrease. Starts as
 * fast as possible until the platform refuses. If many requests are refused together, there is a limit: from then on the rate stays a little
 * below it, and tries a little more after a while. A single refusal among many responses is chance, and only causes the pause. If too few
 * requests are under way to tell, some are forgiven, and then one lowers the rate.
 * @param ceiling starts per second, never exceeded; Infinity for no limit
 */
export function openRate(ceiling: number) {
  const state = beginning(ceiling);
  return {
    /** Milliseconds until the next start; 0 for now. */
    wait(now: number): number {
      if (state.open && now >= state.open.until) settle(state, state.open, ceiling);
      raise(state, now, ceiling);
      return state.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(0, state.next - now);
    },
    started(now: number): void {
      if (state.requests === 0) state.resumed = now;
      state.requests += 1;
      state.next = Math.max(state.next, now - lateness) + second / state.rate;
    },
    succeeded(): void {
      state.successes += 1;
    },
    /** @param underWay the number of requests that have not ended */
    refused(now: number, until: number, underWay: number): void {
      state.open = { at: now, until: Math.max(now, until), underWay, refused: 1, answered: 0 };
    },
    /** One of those requests has ended. */
    ended(isRefused: boolean): void {
      if (state.open) state.open[isRefused ? 'refused' : 'answered'] += 1;
    },
  };
}

function raise(state: RateState, now: number, ceiling: number): void {
  for (;;) {
    const wait = state.step === 0 ? state.patience : second;
    if (state.rate === ceiling || now - state.changed < wait) return;
    const more = state.rate * (1 + state.boldness * 2 ** state.step);
    state.served = state.rate;
    // A rate far above the known limit shows that the limit is gone.
    state.rate = more > 32 * state.known ? ceiling : Math.min(ceiling, more);
    state.changed += wait;
    state.step += 1;
  }
}

function settle(state: RateState, { at, until, underWay, refused, answered }: Refusal, ceiling: number): void {
  const isMany = refused > 1 && 3 * refused >= refused + answered;
  const isOneOfMany = !isMany && underWay >= 3 && 3 * refused <= refused + answered;
  const stretch = at - state.resumed;
  // After a short stretch, what was admitted fills the pause too.
  const admitted = (state.successes * second) / Math.max(1, stretch > second ? stretch : until - state.resumed);
  // A rate that was just raised is to blame for a refusal; one that was kept was good before.
  if (isMany || (state.step > 0 && !isOneOfMany)) {
    lower(state, admitted, ceiling);
    state.forgiving = toleratedRefusals.limited;
  } else if (!isOneOfMany && state.forgiving > 0) {
    state.forgiving -= 1;
    state.patience = unsure.patience;
  } else if (!isOneOfMany) {
    lower(state, admitted, ceiling);
    state.forgiving = toleratedRefusals.again;
  }
  Object.assign(state, { open: undefined, next: until, changed: until, requests: 0, successes: 0 });
}

function lower(state: RateState, admitted: number, ceiling: number): void {
  const { rate, served, step, known } = state;
  const isMeasured = rate === ceiling || admitted < rate / 3;
  const found = isMeasured ? Math.min(rate, admitted) : step > 0 ? served : less * rate;
  const isSame = step > 0 && found < 2 * known && known < 2 * found;
  const { patience, boldness } = state.requests < few ? unsure : sure;
  state.patience = isSame ? Math.min(2 * state.patience, longestPatience) : patience;
  state.boldness = boldness;
  state.known = Math.max(0.5, found);
  state.rate = Math.min(ceiling, below * state.known);
  state.step = 0;
}
