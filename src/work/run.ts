/** Many at once: each has its turn, its attempts and one outcome. */
import { setMaxListeners } from 'node:events';
import { type Earlier, Failure } from '../failure.ts';
import { onAbort } from '../text/abort.ts';
import { type Clock, pause } from './clock.ts';
import type { RowStep } from './journal-lines.ts';
import type { Pace, ResponseClass } from './pace.ts';

/** `unknown`: it may have been applied. `not_sent`: never sent. `skipped`: an earlier run has done it. */
export type Status = 'done' | 'failed' | 'unknown' | 'not_sent' | 'skipped';

/** What became of one: a row, a template, an organization. */
export type Outcome<T> = {
  readonly of: T;
  readonly status: Status;
  readonly error?: Failure | undefined;
  /** What the platform gave for it, if anything. */
  readonly result?: object | undefined;
};

/** What came of one attempt. */
export type Attempt = Omit<Outcome<never>, 'of'> & {
  /**
   * If it was not the last word. `retry`: the platform has a problem or cannot be reached, and another attempt may succeed. `wait`: it asks for fewer
   * requests, and nothing was done. `stop`: no further one can succeed.
   */
  readonly next?: 'retry' | 'wait' | 'stop' | undefined;
  /** What it tells of the platform; by default that it has answered. */
  readonly response?: ResponseClass;
  /** Of one of unknown outcome: whether it may have been applied is only `unlikely`. */
  readonly arrival?: Earlier;
};

export type Run<T> = {
  /** They come in groups: a promise for each would cost more than the work. */
  readonly items: AsyncIterable<readonly T[]>;
  /** Those with the same key have their turn one after the other, in their order. Behind one that is not done, none is sent. */
  readonly keyOf: (item: T) => string;
  /** What is known of one without an attempt. */
  readonly known?: (item: T) => Omit<Outcome<T>, 'of'> | undefined;
  /** @param earlier whether an earlier attempt may have been applied */
  readonly attempt: (item: T, earlier: Earlier) => Promise<Attempt>;
  /** Whether an earlier run may have carried it out. */
  readonly wasSent?: (item: T) => boolean;
  /** Called exactly once for each. */
  readonly ended: (outcome: Outcome<T>) => void;
  /** Resolves once the step is on disk, with the reason if it is not. "sent" is awaited before the attempt. */
  readonly record?: ((step: RowStep, item: T, status?: number) => Promise<Failure | undefined>) | undefined;
  /** Whether more than "done" is recorded. */
  readonly hasSteps?: boolean | undefined;
  /** Resolves when all that is recorded so far is on disk. */
  readonly settled?: (() => Promise<unknown>) | undefined;
  /** A promise if nothing new may start before it resolves. */
  readonly room?: () => Promise<unknown> | undefined;
  readonly pace?: Pace;
  readonly concurrency: number;
  /** How often to retry when the platform has a problem; in an outage, it is the pace that gives up. */
  readonly retries: number;
  /** Why to stop at the first that fails. */
  readonly failFast?: ((item: T) => Failure) | undefined;
  /** Aborted with a Failure, by this module or its caller: nothing new starts. */
  readonly stop: AbortController;
  readonly clock: Clock;
  readonly random: () => number;
};

/** How many may wait for another one with their key before reading pauses. */
const mostParked = 1000;
const firstBackoff = 250;
const longestBackoff = 20_000;

/**
 * Works on all, `concurrency` keys at a time and as `pace` allows. Once `stop` is aborted, requests under way are finished, and every further one ends
 * as not sent. One is reported done only after it is recorded.
 */
export async function runAll<T>(run: Run<T>): Promise<void> {
  setMaxListeners(0, run.stop.signal);
  if (run.pace) onAbort(run.stop.signal, run.pace.release);
  /** The keys under way, each with those that wait for it. */
  const busy = new Map<string, T[]>();
  /** The keys with one that did not succeed: those behind it would overtake it once it is sent again. */
  const held = new Set<string>();
  const state = { parked: 0, unrecorded: 0, wake: () => {} };
  const roomFor = async (keys: number) => {
    while (busy.size >= keys || state.parked >= mostParked) await new Promise<void>((go) => (state.wake = go));
  };
  const workOn = async (key: string, items: T[]) => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      state.parked -= 1;
      await workOnOne(run, item, key, { held, state }).catch((failure) => run.stop.abort(failure));
      state.wake();
    }
    busy.delete(key);
    state.wake();
  };
  try {
    for await (const group of run.items)
      for (const item of group) {
        const key = run.keyOf(item);
        const others = busy.get(key);
        const items = others ?? [];
        items.push(item);
        state.parked += 1;
        if (!others) {
          busy.set(key, items);
          void workOn(key, items);
        }
        await roomFor(run.concurrency);
      }
  } catch (error) {
    run.stop.abort(error); // the rest of the input cannot be read
  }
  await roomFor(1);
  await run.settled?.();
  while (state.unrecorded > 0) await new Promise<void>((go) => (state.wake = go));
}

async function workOnOne<T>(
  run: Run<T>,
  item: T,
  key: string,
  { held, state }: { readonly held: Set<string>; readonly state: { unrecorded: number; wake: () => void } },
): Promise<void> {
  const isHeld = held.has(key);
  const outcome: Outcome<T> = { of: item, ...(run.known?.(item) ?? (isHeld ? unsent : await carryOutOne(run, item))) };
  if (outcome.status !== 'done' && outcome.status !== 'skipped') held.add(key);
  if (outcome.status === 'done' && run.record) {
    state.unrecorded += 1;
    const reported = run.record('done', item).then((failure) => reportRecorded(run, outcome, failure));
    void reported
      .catch((error) => run.stop.abort(error))
      .then(() => {
        state.unrecorded -= 1;
        state.wake();
      });
  } else run.ended(outcome);
  await run.room?.();
}

const unsent = { status: 'not_sent' } as const;

function reportRecorded<T>(run: Run<T>, outcome: Outcome<T>, failure: Failure | undefined): void {
  if (failure) run.stop.abort(failure);
  const error =
    failure &&
    new Failure(failure.kind, 'applied, but not recorded in the journal', { ...failure.facts, fate: 'made' });
  run.ended(error ? { of: outcome.of, status: 'unknown', error } : outcome);
}

/** Repeats a row until its outcome is final. */
async function carryOutOne<T>(run: Run<T>, item: T): Promise<Omit<Outcome<T>, 'of'>> {
  const { pace, stop, hasSteps, record } = run;
  const wasSent = run.wasSent?.(item) === true;
  let earlier: Earlier = wasSent ? 'possible' : 'none';
  let last: Omit<Outcome<T>, 'of'> = wasSent ? { status: 'unknown' } : unsent;
  for (let [attempts, failures] = [0, 0]; ; attempts += 1) {
    // One that is held back takes no turn: nothing would end the turn.
    if (!stop.signal.aborted) await pace?.turn();
    if (stop.signal.aborted) break;
    // One that an earlier run sent has its line, and a second line would count as a second row.
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
    // A refusal is one, whatever an earlier attempt may have done.
    const isRefusal = next === undefined && response === 'answered';
    if (found.status === 'not_sent') last = { ...last, error: found.error };
    else last = earlier !== 'none' && !isRefusal ? { ...found, status: 'unknown' } : found;
    // What lasts is for the pace to give up on.
    const isLasting = pace && (response === 'unreached' || pace.isOutage());
    if (next === 'retry' && !isLasting) failures += 1;
    const isOver = next === undefined || next === 'stop' || failures > run.retries;
    if (next === 'stop' || (isOver && found.status === 'not_sent')) stop.abort(found.error);
    if (isOver) break;
    if (next === 'retry') await backOff(run, failures);
  }
  return recordEnd(run, item, last);
}

/** Records how one ended that is not done, and stops the others where the first failure does: without its line, it would count as one that may have been applied. */
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

/** Stops on an interrupt: at once it starts nothing new (`stop`), and after five seconds it ends the requests under way (`abandon`). `dispose` ends that. */
export function openGracefulStop(interrupt: AbortSignal, clock: Clock, onStop: () => void) {
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
