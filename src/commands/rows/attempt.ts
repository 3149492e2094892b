import type { Pace } from '../../bulk/pace.ts';
import type { Verdict } from '../../bulk/run.ts';
import type { Context } from '../../command/context.ts';
import { Failure, repeatableMethods } from '../../failure.ts';
import { longestWait, transientStatuses } from '../../http/retry-after.ts';
import { ConnectionLost, isTransient } from '../../network/connection-lost.ts';
import { failureLine } from '../../text/failure-sentence.ts';
import type { RowKind } from './kind.ts';

/** Returns what sends a row once. */
export async function openAttempt<T>(
  context: Context,
  { open, operation }: RowKind<T>,
  concurrency: number,
  pace: Pace,
  interrupt: AbortSignal,
): Promise<(value: T, isAgain: boolean) => Promise<Verdict>> {
  const known: Experience = { isTooLong: false, hasAnswered: false, isReached: false, strays: 0 };
  const send = await open(context, {
    connections: concurrency,
    interrupt,
    onRefusal(_status, wait) {
      known.hasAnswered = true;
      if (wait === undefined) return;
      // "A Retry-After beyond 60 s is not waited for: the command ends with 8 and says how long."
      if (wait > longestWait) known.isTooLong = true;
      else pace.hold(wait);
    },
  });
  const onDone = (result: object | undefined) => {
    understood(known);
    return { kind: 'done', result } as const;
  };
  const isRepeatable = repeatableMethods.has(operation.method);
  const onError = (error: unknown) => verdictOf(error, known, isRepeatable);
  // "A DELETE that finds 404 on a repeat has succeeded."
  const onRepeated = (error: unknown) =>
    error instanceof Failure && error.kind === 'not_found' && !error.facts.notPlatform
      ? onDone(undefined)
      : onError(error);
  const isDelete = operation.method === 'DELETE';
  return (value, isAgain) => send(value).then(onDone, isAgain && isDelete ? onRepeated : onError);
}

/** What the responses of this run have shown so far. */
type Experience = {
  /** The platform has asked for a wait that is too long. */
  isTooLong: boolean;
  /** It has answered at least once. */
  hasAnswered: boolean;
  /** It has accepted a row, or refused one in its own words: the way to it is right. */
  isReached: boolean;
  /** How many responses in a row were none that a platform gives to a row: a redirect, a web page, a success that cannot be read. */
  strays: number;
};

/** Once rows have been accepted, a single stray response may be about its row alone. */
const mostStrays = 10;

/**
 * Decides what a failed attempt means for its row and for all others, and adds it to what is known.
 * @throws anything that is not a Failure: a bug
 */
function verdictOf(error: unknown, known: Experience, isRepeatable: boolean): Verdict {
  if (!(error instanceof Failure)) throw error;
  const { kind } = error;
  const { status, cause, notPlatform, outcomeUnknown, isMade, hint } = error.facts;
  // Where the secret of a credential is, for example.
  const more = isMade && hint !== undefined ? ` ${hint}.` : '';
  const row = { error: failureLine(error) + more, ...((outcomeUnknown || isMade) && { mayBeDone: true }) };
  const hopeless: Verdict = { ...row, kind: 'hopeless', failure: error };
  if (kind === 'interrupted') return { ...row, kind: 'abandoned' };
  // The session has already tried to renew, and what could not be written once cannot be written for the next row: no row can succeed.
  if (kind === 'unauthenticated' || kind === 'io') return hopeless;
  if (kind !== 'unavailable' && !notPlatform) {
    understood(known);
    return { ...row, kind: 'refused' };
  }
  if (known.isTooLong) return hopeless;
  const isFinal = !isRepeatable && outcomeUnknown === true;
  if (cause instanceof ConnectionLost)
    return isLasting(cause, known.hasAnswered) ? hopeless : { ...row, kind: 'troubled', isFinal };
  if (status === 429) return { ...row, kind: 'throttled' };
  if (status !== undefined && transientStatuses.has(status))
    return { ...row, kind: 'troubled', isFinal: !isRepeatable };
  known.strays += 1;
  return known.isReached && known.strays < mostStrays ? { ...row, kind: 'refused' } : hopeless;
}

/** To be called for every row that is done. */
function understood(known: Experience): void {
  known.hasAnswered = true;
  known.isReached = true;
  known.strays = 0;
}

/** A timeout affects all rows only if no row has had a response yet. */
function isLasting(lost: ConnectionLost, hasAnswered: boolean): boolean {
  return !isTransient(lost) && !(lost.code === 'TIMEOUT' && hasAnswered);
}
