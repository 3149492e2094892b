import type { Context } from '../context.ts';
import type { Operation } from '../contract/operation.ts';
import { type AnyInput, toRequest } from '../contract/wire.ts';
import { Failure, usage } from '../failure.ts';
import { pages } from '../http/pages.ts';
import type { Column, ListResult } from '../output/result.ts';
import { organizationHint } from './organization-hint.ts';

/** The options of every list, beside --skip and --page-size of the operation. */
export const listFlags = {
  limit: { type: 'integer', value: 'N', minimum: 1, default: 50, description: 'How many in all' },
  all: { type: 'boolean', description: 'Every one' },
} as const;

type ListInput = {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly skipCount?: number | undefined;
  readonly maxResultCount?: number | undefined;
};

type ListWords = {
  readonly noun: string;
  readonly id: string;
  readonly columns: readonly Column[];
  readonly largestPage: number;
};

const defaultLimit = 50;

/** A list of the organization, read page by page. `filters` are the operation's parameters, checked already. */
export async function list(
  operation: Operation,
  filters: AnyInput,
  input: ListInput,
  context: Context,
  { noun, id, columns, largestPage }: ListWords,
): Promise<ListResult> {
  const limit = limitOf(input);
  // A long list takes the memory of a page: what has been printed is not kept until somebody needs the room.
  if ((limit ?? Number.POSITIVE_INFINITY) > 2 * largestPage) await context.world.beFrugal?.('all');
  const platform = await context.platform();
  const fetchPage = async (skipCount: number, maxResultCount: number) => {
    const paging = { maxResultCount, ...(skipCount > 0 && { skipCount }) };
    try {
      return (await platform.send(operation, toRequest(operation, { ...filters, ...paging }))).value;
    } catch (error) {
      throw error instanceof Failure && error.kind === 'not_found' && typeof filters.orgId === 'string'
        ? error.with({ hint: organizationHint(filters.orgId) })
        : error;
    }
  };
  const wanted = {
    skip: input.skipCount ?? 0,
    largestPage,
    id,
    records: true as const,
    ...(limit !== undefined && { limit }),
    ...(input.maxResultCount !== undefined && { pageSize: input.maxResultCount }),
  };
  return {
    kind: 'list',
    pages: pages(fetchPage, wanted, context.notice),
    id,
    columns,
    fields: fieldsOfAnswer(operation),
    noun,
    empty: `No ${noun} found.`,
  };
}

/** How many in all; undefined is every one. @throws usage */
export function limitOf({ all, limit }: ListInput): number | undefined {
  if (!all) return limit ?? defaultLimit;
  if (limit === undefined) return undefined;
  throw usage('--all and --limit contradict each other.', 'Give one of them', [
    { option: '--all', message: 'goes without --limit' },
  ]);
}

export function fieldsOfAnswer({ answer }: Operation): readonly string[] {
  if (answer?.type !== 'array' || answer.items.type !== 'object') return [];
  return Object.keys(answer.items.properties ?? {});
}
