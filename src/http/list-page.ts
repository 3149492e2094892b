/** Finds the items and the total in the response to a list, in whatever form the platform gives them. */
import { Failure } from '../failure.ts';
import { isRecord, type JsonRecord, memberOf } from '../text/record.ts';

type ListPage = { readonly items: readonly unknown[]; readonly total?: number };

const itemNames = ['items', 'data', 'results', 'records', 'value', 'content', 'list', 'rows', 'entries', 'result'];

/** Names of lists beside the items that are never the items themselves. */
const complaint = /^(errors?|warnings|messages|_?links|meta)$/i;
const totalNames = 'totalcount total totalitems totalelements totalresults totalrecords @odata.count count'.split(' ');

/**
 * Finds items and total in `{items,totalCount}`, `{data,total}`, a bare array and similar forms, in any case, wrapped or not. @throws Failure without a list
 * @param skip the number of items read before, because a `count` may only count this page
 */
export function readListPage(value: unknown, skip: number): ListPage {
  if (Array.isArray(value)) return { items: value };
  if (!isRecord(value)) throw noListFailure();
  const found = itemsOf(value);
  if (found === undefined) return readWrapped(value, skip);
  const total = totalOf(value, skip + found.length) ?? wrapperTotal(value, skip + found.length);
  if (found === none && total !== undefined && total > skip) throw noListFailure();
  return { items: found, total };
}

/** `{"users": {"items": […], "totalCount": 5}}`, and `{"_embedded": {"users": […]}, "page": {"totalElements": 5}}` of Spring. */
function readWrapped(record: JsonRecord, skip: number): ListPage {
  const wrappers = Object.entries(record).flatMap(([name, inner]) =>
    isRecord(inner) && !complaint.test(name) && itemsOf(inner) !== undefined ? [inner] : [],
  );
  const [only] = wrappers.length === 1 ? wrappers : [];
  if (only === undefined) throw noListFailure();
  const { items, total = wrapperTotal(record, skip + items.length) } = readListPage(only, skip);
  return { items, total };
}

/** Stands for null in place of a list, which counts as an empty list only if no total says that there is more. */
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

/** The total in a record. Ignores one that is smaller than the number of items read so far. */
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

function noListFailure(): Failure {
  const hint = 'See it with --debug';
  return new Failure('unavailable', "The platform's response does not contain a list.", { hint });
}
