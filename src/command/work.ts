/** Many changes agreed to once: each has an outcome, and what is left can be continued. */
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

/** Where a change goes, and as whom. */
type Destination = { readonly platform: string; readonly login: string };

export type Work<T> = {
  readonly subjects: readonly T[];
  /** Resolves with what the platform gave, if that is to be told. @throws Failure */
  readonly act: (subject: T) => Promise<unknown>;
  /** Announced and asked once, before the first. */
  readonly agreement?: Confirmation;
  /** If not all go to one platform with one login: those that go another way are still tried where one is closed. */
  readonly wayOf?: (subject: T) => Destination;
  /** Whether a refusal would meet every other subject too. */
  readonly isForAll?: (failure: Failure) => boolean;
  /** The line that continues with those that were refused or not sent. `isAll`: no other was not done. */
  readonly again: (left: readonly T[], isAll: boolean) => string;
  /** Where to look up those of unknown outcome. */
  readonly look: (unknown: readonly T[]) => string;
};

/** `stopped`: why some were not sent, if it is one reason. */
export type Carried<T> = { readonly outcomes: readonly Outcome<T>[]; readonly stopped: Failure | undefined };

/** Carries out all, some at a time, as long as a further one can succeed. @throws Failure if the user does not agree; then nothing was sent */
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
    const subject = subjects[at] as T; // one of its own places
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
    const { platform, login } = wayOf(subjects[at] as T); // the same
    return [everywhere, platform, login].some((each) => closed.has(each));
  };
  await runAll<number>({
    items: asOneGroup([...subjects.keys()]),
    keyOf: String,
    known: (at) => (isClosed(at) ? { status: 'not_sent' } : undefined),
    attempt,
    ended({ of: at, ...outcome }) {
      outcomes[at] = { of: subjects[at] as T, ...outcome }; // the same
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

/** Takes what became of one after the other, and says whether no further one can succeed. */
export type Outlook = (failure: Failure | undefined) => boolean;

/** How many failures in a row stop the work. A single failure may be about its subject alone. */
const limits = { unreached: 3, astray: 10, barred: 10 };

/** The login has been tried again, and what could not be written once cannot be written for the next one. */
const final: ReadonlySet<FailureKind> = new Set(['interrupted', 'unauthenticated', 'io']);

export function openOutlook(isForAll: (failure: Failure) => boolean = () => false): Outlook {
  const inARow = { unreached: 0, astray: 0, barred: 0 };
  return (failure) => {
    const what = failure && streakOf(failure, isForAll);
    for (const name of Object.keys(inARow) as (keyof typeof inARow)[])
      inARow[name] = name === what ? inARow[name] + 1 : 0;
    return failure !== undefined && (final.has(failure.kind) || (what !== undefined && inARow[what] >= limits[what]));
  };
}

function streakOf(failure: Failure, isForAll: (failure: Failure) => boolean): keyof typeof limits | undefined {
  const { refused, fate, status } = failure.facts;
  const isElsewhere = refused === 'elsewhere';
  // A platform that carries changes out later is there.
  if (fate === 'incomplete' || (isOtherSuccess(status ?? 0) && !isElsewhere)) return undefined;
  if (failure.kind !== 'unavailable' && !isElsewhere) return isForAll(failure) ? 'barred' : undefined;
  return status === undefined || transientStatuses.has(status) ? 'unreached' : 'astray';
}

/** Whether every change in the organization would be refused: it does not exist, or the right is missing. */
export function isForAllIn(orgId: string | undefined): (failure: Failure) => boolean {
  return ({ kind, message }) =>
    kind === 'forbidden' ||
    (orgId !== undefined && kind === 'not_found' && /^(?:the )?organi[sz]ation\b/i.test(message));
}

/** The context of a command for one of many rows: all were agreed to, so nobody is asked and nothing is said, and the history has one line for all. */
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

/** What to do next: look up what may have been applied, and continue with the others. */
export function nextStep<T>(outcomes: readonly Outcome<T>[], { again, look }: Pick<Work<T>, 'again' | 'look'>): string {
  const those = (isMeant: (status: Status) => boolean) =>
    outcomes.filter(({ status }) => isMeant(status)).map(({ of }) => of);
  const unknown = those((status) => status === 'unknown');
  const left = those((status) => /^(failed|not_sent)$/.test(status));
  return [unknown.length > 0 ? look(unknown) : '', left.length > 0 ? again(left, unknown.length === 0) : '']
    .filter(Boolean)
    .join('. ');
}

/** How work ends of which not all was done. @param counts how many ended how, as a sentence @param stopped why it stopped early */
export function endOfWork(counts: string, stopped: Failure | undefined, next: string): Failure {
  if (!stopped) return new Failure('partial', counts, { hint: next });
  const { hint: own, ...facts } = stopped.facts;
  const hint = [own, next].filter(Boolean).join('. ');
  return new Failure(stopped.kind, `${stopped.message} ${counts}`.trim(), { ...facts, hint });
}
