import type { Verdict } from '../../bulk/run.ts';
import { Failure } from '../../failure.ts';
import { transientStatuses } from '../../http/transient-statuses.ts';
import { ConnectionLost, isTransient } from '../../network/connection-lost.ts';
import { failureLine } from '../../text/failure-sentence.ts';

type PlatformState = {
  /** The platform has asked for a wait that is too long. */
  readonly isTooLong: boolean;
  /** It has answered at least once in this run. */
  readonly hasAnswered: boolean;
};

/**
 * Decides what a failed attempt means for its row and for all others.
 * @throws anything that is not a Failure: a bug
 */
export function verdictOf(error: unknown, { isTooLong, hasAnswered }: PlatformState): Verdict {
  if (!(error instanceof Failure)) throw error;
  const { kind } = error;
  const message = failureLine(error);
  const { status, cause } = error.facts;
  if (kind === 'interrupted') return { kind: 'abandoned', error: message };
  // The session has already tried to renew, so no row can succeed.
  if (kind === 'unauthenticated') return { kind: 'hopeless', failure: error };
  if (kind !== 'unavailable') return { kind: 'refused', error: message };
  if (isTooLong || (cause instanceof ConnectionLost && isLasting(cause, hasAnswered)))
    return { kind: 'hopeless', failure: error };
  if (status === 429) return { kind: 'throttled', error: message };
  // Without a status the connection was lost; with a success status the response was incomplete.
  if (status === undefined || status < 400 || transientStatuses.has(status))
    return { kind: 'troubled', error: message };
  return { kind: 'refused', error: message };
}

/** A timeout affects all rows only if no row has had a response yet. */
function isLasting(lost: ConnectionLost, hasAnswered: boolean): boolean {
  return !isTransient(lost) && !(lost.code === 'TIMEOUT' && hasAnswered);
}
