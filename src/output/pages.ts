import type { Page } from './result.ts';

/** Gives pages while the next one is fetched. A consumer that stops early does not wait for the page that is being fetched. */
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
      // An error is thrown when it is the page's turn, or ignored if nobody asks for the page.
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

/** All items of a list as one page. @param total of existing items, if that is more @param more whether there are more, if their number is not known */
export async function* onePage(items: readonly unknown[], total?: number, more?: boolean): AsyncGenerator<Page> {
  yield { items, total, ...(more !== undefined && { more }) };
}
