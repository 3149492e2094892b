import { Failure, type FailureFacts } from '../failure.ts';
import type { Page } from '../output/result.ts';
import { groupDigits } from '../text/group-digits.ts';
import { isRecord, memberOf } from '../text/record.ts';
import { readListPage } from './list-page.ts';

export type PageRequest = {
  /** The number of items to read; undefined for all. */
  readonly limit?: number;
  readonly skip: number;
  /** The number of items to request at a time; by default as many as needed, up to `largestPage`. */
  readonly pageSize?: number;
  /** The most items that the platform returns at a time. */
  readonly largestPage: number;
  /** The field that identifies an item. */
  readonly id: string;
  /** Set if every item must be an object. */
  readonly records?: true;
};

const mostItems = 1_000_000;

/** The number of items that are remembered to recognize them, at least those of the last page, so that a list without end takes no more memory. */
const mostSeen = 100_000;

/**
 * Reads a list page by page. Gives items that move to the next page meanwhile only once. Ends at the total, at an empty page, or at a page with nothing
 * new, so that a platform that ignores skipCount cannot keep it running. Also ends if the platform refuses to skip all items of a list that seems over.
 * @param fetchPage returns the value of a response @throws Failure 'unavailable' for a response without a list, for a list without end, and after the
 * last page if the platform did not give everything that was requested, because a part must not be taken for the whole
 */
export async function* pages(
  fetchPage: (skipCount: number, maxResultCount: number) => Promise<unknown>,
  request: PageRequest,
  notice: (line: string) => void,
): AsyncGenerator<Page> {
  const limit = request.limit ?? Number.POSITIVE_INFINITY;
  const size = request.pageSize ?? Math.min(limit, request.largestPage);
  const tracker = trackTotal(notice);
  const seen = new Set<unknown>();
  let skip = request.skip;
  let given = 0;
  /** Facts about the page before. */
  const before = { isFull: false, seemsLast: false };
  let repeatedAt: number | undefined;
  while (given < limit) {
    const count = Math.min(size, limit - given);
    const response = await fetchPage(skip, count).catch((error: unknown) => {
      if (before.seemsLast && refusesToSkip(error)) return [];
      throw error;
    });
    const { items, total } = readListPage(response, skip);
    tracker.update(total);
    if (request.records && !items.every(isRecord))
      throw unavailable("The platform's response lists things that are not records, and cannot be read.");
    const unseen = takeUnseen(seen, items, request.id);
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
  if (given < limit) tracker.checkEnd(given, { ...request, limit, repeatedAt });
}

/** Whether a platform refuses a page beyond the end: "400 invalid pagination parameters", or 404 where such a page does not exist. */
function refusesToSkip(error: unknown): boolean {
  return (
    error instanceof Failure && error.facts.refused !== 'elsewhere' && ['rejected', 'not_found'].includes(error.kind)
  );
}

/** Tracks the total that the platform reports, and notifies the user once if it changes. */
function trackTotal(notice: (line: string) => void) {
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
    /** Compares the number of items given with the last total. @throws Failure 'unavailable' if items are missing, or may be */
    checkEnd(given: number, { skip, limit, repeatedAt }: { skip: number; limit: number; repeatedAt?: number }) {
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

/** Returns the items that no earlier page had, and remembers them. Equal items of one page are kept, because a list without IDs may have some. */
function takeUnseen(seen: Set<unknown>, items: readonly unknown[], id: string): readonly unknown[] {
  const ids = items.map((item, index) => identityOf(item, id, index));
  const known = new Set(ids.filter((each) => seen.has(each)));
  for (const each of ids) seen.add(each);
  for (const oldest of seen) {
    if (seen.size <= Math.max(mostSeen, items.length)) break;
    seen.delete(oldest);
  }
  return items.filter((_, index) => !known.has(ids[index]));
}

/** The ID of an item; without one, its content and its position on the page. */
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
