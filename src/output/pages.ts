/**
 * The same pages, the next of them already on its way while the one before is dealt with; never more than one ahead.
 * Whoever stops early does not wait for the page under way.
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
      // Its fault is told when its turn comes, and never if nobody asks for it.
      coming.catch(() => {});
      // Else the page would be made into text before its request has left.
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
