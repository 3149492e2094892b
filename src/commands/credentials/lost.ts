/** Client credentials whose creation succeeded, but whose response was lost, and with it the secret. */
import type { Context } from '../../command/context.ts';
import { arrivalTime, type Lookup, type LookupFinding, unreadLookup } from '../../command/look.ts';
import { type Arrival, asFailure, type Failure } from '../../failure.ts';
import { fieldsOf, type JsonRecord, memberOf } from '../../text/record.ts';
import { credentialFacts, expiryToSend, timeIn } from './credential.ts';
import { deletionOf, type ListedCredentials, readListed, removeCredential } from './list.ts';

/** The end of a sentence about credentials that may be ours or somebody else's. */
export const notOurs = 'of the same name may come from an attempt whose response was lost; nobody has its secret then';

export type LostCreations = ReturnType<typeof openLostCreations>;

/** Looks, before each repeat and after the last, for what earlier attempts created. Deletes what is certainly ours, names the rest. @param knownIds IDs from before */
export function openLostCreations(body: object, knownIds: readonly string[], context: Context) {
  const began = context.world.now();
  const known = new Set(knownIds);
  const name = String(fieldsOf(body).get('name'));
  let looks = 0;
  let unclear: LookupFinding | undefined;
  const findCreations = async (own: Context) => {
    const listed = await readListed(own);
    const until = context.world.now();
    return listed.records.flatMap((record) => {
      const { id = 'ID', name: title = '' } = credentialFacts(record);
      const isNamed = comparableTitle(title) === comparableTitle(name) && !known.has(id);
      const time = isNamed ? compareCreation(record, listed, { began, until }) : 'before';
      const isOurs = time === 'within' && title === name && matchesRequest(body, record) && id !== 'ID';
      return time === 'before' ? [] : [{ id, isOurs }];
    });
  };
  /** @param mayBeMade whether an attempt may have created one; otherwise nothing is deleted */
  const lookAndDelete = async (own: Context, mayBeMade: boolean): Promise<LookupFinding> => {
    looks += 1;
    const left = await findCreations(own);
    const [only] = left;
    if (only === undefined) return { outcome: 'not applied' };
    const { id, isOurs } = only;
    if (left.length > 1 || !isOurs || !mayBeMade) return unclearFinding(left, context);
    // The deletion has an entry of its own in the history, even in a run of rows.
    const { settings } = context.ofRows ?? context;
    const obstacle = await removeCredential(id, { ...own, settings }).then(() => undefined, asFailure);
    if (obstacle) return unclearFinding(left, context);
    known.add(id);
    const words = `it had created client credential ${id}, which was deleted again`;
    context.warn(`No secret came from an attempt: ${words}.`);
    return { outcome: 'not applied', words };
  };
  return {
    /** Whether the request may be sent again, because nothing is left of earlier attempts. */
    async beforeRepeat(last: Arrival): Promise<boolean> {
      if (last !== 'none') await context.sleep(arrivalTime);
      const finding = await lookAndDelete(context, last !== 'none').catch(unreadLookup);
      unclear = finding.outcome === 'not applied' ? undefined : finding;
      return unclear === undefined;
    },
    look: {
      where: 'the list of client credentials',
      find: async (own, failure) => unclear ?? lookAndDelete(own, mayHaveMade(failure)),
    } satisfies Lookup,
    hasLooked: () => looks > 0,
    /** After a successful attempt, warns of what an earlier one created after all. Never fails, because the secret is not saved yet. */
    async nameTwins(id: string | undefined): Promise<void> {
      if (looks === 0 || id === undefined) return;
      known.add(id);
      await context.sleep(arrivalTime).catch(asFailure);
      const twins = await findCreations(context).catch((error: unknown) => void asFailure(error));
      if (!twins || twins.length === 0) return;
      const { words, hint } = unclearFinding(twins, context);
      context.warn(`Beside the new client credential, ${words}. ${hint}`);
    },
  };
}

/** The finding if credentials of the same name are listed that may be ours or somebody else's. */
function unclearFinding(credentials: readonly { readonly id: string }[], context: Context) {
  const ids = credentials.map(({ id }) => id);
  const words = `${ids.join(', ')} ${notOurs}`;
  return {
    outcome: 'unclear' as const,
    words,
    hint: `If nobody uses it, delete it: ${deletionOf(ids.length === 1 ? ids[0] : 'ID', context)}`,
  };
}

/** Whether the request may have created a credential. It has not if a gateway refused to let it through. */
function mayHaveMade({ facts: { fate, status = 0, refused } }: Failure): boolean {
  return fate === 'unknown' && !(refused === 'elsewhere' && status > 0 && status < 500);
}

/** Compares names without blanks around them and in any case, because platforms may change both. */
const comparableTitle = (name: string) => name.trim().toLowerCase();

/** How far a time without a zone may be off, in milliseconds: it should be UTC, but some platforms write their own zone, or only a date. */
const zoneSpread = 15 * 3_600_000;
const day = 24 * 3_600_000;

/** Compares the time of creation with the time from the first attempt until now, by the platform's clock, which has whole seconds. */
function compareCreation(
  record: JsonRecord,
  { ahead }: ListedCredentials,
  { began, until }: { readonly began: number; readonly until: number },
): 'before' | 'within' | 'unknown' {
  const text = String(memberOf(record, 'createdAt'));
  const created = timeIn(text);
  if (created === undefined || ahead === undefined) return 'unknown';
  const [first, last] = [Math.floor((began - ahead) / 1000) * 1000, until - ahead + 1000];
  if (created >= first && created <= last) return 'within';
  const doubt = /([zZ]|[+-]\d{2}:?\d{2})$/.test(text) ? 0 : zoneSpread + day;
  return created < first - doubt ? 'before' : 'unknown';
}

/** Whether a listed credential has the scopes, devices and expiry of the request. */
function matchesRequest(body: object, record: JsonRecord): boolean {
  const sent = fieldsOf(body);
  const listIn = (value: unknown) => JSON.stringify([value ?? []].flat().toSorted());
  const isSame = (name: string) => listIn(sent.get(name)) === listIn(memberOf(record, name));
  const expiry = expiryToSend(memberOf(record, 'expiredAt'));
  return (
    isSame('scopes') && isSame('deviceIds') && expiry !== undefined && expiry === expiryToSend(sent.get('expiredAt'))
  );
}
