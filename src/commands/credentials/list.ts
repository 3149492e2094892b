import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { lastingLine } from '../../command/lasting-line.ts';
import type { Lookup } from '../../command/look.ts';
import { sendRecorded } from '../../command/record.ts';
import { sharedReading } from '../../command/shared-reading.ts';
import { baseUrl } from '../../command/target.ts';
import { milliseconds } from '../../command/time.ts';
import { deleteCredential, listCredentials } from '../../contract/credentials.ts';
import { isSameId } from '../../contract/formats.ts';
import { boolean, text } from '../../contract/shared.ts';
import { toRequest } from '../../contract/wire.ts';
import { asFailure, Failure, foundExit, refusedInput } from '../../failure.ts';
import { readListPage } from '../../http/list-page.ts';
import { pages } from '../../http/pages.ts';
import { spanText } from '../../output/brief.ts';
import type { Page } from '../../output/result.ts';
import { isRecord, type JsonRecord, memberOf } from '../../text/record.ts';
import { argumentForShell } from '../../text/shell-lines.ts';
import { isLimited, limitOf, listFlags, readWhole, readWithEnding, responseFields } from '../list.ts';
import {
  type CredentialFacts,
  credentialColumns,
  credentialFacts,
  describeUse,
  findUses,
  removeSecrets,
  timeIn,
} from './credential.ts';
import { warnOfLeftovers } from './leftovers.ts';

export const listCommand = command({
  name: 'credentials list',
  shell: { ends: { found: 'with --exit-status: something is listed' } },
  operation: listCredentials,
  lists: {
    kind: 'credentials',
    id: 'clientCredentialId',
    describe: async (record, context) => {
      const facts = credentialFacts(record);
      return describeUse(await findUses(facts, context), facts, context);
    },
  },
  flags: {
    expiringWithin: text('Only those that expire within this time, or have expired', { value: 'DURATION' }),
    exitStatus: boolean('Exit with 10 if anything is listed, for checks'),
    ...listFlags,
  },
  examples: {
    'iiot credentials list': 'All of them',
    'iiot credentials list --expiring-within 30d -o id': 'Which ones expire this month?',
    'iiot credentials list --expiring-within 30d --exit-status': 'A check for cron: 10 if there is one',
  },
  async run(input, context) {
    const limit = limitOf(input, context) ?? Number.POSITIVE_INFINITY;
    const within = input.expiringWithin === undefined ? undefined : milliseconds(input.expiringWithin);
    if (input.expiringWithin !== undefined && within === undefined)
      throw refusedInput([{ option: '--expiring-within', message: 'takes a duration such as 30d' }], '');
    warnOfLeftovers(context);
    const { pages: all, ending } = readWithEnding(readCredentialPages(context), 'client credentials', context);
    let count = 0;
    async function* countPages() {
      for await (const page of selectPages(all, limit, within, context)) {
        count += page.items.length;
        yield page;
      }
    }
    return {
      kind: 'list',
      pages: countPages(),
      async ending(unwritten) {
        const missing = await ending(unwritten);
        return missing ?? (input.exitStatus && count > 0 ? { exit: foundExit } : undefined);
      },
      id: 'clientCredentialId',
      noun: 'client credentials',
      empty: 'No client credentials found.',
      limited: isLimited(input),
      fields: responseFields(listCredentials),
      columns: credentialColumns,
    };
  },
});

/** Selects what to list. @param within lists only what expires within these milliseconds from now, by the platform's clock */
async function* selectPages(all: AsyncIterable<Page>, limit: number, within: number | undefined, context: Context) {
  let [count, until] = [0, undefined as number | undefined];
  for await (const page of all) {
    // The first page tells the platform's time.
    if (within !== undefined && until === undefined) {
      until = (await readPlatformTime(context, true, () => undefined)) + within;
      const words = context.clock.words();
      if (words) context.warn(`${words} The platform's time counts.`);
    }
    const matching = page.items.filter((item) => until === undefined || expiresBefore(item, until));
    const items = matching.slice(0, Math.max(limit - count, 0)).map((item) => removeSecrets(item));
    count += matching.length;
    // The filter is applied here, so only what was read can be counted.
    const total = until === undefined ? Math.max(page.total ?? 0, count) : count;
    yield { items, total, more: count >= limit && total > limit };
    if (until === undefined && count >= limit) break;
  }
}

function expiresBefore(item: unknown, until: number): boolean {
  const expiry = isRecord(item) ? timeIn(memberOf(item, 'expiredAt')) : undefined;
  return expiry !== undefined && expiry <= until;
}

/**
 * Reads all client credentials of the tenant. The interface shows no paging parameters for this list, so they are only sent for further pages,
 * if the platform says that there are more.
 * @param onLead gets the milliseconds by which this machine's clock is ahead; with it, further pages are always requested
 */
async function* readCredentialPages(context: Context, onLead?: (ahead: number) => void): AsyncGenerator<Page> {
  const platform = await context.platform();
  const fetchPage = async (skip: number, most: number) => {
    const paging = Object.entries({ skipCount: `${skip}`, maxResultCount: `${most}` });
    const request = { ...toRequest(listCredentials, {}), query: skip === 0 ? [] : paging };
    const { value, httpResponse } = await platform.send(listCredentials, request);
    const date = Date.parse(httpResponse.headers.get('date') ?? '');
    const ahead = context.world.now() - date;
    clockLeads.set(context.clock, Number.isNaN(date) ? context.clock.ahead() : ahead);
    if (!Number.isNaN(date)) onLead?.(ahead);
    const { items, total = onLead ? undefined : skip + items.length } = readListPage(value, skip);
    return { items, total };
  };
  yield* pages(fetchPage, { skip: 0, largestPage: 100, id: 'clientCredentialId' }, context.notice);
}

/** The milliseconds by which this machine's clock is ahead of the platform's, by the Date of the list; all rows of a run share one. */
const clockLeads = new WeakMap<Context['clock'], number>();

/** The platform's time in epoch milliseconds. Says if the clocks differ. @param asks whether to read the list if no token has told the time @throws Failure without a response */
export async function readPlatformTime(context: Context, asks = true, say = context.notice): Promise<number> {
  const { clock, world } = context;
  await (await context.session()).bearer();
  if (asks && !clockLeads.has(clock) && !clock.isKnown())
    await findBy(() => true, context).catch((error: unknown) => {
      // A refusal tells the time, too.
      if (!clockLeads.has(clock) && asFailure(error).facts.status === undefined) throw error;
    });
  const ahead = clockLeads.get(clock) ?? clock.ahead();
  if (asks) clockLeads.set(clock, ahead);
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  const differs = `${spanText(minutes * 60_000)} ${ahead > 0 ? 'ahead of' : 'behind'} the platform's`;
  if (minutes > 5) say(`This machine's clock is ${differs}; the platform's time counts.`);
  return world.now() - ahead;
}

/** All client credentials, and the milliseconds by which this machine's clock is ahead, if the platform told its time. */
export type ListedCredentials = { readonly records: readonly JsonRecord[]; readonly ahead: number | undefined };

export const readListed = sharedReading((context) =>
  readWhole(async (): Promise<ListedCredentials> => {
    let ahead: number | undefined;
    const records: JsonRecord[] = [];
    for await (const { items } of readCredentialPages(context, (now) => (ahead = now)))
      records.push(...items.filter(isRecord));
    return { records, ahead };
  }),
);

/** Finds a listed credential by its ID, without secrets; undefined if there is none. */
export async function findCredential(id: string, context: Context): Promise<JsonRecord | undefined> {
  return findBy((facts) => facts.id === id, context);
}

async function findBy(test: (facts: CredentialFacts) => boolean, context: Context): Promise<JsonRecord | undefined> {
  for await (const { items } of readCredentialPages(context)) {
    const found = items.filter(isRecord).find((item) => test(credentialFacts(item)));
    if (found) return removeSecrets(found) as JsonRecord; // an object for an object
  }
  return undefined;
}

export function missingCredential(id: string, context: Context): Failure {
  return new Failure('not_found', `There is no client credential ${id} on ${baseUrl(context)}.`, { hint: seeList });
}

const seeList = 'See iiot credentials list';

/** Explains that a credential was not found: its clientId may have been given instead of its ID. */
export async function explainNotFound(failure: Failure, id: string, context: Context): Promise<Failure> {
  const { store } = context;
  if (!idsOfStores.has(store)) idsOfStores.set(store, readIdsByClientId(context));
  const found = (await idsOfStores.get(store))?.get(id);
  return found ? clientIdFailure(id, found) : failure.with({ hint: seeList });
}

/** Credential IDs by client ID, read once for all rows of a file. */
const idsOfStores = new WeakMap<Context['store'], Promise<ReadonlyMap<string, string>>>();

async function readIdsByClientId(context: Context): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await findIfListable(({ id, clientId }) => {
    if (id !== undefined && clientId !== undefined) found.set(clientId, id);
    return false;
  }, context);
  return found;
}

/** Finds a listed credential; undefined also if the list cannot be read, because then the platform's first response counts. */
function findIfListable(test: (facts: CredentialFacts) => boolean, context: Context): Promise<JsonRecord | undefined> {
  return findBy(test, context).catch((error: unknown) => {
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  });
}

function clientIdFailure(clientId: string, id: string): Failure {
  const sentence = `${clientId} is the clientId of client credential ${id}. Nothing was deleted.`;
  return new Failure('not_found', sentence, { hint: `Delete it: iiot credentials delete ${argumentForShell(id)}` });
}

/** Whether this is the credential's ID or its client ID, in any case. */
export function hasId(facts: CredentialFacts, id: string): boolean {
  return [facts.id, facts.clientId].some((own) => own !== undefined && isSameId(own, id));
}

/** Checks a deletion that found nothing. @throws not_found if the ID is a clientId, unavailable if the credential is still listed */
export async function refuseIfListed(id: string, context: Context): Promise<void> {
  const found = await findIfListable((facts) => hasId(facts, id), context);
  if (!found) return;
  const { id: own } = credentialFacts(found);
  if (own !== undefined && !isSameId(own, id)) throw clientIdFailure(id, own);
  const sentence = `Client credential ${id} is still listed, but the platform did not find it to delete.`;
  throw new Failure('unavailable', sentence, { hint: 'Try again; then see iiot credentials list' });
}

export function deletionOf(id = 'ID', context: Context): string {
  return lastingLine('iiot credentials delete', context, undefined, [id]);
}

/** Deletes a credential, which may be gone already. @throws Failure, also if the platform does not find it and still lists it */
export async function removeCredential(id: string, context: Context): Promise<void> {
  const request = toRequest(deleteCredential, { clientCredentialId: id });
  const subject = { type: 'client_credential', id };
  const verify = async ({ status }: { readonly status?: number }) => {
    if (status === 404) await refuseIfListed(id, context);
  };
  try {
    await sendRecorded(deleteCredential, request, { subject }, context, { look: lookForDeletion(id), verify });
  } catch (error) {
    const { kind, facts } = asFailure(error);
    if (kind !== 'not_found' || facts.refused === 'elsewhere') throw error;
    await verify(facts);
  }
}

/** Looks up in the list whether a credential was deleted. @param wasListed whether it may have been listed before */
export function lookForDeletion(id: string, wasListed = () => true): Lookup {
  return {
    where: 'the list of client credentials',
    isDeletion: true,
    async find(context) {
      const facts = (await readListed(context)).records.map(credentialFacts);
      const isListed = facts.some((each) => hasId(each, id));
      const isClear = isListed || (wasListed() && facts.every((each) => each.id !== undefined));
      return { outcome: !isClear ? 'unclear' : isListed ? 'not applied' : 'applied' };
    },
  };
}
