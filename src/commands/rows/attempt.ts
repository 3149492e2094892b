import type { BulkOptions, Context } from '../../command/context.ts';
import { perform } from '../../command/perform.ts';
import { contextOfOne, isForAllIn, type Outlook, openOutlook } from '../../command/work.ts';
import { isRepeatable, type Operation } from '../../contract/operation.ts';
import type { WireRequest } from '../../contract/wire.ts';
import { type Arrival, Failure, outcomeUnknown, usage } from '../../failure.ts';
import { isOtherSuccess, statusOfRepeat } from '../../http/refusal.ts';
import { longestWait, transientStatuses } from '../../http/retry-after.ts';
import { ConnectionLost, isTransient, neverSent } from '../../network/connection-lost.ts';
import { isRecord } from '../../text/record.ts';
import type { Pace } from '../../work/pace.ts';
import type { Attempt } from '../../work/run.ts';
import type { Call } from './calls.ts';
import { problemOfFailure, runCall } from './check.ts';
import type { RowsRun } from './plan.ts';
import { pickResults } from './result.ts';

/** Returns what tries to send a row once, and judges the response. @param onRequest gets each request before it is sent */
export async function openAttempt(
  run: RowsRun,
  pace: Pace,
  interrupt: AbortSignal,
  onRequest: (request: WireRequest) => void,
  context: Context,
): Promise<(call: Call, earlier: Arrival) => Promise<Attempt>> {
  const { operation, orgId, concurrency } = run;
  const isHopeless = openOutlook(isForAllIn(orgId));
  const known: Experience = { isTooLong: false, hasAnswered: false, isReached: false, isHopeless };
  const send = await openSender(run, onRequest, context, {
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
    Object.assign(known, reached);
    return { status: 'done', result } as const;
  };
  const onError = (error: unknown) => judgeAttempt(error, known, operation);
  // "A DELETE that finds 404 on a repeat has succeeded." A creation that finds a conflict on a repeat probably has, too.
  const onRepeatedError = (error: unknown, earlier: Arrival) => {
    // A failure without a status does not come from the platform.
    const { status, refused } = error instanceof Failure ? error.facts : {};
    if (!(error instanceof Failure) || !status || status !== statusOfRepeat(operation) || refused === 'elsewhere')
      return onError(error);
    if (earlier === 'unlikely') return onError(outcomeUnknown(error));
    const explanation =
      error.kind === 'conflict'
        ? `${error.message} It was probably made by the earlier attempt`
        : `${error.facts.request?.path} was already gone when the request was repeated`;
    context.warn(`${explanation}, and counts as done: check it.`);
    return onDone(undefined);
  };
  return (call, earlier) =>
    send(call).then(onDone, (error) => (earlier === 'none' ? onError(error) : onRepeatedError(error, earlier)));
}

/** Returns what runs the command for a row, over the connections that all rows share. It resolves with the platform's record, or with what is known of it. */
async function openSender(
  { command, facts: { results = [] } }: RowsRun,
  onRequest: (request: WireRequest) => void,
  context: Context,
  options: BulkOptions,
) {
  const bulk = await context.bulkPlatform(options);
  const platform = await context.platform();
  const sending = contextOfOne(context, false, {
    platform: async () => ({
      ...platform,
      // The pace of all rows applies only to the change itself, and repeats it. Other requests, such as deleting a credential again, are repeated as usual.
      send(operation, request, extra) {
        const isOwn = operation === command.operation;
        if (isOwn) onRequest(request);
        // An operation with lookups between its attempts is repeated by the platform itself.
        return (isOwn && operation.repeat !== 'looked' ? bulk : platform).send(operation, request, extra);
      },
    }),
  });
  const resultOf = async (call: Call) => {
    const outcome = await runCall(command, call, sending);
    return outcome && 'operation' in outcome ? perform(outcome, sending) : outcome;
  };
  return async (call: Call): Promise<object | undefined> => {
    const result = await resultOf(call).catch((error: unknown) => {
      const isOfRow =
        error instanceof Failure && error.facts.details?.some(({ option = '' }) => call.labels.has(option));
      throw isOfRow ? usage(problemOfFailure(error, call).problem) : error;
    });
    const end = await result?.ending?.(undefined);
    if (end instanceof Failure) throw end;
    if (!result || !('value' in result) || !isRecord(result.value)) return undefined;
    const { looked } = result.value;
    return result.kind === 'record'
      ? result.value
      : { ...pickResults(result.value, results), ...(looked === true && { looked }) };
  };
}

/** Facts about the platform that the responses of this run have shown so far. */
type Experience = {
  /** Whether it has asked for a wait that is too long. */
  isTooLong: boolean;
  /** Whether it has answered at least once. */
  hasAnswered: boolean;
  /** Whether it has accepted a row, or refused one in its own words, so that nothing else answers in its place. */
  isReached: boolean;
  /** Gets the result of each row that is not tried again, and says whether no further row can succeed. */
  readonly isHopeless: Outlook;
};

/** Decides what a failed attempt means for its row and for all others, and adds that to the experience. @throws anything that is not a Failure: a bug */
function judgeAttempt(error: unknown, known: Experience, operation: Operation): Attempt {
  if (!(error instanceof Failure)) throw error;
  const { kind } = error;
  const { status, fate, refused, hint } = error.facts;
  if (fate === 'not_sent') {
    const isFinal =
      ['interrupted', 'io', 'usage'].includes(kind) || (kind === 'unauthenticated' && refused !== 'renewal');
    return { status: 'not_sent', error, next: isFinal ? 'stop' : 'retry', response: 'troubled' };
  }
  const mayBeDone = fate === 'unknown' || fate === 'made';
  // The hint may say where the secret of a new credential is.
  const explained =
    fate === 'made' && hint !== undefined ? new Failure(kind, `${error.message} ${hint}.`, error.facts) : error;
  const ended: Attempt = { status: mayBeDone ? 'unknown' : 'failed', error: explained };
  if (kind === 'interrupted') return { ...ended, status: 'unknown' };
  const isStray = kind === 'unavailable' || refused === 'elsewhere';
  const judged = isStray ? judgeStray(error, ended, known, operation) : undefined;
  if (judged) return judged;
  const isAccepted = status !== undefined && isOtherSuccess(status) && refused !== 'elsewhere';
  if (isAccepted || (!isStray && kind !== 'unauthenticated' && kind !== 'io')) Object.assign(known, reached);
  // Until the platform has accepted a row, or refused one in its own words, the base URL may be wrong.
  return known.isHopeless(error) || (isStray && !known.isReached) ? { ...ended, next: 'stop' } : ended;
}

/** Judges a failure that does not come from the platform, or says that it is unavailable; undefined if the row simply ends with it. */
function judgeStray(error: Failure, ended: Attempt, known: Experience, operation: Operation): Attempt | undefined {
  const { status, cause, fate, refused } = error.facts;
  const hopeless: Attempt = { ...ended, next: 'stop' };
  if (known.isTooLong) return fate === undefined && status === 429 ? { ...hopeless, status: 'not_sent' } : hopeless;
  const isOnce = !isRepeatable(operation) && (fate === 'unknown' || !(cause instanceof ConnectionLost));
  const isLooked = operation.repeat === 'looked';
  const isFinal = isLooked || isOnce;
  const response = isFinal && ended.status === 'unknown' ? 'lost' : 'troubled';
  const troubled: Attempt = { ...ended, response, next: isFinal ? undefined : 'retry' };
  // A timeout stops all rows only if none has had a response yet.
  if (cause instanceof ConnectionLost && !isTransient(cause) && !(cause.code === 'TIMEOUT' && known.hasAnswered))
    return hopeless;
  if (cause instanceof ConnectionLost && neverSent(cause))
    return { status: 'not_sent', error, next: 'retry', response: 'unreached' };
  if (cause instanceof ConnectionLost) return troubled;
  const waits = { error, next: 'wait', response: 'throttled' } as const;
  if (refused === 'silently' && fate === 'unknown' && !isLooked)
    return { ...waits, status: 'unknown', arrival: 'unlikely' };
  // A 503 that says that nothing was done comes from a rate limiter.
  if (!isLooked && (status === 429 || (status === 503 && fate !== 'unknown'))) return { ...waits, status: 'not_sent' };
  return status !== undefined && transientStatuses.has(status) ? troubled : undefined;
}

/** The experience from a row that the platform has accepted, or refused in its own words. */
const reached = { hasAnswered: true, isReached: true } satisfies Partial<Experience>;
