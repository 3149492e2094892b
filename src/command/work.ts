/** Carries out many changes after one confirmation. Each has an outcome, and the rest can be continued. */
import { asFailure, Failure, type FailureKind, outcomeOf, usage } from '../failure.ts';
import { isOtherSuccess } from '../http/refusal.ts';
import { transientStatuses } from '../http/retry-after.ts';
import { onAbort } from '../text/abort.ts';
import { isHolder } from '../text/record.ts';
import { realClock } from '../work/clock.ts';
import { type Attempt, type Outcome, runAll, type Status } from '../work/run.ts';
import { type Confirmation, openConfirmation } from './confirm.ts';
import type { Context } from './context.ts';
import { isForProgram } from './perform.ts';

/** The platform and the login of a change, each as a text that no other has. */
type Destination = { readonly platform: string; readonly login: string };

export type Work<T> = {
  readonly subjects: readonly T[];
  /** Makes one change. @returns the platform's result, if that is to be reported @throws Failure */
  readonly act: (subject: T) => Promise<unknown>;
  /** The confirmation, asked once before the first change. */
  readonly agreement?: Confirmation;
  /** The destination of each change, if there are several. Where one fails for good, changes to the others are still tried. */
  readonly wayOf?: (subject: T) => Destination;
  /** Whether every other subject would be refused for the same reason. */
  readonly isForAll?: (failure: Failure) => boolean;
  /** A sentence with the line that continues with the subjects left. @param isAll whether all others are done */
  readonly again: (left: readonly T[], isAll: boolean) => string;
  /** A sentence on where to look up the subjects of unknown outcome. */
  readonly look: (unknown: readonly T[]) => string;
};

/** The outcomes of all changes, and the reason why some were not sent. */
export type Carried<T> = { readonly outcomes: readonly Outcome<T>[]; readonly stopped: Failure | undefined };

/** Carries out changes, `concurrency` at a time, as long as a further one can succeed. @throws Failure if the user does not agree, before anything is sent */
export async function carryOut<T>(work: Work<T>, concurrency: number, context: Context): Promise<Carried<T>> {
  const { subjects, act, agreement, wayOf = () => onlyWay } = work;
  if (agreement && subjects.length > 0) await agree(agreement, context);
  const { interrupt, monotonic, random } = context.world;
  context.world.keepProgram?.();
  const { openProgress } = await import('../terminal/spinner.ts');
  const progress = openProgress(context, monotonic);
  const outcomes = subjects.map((of): Outcome<T> => ({ of, status: 'not_sent' }));
  const counts = { total: subjects.length, done: 0, failed: 0, unknown: 0, not_sent: 0, skipped: 0 };
  const outlooks = new Map<string, Outlook>();
  const closed = new Map<string, Failure>();
  const stop = new AbortController();
  const unsubscribe = onAbort(interrupt, () => stop.abort(interrupt.reason));
  const attempt = async (at: number): Promise<Attempt> => {
    const subject = subjects[at] as T; // `at` is one of its keys
    const way = wayOf(subject);
    const { result, error } = await act(subject).then(
      (value) => ({ result: isHolder(value) ? value : undefined, error: undefined }),
      (error: unknown) => ({ result: undefined, error: asFailure(error) }),
    );
    const isHopeless = outlooks.get(way.platform) ?? openOutlook(work.isForAll);
    outlooks.set(way.platform, isHopeless);
    if (isHopeless(error) && error) closed.set(closedBy(error, way), error);
    return { status: error ? outcomeOf(error) : 'done', error, result };
  };
  const isClosed = (at: number) => {
    const { platform, login } = wayOf(subjects[at] as T); // `at` is one of its keys
    return [everywhere, platform, login].some((each) => closed.has(each));
  };
  await runAll<number>({
    items: asOneGroup([...subjects.keys()]),
    keyOf: String,
    known: (at) => (isClosed(at) ? { status: 'not_sent' } : undefined),
    attempt,
    onEnd({ of: at, ...outcome }) {
      outcomes[at] = { of: subjects[at] as T, ...outcome }; // `at` is one of its keys
      counts[outcome.status] += 1;
      progress.update(counts);
    },
    ...{ concurrency, retries: 0, stop, clock: realClock(monotonic), random },
  }).finally(progress.finish);
  unsubscribe();
  if (stop.signal.aborted && !(stop.signal.reason instanceof Failure)) throw stop.signal.reason;
  return { outcomes, stopped: [stop.signal.reason, ...closed.values()].find((each) => each !== undefined) };
}

async function* asOneGroup<T>(items: readonly T[]): AsyncGenerator<readonly T[], void> {
  yield items;
}

async function agree(agreement: Confirmation, context: Context): Promise<void> {
  const ask = await openConfirmation(agreement, context);
  const print = ask ? context.warn : isForProgram(context) ? () => undefined : context.notice;
  for (const line of agreement.announce ?? []) print(line);
  await ask?.();
}

const everywhere = 'every way';
const onlyWay: Destination = { platform: 'platform', login: 'login' };

function closedBy({ kind }: Failure, { platform, login }: Destination): string {
  if (kind === 'unauthenticated') return login;
  return kind === 'interrupted' || kind === 'io' ? everywhere : platform;
}

/** Call it with the failure of each change, or undefined for a success, in their order. Returns whether no further change can succeed. */
export type Outlook = (failure: Failure | undefined) => boolean;

/** The number of failures in a row that stop the work. A single failure may be about its subject alone. */
const streakLimits = { unreached: 3, astray: 10, barred: 10 };

/** The kinds of failure after which no further change can succeed. The login has been renewed by then, and a file that cannot be written stays so. */
const final: ReadonlySet<FailureKind> = new Set(['interrupted', 'unauthenticated', 'io']);

export function openOutlook(isForAll: (failure: Failure) => boolean = () => false): Outlook {
  const inARow = { unreached: 0, astray: 0, barred: 0 };
  return (failure) => {
    const streak = failure && streakOf(failure, isForAll);
    for (const name of Object.keys(inARow) as (keyof typeof inARow)[])
      inARow[name] = name === streak ? inARow[name] + 1 : 0;
    if (failure === undefined) return false;
    return final.has(failure.kind) || (streak !== undefined && inARow[streak] >= streakLimits[streak]);
  };
}

function streakOf(failure: Failure, isForAll: (failure: Failure) => boolean): keyof typeof streakLimits | undefined {
  const { refused, fate, status } = failure.facts;
  const isElsewhere = refused === 'elsewhere';
  // The platform can be reached, and may carry the change out later.
  if (fate === 'incomplete' || (isOtherSuccess(status ?? 0) && !isElsewhere)) return undefined;
  if (failure.kind !== 'unavailable' && !isElsewhere) return isForAll(failure) ? 'barred' : undefined;
  return status === undefined || transientStatuses.has(status) ? 'unreached' : 'astray';
}

/** Tells whether every change in an organization would be refused, because it does not exist or a right is missing. */
export function isForAllIn(orgId: string | undefined): (failure: Failure) => boolean {
  return ({ kind, message }) =>
    kind === 'forbidden' ||
    (orgId !== undefined && kind === 'not_found' && /^(?:the )?organi[sz]ation\b/i.test(message));
}

/** The context of a command for one of many rows. The user has agreed to all of them, so it asks and prints nothing, and does not write the history. */
export function contextOfOne(context: Context, dryRun: boolean, own: Partial<Context> = {}): Context {
  const { options, settings } = context;
  return {
    ...context,
    ofRows: context,
    notice: () => undefined,
    options: { ...options, yes: true, quiet: true, dryRun, confirmProfile: [settings.profile.value] },
    settings: { ...settings, stored: { ...settings.stored, history: false } },
    person: async () => ({ ...(await context.person()), canAnswer: false, obstacle: 'rows are not asked about' }),
    input: {
      ...context.input,
      async take(option) {
        throw usage(`${option} cannot be standard input for each row.`, 'Name a file');
      },
    },
    ...own,
  };
}

/** The hint after work of which not all was done: to look up the changes of unknown outcome, and to continue with those left. */
export function nextStep<T>(outcomes: readonly Outcome<T>[], { again, look }: Pick<Work<T>, 'again' | 'look'>): string {
  const subjectsWith = (...statuses: readonly Status[]) =>
    outcomes.filter(({ status }) => statuses.includes(status)).map(({ of }) => of);
  const unknown = subjectsWith('unknown');
  const left = subjectsWith('failed', 'not_sent');
  return [unknown.length > 0 ? look(unknown) : '', left.length > 0 ? again(left, unknown.length === 0) : '']
    .filter(Boolean)
    .join('. ');
}

/** The failure for work of which not all was done. @param counts a sentence with the number of each outcome @param stopped why it stopped early */
export function endOfWork(counts: string, stopped: Failure | undefined, next: string): Failure {
  if (!stopped) return new Failure('partial', counts, { hint: next });
  const { hint: own, ...facts } = stopped.facts;
  const hint = [own, next].filter(Boolean).join('. ');
  return new Failure(stopped.kind, `${stopped.message} ${counts}`.trim(), { ...facts, hint });
}
