/** Runs many changes at once. Each item has its turn, its attempts and one outcome. */
import { setMaxListeners } from 'node:events';
import { type Arrival, Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import { type Clock, pause } from './clock.ts';
import type { RowStep } from './journal-lines.ts';
import type { Pace, ResponseClass } from './pace.ts';

/** `unknown`: it may have been applied. `not_sent`: it was never sent. `skipped`: an earlier run has done it. */
export type Status = 'done' | 'failed' | 'unknown' | 'not_sent' | 'skipped';

/** The outcome of one item: a row, a template, an organization. */
export type Outcome<T> = {
  readonly of: T;
  readonly status: Status;
  readonly error?: Failure | undefined;
  /** The result from the platform, if there is one. */
  readonly result?: object | undefined;
};

/** The outcome of one attempt. */
export type Attempt = Omit<Outcome<never>, 'of'> & {
  /**
   * What to do next, if the outcome is not final. `retry`: the platform has a problem or cannot be reached, and another attempt may succeed. `wait`: the
   * platform asks for fewer requests, and nothing was done. `stop`: no further item can succeed.
   */
  readonly next?: 'retry' | 'wait' | 'stop' | undefined;
  /** How the request ended, for the pace; by default 'answered'. */
  readonly response?: ResponseClass;
  /** Whether a change of unknown outcome may have been applied; by default 'possible'. */
  readonly arrival?: Arrival;
};

export type Run<T> = {
  /** The items in groups, because a promise for each item would cost more than the work. */
  readonly items: AsyncIterable<readonly T[]>;
  /** Items with the same key are sent one after the other, in their order. After one that is not done, no other with its key is sent. */
  readonly keyOf: (item: T) => string;
  /** Gives the outcome of an item that needs no attempt. */
  readonly known?: (item: T) => Omit<Outcome<T>, 'of'> | undefined;
  /** @param earlier whether an earlier attempt may have been applied */
  readonly attempt: (item: T, earlier: Arrival) => Promise<Attempt>;
  /** Whether an earlier run may have carried out an item. */
  readonly wasSent?: (item: T) => boolean;
  /** Called exactly once for each item. */
  readonly onEnd: (outcome: Outcome<T>) => void;
  /** Records a step. Resolves once it is on disk, or with the failure. "sent" is awaited before the attempt. */
  readonly record?: ((step: RowStep, item: T, status?: number) => Promise<Failure | undefined>) | undefined;
  /** Whether steps other than "done" are recorded too. */
  readonly hasSteps?: boolean | undefined;
  /** Resolves when all steps so far are on disk. */
  readonly flush?: (() => Promise<unknown>) | undefined;
  /** Returns a promise if nothing new may start before it resolves. */
  readonly room?: () => Promise<unknown> | undefined;
  readonly pace?: Pace;
  readonly concurrency: number;
  /** How often to retry an item when the platform has a problem. In an outage, only the pace gives up. */
  readonly retries: number;
  /** Set to stop at the first item that fails. Gives the failure to stop with. */
  readonly failFast?: ((item: T) => Failure) | undefined;
  /** Aborted with a Failure, by this module or its caller, so that nothing new starts. */
  readonly stop: AbortController;
  readonly clock: Clock;
  readonly random: () => number;
};

/** How many items may wait for others with their keys before no further ones are read. */
const mostParked = 1000;
/** The shortest and the longest time to wait before a retry, in milliseconds. */
const [firstBackoff, longestBackoff] = [250, 20_000];

/**
 * Carries out all items, `concurrency` keys at a time and as `pace` allows. After `stop` is aborted, finishes the requests under way, and ends every
 * further item as not sent. Reports an item as done only after it is recorded.
 */
export async function runAll<T>(run: Run<T>): Promise<void> {
  setMaxListeners(0, run.stop.signal);
  if (run.pace) onAbort(run.stop.signal, run.pace.release);
  /** The keys under way, each with the items that wait for it. */
  const busyKeys = new Map<string, T[]>();
  /** The keys with an item that is not done. Later items would be overwritten once it is sent again, so they are not sent. */
  const blockedKeys = new Set<string>();
  const state = { parked: 0, unrecorded: 0, wake: () => {} };
  const roomFor = async (keys: number) => {
    while (busyKeys.size >= keys || state.parked >= mostParked) await new Promise<void>((go) => (state.wake = go));
  };
  const workOn = async (key: string, items: T[]) => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      state.parked -= 1;
      await workOnOne(run, item, key, { blockedKeys, state }).catch((failure) => run.stop.abort(failure));
      state.wake();
    }
    busyKeys.delete(key);
    state.wake();
  };
  try {
    for await (const group of run.items)
      for (const item of group) {
        const key = run.keyOf(item);
        const queue = busyKeys.get(key);
        const items = queue ?? [];
        items.push(item);
        state.parked += 1;
        if (!queue) {
          busyKeys.set(key, items);
          void workOn(key, items);
        }
        await roomFor(run.concurrency);
      }
  } catch (error) {
    run.stop.abort(error); // the rest of the input cannot be read
  }
  await roomFor(1);
  await run.flush?.();
  while (state.unrecorded > 0) await new Promise<void>((go) => (state.wake = go));
}

async function workOnOne<T>(
  run: Run<T>,
  item: T,
  key: string,
  {
    blockedKeys,
    state,
  }: { readonly blockedKeys: Set<string>; readonly state: { unrecorded: number; wake: () => void } },
): Promise<void> {
  const isHeld = blockedKeys.has(key);
  const outcome: Outcome<T> = { of: item, ...(run.known?.(item) ?? (isHeld ? unsent : await carryOutOne(run, item))) };
  if (outcome.status !== 'done' && outcome.status !== 'skipped') blockedKeys.add(key);
  if (outcome.status === 'done' && run.record) {
    state.unrecorded += 1;
    const reported = run.record('done', item).then((failure) => reportRecorded(run, outcome, failure));
    void reported
      .catch((error) => run.stop.abort(error))
      .then(() => {
        state.unrecorded -= 1;
        state.wake();
      });
  } else run.onEnd(outcome);
  await run.room?.();
}

const unsent = { status: 'not_sent' } as const;

function reportRecorded<T>(run: Run<T>, outcome: Outcome<T>, failure: Failure | undefined): void {
  if (failure) run.stop.abort(failure);
  const error =
    failure &&
    new Failure(failure.kind, 'applied, but not recorded in the journal', { ...failure.facts, fate: 'made' });
  run.onEnd(error ? { of: outcome.of, status: 'unknown', error } : outcome);
}

/** Repeats an item until its outcome is final. */
async function carryOutOne<T>(run: Run<T>, item: T): Promise<Omit<Outcome<T>, 'of'>> {
  const { pace, stop, hasSteps, record } = run;
  const wasSent = run.wasSent?.(item) === true;
  let earlier: Arrival = wasSent ? 'possible' : 'none';
  let last: Omit<Outcome<T>, 'of'> = wasSent ? { status: 'unknown' } : unsent;
  for (let [attempts, failures] = [0, 0]; ; attempts += 1) {
    // After a stop no turn is taken, because nothing would end it.
    if (!stop.signal.aborted) await pace?.turn();
    if (stop.signal.aborted) break;
    // An item that an earlier run sent has its line already, and a second one would count as a second row.
    const failure = attempts === 0 && hasSteps && !wasSent ? await record?.('sent', item) : undefined;
    if (failure) {
      stop.abort(failure);
      return unsent;
    }
    const rests = pace?.rests() ?? 0;
    const { next, response = 'answered', arrival = 'possible', ...found } = await run.attempt(item, earlier);
    pace?.report(response, rests);
    if (found.status === 'done') return found;
    if (found.status === 'unknown' && earlier !== 'possible') earlier = arrival;
    // A final refusal counts, even if an earlier attempt may have been applied.
    const isRefusal = next === undefined && response === 'answered';
    if (found.status === 'not_sent') last = { ...last, error: found.error };
    else last = earlier !== 'none' && !isRefusal ? { ...found, status: 'unknown' } : found;
    // In an outage, the pace decides when to give up.
    const isLasting = pace && (response === 'unreached' || pace.isOutage());
    if (next === 'retry' && !isLasting) failures += 1;
    const isOver = next === undefined || next === 'stop' || failures > run.retries;
    if (next === 'stop' || (isOver && found.status === 'not_sent')) stop.abort(found.error);
    if (isOver) break;
    if (next === 'retry') await backOff(run, failures);
  }
  return recordEnd(run, item, last);
}

/** Records the end of an item that is not done, which otherwise would count as maybe applied. Stops the others with `failFast`. */
function recordEnd<T>(
  { hasSteps, record, failFast, stop }: Run<T>,
  item: T,
  last: Omit<Outcome<T>, 'of'>,
): Omit<Outcome<T>, 'of'> {
  const status = last.error?.facts.status;
  if (hasSteps && last.error && last.status !== 'unknown') void record?.('open', item);
  else if (hasSteps && status !== undefined) void record?.('unknown', item, status);
  if (last.status !== 'not_sent' && last.error && failFast) stop.abort(failFast(item));
  return last;
}

function backOff<T>({ clock, random, stop }: Run<T>, failures: number): Promise<void> {
  const longest = Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  return pause(clock, random() * longest, stop.signal);
}

/** How long requests under way may take after the first signal, in milliseconds. */
const lastWait = 5000;

/** Aborts `stop` on an interrupt, so that nothing new starts, and five seconds later `abandon`, which ends the requests under way. */
export function openGracefulStop(
  interrupt: AbortSignal,
  clock: Clock,
  onStop: () => void,
): { readonly stop: AbortController; readonly abandon: AbortSignal; readonly dispose: () => void } {
  const stop = new AbortController();
  const abandon = new AbortController();
  let cancel: () => void = () => undefined;
  const unsubscribe = onAbort(interrupt, () => {
    onStop();
    stop.abort(interrupt.reason);
    cancel = clock.after(lastWait, () => abandon.abort(interrupt.reason));
  });
  return {
    stop,
    abandon: abandon.signal,
    dispose() {
      cancel();
      unsubscribe();
    },
  };
}
