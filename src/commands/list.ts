import type { Context } from '../command/context.ts';
import { organizationHint } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import { type AnyInput, toRequest } from '../contract/wire.ts';
import { Failure, type FailureFacts, usage } from '../failure.ts';
import { pages } from '../http/pages.ts';
import type { Column, Page, Result } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';

/** The options of every list, in addition to --skip and --page-size of the operation. */
export const listFlags = {
  limit: { type: 'integer', short: 'L', value: 'N', minimum: 1, default: 50, description: 'Maximum number of results' },
  all: { type: 'boolean', description: 'All results' },
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

/** A list of the organization, read page by page. `filters` are the operation's parameters, already checked. */
export async function listResult(
  operation: Operation,
  filters: AnyInput,
  input: ListInput,
  context: Context,
  { noun, id, columns, largestPage }: ListWords,
): Promise<Result> {
  const limit = limitOf(input);
  const platform = await context.platform();
  let pagesRequested = 0;
  let answered: FailureFacts | undefined;
  const fetchPage = async (skipCount: number, maxResultCount: number) => {
    pagesRequested += 1;
    answered = undefined;
    // Keep memory at about one page: free printed pages early.
    if (pagesRequested > 2) await context.world.limitHeapGrowth?.('all');
    const paging = { maxResultCount, ...(skipCount > 0 && { skipCount }) };
    const request = toRequest(operation, { ...filters, ...paging });
    try {
      const { status, value } = await platform.send(operation, request);
      answered = { status, request: { method: operation.method, path: request.path } };
      return value;
    } catch (error) {
      throw isNotFound(error, request.path) && typeof filters.orgId === 'string'
        ? error.with({ hint: organizationHint(filters.orgId) })
        : error;
    }
  };
  const pageRequest = {
    skip: input.skipCount ?? 0,
    largestPage,
    id,
    records: true as const,
    ...(limit !== undefined && { limit }),
    ...(input.maxResultCount !== undefined && { pageSize: input.maxResultCount }),
  };
  return {
    kind: 'list',
    ...readRows(
      located(pages(fetchPage, pageRequest, context.notice), () => answered),
      noun,
      context,
    ),
    id,
    columns,
    fields: responseFields(operation),
    noun,
    empty: `No ${noun} found.`,
  };
}

/** Whether the platform itself answered this request with 404: another web server, or a renewal of the login, says nothing about organizations. */
function isNotFound(error: unknown, path: string): error is Failure {
  if (!(error instanceof Failure) || error.kind !== 'not_found') return false;
  return !error.facts.notPlatform && error.facts.request?.path === path;
}

/** The pages. If a response cannot be read as a list, the failure names its status and request. */
async function* located<P>(source: AsyncIterable<P>, answered: () => FailureFacts | undefined): AsyncGenerator<P> {
  try {
    yield* source;
  } catch (error) {
    const facts = answered();
    const isOfList = error instanceof Failure && error.kind === 'unavailable' && error.facts.request === undefined;
    throw isOfList && facts ? error.with({ ...facts, ...error.facts }) : error;
  }
}

/** The pages of a result, with progress shown as they arrive; if they are not the whole list, its ending says so, once they are written. */
export function readRows<P extends Page>(
  source: AsyncIterable<P>,
  noun: string,
  context: Context,
): { readonly pages: AsyncIterable<P>; readonly ending: NonNullable<Result['ending']> } {
  let missing: Failure | undefined;
  const pages = withProgress(source, noun, context, (failure) => {
    missing = failure;
  });
  return { pages, ending: async (unwritten) => (unwritten === undefined ? missing : undefined) };
}

async function* withProgress<P extends Page>(
  source: AsyncIterable<P>,
  noun: string,
  { waiting }: Context,
  onMissing: (failure: Failure) => void,
): AsyncGenerator<P> {
  const wait = waiting.begin(`Reading ${noun}`);
  let count = 0;
  try {
    for await (const page of source) {
      count += page.items.length;
      wait.say(`Reading ${noun}: ${groupDigits(count)}`);
      yield page;
    }
  } catch (error) {
    if (!(error instanceof Failure) || !error.facts.incomplete) throw error;
    onMissing(error);
  } finally {
    wait.end();
  }
}

/** The maximum number of items; undefined for all. @throws usage */
export function limitOf({ all, limit }: ListInput): number | undefined {
  if (!all) return limit ?? defaultLimit;
  if (limit === undefined) return undefined;
  throw usage('--all and --limit contradict each other.', 'Give one of them', [
    { option: '--all', message: 'goes without --limit' },
  ]);
}

export function responseFields({ responseSchema }: Operation): readonly string[] {
  if (responseSchema?.type !== 'array' || responseSchema.items.type !== 'object') return [];
  return Object.keys(responseSchema.items.properties ?? {});
}
