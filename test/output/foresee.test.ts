import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Foreseen, foresee } from '../../src/output/foresee.ts';
import { parseLossless } from '../../src/text/json.ts';
import { pagesOf, seen, users } from './memory.ts';

const never = () => false;

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

it('the columns of later pages are foreseen without changing any page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.jsonValue())), async (values) => {
      const odd = '{"10":1e999,"9":[90071992547409931],"__proto__":"\\ud800"}';
      const lists = [...values.map((items) => JSON.stringify(items)), `[${odd}]`, `[${odd}]`];
      const pages = await Promise.all(
        lists.map(async (text, total) => ({ items: (await parseLossless(text)) as unknown[], total, more: true })),
      );
      expect(await all(foresee(pagesOf(...pages), never, { samples: [] }))).toEqual(pages);
    }),
    { numRuns: 50 },
  );
});

it('foreseeing columns reads later pages until it has enough fields, and keeps them', async () => {
  const pages = [[{ a: 1 }, { a: 2 }], [{ a: 3 }], [{ a: 4, b: null }, { b: 5 }], [{ c: 6 }]];
  const known: Foreseen = { samples: [] };
  const isEnough = (samples: readonly unknown[]) => samples.some((each) => Object.hasOwn(each as object, 'b'));
  const source = foresee(pagesOf(...pages.map((items) => ({ items }))), isEnough, known);
  expect((await source.next()).value).toEqual({ items: pages[0] });
  expect(known.samples).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4, b: null }]);
  expect((await all(source)).map(({ items }) => items)).toEqual(pages.slice(1));
});

it('foreseeing columns stops reading ahead when its memory limit is reached', async () => {
  let read = 0;
  async function* counted() {
    for (; read < 20; read += 1) yield { items: [{ [`field${read}`]: 'x' }] };
  }
  const source = foresee(counted(), never, { samples: [] }, 100);
  await source.next();
  expect(read).toBeLessThan(10);
  expect((await all(source)).length).toBe(19);
});

it('a CSV list with more than a thousand fields ends with 8 and names those missing', async () => {
  const many = (from: number) => Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`field${from + at}`, at]));
  const list = { ...users({ items: [many(0)] }, { items: [many(600)] }), columns: [] };
  await expect(seen(list, { format: 'csv' })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(
      /^The result lacks field1000, .*, field1011 and 188 more: the list is too large for a table\.$/,
    ),
    facts: { hint: 'Use -o ndjson' },
  });
});
