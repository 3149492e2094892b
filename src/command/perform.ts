import type { Operation } from '../contract/operation.ts';
import { type AnyInput, toRequest, type WireRequest } from '../contract/wire.ts';
import { Failure, madeAnyway } from '../failure.ts';
import type { PlatformResponse } from '../http/platform-response.ts';
import { acceptedFailure, isOtherSuccess } from '../http/refusal.ts';
import { isStructured, type Result } from '../output/result.ts';
import type { Subject } from '../store/history-entry.ts';
import { differenceOf, lookOf } from '../text/alike.ts';
import { isRecord } from '../text/record.ts';
import { type Confirmation, openConfirmation } from './confirm.ts';
import type { Context } from './context.ts';
import type { Lookup } from './look.ts';
import { refuseChange } from './read-only.ts';
import { type ChangeResponse, sendRecorded, subjectWords } from './record.ts';
import { formatOf } from './settings.ts';
import { baseUrl } from './target.ts';

/** A change that the `run` of a command returns, to be carried out by `perform` with dry run, confirmation, protection and history. */
export type Change = Confirmation & {
  readonly kind: 'change';
  /** The object of the change, for the history. */
  readonly subject: Subject;
  readonly operation: Operation;
  /** The checked input of the operation. */
  readonly input: AnyInput;
  /** The body to send, if it is not the checked one. */
  readonly sentBody?: object;
  /** The request, if it is not one of the contract. */
  readonly request?: WireRequest;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of the body that replace the whole of a stored field: a list, a configuration, a notification. */
  readonly replaces?: readonly string[];
  readonly replacing?: readonly Replacement[];
  /** Gives `announce` with details from the platform; a Failure if the object does not exist, so that nobody is asked about it. */
  readonly preview?: () => Promise<readonly string[] | Failure>;
  /** Runs after the confirmation and before the request, for example to test that a file can be written. */
  readonly before?: () => Promise<void>;
  /** Adds an explanation to a failure of the platform. */
  readonly explain?: (failure: Failure) => Failure | Promise<Failure>;
  /** How to look up the change if no response tells whether it was made. */
  readonly look?: Lookup | undefined;
  /** Throws if a change was not made although the response says success. */
  readonly verify?: (response: PlatformResponse) => Promise<void>;
  readonly result: (response: ChangeResponse) => Result | Promise<Result>;
};

/** A replaced whole, such as "the whole notification", its new value, and the parts that are lost: "the channels stored now are removed, …". */
export type Replacement = {
  readonly what: string;
  readonly mayMerge: boolean;
  readonly by?: unknown;
  readonly lost?: string;
};

/** Carries out a change, or shows its request in a dry run. @throws Failure, 'interrupted' if the user does not agree */
export async function perform(change: Change, context: Context): Promise<Result> {
  const { operation, input, sentBody } = change;
  const whole = sentBody === undefined ? input : { ...input, body: sentBody };
  const request = change.request ?? toRequest(operation, whole);
  const base = baseUrl(context);
  if (context.options.dryRun) {
    // For a program, stderr has only the JSON object of an error.
    if (!isForProgram(context)) for (const line of change.announce ?? []) context.notice(line);
    const { dryRunResult } = await import('./dry-run.ts');
    const { headers, replaces, announce: notes } = change;
    return dryRunResult([{ request, headers, replaces, notes }], base, context.world.platform);
  }
  const about = subjectWords(change.subject);
  refuseChange(about, context.settings);
  // Throws if a confirmation is needed and nobody can answer, before anything is sent.
  const ask = await openConfirmation(change, context);
  const print = ask ? context.warn : context.notice;
  for (const line of await readAnnouncement(change, ask !== undefined, context)) print(line);
  await ask?.();
  await change.before?.();
  const response = await sendChange(change, request, context);
  warnOfResponse(response, about, context);
  const { status, looked } = response;
  const result = await change.result(response);
  if (looked && 'value' in result && isRecord(result.value))
    return withNote(about, { ...result, value: { ...result.value, looked: true } });
  // 206 is that of `iiot api`, which shows every response.
  const isOpen = isOtherSuccess(status) && status !== 206 && !looked;
  return withNote(about, isOpen ? { ...result, ending: async () => acceptedFailure(status) } : result);
}

/** Tells the user about a success that is not a plain one. */
function warnOfResponse({ status, looked, otherwise = [] }: ChangeResponse, about: string, context: Context): void {
  const { notice, warn } = context;
  if (!looked && status === 404) notice(`It was already gone when the request was repeated (${about}).`);
  if (!looked && status === 409)
    warn(`Most probably an earlier attempt, whose response was lost, has created ${about}, which exists: check it.`);
  if (otherwise.length === 0) return;
  const fields = otherwise.join(', ');
  warn(`The platform's response shows other values than were sent: ${fields}. The change counts as done; check it.`);
}

/** Reads the lines to show before a change. Asks the platform only if they are shown. */
async function readAnnouncement(
  { announce = [], preview: look }: Change,
  asks: boolean,
  context: Context,
): Promise<readonly string[]> {
  if (!asks && (context.options.quiet || isForProgram(context))) return [];
  const previewed = await look?.().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  });
  if (!(previewed instanceof Failure)) return previewed ?? announce;
  if (asks) throw previewed;
  // Without a question, the request itself will tell whether the object exists.
  return announce;
}

/** Whether a program reads the output. */
export function isForProgram({ options, settings }: Context): boolean {
  return isStructured(formatOf(options, settings));
}

/** Whether a table is shown whose columns the user has not chosen. */
export function isPlainTable({ options, settings }: Context): boolean {
  return formatOf(options, settings) === 'table' && !options.columns && options.jq === undefined;
}

async function sendChange(change: Change, request: WireRequest, context: Context): Promise<ChangeResponse> {
  const { orgId } = change.input;
  const changed = { subject: change.subject, orgId: typeof orgId === 'string' ? orgId : null };
  const options = {
    headers: change.headers,
    anyContent: change.request !== undefined,
    look: change.look,
    verify: change.verify,
  };
  // Opened before the `try`, because a failure to open the platform is not explained as one of this change.
  await context.platform();
  try {
    return await sendRecorded(change.operation, request, changed, context, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The platform's rules for this change explain neither a foreign response nor a refusal to issue a token.
    const isAboutAnother = error.facts.request !== undefined && error.facts.request.path !== request.path;
    if (error.facts.refused === 'elsewhere' || isAboutAnother) throw error;
    throw explainId(change.explain ? await change.explain(error) : error, request, change.subject.id);
  }
}

/** Explains an unknown ID that only looks like another one, or that has a slash: some servers decode %2F before routing. */
function explainId(failure: Failure, { path }: WireRequest, id: string): Failure {
  const usual = lookOf(id, ['width', 'form', 'dashes']);
  if (failure.kind !== 'not_found' || (usual === id && !path.includes('%2F'))) return failure;
  const slash = 'Some platforms cannot find an ID with a slash, even when it is percent-encoded';
  const why = usual === id ? slash : `Did you mean "${usual}"? It differs in ${differenceOf(id, usual)}`;
  return failure.with({ hint: [failure.facts.hint, why].filter(Boolean).join('. ') });
}

/** Adds to a result that its change was made, for the case that the result cannot be written. */
export function withNote(about: string, result: Result): Result {
  return {
    ...result,
    async ending(unwritten) {
      const end = await result.ending?.(unwritten);
      if (!(unwritten instanceof Failure)) return end;
      const isFilter = unwritten.kind === 'usage';
      if (isFilter && end instanceof Failure)
        return new Failure(end.kind, `${end.message} ${unwritten.message}`, { ...end.facts, cause: unwritten });
      if (end instanceof Failure || !(isFilter || unwritten.kind === 'io')) return end;
      return madeAnyway(unwritten, about);
    },
  };
}
