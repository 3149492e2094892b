import { parseLossless } from '../text/json.ts';
import { compact } from '../text/json-write.ts';
import { collectOtherFields } from './columns.ts';
import { readAhead } from './pages.ts';
import type { Page } from './result.ts';

/** The facts that `foresee` finds out before it gives the first page. */
export type Foreseen = {
  /** The items of the first page, and those of later pages that have a new field. */
  samples: readonly unknown[];
  fault?: unknown;
};

/** In bytes of compressed pages, which are some ten times as much JSON. */
const mostHeld = 32 * 1024 * 1024;

/**
 * Gives the pages of a source. Before the first, it reads until `isEnough` is true of the samples, or `room` is used up. The pages that it has read wait
 * in memory, all but the first compressed. An error of the source is thrown after the pages before it.
 * @param foreseen gets the samples and the error
 */
export async function* foresee(
  source: AsyncIterable<Page>,
  isEnough: (samples: readonly unknown[]) => boolean,
  foreseen: Foreseen,
  room = mostHeld,
): AsyncGenerator<Page, void, undefined> {
  const pages = readAhead(source);
  const { addFrom } = collectOtherFields([], true);
  const held: (() => Page | Promise<Page>)[] = [];
  let roomLeft = room;
  try {
    for (let result = await pages.next(); !result.done; result = await pages.next()) {
      const page = result.value;
      const isFirst = foreseen.samples.length === 0;
      foreseen.samples = isFirst ? page.items : foreseen.samples.concat(page.items.filter((item) => addFrom([item])));
      const isLast = roomLeft < 0 || isEnough(foreseen.samples);
      const { open, size } = isFirst || isLast ? { open: () => page, size: 0 } : await pack(page);
      held.push(open);
      roomLeft -= size;
      if (isLast) break;
    }
  } catch (fault) {
    foreseen.fault = fault;
    held.push(() => Promise.reject(fault));
  }
  try {
    for (const open of held) yield await open();
    yield* pages;
  } finally {
    await pages.return();
  }
}

/** Compresses a page. `open` gives it back; `size` is what it takes in bytes. */
async function pack({ items, ...facts }: Page): Promise<{ readonly open: () => Promise<Page>; readonly size: number }> {
  // Only long lists need this module.
  const { deflateRawSync, inflateRawSync } = await import('node:zlib');
  // Copied, because the result may be part of a larger buffer.
  const packed = Buffer.from(deflateRawSync(compact(items), { level: 1 }));
  const unpacked = () => parseLossless(String(inflateRawSync(packed))) as Promise<readonly unknown[]>; // as packed
  return { open: async (): Promise<Page> => ({ ...facts, items: await unpacked() }), size: packed.length };
}
