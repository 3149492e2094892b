import { setMaxListeners } from 'node:events';
import { Failure, usage } from '../failure.ts';
import { type Place, placeText } from '../rows/row.ts';
import { onAbort } from '../text/abort.ts';
import { type ErrorOfOne, errorOfOne } from '../text/failure-sentence.ts';
import { type Clock, pause } from './clock.ts';
import { doneLine, markOf, openLine, unknownLine } from './done-rows.ts';
import type { Journal } from './journal.ts';
import type { Pace, ResponseClass } from './pace.ts';

/** A row to be worked on. Rows with the same key are worked on one after the other, in the order of the input. */
export type Task<T> = Place & {
  /** Its number among the rows that are not empty, from 1. */
  readonly number: number;
  /** An earlier run may have sent it. */
  readonly isAgain: boolean;
  readonly key: string;
  /** Why it cannot be sent. */
  readonly problem: string | undefined;
  /** Called when it is the row's turn. */
  readonly value: () => T;
  readonly text: () => string;
};

/** Why a row is not done. `mayBeDone`: it may have been applied all the same. */
type Refused = {
  readonly error: ErrorOfOne;
  readonly status?: number | undefined;
  readonly mayBeDone?: boolean;
};

/** The result of one attempt at a row. */
export type Verdict =
  | { readonly kind: 'done'; readonly result?: object | undefined }
  /** The row itself is refused: another attempt would end the same way. */
  | ({ readonly kind: 'refused' } & Refused)
  /** The platform has a problem or cannot be reached; another attempt may succeed. `isFinal`: it may have been applied, and is not safe to repeat. */
  | ({ readonly kind: 'troubled'; readonly isFinal?: boolean } & Refused)
  /** The row waited for a token that could not be got. `isFinal`: no other row gets one. */
  | { readonly kind: 'unsent'; readonly error: ErrorOfOne; readonly failure: Failure; readonly isFinal: boolean }
  /** The platform asks for fewer requests; nothing was done. */
  | { readonly kind: 'throttled'; readonly error: ErrorOfOne }
  /** We cancelled it while it was under way. */
  | { readonly kind: 'abandoned'; readonly error: ErrorOfOne }
  /** No further row can succeed. */
  | ({ readonly kind: 'hopeless'; readonly failure: Failure } & Refused);

/** 'unknown': sent, but it is unknown whether it was applied; or applied, but not recorded. 'not_sent': never sent. */
export type Status = 'done' | 'failed' | 'skipped' | 'not_sent' | 'unknown';

/** The result for one row. */
type RowOutcome = {
  readonly task: Task<unknown>;
  readonly status: Status;
  readonly error?: ErrorOfOne;
  readonly result?: object | undefined;
  /** The platform was in trouble: another attempt may succeed. */
  readonly isTransient?: boolean;
  /** The status that came last. */
  readonly answer?: number | undefined;
};

export type BulkRun<T> = {
  readonly batches: AsyncIterable<readonly Task<T>[]>;
  /** `isAgain`: an earlier attempt may have been applied. */
  readonly attempt: (value: T, isAgain: boolean) => Promise<Verdict>;
  /** What a row changes, as a text: the same if the row is the same. */
  readonly contentOf: (value: T) => string;
  /** Called exactly once for every row of `batches`. */
  readonly report: (outcome: RowOutcome) => void;
  /** If it returns a promise, no new row starts before that resolves: the reader of the reports is slow. */
  readonly backpressure?: (() => Promise<void> | undefined) | undefined;
  readonly journal?: Journal | undefined;
  /** The keys with a row that did not succeed: the rows behind it are not sent, or it would overtake them once it is sent again. */
  readonly held: Set<string>;
  readonly pace: Pace;
  readonly concurrency: number;
  /** How often to retry a row when the platform has a problem. */
  readonly retries: number;
  readonly stopAtFailure: boolean;
  /** Aborted with a Failure, by this module or its caller: no new row starts. */
  readonly stop: AbortController;
  readonly clock: Clock;
  readonly random: () => number;
};

/** The maximum number of rows waiting to be recorded on disk. */
const mostUnrecorded = 5000;
/** How many rows may wait for another row with their key before reading pauses. */
const mostParked = 1000;
const firstBackoff = 250;
const longestBackoff = 20_000;

/**
 * Works on all rows, `concurrency` keys at a time and as `pace` allows. Once `stop` is aborted, requests under way are finished, and every further row ends
 * as not sent. A row is reported done only after the journal has it on disk.
 */
export async function runAll<T>(run: BulkRun<T>): Promise<void> {
  setMaxListeners(0, run.stop.signal);
  onAbort(run.stop.signal, run.pace.release);
  /** The keys under way, each with the rows that wait for it. */
  const busy = new Map<string, Task<T>[]>();
  const state = { parked: 0, wake: () => {} };
  const roomFor = async (keys: number) => {
    while (busy.size >= keys || state.parked >= mostParked) await new Promise<void>((go) => (state.wake = go));
  };
  const workOn = async (key: string, tasks: Task<T>[]) => {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      state.parked -= 1;
      await workOnOne(run, task).catch((failure) => run.stop.abort(failure));
      state.wake();
    }
    busy.delete(key);
    state.wake();
  };
  try {
    for await (const task of each(run.batches)) {
      const others = busy.get(task.key);
      const tasks = others ?? [];
      tasks.push(task);
      state.parked += 1;
      if (!others) {
        busy.set(task.key, tasks);
        void workOn(task.key, tasks);
      }
      await roomFor(run.concurrency);
    }
  } catch (error) {
    run.stop.abort(error); // the rest of the input cannot be read
  }
  await roomFor(1);
  await run.journal?.settled();
}

async function* each<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

async function workOnOne<T>(run: BulkRun<T>, task: Task<T>): Promise<void> {
  const { signal } = run.stop;
  // A row that is held back is not sent, so it takes no turn: nothing would end the turn.
  if (task.problem !== undefined) run.held.add(task.key);
  const isHeld = run.held.has(task.key);
  if (!isHeld && !signal.aborted) await run.pace.turn();
  if (isHeld || signal.aborted || !(await begun(run, task))) reportUnsent(run, task);
  else {
    const rests = run.pace.rests();
    const value = task.value();
    const verdict = await run.attempt(value, task.isAgain);
    run.pace.report(responseClassOf(verdict), rests);
    if (verdict.kind === 'done') reportDone(run, task, value, verdict.result);
    else if (!(await finish(run, task, value, verdict))) run.held.add(task.key);
  }
  if (run.journal && run.journal.waiting() > mostUnrecorded) await run.journal.settled();
  await run.backpressure?.();
}

function reportUnsent<T>({ report }: BulkRun<T>, task: Task<T>): void {
  const { problem } = task;
  report(problem === undefined ? { task, status: 'not_sent' } : { task, status: 'failed', error: unfit(problem) });
}

/** Records that the row is about to be sent, where that matters. False if it could not be recorded. */
async function begun<T>({ journal, stop }: BulkRun<T>, task: Task<T>): Promise<boolean> {
  const failure = await journal?.begin?.(task.number);
  if (failure) stop.abort(failure);
  return failure === undefined;
}

/** The error of a row that cannot be sent as it is. */
export function unfit(problem: string): ErrorOfOne {
  return errorOfOne(usage(problem));
}

function firstFailure<T>(task: Task<T>): Failure {
  return new Failure('partial', `Stopped at the first row that failed, on ${placeText(task)}.`);
}

function reportDone<T>(run: BulkRun<T>, task: Task<T>, value: T, result: object | undefined): void {
  const { journal } = run;
  const done = { task, status: 'done', result } as const;
  if (!journal) {
    run.report(done);
    return;
  }
  journal.record(journal.begin ? doneLine(task.number) : markOf(task.key, run.contentOf(value))).then((failure) => {
    if (failure) run.stop.abort(failure);
    const error = failure && { ...errorOfOne(failure), message: 'applied, but not recorded in the journal' };
    // It need not be sent again.
    run.report(error ? { task: { ...task, text: () => '' }, status: 'unknown', error } : done);
  });
}

/** Retries and reports a row whose first attempt did not succeed. Returns whether it is done. */
async function finish<T>(run: BulkRun<T>, task: Task<T>, value: T, first: Verdict): Promise<boolean> {
  const outcome = await outcomeOf(run, task, value, first);
  if (outcome.status === 'done') {
    reportDone(run, task, value, outcome.result);
    return true;
  }
  // Without this line, the row counts as one that may have been applied.
  if (run.journal?.begin && outcome.status !== 'unknown') run.journal.record(openLine(task.number));
  else if (run.journal?.begin && outcome.answer !== undefined)
    run.journal.record(unknownLine(task.number, outcome.answer));
  run.report(outcome);
  if (outcome.status !== 'not_sent' && run.stopAtFailure) run.stop.abort(firstFailure(task));
  return false;
}

async function outcomeOf<T>(run: BulkRun<T>, task: Task<T>, value: T, first: Verdict): Promise<RowOutcome> {
  let last: RowOutcome = { task, status: task.isAgain ? 'unknown' : 'not_sent' };
  let verdict = first;
  // An earlier attempt may have been applied, whatever became of the last one.
  let mayBeDone = task.isAgain;
  for (let failures = 0; ; ) {
    switch (verdict.kind) {
      case 'done':
        return { task, status: 'done', result: verdict.result };
      case 'abandoned':
        return { task, status: 'unknown', error: verdict.error };
      case 'refused':
        return { task, status: verdict.mayBeDone ? 'unknown' : 'failed', error: verdict.error, answer: verdict.status };
      case 'hopeless':
        run.stop.abort(verdict.failure);
        return { task, status: mayBeDone || verdict.mayBeDone ? 'unknown' : 'failed', error: verdict.error };
      case 'unsent':
        failures += 1;
        last = { ...last, error: verdict.error };
        if (verdict.isFinal || failures > run.retries) {
          run.stop.abort(verdict.failure);
          return last;
        }
        await backOff(run, failures);
        break;
      case 'throttled':
        // The pace has handled it, and nothing was applied: throttling never makes a row fail.
        last = { ...last, error: verdict.error };
        break;
      case 'troubled': {
        failures += 1;
        mayBeDone ||= verdict.mayBeDone === true;
        last = {
          task,
          status: mayBeDone ? 'unknown' : 'failed',
          error: verdict.error,
          isTransient: true,
          answer: verdict.status,
        };
        if (failures > run.retries || verdict.isFinal) return last;
        await backOff(run, failures);
      }
    }
    await run.pace.turn();
    if (run.stop.signal.aborted) return last;
    const rests = run.pace.rests();
    verdict = await run.attempt(value, mayBeDone);
    run.pace.report(responseClassOf(verdict), rests);
  }
}

function backOff<T>({ clock, random, stop }: BulkRun<T>, failures: number): Promise<void> {
  const longest = Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  return pause(clock, random() * longest, stop.signal);
}

function responseClassOf(verdict: Verdict): ResponseClass {
  if (verdict.kind === 'troubled') return verdict.isFinal && verdict.mayBeDone ? 'lost' : 'troubled';
  if (verdict.kind === 'unsent') return 'troubled';
  return verdict.kind === 'throttled' ? 'throttled' : 'answered';
}

/** How long requests under way may take after the first signal, in milliseconds. */
const lastWait = 5000;

type GracefulStop = {
  /** Aborted when nothing new may start. */
  readonly stop: AbortController;
  /** Aborted when requests under way have to end. */
  readonly abandon: AbortSignal;
  /** Removes the listeners. */
  readonly dispose: () => void;
};

/** Stops in two steps on an interrupt: immediately starts nothing new, and after five seconds ends the requests under way. */
export function openGracefulStop(interrupt: AbortSignal, clock: Clock, onStop: () => void): GracefulStop {
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
