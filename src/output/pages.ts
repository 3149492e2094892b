import type { Page } from './result.ts';

/** The same pages, at most one fetched ahead while the current one is processed. A consumer that stops early does not wait for the page in progress. */
export async function* readAhead<P>(pages: AsyncIterable<P>): AsyncGenerator<P, void, undefined> {
  const iterator = pages[Symbol.asyncIterator]();
  let isOver = false;
  try {
    let coming = iterator.next();
    while (true) {
      const { value, done } = await coming;
      isOver = done === true;
      if (isOver) return;
      coming = iterator.next();
      // Its error is thrown when the page's turn comes, or dropped if nobody asks for the page.
      coming.catch(() => {});
      // Lets the next request leave before the page is formatted.
      await new Promise(setImmediate);
      yield value;
    }
  } catch (fault) {
    isOver = true;
    throw fault;
  } finally {
    if (!isOver) iterator.return?.().catch(() => {});
  }
}

/** The pages of a list whose items are all at hand. @param total if more items exist than are listed; otherwise `more` says whether */
export async function* onePage(items: readonly unknown[], total?: number, more?: boolean): AsyncGenerator<Page> {
  yield { items, total, ...(more !== undefined && { more }) };
}
