import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { baseUrl } from '../../command/target.ts';
import { milliseconds } from '../../command/time.ts';
import { listCredentials } from '../../contract/credentials.ts';
import { toRequest } from '../../contract/wire.ts';
import { Failure, foundExit, refusedInput } from '../../failure.ts';
import { pages, readPage } from '../../http/pages.ts';
import type { Page } from '../../output/result.ts';
import { isRecord, type JsonRecord, memberOf } from '../../text/record.ts';
import { limitOf, listFlags, readRows, responseFields } from '../list.ts';
import { credentialColumns, credentialFacts, expiresAt, withoutSecrets } from './credential.ts';
import { warnOfLeftovers } from './issue.ts';

export const listCommand = command({
  name: 'credentials list',
  operation: listCredentials,
  flags: {
    expiringWithin: {
      type: 'string',
      value: 'DURATION',
      description: 'Only those that expire within this time, or have expired',
    },
    exitStatus: { type: 'boolean', description: 'End with 9 if anything is listed, for checks' },
    ...listFlags,
  },
  finds: 'with --exit-status: something is listed',
  examples: [
    { line: 'iiot credentials list', says: 'Which are there?' },
    { line: 'iiot credentials list --expiring-within 30d -o id', says: 'Which ones expire this month?' },
    { line: 'iiot credentials list --expiring-within 30d --exit-status', says: 'A check for cron: 9 if there is one' },
  ],
  async run(input, context) {
    const limit = limitOf(input) ?? Number.POSITIVE_INFINITY;
    const until = input.expiringWithin === undefined ? undefined : untilOf(input.expiringWithin, context.world.now());
    warnOfLeftovers(context);
    const { pages: all, ending } = readRows(credentialPages(context), 'client credentials', context);
    let count = 0;
    async function* counted() {
      for await (const page of shown(all, limit, until)) {
        count += page.items.length;
        yield page;
      }
    }
    return {
      kind: 'list',
      pages: counted(),
      async ending(unwritten) {
        const missing = await ending(unwritten);
        return missing ?? (input.exitStatus && count > 0 ? { exit: foundExit } : undefined);
      },
      id: 'clientCredentialId',
      noun: 'client credentials',
      empty: 'No client credentials found.',
      fields: responseFields(listCredentials),
      columns: credentialColumns,
    };
  },
});

function untilOf(word: string, now: number): number {
  const duration = milliseconds(word);
  if (duration !== undefined) return now + duration;
  throw refusedInput([{ option: '--expiring-within', message: 'takes a duration such as 30d' }], '');
}

async function* shown(all: AsyncIterable<Page>, limit: number, until: number | undefined): AsyncGenerator<Page> {
  const kept: unknown[] = [];
  let total = 0;
  for await (const page of all) {
    kept.push(...page.items.filter((item) => until === undefined || expiresBefore(item, until)));
    // The filter is applied here, so only what was read can be counted.
    total = until === undefined ? Math.max(page.total ?? 0, kept.length) : kept.length;
    if (until === undefined && kept.length >= limit) break;
  }
  yield {
    items: kept.slice(0, limit).map((item) => withoutSecrets(item)),
    total,
    more: kept.length >= limit && total > limit,
  };
}

function expiresBefore(item: unknown, until: number): boolean {
  const expiry = isRecord(item) ? expiresAt(memberOf(item, 'expiredAt')) : undefined;
  return expiry !== undefined && expiry <= until;
}

/**
 * All client credentials of the tenant. The interface shows no paging parameters for this list, so the first request has none; they are
 * sent, as for other lists, only if the platform says that it has more.
 */
async function* credentialPages(context: Context): AsyncGenerator<Page> {
  const platform = await context.platform();
  const fetchPage = async (skip: number, most: number) => {
    const paging = Object.entries({ skipCount: `${skip}`, maxResultCount: `${most}` });
    const request = { ...toRequest(listCredentials, {}), query: skip === 0 ? [] : paging };
    const { items, total = skip + items.length } = readPage(
      (await platform.send(listCredentials, request)).value,
      skip,
    );
    return { items, total };
  };
  yield* pages(fetchPage, { skip: 0, largestPage: 100, id: 'clientCredentialId' }, context.notice);
}

/** One credential as the platform lists it, without secrets; undefined if there is none with that id. */
export async function findCredential(id: string, context: Context): Promise<JsonRecord | undefined> {
  for await (const { items } of credentialPages(context)) {
    const found = items.filter(isRecord).find((item) => credentialFacts(item).id === id);
    if (found) return withoutSecrets(found) as JsonRecord; // an object for an object
  }
  return undefined;
}

export function missingCredential(id: string, context: Context): Failure {
  return new Failure('not_found', `There is no client credential ${id} on ${baseUrl(context)}.`, {
    hint: 'See iiot credentials list',
  });
}
