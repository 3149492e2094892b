import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { formatOf } from '../command/settings.ts';
import { organizationHint } from '../command/target.ts';
import type { Operation } from '../contract/operation.ts';
import { boolean, integer } from '../contract/shared.ts';
import { type AnyInput, toRequest } from '../contract/wire.ts';
import { Failure, type FailureFacts, usage } from '../failure.ts';
import { type PageRequest, pages } from '../http/pages.ts';
import { idOf } from '../output/columns.ts';
import type { ListResult, Page, Result } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { isRecord, type JsonRecord } from '../text/record.ts';

/** The options of every list, in addition to --skip and --page-size of the operation. */
export const listFlags = {
  limit: integer('Maximum number of results; a table at a terminal stops at 50', {
    short: 'L',
    value: 'N',
    minimum: 1,
  }),
  all: boolean('All results, also in a table at a terminal'),
} as const;

export type ListInput = { readonly [K in 'limit' | 'skipCount' | 'maxResultCount']?: number | undefined } & {
  readonly all?: boolean | undefined;
};

const defaultLimit = 50;

/** The result of a list command, read page by page. @param filters the operation's parameters, already checked */
export async function listResult(
  operation: Operation,
  filters: AnyInput,
  input: ListInput,
  context: Context,
  { noun, id, columns }: Pick<ListResult, 'noun' | 'id' | 'columns'>,
): Promise<Result> {
  const { skipCount: skip, maxResultCount: pageSize } = input;
  const request = { skip, pageSize, limit: limitOf(input, context), id, records: true } as const;
  const items = await readItems(operation, filters, request, context);
  return {
    kind: 'list',
    ...readWithEnding(items, noun, context),
    id,
    columns,
    fields: responseFields(operation),
    noun,
    empty: `No ${noun} found.`,
    limited: isLimited(input),
  };
}

/** Which items to read; by default all. */
type ItemsRequest = Omit<PageRequest, 'skip' | 'largestPage'> & { readonly skip?: number | undefined };

/**
 * Reads the items that an operation lists, page by page. The platform is opened before this resolves. `notice` reports irregularities of the list.
 * @throws Failure of a request, with the organization in its hint if it was not found, or of `pages`, with the status and the request
 */
export async function readItems(
  operation: Operation,
  filters: AnyInput,
  { skip = 0, ...request }: ItemsRequest,
  context: Context,
  notice: Context['notice'] = context.notice,
): Promise<AsyncGenerator<Page>> {
  const platform = await context.platform();
  let pagesRequested = 0;
  let lastResponse: FailureFacts | undefined;
  const fetchPage = async (skipCount: number, maxResultCount: number) => {
    pagesRequested += 1;
    lastResponse = undefined;
    // Keep memory at about one page: free printed pages early.
    if (pagesRequested > 2) await context.world.limitHeapGrowth?.('all');
    const paging = { maxResultCount, skipCount: skipCount > 0 ? skipCount : undefined };
    const wire = toRequest(operation, { ...filters, ...paging });
    try {
      const { status, value } = await platform.send(operation, wire);
      lastResponse = { status, request: { method: operation.method, path: wire.path } };
      return value;
    } catch (error) {
      throw isNotFound(error, wire.path) && typeof filters.orgId === 'string'
        ? error.with({ hint: organizationHint(filters.orgId) })
        : error;
    }
  };
  const { maxResultCount: pageSize } = operation.params;
  const largestPage = (pageSize?.type === 'integer' && pageSize.maximum) || 100;
  return nameRequest(pages(fetchPage, { ...request, skip, largestPage }, notice), () => lastResponse);
}

/** How many records are searched for a notice, at most. */
const mostSearched = 1000;

/** Finds a record in the list of its kind; undefined if it is not among the first. */
export async function findStoredRecord(
  { operation, lists }: Command,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  context: Context,
): Promise<JsonRecord | undefined> {
  if (!operation || !lists) return undefined;
  const request = { limit: mostSearched, id: lists.id };
  for await (const { items } of await readItems(operation, { orgId }, request, context, () => undefined)) {
    const found = items.filter(isRecord).find((item) => idOf(item, lists.id) === id);
    if (found) return found;
  }
  return undefined;
}

/** Reads a whole list with `read`. If the list changes meanwhile, it is read again, twice at most. @throws what `read` throws */
export async function readWhole<T>(read: () => Promise<T>, triesLeft = 2): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (triesLeft === 0 || !(error instanceof Failure) || error.facts.fate !== 'incomplete') throw error;
    return readWhole(read, triesLeft - 1);
  }
}

/** Whether the platform itself answered this request with 404. One from another web server or a renewal of the login says nothing about organizations. */
function isNotFound(error: unknown, path: string): error is Failure {
  if (!(error instanceof Failure) || error.kind !== 'not_found') return false;
  return error.facts.refused !== 'elsewhere' && error.facts.request?.path === path;
}

/** Passes the pages on. If a response cannot be read as a list, its status and request are added to the failure. */
async function* nameRequest<P>(source: AsyncIterable<P>, facts: () => FailureFacts | undefined): AsyncGenerator<P> {
  try {
    yield* source;
  } catch (error) {
    const isOfList = error instanceof Failure && error.kind === 'unavailable' && error.facts.request === undefined;
    throw isOfList ? error.with({ ...facts(), ...error.facts }) : error;
  }
}

/** Reads the pages of a result and shows progress. If the list turns out to be incomplete, `ending` returns that failure after the pages are written. */
export function readWithEnding<P extends Page>(
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

/** Passes the pages on and shows progress. If the list turns out to be incomplete, that failure goes to `onMissing`; without it, it is thrown. */
export async function* withProgress<P extends Page>(
  source: AsyncIterable<P>,
  noun: string,
  { waiting }: Context,
  onMissing?: (failure: Failure) => void,
): AsyncGenerator<P> {
  const wait = waiting.begin(`Reading ${noun}`);
  let count = 0;
  let total: number | undefined;
  try {
    for await (const page of source) {
      count += page.items.length;
      total = page.total ?? total;
      wait.say(`Reading ${noun}: ${groupDigits(count)}`);
      yield page;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.facts.fate !== 'incomplete') throw count > 0 ? cutOffFailure(error, count, total, noun) : error;
    if (!onMissing) throw error;
    onMissing(error);
  } finally {
    wait.end();
  }
}

/** Says where a list was cut off, because the part that is written looks like a whole list. */
function cutOffFailure(failure: Failure, count: number, total: number | undefined, noun: string): Failure {
  const readSoFar = `${groupDigits(count)}${total === undefined ? '' : ` of ${groupDigits(total)}`} ${noun}`;
  return new Failure(failure.kind, `${failure.message} The list was cut off after ${readSoFar}.`, failure.facts);
}

/** The maximum number of items; undefined for all. Only a table at a terminal has a limit by default. @throws usage for --all with --limit */
export function limitOf({ all, limit }: ListInput, { world, options, settings }: Context): number | undefined {
  const isTable = world.stdout.isTTY === true && options.jq === undefined && formatOf(options, settings) === 'table';
  if (!all) return limit ?? (isTable ? defaultLimit : undefined);
  if (limit === undefined) return undefined;
  throw usage('--all and --limit cannot be combined.', 'Give one of them', [
    { option: '--all', message: 'cannot be combined with --limit' },
  ]);
}

/** Whether the user has chosen a limit. Agents have the default unless they give another. */
export const isLimited = ({ limit = defaultLimit }: ListInput) => limit !== defaultLimit;

export function responseFields({ responseSchema }: Operation): readonly string[] {
  if (responseSchema?.type !== 'array' || responseSchema.items.type !== 'object') return [];
  return Object.keys(responseSchema.items.properties ?? {});
}
