/** Looks up what became of a change whose outcome is unknown, where the platform can be read. */
import { asFailure, Failure, type FailureFacts, outcomeUnknown, withoutDoubt } from '../failure.ts';
import { ConnectionLost } from '../network/connection-lost.ts';
import type { Context } from './context.ts';

/** Where the outcome of a change can be read. */
export type Lookup = {
  /** In words: "the list of templates". */
  readonly where: string;
  /** The change is a deletion: that something is absent does not prove that this change removed it. */
  readonly isDeletion?: true;
  /** @param failure leaves the outcome open @throws Failure if nothing can be read */
  readonly find: (context: Context, failure: Failure) => Promise<LookupFinding>;
};

/** The outcome of a change, as far as a lookup tells. */
export type LookupFinding = {
  readonly outcome: 'applied' | 'not applied' | 'unclear' | 'unread';
  /** A clause that says more of it. */
  readonly words?: string;
  readonly hint?: string;
};

/** The sentence for a change that was applied, or the failure with what is known now. */
export type LookupResult = { readonly failure: Failure } | { readonly done: string; readonly looked: Looked };

/** When and where the outcome was looked up. */
type Looked = NonNullable<FailureFacts['looked']>;

/** Looks up whether a change was applied. @param change in words @param failure leaves its outcome open */
export async function lookUp(
  { where, isDeletion, find }: Lookup,
  change: string,
  failure: Failure,
  context: Context,
): Promise<LookupResult> {
  const { world, notice, waiting } = context;
  if (world.interrupt.aborted) notice('Looking up whether it was applied (up to 5 s). Press Ctrl-C again to stop now.');
  const wait = waiting.begin('Looking up whether it was applied');
  await waitForArrival(failure, context).catch(asFailure); // an interruption ends the wait, not the lookup
  const finding = await find(quietContext(context), failure).catch(unreadLookup).finally(wait.end);
  // A request that was refused in silence has probably removed nothing: it was gone before.
  const mayHaveBeenGone = isDeletion && finding.outcome === 'applied' && failure.facts.refused === 'silently';
  const at = new Date(world.now()).toISOString().replace(/\.\d+/, '');
  return resultOf(mayHaveBeenGone ? perhapsGone : finding, change, failure, { at, where });
}

function resultOf(finding: LookupFinding, change: string, failure: Failure, looked: Looked): LookupResult {
  const { outcome, words, hint } = finding;
  const found = `${withoutDoubt(failure)} Looked up in ${looked.where} at ${looked.at}`;
  const failWith = (clause: string, facts: FailureFacts) =>
    new Failure(failure.kind, `${found}: ${clause}.`, { ...failure.facts, ...facts });
  switch (outcome) {
    case 'applied':
      return { done: `${found}: the change was applied (${change}).`, looked };
    case 'not applied': {
      const isOpen = words === undefined && mayBePending(failure);
      const clause = words ?? `it was not applied${isOpen ? ' by then, and may still be' : ''}`;
      const next = hint ?? (isOpen ? failure.facts.hint : 'Try again; to find the cause, run: iiot doctor');
      return { failure: failWith(clause, { looked, hint: next, fate: isOpen ? 'unknown' : undefined }) };
    }
    case 'unclear':
    case 'unread': {
      const facts = { ...(outcome === 'unclear' && { looked }), ...(hint && { hint }) };
      return { failure: outcomeUnknown(failWith(words ?? 'that does not tell', facts)) };
    }
  }
}

const perhapsGone: LookupFinding = { outcome: 'unclear', words: 'it is gone, and may have been before' };

/** The finding of a lookup that could not read. */
export function unreadLookup(error: unknown): LookupFinding {
  const words = `it could not be read (${asFailure(error).message.replace(/\.$/, '')})`;
  return { outcome: 'unread', words };
}

/** How long a request whose response was lost may still be on its way, in milliseconds. */
export const arrivalTime = 2000;

/** Waits until a request whose response was lost has arrived, or never will. Without a status, the response was lost, which counts like a 500. */
async function waitForArrival({ facts: { status = 500 } }: Failure, { world, sleep }: Context): Promise<void> {
  if ((status >= 500 || status === 408) && !world.interrupt.aborted) await sleep(arrivalTime);
}

/** Whether the platform, or a gateway, may still be at work: no response came in time, or one that says so. Without a status, only the cause tells. */
function mayBePending({ kind, facts: { status = 0, cause, refused } }: Failure): boolean {
  const isLate = cause instanceof ConnectionLost && cause.code === 'TIMEOUT';
  const isAccepted = status > 0 && status < 300 && refused !== 'elsewhere';
  return isLate || isAccepted || kind === 'interrupted' || [408, 504].includes(status);
}

/** A context that prints no notices, and whose requests go on for a moment after an interruption. */
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
