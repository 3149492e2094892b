import { resolve } from 'node:path';
import type { Operation } from '../contract/operation.ts';
import type { WireRequest } from '../contract/wire.ts';
import { asFailure, type Failure, outcomeOf } from '../failure.ts';
import type { SendOptions } from '../http/platform.ts';
import type { PlatformResponse } from '../http/platform-response.ts';
import { isOtherSuccess, requestIdOf } from '../http/refusal.ts';
import type { StoreWorld } from '../store/folder.ts';
import type { readMachine } from '../store/history.ts';
import type { HistoryEntry, Subject } from '../store/history-entry.ts';
import { groupDigits } from '../text/group-digits.ts';
import { isRecord, readRecord } from '../text/record.ts';
import type { Context } from './context.ts';
import type { Lookup } from './look.ts';

/** A change and its outcome, for the history. Fields that are not given become null. */
type ChangeRecord = Pick<HistoryEntry, 'operation' | 'subject' | 'outcome'> &
  Partial<Omit<HistoryEntry, 'at' | 'profile' | keyof Awaited<ReturnType<typeof loginOf | typeof readMachine>>>>;

/** Writes a change into the history of this machine, unless the profile has `history=false`. Never fails, but warns once if it cannot be written. */
async function recordChange(changed: ChangeRecord, context: Context): Promise<void> {
  if (context.settings.stored.history === false) return;
  await recordEntry(await makeEntry(changed, context), context);
}

/** Writes an entry into the history. @returns whether it could be written */
export async function recordEntry(entry: HistoryEntry, context: Context): Promise<boolean> {
  const { appendHistory } = await import('../store/history.ts');
  const append = (world: StoreWorld) => appendHistory(context.store.folder, entry, world);
  return (await tryToWrite(context, (world) => append(world).then(() => true))) === true;
}

/** The entry of a run in the history, under an ID of seven hexadecimal digits. */
type RecordedRun = {
  readonly id: string;
  /** Records that a row is about to be sent. */
  readonly sent: (row: string) => void;
  /** Replaces the entry by that of the ended run; removes it if nothing was sent. */
  readonly end: (changed: ChangeRecord | undefined) => Promise<void>;
};

/** Writes that a run begins. @param journal the absolute path of the journal of its rows */
export async function beginRecord(
  planned: Omit<ChangeRecord, 'outcome'>,
  journal: string | undefined,
  context: Context,
): Promise<RecordedRun> {
  const { randomBytes } = await import('node:crypto');
  const id = randomBytes(4).toString('hex').slice(1);
  const { settings, store, mask } = context;
  if (settings.stored.history === false) return { id, sent: () => undefined, end: async () => undefined };
  const begun = { ...(await makeEntry({ ...planned, outcome: 'running', ids: [] }, context)), id };
  const { beginRun } = await import('../store/history-runs.ts');
  const run = await tryToWrite(context, async (world) =>
    beginRun(store.folder, { ...begun, journal: journal ?? null }, world),
  );
  return {
    id,
    sent: (row) => run?.noteSent(mask.text(row).slice(0, longestId)),
    async end(changed) {
      const entry = changed && { ...(await makeEntry(changed, context)), id };
      if (!entry || (await recordEntry(entry, context))) run?.remove();
    },
  };
}

async function makeEntry(changed: ChangeRecord, context: Context): Promise<HistoryEntry> {
  const { settings, mask, world } = context;
  const { subject, fields = [], requestId } = changed;
  return {
    profile: settings.profile.value,
    ...(await loginOf(context)),
    ...(await (await import('../store/history.ts')).readMachine(world)),
    ...{ orgId: null, rows: null, sha256: null, status: null, error: null, looked: null },
    ...changed,
    at: new Date(world.now()).toISOString(),
    subject: { type: subject.type, id: mask.text(idOfSubject(subject)).slice(0, longestId) },
    requestId: requestId ? mask.text(requestId) : null,
    fields: bounded(fields.map((name) => mask.text(name))),
    ids: changed.ids?.map((id) => mask.text(id)) ?? null,
  };
}

/** The ID of a subject; the absolute path of a file. */
function idOfSubject({ type, id }: Subject): string {
  return type === 'file' && id !== 'standard input' ? resolve(id) : id;
}

/** Writes to the history. @returns undefined if that fails, after one warning for each context */
async function tryToWrite<T>(context: Context, write: (world: StoreWorld) => Promise<T>): Promise<T | undefined> {
  const { env, platform, homedir, uid, now } = context.world;
  try {
    return await write({ env, platform, homedir, uid, now, warn: context.notice });
  } catch (error) {
    const { message } = asFailure(error);
    if (!warned.has(context)) context.warn(`The history of changes could not be written. ${message}`);
    warned.add(context);
    return undefined;
  }
}

const longestId = 500;

/** The most names of fields in an entry, and the most characters of each. One more name says how many are left. */
const [mostFields, longestField] = [100, 64];

function bounded(names: readonly string[]): readonly string[] {
  const kept = names.slice(0, mostFields).map((name) => name.slice(0, longestField));
  return names.length > mostFields ? [...kept, `… and ${groupDigits(names.length - mostFields)} more`] : kept;
}

/** The names of the fields that a request sets, and of those inside them: "delay", "notification.channelIds". Never a value. */
export function fieldsIn({ body }: WireRequest): readonly string[] {
  const fields = Object.entries(readRecord(body?.text ?? '') ?? {});
  return fields.flatMap(([name, value]) => {
    const inner = isRecord(value) ? Object.keys(value) : [];
    return inner.length > 0 ? inner.map((each) => `${name}.${each}`) : [name];
  });
}

/** A change before its outcome is known. */
type PlannedChange = Pick<ChangeRecord, 'operation' | 'subject' | 'fields' | 'orgId'>;

/** Records a failed change, unless no request was sent, so that nothing can have changed. */
async function recordFailure(change: PlannedChange, failure: Failure, context: Context): Promise<void> {
  const { kind, facts } = failure;
  const { status = null, fate, requestId, looked = null } = facts;
  const mayHaveLeft = status !== null || fate === 'unknown' || kind === 'unavailable' || kind === 'interrupted';
  if (!mayHaveLeft) return;
  const error = { code: kind, status };
  const known = { outcome: outcomeOf(failure), error, status, looked };
  await recordChange({ ...change, ...known, requestId: requestId ?? null }, context);
}

type RecordedOptions = SendOptions & {
  /** Names the changed object by the response, such as with its new ID. */
  readonly subjectOf?: (response: PlatformResponse) => Subject;
  /** How to look up the change if its outcome is unknown. */
  readonly look?: Lookup | undefined;
  /** Throws if a change was not made although the response says success. */
  readonly verify?: ((response: PlatformResponse) => Promise<void>) | undefined;
};

/** The response to a change. If the change was looked up: only the status of the response that left it open, or 0 if none came. */
export type ChangeResponse = Omit<PlatformResponse, 'httpResponse'> &
  Partial<Pick<PlatformResponse, 'httpResponse'>> & { readonly looked?: true };

/** Sends a change and writes it into the history, whatever its outcome. Looks up a change of unknown outcome, if that is possible. @throws Failure */
export async function sendRecorded(
  operation: Operation,
  request: WireRequest,
  change: Pick<PlannedChange, 'subject' | 'orgId'>,
  context: Context,
  { subjectOf = () => change.subject, look, verify, ...options }: RecordedOptions = {},
): Promise<ChangeResponse> {
  const isKept = context.settings.stored.history !== false;
  const planned = { operation: operation.id, fields: isKept ? fieldsIn(request) : [], ...change };
  const platform = await context.platform();
  try {
    const response = await platform.send(operation, request, options);
    await verify?.(response);
    const { status, httpResponse } = response;
    const outcome = isOtherSuccess(status) ? 'unknown' : 'done';
    const known = { ...planned, subject: subjectOf(response), outcome, status } as const;
    await recordChange({ ...known, requestId: requestIdOf(httpResponse) ?? null }, context);
    return response;
  } catch (error) {
    const failure = asFailure(error);
    const found =
      look && mayBeLookedUp(failure, operation)
        ? await (await import('./look.ts')).lookUp(look, subjectWords(change.subject), failure, context)
        : { failure };
    if ('failure' in found) {
      await recordFailure(planned, found.failure, context);
      throw found.failure;
    }
    const { status } = failure.facts;
    await recordChange({ ...planned, outcome: 'done', status: status ?? null, looked: found.looked ?? null }, context);
    context.warn(found.done);
    return { status: status ?? 0, value: undefined, looked: true };
  }
}

/** Whether to look up a failed change. A 404 says already that the object is gone. A change that must not be made twice is looked up after any other response. */
function mayBeLookedUp({ kind, facts }: Failure, { repeat }: Operation): boolean {
  const isAnswered = repeat === 'looked' && kind === 'unavailable' && facts.status !== undefined;
  return isAnswered || (facts.fate === 'unknown' && kind !== 'not_found');
}

export function subjectWords({ type, id }: Subject): string {
  return type === 'request' ? id : `${type.replaceAll('_', ' ')} ${id}`;
}

async function loginOf(context: Context) {
  const baseUrl = context.settings.resolved.baseUrl?.value ?? '';
  const asked = context.session().then((session) => session.status());
  const status = await asked.catch((error: unknown) => void asFailure(error));
  const { account, clientId = null, tenant = null, tenantId = null, flow = null } = status ?? {};
  return { account: account ?? clientId, baseUrl, tenant, tenantId, flow };
}

const warned = new WeakSet<Context>();
