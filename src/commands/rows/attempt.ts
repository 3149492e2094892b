import type { Context } from '../../command/context.ts';
import { isForAllIn, type Outlook, openOutlook } from '../../command/work.ts';
import { Failure, repeatableMethods } from '../../failure.ts';
import { longestWait, transientStatuses } from '../../http/retry-after.ts';
import { ConnectionLost, isTransient } from '../../network/connection-lost.ts';
import { errorOfOne } from '../../text/failure-sentence.ts';
import type { Pace } from '../../work/pace.ts';
import type { Verdict } from '../../work/run.ts';
import type { RowKind } from './kind.ts';

/** Returns what sends a row once. */
export async function openAttempt<T>(
  context: Context,
  { open, operation, orgId }: RowKind<T>,
  concurrency: number,
  pace: Pace,
  interrupt: AbortSignal,
): Promise<(value: T, isAgain: boolean) => Promise<Verdict>> {
  const isHopeless = openOutlook(isForAllIn(orgId));
  const known: Experience = { isTooLong: false, hasAnswered: false, isReached: false, isHopeless };
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
    isHopeless(undefined);
    understood(known);
    return { kind: 'done', result } as const;
  };
  const isRepeatable = repeatableMethods.has(operation.method);
  const onError = (error: unknown) => verdictOf(error, known, isRepeatable);
  // "A DELETE that finds 404 on a repeat has succeeded." What was created by the earlier try is in the way of the next.
  const succeeded = ({ DELETE: 'not_found', POST: 'conflict' } as const)[operation.method as 'DELETE' | 'POST'];
  const onRepeated = (error: unknown) => {
    // Without a status it is not the platform's sentence, but says what is known of the ID.
    if (!(error instanceof Failure) || error.kind !== succeeded || error.facts.notPlatform || !error.facts.status)
      return onError(error);
    const found =
      error.kind === 'conflict'
        ? `${error.message} It was probably made by the earlier attempt`
        : `${error.facts.request?.path} was already gone when the request was repeated`;
    context.warn(`${found}, and counts as done: check it.`);
    return onDone(undefined);
  };
  return (value, isAgain) => send(value).then(onDone, isAgain ? onRepeated : onError);
}

/** What the responses of this run have shown so far. */
type Experience = {
  /** The platform has asked for a wait that is too long. */
  isTooLong: boolean;
  /** It has answered at least once. */
  hasAnswered: boolean;
  /** It has accepted a row, or refused one in its own words: nothing else answers in its place. */
  isReached: boolean;
  /** Takes the end of one row after the other that is not tried again. */
  readonly isHopeless: Outlook;
};

/**
 * Decides what a failed attempt means for its row and for all others, and adds it to what is known.
 * @throws anything that is not a Failure: a bug
 */
function verdictOf(error: unknown, known: Experience, isRepeatable: boolean): Verdict {
  if (!(error instanceof Failure)) throw error;
  const { kind } = error;
  const { status, cause, notPlatform, fate, refused, hint } = error.facts;
  if (fate === 'not_sent') {
    const isFinal =
      ['interrupted', 'io', 'usage'].includes(kind) || (kind === 'unauthenticated' && refused !== 'renewal');
    return { kind: 'unsent', error: errorOfOne(error), failure: error, isFinal };
  }
  // Where the secret of a credential is, for example.
  const more = fate === 'made' && hint !== undefined ? ` ${hint}.` : '';
  const own = errorOfOne(error);
  const row = {
    error: { ...own, message: own.message + more },
    status,
    ...(fate !== undefined && { mayBeDone: true }),
  };
  const hopeless: Verdict = { ...row, kind: 'hopeless', failure: error };
  if (kind === 'interrupted') return { ...row, kind: 'abandoned' };
  const isStray = kind === 'unavailable' || notPlatform === true;
  if (isStray) {
    if (known.isTooLong) return hopeless;
    const isFinal = !isRepeatable && (fate === 'unknown' || !(cause instanceof ConnectionLost));
    if (cause instanceof ConnectionLost)
      return isLasting(cause, known.hasAnswered) ? hopeless : { ...row, kind: 'troubled', isFinal };
    // A 503 of which nothing is unknown is a limiter's: nothing was done.
    if (status === 429 || (status === 503 && fate !== 'unknown')) return { ...row, kind: 'throttled' };
    if (status !== undefined && transientStatuses.has(status)) return { ...row, kind: 'troubled', isFinal };
  }
  if (!isStray && kind !== 'unauthenticated' && kind !== 'io') understood(known);
  // Before a row is accepted, or refused in the platform's own words, the way to it may be wrong.
  return known.isHopeless(error) || (isStray && !known.isReached) ? hopeless : { ...row, kind: 'refused' };
}

/** To be called for every row that is done. */
function understood(known: Experience): void {
  known.hasAnswered = true;
  known.isReached = true;
}

/** A timeout affects all rows only if no row has had a response yet. */
function isLasting(lost: ConnectionLost, hasAnswered: boolean): boolean {
  return !isTransient(lost) && !(lost.code === 'TIMEOUT' && hasAnswered);
}
