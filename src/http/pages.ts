import { Failure, type FailureFacts } from '../failure.ts';
import type { Page } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { isRecord, type JsonRecord, memberOf } from '../text/record.ts';

export type PageRequest = {
  /** How many items in all; undefined for every item. */
  readonly limit?: number;
  readonly skip: number;
  /** How many items to request at a time; by default as many as needed, up to `largestPage`. */
  readonly pageSize?: number;
  /** The most items that the platform returns at a time. */
  readonly largestPage: number;
  /** The field that identifies an item. */
  readonly id: string;
  /** Set if every item is known to be an object. */
  readonly records?: true;
};

const mostItems = 1_000_000;

/** So many of the last items, or those of the last page, are recognized: a list without end takes no more memory. */
const mostSeen = 100_000;

/**
 * Reads a list page by page through `fetchPage(skipCount, maxResultCount)`, which returns the value of a response. Items that move to the next page
 * meanwhile are returned once. Ends when the total is reached, when a page is empty, or when a page brings nothing new, so that a platform that
 * ignores skipCount cannot keep it running; also when the platform refuses to skip every item of a list that seems to have ended. Reports
 * irregularities of the list through `notice`.
 * @throws Failure 'unavailable' for a response without a list, for a list without end, and at the end of a list of which the platform did not
 * give everything that was requested: a part must not be taken for the whole
 */
export async function* pages(
  fetchPage: (skipCount: number, maxResultCount: number) => Promise<unknown>,
  request: PageRequest,
  notice: (line: string) => void,
): AsyncGenerator<Page> {
  const limit = request.limit ?? Number.POSITIVE_INFINITY;
  const size = request.pageSize ?? Math.min(limit, request.largestPage);
  const announced = announcement(notice);
  const seen = new Set<unknown>();
  let skip = request.skip;
  let given = 0;
  /** The page before. */
  const before = { isFull: false, seemsLast: false };
  let repeatedAt: number | undefined;
  while (given < limit) {
    const count = Math.min(size, limit - given);
    const answered = await fetchPage(skip, count).catch((error: unknown) => {
      if (before.seemsLast && refusesToSkip(error)) return [];
      throw error;
    });
    const { items, total } = readPage(answered, skip);
    announced.update(total);
    if (request.records && !items.every(isRecord))
      throw unavailable("The platform's response lists things that are not records, and cannot be read.");
    const unseen = newcomers(seen, items, request.id);
    for (const oldest of seen) {
      if (seen.size <= Math.max(mostSeen, items.length)) break;
      seen.delete(oldest);
    }
    if (unseen.length === 0 && items.length > 0 && (total !== undefined || before.isFull)) repeatedAt = skip;
    const fresh = unseen.slice(0, limit - given);
    const first = given === 0;
    given += fresh.length;
    skip += items.length;
    // Without a total, a full page may be followed by more.
    const others = unseen.length > fresh.length || (total === undefined ? items.length >= count : skip < total);
    if (fresh.length > 0 || first) yield { items: fresh, more: given >= limit && others, total };
    if (fresh.length === 0 || (total !== undefined && skip >= total)) break;
    if (given >= mostItems && limit > mostItems)
      throw unavailable(`The list does not end: ${mostItems} items were read.`, 'Use --limit and --skip');
    before.seemsLast = total === undefined && items.length < count;
    before.isFull = items.length === count;
  }
  if (given < limit) announced.compare(given, { ...request, limit, repeatedAt });
}

/** "400 invalid pagination parameters", and 404 from platforms for which a page beyond the end does not exist. */
function refusesToSkip(error: unknown): boolean {
  return (
    error instanceof Failure && error.facts.refused !== 'elsewhere' && ['rejected', 'not_found'].includes(error.kind)
  );
}

/** Tracks the length that the platform reports, notifies the user once if it changes, and tells at the end if it was not kept. */
function announcement(notice: (line: string) => void) {
  let total: number | undefined;
  let changed = false;
  return {
    update(next: number | undefined) {
      if (next === undefined || next === total) return;
      if (total !== undefined && !changed) {
        notice(`The list changed while it was being read: ${total} in all at first, ${next} now.`);
        changed = true;
      }
      total = next;
    },
    compare(given: number, { skip, limit, repeatedAt }: { skip: number; limit: number; repeatedAt?: number }) {
      const promised = Math.min((total ?? 0) - skip, limit);
      const [most, count] = [groupDigits(promised), groupDigits(given)];
      if (repeatedAt !== undefined && (total === undefined || given < promised)) {
        const received = total === undefined ? `${count} rows, and there may be more` : `${count} of ${most} rows`;
        throw incomplete(`The platform gave the same rows again for skipCount=${repeatedAt}: received ${received}.`);
      }
      const isAll = limit === Number.POSITIVE_INFINITY;
      if (isAll && given < promised) throw incomplete(`The platform announced ${most} rows but gave ${count}.`);
      // When rows are deleted, later ones move to pages that were read already.
      if (isAll && changed)
        throw incomplete('The list changed while it was being read, so rows may be missing.', 'Run it again');
      // With --limit, a total that ignores the filters must not turn each list into a failure.
      if (given < promised)
        notice(`The platform announced ${most} but gave ${count}: the list may have changed while it was being read.`);
    },
  };
}

/** The items that no earlier page had. Within one page nothing counts as a duplicate: a list without IDs may contain equal items. */
function newcomers(seen: Set<unknown>, items: readonly unknown[], id: string): readonly unknown[] {
  const ids = items.map((item, index) => identityOf(item, id, index));
  const known = new Set(ids.filter((each) => seen.has(each)));
  for (const each of ids) seen.add(each);
  return items.filter((_, index) => !known.has(ids[index]));
}

/** The ID; for an item without one, its content and its position on the page. */
function identityOf(item: unknown, id: string, index: number): unknown {
  const own = isRecord(item) ? (memberOf(item, id) ?? memberOf(item, 'id')) : undefined;
  if (own !== undefined && own !== null) return own;
  return `${index} ${JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;
}

function unavailable(sentence: string, hint = 'See it with --debug', facts: FailureFacts = {}): Failure {
  return new Failure('unavailable', sentence, { hint, ...facts });
}

function incomplete(sentence: string, hint = 'This is not the whole list; see the requests with --verbose'): Failure {
  return unavailable(sentence, hint, { fate: 'incomplete' });
}

type ListPage = { readonly items: readonly unknown[]; readonly total?: number };

const itemNames = ['items', 'data', 'results', 'records', 'value', 'content', 'list', 'rows', 'entries', 'result'];

/** Lists next to the items that are never the items themselves. */
const complaint = /^(errors?|warnings|messages|_?links|meta)$/i;
const totalNames = 'totalcount total totalitems totalelements totalresults totalrecords @odata.count count'.split(' ');

/**
 * Finds the items and the total in the response to a list: `{items,totalCount}`, `{data,total}`, a bare array and similar forms, in any case, wrapped
 * or not. Drops null items. `skip` is the number of items read before, because a `count` may only count this page.
 * @throws Failure 'unavailable' if the response contains no list
 */
export function readPage(value: unknown, skip: number): ListPage {
  if (Array.isArray(value)) return { items: value };
  if (!isRecord(value)) throw notAList();
  const found = itemsOf(value);
  if (found === undefined) return readWrapped(value, skip);
  const total = totalOf(value, skip + found.length) ?? wrapperTotal(value, skip + found.length);
  if (found === none && total !== undefined && total > skip) throw notAList();
  return { items: found, total };
}

/** `{"users": {"items": […], "totalCount": 5}}`, and `{"_embedded": {"users": […]}, "page": {"totalElements": 5}}` of Spring. */
function readWrapped(record: JsonRecord, skip: number): ListPage {
  const wrappers = Object.entries(record).flatMap(([name, inner]) =>
    isRecord(inner) && !complaint.test(name) && itemsOf(inner) !== undefined ? [inner] : [],
  );
  const [only] = wrappers.length === 1 ? wrappers : [];
  if (only === undefined) throw notAList();
  const { items, total = wrapperTotal(record, skip + items.length) } = readPage(only, skip);
  return { items, total };
}

/** null in place of a list, which is an empty one only where nothing is announced. */
const none: readonly unknown[] = [];

function itemsOf(record: JsonRecord): readonly unknown[] | undefined {
  for (const name of itemNames) {
    const inner = memberOf(record, name);
    if (Array.isArray(inner)) return inner;
    if (isRecord(inner)) return itemsOf(inner);
    if (inner === null && name !== 'result') return none;
    if (inner === null && memberOf(record, 'success') === true) return [];
  }
  const lists = Object.entries(record).filter(([name, inner]) => Array.isArray(inner) && !complaint.test(name));
  const [, only] = lists.length === 1 ? (lists[0] ?? []) : [];
  if (Array.isArray(only)) return only;
  // Some platforms omit empty lists.
  return lists.length === 0 && memberOf(record, 'totalCount') === 0 ? [] : undefined;
}

function wrapperTotal(record: JsonRecord, atLeast: number): number | undefined {
  for (const name of ['result', 'data', 'meta', 'pagination', 'paging', 'page']) {
    const inner = memberOf(record, name);
    if (!isRecord(inner)) continue;
    const total = totalOf(inner, atLeast);
    if (total !== undefined) return total;
  }
  return undefined;
}

/** Ignores a total that is smaller than the number of items read so far. */
function totalOf(record: JsonRecord, atLeast: number): number | undefined {
  for (const name of totalNames) {
    const value = memberOf(record, name);
    const total = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < atLeast) continue;
    // A "count" that equals the number of items read may only count this page.
    if (name === 'count' && total === atLeast) continue;
    return total;
  }
  return undefined;
}

function notAList(): Failure {
  return unavailable("The platform's response does not contain a list.");
}
