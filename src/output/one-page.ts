import type { Page } from './result.ts';

/**
 * The pages of a list whose items are all at hand.
 * @param total if more items exist than are listed
 */
export async function* onePage(items: readonly unknown[], total?: number): AsyncGenerator<Page> {
  yield { items, ...(total !== undefined && { total }) };
}
