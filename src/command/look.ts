/** Looks up what became of a change whose outcome is unknown, where the platform can be read. */
import { asFailure, Failure, outcomeUnknown, withoutDoubt } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { Context } from './context.ts';

/** Where to look for a change. It only reads. */
export type Lookup = {
  /** In words: "the list of templates". */
  readonly where: string;
  /** The change is a deletion: that something is absent does not prove that this change removed it. */
  readonly isDeletion?: true;
  /** @param failure leaves open whether the change was made @throws Failure if it cannot be read */
  readonly see: (context: Context, failure: Failure) => Promise<LookupFinding>;
};

/** Whether the change is there; undefined if that cannot be told. `words` is a clause that says more of it. */
export type LookupFinding = {
  readonly isApplied: boolean | undefined;
  readonly words?: string;
  readonly hint?: string;
  readonly isUnread?: true;
};

/** That the change was made (`done` says so), or the failure as it is understood now. */
export type LookupResult =
  | { readonly failure: Failure }
  | { readonly done: string; readonly looked: Failure['facts']['looked'] };

/** Looks up whether a change of unknown outcome was applied. @param about what is changed, in words @param failure leaves that open */
export async function lookUp(
  { where, isDeletion, see }: Lookup,
  about: string,
  failure: Failure,
  context: Context,
): Promise<LookupResult> {
  const { world, notice, waiting } = context;
  if (world.interrupt.aborted) notice('Looking up whether it was applied (up to 5 s). Press Ctrl-C again to stop now.');
  const wait = waiting.begin('Looking up whether it was applied');
  await waitForArrival(failure, context).catch(asFailure); // an interruption ends the wait, not the lookup
  const seen = await see(quietContext(context), failure).catch(unreadLookup).finally(wait.end);
  // Most probably the request did nothing, so it was gone before.
  const isDoubtfulDeletion = isDeletion && seen.isApplied && failure.facts.refused === 'silently';
  const { isApplied, words, hint, isUnread }: LookupFinding = isDoubtfulDeletion ? perhapsGone : seen;
  const at = new Date(world.now()).toISOString().replace(/\.\d+/, '');
  const looked = { at, where };
  const found = `Looked up in ${where} at ${at}`;
  if (isApplied) return { done: `${withoutDoubt(failure)} ${found}: the change was applied (${about}).`, looked };
  if (isApplied === undefined) {
    const undecided = new Failure(
      failure.kind,
      `${withoutDoubt(failure)} ${found}: ${words ?? 'that does not tell'}.`,
      {
        ...failure.facts,
        ...(!isUnread && { looked }),
        ...(hint && { hint }),
      },
    );
    return { failure: outcomeUnknown(undecided) };
  }
  const isOpen = words === undefined && mayBePending(failure);
  const defaultWords = `it was not applied${isOpen ? ' by then, and may still be' : ''}`;
  const next = hint ?? (isOpen ? failure.facts.hint : 'Try again; to find the cause, run: iiot doctor');
  const facts = { ...failure.facts, looked, hint: next, fate: isOpen ? ('unknown' as const) : undefined };
  return { failure: new Failure(failure.kind, `${withoutDoubt(failure)} ${found}: ${words ?? defaultWords}.`, facts) };
}

const perhapsGone: LookupFinding = { isApplied: undefined, words: 'it is gone, and may have been before' };

/** What a lookup reports when it cannot read. */
export function unreadLookup(error: unknown): LookupFinding {
  const words = `it could not be read (${asFailure(error).message.replace(/\.$/, '')})`;
  return { isApplied: undefined, words, isUnread: true };
}

/** How long a request whose response was lost may still be on its way, in milliseconds. */
export const arrivalTime = 2000;

/** Waits until what was sent has been carried out, or never will be. */
async function waitForArrival({ facts: { status = 500 } }: Failure, { world, sleep }: Context): Promise<void> {
  if ((status >= 500 || status === 408) && !world.interrupt.aborted) await sleep(arrivalTime);
}

/** Callers that wait for a reading share it; one that asks during a reading gets the next. One at a time for each `clock`, which all rows of a run share. */
export function sharedReading<T, More extends unknown[]>(read: (context: Context, ...more: More) => Promise<T>) {
  const latest = new WeakMap<object, Promise<unknown>>();
  const next = new WeakMap<object, Promise<T>>();
  return (context: Context, ...more: More): Promise<T> => {
    const { clock } = context;
    const upcoming =
      next.get(clock) ??
      (latest.get(clock) ?? Promise.resolve()).then(() => {
        next.delete(clock);
        return read(context, ...more);
      });
    next.set(clock, upcoming);
    latest.set(clock, upcoming.then(String, String)); // settles either way: a failed reading does not block the next
    return upcoming;
  };
}

/** Whether the platform, or what is in front of it, may still be at work: it gave no response in time, or one that says so. */
function mayBePending({ kind, facts: { status = 0, cause, refused } }: Failure): boolean {
  const isLate = cause instanceof ConnectionLost && cause.code === 'TIMEOUT';
  return (
    isLate ||
    kind === 'interrupted' ||
    (status > 0 && status < 300 && refused !== 'elsewhere') ||
    [408, 504].includes(status)
  );
}

/** Prints no notices, and goes on for a moment after an interruption. */
function quietContext(context: Context): Context {
  return {
    ...context,
    notice: () => undefined,
    async platform() {
      const { send } = await context.platform();
      return { send: (operation, request, extra) => send(operation, request, { ...extra, isFinished: true }) };
    },
  };
}
