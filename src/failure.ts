/** The kinds of failure by their code for scripts (docs/contract.md, "Exit codes and errors"), with exit code and the HTTP statuses that cause them. */
export const kinds = {
  internal: { exit: 1, statuses: [], means: 'a bug in this tool' },
  io: { exit: 1, statuses: [], means: 'a file or folder on this machine cannot be read or written' },
  usage: {
    exit: 2,
    statuses: [],
    means: 'wrong options, or a value that the interface is known to reject; nothing was sent',
  },
  unauthenticated: { exit: 3, statuses: [401], means: 'not logged in, or the login was refused' },
  forbidden: { exit: 4, statuses: [403], means: 'the platform does not allow it' },
  read_only: {
    exit: 4,
    statuses: [],
    means: 'changes are refused here, by --read-only, IIOT_READ_ONLY or the profile; nothing was sent',
  },
  not_found: { exit: 5, statuses: [404], means: 'not found on the platform' },
  conflict: { exit: 6, statuses: [409], means: 'it already exists, or was changed both here and on the platform' },
  rejected: { exit: 7, statuses: [400, 422], means: 'the platform rejects the values' },
  unavailable: {
    exit: 8,
    statuses: [],
    means:
      'no connection, TLS, timeout, too many requests, a platform error, or a response that cannot be read or is incomplete',
  },
  channel_validation_failed: { exit: 8, statuses: [], means: 'the platform could not validate the channel' },
  partial: { exit: 9, statuses: [], means: 'some of the work failed or is of unknown outcome' },
  interrupted: { exit: 130, statuses: [], means: 'stopped by Ctrl-C (SIGINT), or by answering no' },
} as const;

export type FailureKind = keyof typeof kinds;

/** One problem: the platform's field, the option for it, if any, and what is wrong with it. */
export type FailureDetail = {
  readonly field?: string;
  readonly option?: string;
  readonly message: string;
  /** The line of a file. */
  readonly line?: number;
  /** The number of a row in a JSON array. */
  readonly row?: number | undefined;
  /** The organization or profile, where a command acts in several. */
  readonly orgId?: string;
  readonly profile?: string;
  readonly code?: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  /** What became of the change in that organization or profile. */
  readonly outcome?: 'done' | 'failed' | 'unknown' | 'not_sent' | 'skipped';
};

/** The parts of a failure beside its sentence. They never contain a header, or a body that may hold a credential. */
export type FailureFacts = {
  /** What to do next: a sentence or a command to run. */
  readonly hint?: string;
  readonly status?: number;
  readonly details?: readonly FailureDetail[];
  /** The request, with the path but not the query of its URL. */
  readonly request?: { readonly method: string; readonly path: string };
  readonly requestId?: string;
  /**
   * What became of the request.
   * - not_sent: it was not sent, or only with a token that was refused. Kind and status are those of the request for another token.
   * - unknown: it may have been applied, but no response confirms it.
   * - made: it was applied, and would be applied twice if it were sent again.
   * - incomplete: the platform gave only a part of a list, which can still be shown.
   */
  readonly fate?: 'not_sent' | 'unknown' | 'made' | 'incomplete';
  /** When and where the outcome of a change was looked up. */
  readonly looked?: { readonly at: string; readonly where: string };
  /**
   * What was refused, how, or by whom.
   * - caller: the rights of this login do not suffice, in the platform's own words, so the platform knows the login.
   * - password: the password is wrong, and the user may try another one.
   * - renewal: the login was not renewed. It may not have ended, so a later renewal may succeed.
   * - silently: a 503 without a body, so most probably nothing was done.
   * - elsewhere: something other than the platform refused it, which says nothing about the login, tenant or organization.
   */
  readonly refused?: 'caller' | 'password' | 'renewal' | 'silently' | 'elsewhere';
  /** An exit code other than that of the kind: 143 for SIGTERM. */
  readonly exit?: number;
  readonly cause?: unknown;
};

/** Whether an earlier attempt may have been applied: `unlikely` after a 503 without a body, `possible` without a response or with one that leaves it open. */
export type Arrival = 'none' | 'unlikely' | 'possible';

/** An expected failure. Any other error is a bug and keeps its stack. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(kind: FailureKind, sentence: string, facts: FailureFacts = {}) {
    super(sentence, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.facts = facts;
  }

  get exit(): number {
    return this.facts.exit ?? kinds[this.kind].exit;
  }

  /** Gives a failure of the same kind and sentence, with more facts or other ones. */
  with(facts: FailureFacts): Failure {
    return new Failure(this.kind, this.message, { ...this.facts, ...facts });
  }
}

/** Returns an error that is a Failure. Throws any other again, because it is a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** Runs a step whose failure is reported elsewhere. @returns undefined if it fails. @throws anything but a Failure */
export function ignoreFailure<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    return void asFailure(error);
  }
}

/** Takes a step, and warns if it fails. @param more a sentence after that of the failure @returns whether the step succeeded */
export function warnOnFailure(step: () => void, warn: (sentence: string) => void, more = ''): boolean {
  try {
    step();
    return true;
  } catch (error) {
    warn(`${asFailure(error).message}${more}`);
    return false;
  }
}

/** The kind for an HTTP status: 400 and 422 rejected, 401 unauthenticated, 403, 404, 409 their own, all others unavailable. */
export function kindOfStatus(status: number): FailureKind {
  for (const [kind, { statuses }] of Object.entries(kinds)) {
    if ((statuses as readonly number[]).includes(status)) return kind as FailureKind; // entries() widens the keys
  }
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'rejected' : 'unavailable';
}

/** The exit code of a command that found what it was asked to look for, such as differences. */
export const foundExit = 10;

/** The failure for a wrong value of one option or argument. */
export function usage(sentence: string, hint?: string, details?: readonly FailureDetail[]): Failure {
  return new Failure('usage', sentence, { hint: hint || undefined, details });
}

/** One failure for several problems, with all of them in its sentence and its details. `nameOf` may replace the name of an option in the sentence. */
export function refusedInput(
  problems: readonly FailureDetail[],
  hint: string,
  nameOf: (problem: FailureDetail) => string | undefined = () => undefined,
): Failure {
  const named = problems.map((problem) => {
    const name = nameOf(problem) ?? problem.option ?? problem.field ?? '';
    return `${name} ${problem.message}`.trim();
  });
  return usage(`${named.join('; ')}.`, hint, problems);
}

/** The outcome of a change that failed: `unknown` if it may have been applied. */
export function outcomeOf({ kind, facts }: Failure): 'unknown' | 'failed' {
  return facts.fate === 'unknown' || (kind === 'interrupted' && facts.status === undefined) ? 'unknown' : 'failed';
}

/** The hint before repeating a change that must not be made twice. */
export const lookFirstHint = 'Check whether it was applied before you try again; to find the cause, run: iiot doctor';

/** Idempotent methods, which may be repeated even if the first request may have arrived. */
export const repeatableMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

const mayBeApplied = ' The change may have been applied.';

/** The failure for a change whose outcome is unknown. */
export function outcomeUnknown(failure: Failure): Failure {
  const { facts } = failure;
  const sentence = `${failure.message}${failure.message.endsWith(mayBeApplied) ? '' : mayBeApplied}`;
  const hint = facts.hint ?? 'Check whether it was applied before you try again';
  return new Failure(failure.kind, sentence, { ...facts, hint, fate: 'unknown' });
}

/** The message without the doubt that `outcomeUnknown` adds, for a change that has been looked up since. */
export function withoutDoubt({ message }: Failure): string {
  return message.replace(mayBeApplied, '');
}

/** The failure for a change that was made, but whose result cannot be read, filtered or written. @param about the change, in words */
export function madeAnyway(failure: Failure, about: string): Failure {
  // A usage error would mean that nothing was sent.
  const isFilter = failure.kind === 'usage';
  const sentence = isFilter
    ? `The change was made (${about}); its result could not be filtered: ${failure.message}`
    : `${failure.message} The change itself was made (${about}).`;
  return new Failure(isFilter ? 'io' : failure.kind, sentence, { ...failure.facts, cause: failure });
}
