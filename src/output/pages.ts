/**
 * The same pages, fetching the next one while the current one is processed; never more than one ahead.
 * A consumer that stops early does not wait for the page in progress.
 */
export async function* readAhead<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page, void, undefined> {
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
