import type { Verdict } from '../../bulk/run.ts';
import { Failure } from '../../failure.ts';
import { passing } from '../../http/passing.ts';
import { ConnectionLost, mayPass } from '../../network/connection-lost.ts';

type PlatformState = {
  /** The platform has asked for a wait that nobody waits for. */
  readonly isTooLong: boolean;
  /** It has answered something in this run. */
  readonly hasAnswered: boolean;
};

/**
 * What a failed attempt means for its row and for all others.
 * @throws what is no Failure: a bug
 */
export function verdictOf(error: unknown, { isTooLong, hasAnswered }: PlatformState): Verdict {
  if (!(error instanceof Failure)) throw error;
  const { kind, message } = error;
  const { status, cause } = error.facts;
  if (kind === 'interrupted') return { kind: 'abandoned', error: message };
  // The session has tried to renew already: nobody's row can go well.
  if (kind === 'unauthenticated') return { kind: 'hopeless', failure: error };
  if (kind !== 'unavailable') return { kind: 'refused', error: message };
  if (isTooLong || (cause instanceof ConnectionLost && isLasting(cause, hasAnswered)))
    return { kind: 'hopeless', failure: error };
  if (status === 429) return { kind: 'throttled', error: message };
  // Without a status the exchange was cut, and with a good one its answer was.
  if (status === undefined || status < 400 || passing.has(status)) return { kind: 'troubled', error: message };
  return { kind: 'refused', error: message };
}

/** Time that is up says something of all rows only where no row has had an answer. */
function isLasting(lost: ConnectionLost, hasAnswered: boolean): boolean {
  return !mayPass(lost) && !(lost.code === 'TIMEOUT' && hasAnswered);
}
