import type { Verdict } from '../bulk/run.ts';
import { Failure } from '../failure.ts';
import { ConnectionLost, mayPass } from '../http/connection.ts';

/** Answers that another attempt may not get: cli.md section 8. */
const passing = new Set([408, 421, 425, 500, 502, 503, 504]);

/**
 * What a failed attempt means for its row and for all others.
 * @param tooLong the platform has asked for a wait that nobody waits for
 * @throws what is no Failure: a bug
 */
export function verdictOf(error: unknown, tooLong: boolean): Verdict {
  if (!(error instanceof Failure)) throw error;
  const { kind, message } = error;
  const { status, cause } = error.facts;
  if (kind === 'interrupted') return { kind: 'abandoned', error: message };
  // The session has tried to renew already: nobody's row can go well.
  if (kind === 'unauthenticated') return { kind: 'hopeless', failure: error };
  if (kind !== 'unavailable') return { kind: 'refused', error: message };
  if (tooLong || (cause instanceof ConnectionLost && !mayPass(cause))) return { kind: 'hopeless', failure: error };
  if (status === 429) return { kind: 'throttled', error: message };
  // Without a status the exchange was cut, and with a good one its answer was.
  if (status === undefined || status < 400 || passing.has(status)) return { kind: 'troubled', error: message };
  return { kind: 'refused', error: message };
}
