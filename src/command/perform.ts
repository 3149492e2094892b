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

/** A change that a command's `run` returns, carried out in one place for all: dry run, confirmation, protection, sending and history. */
export type Change = Confirmation & {
  readonly kind: 'change';
  /** What is changed, for the history. */
  readonly subject: Subject;
  readonly operation: Operation;
  /** Already checked. */
  readonly input: AnyInput;
  /** The body to send, if it is not the checked one. */
  readonly sentBody?: object;
  /** The request itself, if it is not an operation of the contract. */
  readonly request?: WireRequest;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of the body that replace a whole that is stored: a list, a configuration, a notification. */
  readonly replaces?: readonly string[];
  readonly replacing?: readonly Replacement[];
  /** `announce` with details from the platform, unless they cannot be read or it is a dry run. A Failure if the object does not exist: then nobody is asked. */
  readonly preview?: () => Promise<readonly string[] | Failure>;
  /** Runs after the confirmation and before the request, for example to test that a file can be written. */
  readonly before?: () => Promise<void>;
  /** Adds an explanation to a failure of the platform. */
  readonly explain?: (failure: Failure) => Failure | Promise<Failure>;
  /** Where to look if no response tells whether it was made. */
  readonly look?: Lookup | undefined;
  /** Throws if a change was not made although the response says success. */
  readonly verify?: (response: PlatformResponse) => Promise<void>;
  readonly result: (response: ChangeResponse) => Result | Promise<Result>;
};

/** "the whole notification", by what, and which parts of it are lost: "the channels stored now are removed, …". */
export type Replacement = {
  readonly what: string;
  readonly mayMerge: boolean;
  readonly by?: unknown;
  readonly lost?: string;
};

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
  // Without a possible confirmation it ends here, before anything is sent.
  const ask = await openConfirmation(change, context);
  const print = ask ? context.warn : context.notice;
  for (const line of await announced(change, ask !== undefined, context)) print(line);
  await ask?.();
  await change.before?.();
  const response = await sent(change, request, context);
  const { status, looked, otherwise = [] } = response;
  if (!looked && status === 404) context.notice(`It was already gone when the request was repeated (${about}).`);
  if (!looked && status === 409)
    context.warn(
      `Most probably an earlier attempt, whose response was lost, has created ${about}, which exists: check it.`,
    );
  if (otherwise.length > 0)
    context.warn(
      `The platform's response shows other values than were sent: ${otherwise.join(', ')}. The change counts as done; check it.`,
    );
  const result = await change.result(response);
  if (looked && 'value' in result && isRecord(result.value))
    return withNote(about, { ...result, value: { ...result.value, looked: true } });
  // `iiot api` shows what came, whatever it is.
  const isOpen = isOtherSuccess(status) && status !== 206 && !looked;
  return withNote(about, isOpen ? { ...result, ending: async () => acceptedFailure(status) } : result);
}

/** The lines shown before a change. Reads nothing from the platform if they are not shown. */
async function announced(
  { announce = [], preview: look }: Change,
  asks: boolean,
  context: Context,
): Promise<readonly string[]> {
  if (!asks && (context.options.quiet || isForProgram(context))) return [];
  const found = await look?.().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  });
  if (!(found instanceof Failure)) return found ?? announce;
  if (asks) throw found;
  // The platform is the judge of what was agreed to.
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

async function sent(change: Change, request: WireRequest, context: Context): Promise<ChangeResponse> {
  const { orgId } = change.input;
  const changed = { subject: change.subject, orgId: typeof orgId === 'string' ? orgId : null };
  const options = {
    headers: change.headers,
    anyContent: change.request !== undefined,
    look: change.look,
    verify: change.verify,
  };
  // A failure to open the platform is not a failure of this change, and is not explained as one.
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

/** An ID may only look like one that is there. Some servers decode %2F before routing, and then find nothing at that path. */
function explainId(failure: Failure, { path }: WireRequest, id: string): Failure {
  const usual = lookOf(id, ['width', 'form', 'dashes']);
  if (failure.kind !== 'not_found' || (usual === id && !path.includes('%2F'))) return failure;
  const slash = 'Some platforms cannot find an ID with a slash, even when it is percent-encoded';
  const why = usual === id ? slash : `Did you mean "${usual}"? It differs in ${differenceOf(id, usual)}`;
  return failure.with({ hint: [failure.facts.hint, why].filter(Boolean).join('. ') });
}

/** The result, with a note that the change was made if the result cannot be written. */
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
