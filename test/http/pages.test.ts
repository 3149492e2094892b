import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { readListPage } from '../../src/http/list-page.ts';
import { type PageRequest, pages } from '../../src/http/pages.ts';

type Answer = (skip: number, most: number) => unknown;
const users = (from: number, count: number) =>
  Array.from({ length: Math.max(count, 0) }, (_, index) => ({ userId: `u${from + index}` }));

/** A platform as the interface has it: `total` users, at most 1,000 at a time. */
const honest =
  (total: number): Answer =>
  (skip, most) => ({
    items: users(skip, Math.min(most, 1000, total - skip)),
    totalCount: total,
  });

async function readAll(answer: Answer, wanted: Partial<PageRequest> = {}) {
  const asked: string[] = [];
  const notices: string[] = [];
  const fetchPage = async (skip: number, most: number) => {
    asked.push(`${skip}+${most}`);
    return answer(skip, most);
  };
  const got: unknown[] = [];
  const request = { skip: 0, largestPage: 1000, id: 'userId', ...wanted };
  let missing: string | undefined;
  try {
    for await (const { items } of pages(fetchPage, request, (line) => notices.push(line)))
      for (const item of items) got.push(item);
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.fate !== 'incomplete') throw error;
    missing = error.message;
  }
  return {
    ...(missing !== undefined && { missing }),
    count: got.length,
    distinct: new Set(got.map((item) => JSON.stringify(item))).size,
    asked: asked.join(' '),
    notices,
  };
}

it('a list is read with as few pages as possible', async () => {
  const asked = '0+1000 1000+1000 2000+1000';
  expect(await readAll(honest(2500))).toEqual({ count: 2500, distinct: 2500, asked, notices: [] });
  expect(await readAll(honest(2500), { limit: 50 })).toMatchObject({ count: 50, asked: '0+50', notices: [] });
  expect(await readAll(honest(2500), { limit: 1200, pageSize: 500, skip: 100 })).toMatchObject({
    count: 1200,
    asked: '100+500 600+500 1100+200',
    notices: [],
  });
  expect(await readAll(honest(0))).toMatchObject({ count: 0, asked: '0+1000', notices: [] });
  expect(await readAll(honest(1000))).toMatchObject({ count: 1000, asked: '0+1000' });
  expect(await readAll(honest(20), { skip: 30 })).toMatchObject({ count: 0, asked: '30+1000', notices: [] });
});

const sameRows = (rest: string) => `The platform gave the same rows again for skipCount=${rest}`;
const changed = (rest: string) => `The list changed while it was being read${rest}`;
const announced = (total: number, given: number) => `The platform announced ${total} rows but gave ${given}.`;
const rowsMissing = changed(', so rows may be missing.');

const odd: readonly (readonly [string, Answer, Partial<PageRequest>, object])[] = [
  [
    'ignores skipCount',
    () => ({ items: users(0, 50), totalCount: 2000 }),
    { pageSize: 50 },
    { count: 50, asked: '0+50 50+50', missing: sameRows('50: received 50 of 2,000 rows.') },
  ],
  [
    'ignores skipCount and gives no total',
    (_skip, most) => users(0, most),
    { pageSize: 50 },
    { count: 50, missing: expect.stringMatching(/skipCount=50: received 50 rows, /) },
  ],
  [
    'ignores skipCount for a part of the list',
    () => ({ items: users(0, 50), totalCount: 2000 }),
    { limit: 70, skip: 10 },
    { count: 50, missing: sameRows('60: received 50 of 70 rows.') },
  ],
  [
    'ignores skipCount after the whole list',
    () => ({ items: users(0, 50), totalCount: 50 }),
    {},
    { count: 50, asked: '0+1000' },
  ],
  ['ignores both parameters and gives too much', () => users(0, 70), { pageSize: 50 }, { count: 70 }],
  ['ignores both parameters and gives no total', () => users(0, 7), {}, { count: 7, asked: '0+1000 7+1000' }],
  [
    'gives more than was asked for',
    (skip) => ({ items: users(skip, 30), totalCount: 90 }),
    { limit: 20 },
    { count: 20, asked: '0+20' },
  ],
  [
    'gives less than was asked for',
    (skip) => ({ items: users(skip, Math.min(10, 25 - skip)), totalCount: 25 }),
    {},
    { count: 25, asked: '0+1000 10+1000 20+1000' },
  ],
  [
    'stops before its total',
    (skip) => ({ items: users(skip, skip === 0 ? 10 : 0), totalCount: 25 }),
    {},
    { count: 10, asked: '0+1000 10+1000', missing: announced(25, 10) },
  ],
  [
    'counts filtered items in its total',
    (skip) => ({ items: users(skip, skip === 0 ? 3 : 0), totalCount: 2000 }),
    { limit: 50 },
    { count: 3, asked: '0+50 3+47', notices: [expect.stringMatching(/^The platform announced 50 but gave 3: /)] },
  ],
  [
    'gains an item while it is read',
    (skip, most) => ({ items: users(skip === 0 ? 0 : skip - 1, Math.min(most, 5)), totalCount: skip === 0 ? 9 : 10 }),
    { pageSize: 5 },
    { count: 9, distinct: 9, missing: announced(10, 9), notices: [changed(': 9 in all at first, 10 now.')] },
  ],
  [
    'loses an item of the first page while it is read',
    (skip) => ({ items: skip === 0 ? users(0, 5) : users(6, 4), totalCount: skip === 0 ? 10 : 9 }),
    { pageSize: 5 },
    { count: 9, missing: rowsMissing, notices: [changed(': 10 in all at first, 9 now.')] },
  ],
  [
    'gives some items twice and others never',
    (skip) => ({ items: users(skip === 0 ? 0 : skip - 3, 5), totalCount: 10 }),
    { pageSize: 5 },
    { count: 7, missing: announced(10, 7) },
  ],
  [
    'gives another total on each page',
    (skip) => ({ items: users(skip, 1), totalCount: 5 - (skip % 2) }),
    {},
    { count: 4, missing: rowsMissing, notices: [changed(': 5 in all at first, 4 now.')] },
  ],
  [
    'gives a total that is too small',
    (skip, most) => ({ items: users(skip, Math.min(most, 30 - skip)), totalCount: 3 }),
    { pageSize: 10 },
    { count: 30, asked: '0+10 10+10 20+10 30+10' },
  ],
  [
    'points to its next page elsewhere',
    (skip) => ({ value: users(skip, skip ? 2 : 10), '@odata.count': 12, '@odata.nextLink': 'https://evil.test/' }),
    { pageSize: 10 },
    { count: 12, asked: '0+10 10+10' },
  ],
  [
    'repeats items of the first page between new ones',
    (skip) => ({ items: skip === 0 ? users(0, 3) : [3, 1, 4, 4, 2].flatMap((from) => users(from, 1)), totalCount: 8 }),
    { pageSize: 3 },
    // An item that stands twice on one page is given twice.
    { count: 6, distinct: 5, missing: announced(8, 6) },
  ],
  [
    'has no ids',
    (skip) => ({ items: skip === 0 ? [{ name: 'Ada' }, { name: 'Ada' }] : [], total: 2 }),
    {},
    { count: 2, asked: '0+1000' },
  ],
  ['has no ids and no end', () => [{ name: 'Ada' }, { name: 'Eve' }], {}, { count: 2, asked: '0+1000 2+1000' }],
];

it.each(odd)('reading a list ends with a platform that %s', async (_, answer, wanted, ending) => {
  expect(await readAll(answer, wanted)).toEqual({
    distinct: expect.any(Number),
    asked: expect.any(String),
    notices: [],
    ...ending,
  });
});

const refusing =
  (kind: 'rejected' | 'not_found' | 'unavailable', last: number, facts = {}): Answer =>
  (skip) => {
    if (skip > last) throw new Failure(kind, 'There is no such page.', facts);
    return users(skip, skip === last ? 3 : 10);
  };

it.each(['rejected', 'not_found'] as const)('a list ends before a page that is refused as %s', async (kind) => {
  const asked = '0+10 10+10 13+10';
  expect(await readAll(refusing(kind, 10), { pageSize: 10 })).toEqual({ count: 13, distinct: 13, asked, notices: [] });
});

it.each([
  ['at the beginning', refusing('not_found', -1), {}],
  ['after a full page', refusing('rejected', 10), { pageSize: 3, skip: 10 }],
  ['before the total', (skip: number) => ({ items: refusing('rejected', 0)(skip, 0), totalCount: 5 }), {}],
  ['for another reason', refusing('unavailable', 10), { pageSize: 10 }],
  ['by another server', refusing('not_found', 10, { refused: 'elsewhere' }), { pageSize: 10 }],
])('reading a list fails at a page that is refused %s', async (_, answer, wanted) => {
  await expect(readAll(answer, wanted)).rejects.toThrow('There is no such page.');
});

it('reading an endless list fails after a million items', async () => {
  let asked = 0;
  const answer = (skip: number) => {
    asked += 1;
    return Array.from({ length: 100_000 }, (_, index) => ({ userId: skip + index }));
  };
  await expect(readAll(answer)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The list does not end: 1000000 items were read.',
    facts: { hint: 'Use --limit and --skip' },
  });
  expect(asked).toBe(10);
});

it('a repeated item is dropped if it is among the last hundred thousand', async () => {
  const again =
    (place: number): Answer =>
    (skip) => ({
      items: skip === place ? [...users(0, 1), ...users(skip + 1, 999)] : users(skip, 1000),
      totalCount: 103_000,
    });
  expect(await readAll(again(99_000))).toMatchObject({ count: 102_999, distinct: 102_999 });
  expect(await readAll(again(102_000))).toMatchObject({ count: 103_000, distinct: 102_999 });
});

it('a repeated page of more than a hundred thousand items is dropped', async () => {
  const all = users(0, 150_000);
  expect(await readAll(() => all)).toMatchObject({ count: 150_000, asked: '0+1000 150000+1000' });
});

it('the first page is given before the second is requested', async () => {
  const asked: number[] = [];
  const fetchPage = async (skip: number) => {
    asked.push(skip);
    return users(skip, 10);
  };
  for await (const { items } of pages(fetchPage, { skip: 0, largestPage: 10, id: 'userId' }, () => undefined)) {
    expect(items.length).toBe(10);
    break;
  }
  expect(asked).toEqual([0]);
});

it('a list of a correct platform is read whole with pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(70),
      fc.option(fc.integer({ min: 1, max: 80 })),
      async (total, pageSize, skip, limit) => {
        const { count, distinct } = await readAll(honest(total), { pageSize, skip, ...(limit !== null && { limit }) });
        const expected = Math.min(Math.max(total - skip, 0), limit ?? Number.POSITIVE_INFINITY);
        expect([count, distinct]).toEqual([expected, expected]);
      },
    ),
  );
});

const one = [{ userId: 'a' }];
const five = { items: one, total: 5 };
const forms: readonly (readonly [string, unknown, unknown])[] = [
  ['the form of the interface', { totalCount: 5, items: one }, five],
  ['data and total', { data: one, total: 5 }, five],
  ['a bare array', one, { items: one }],
  ['capital letters', { Items: one, TotalCount: 5 }, five],
  ['results and count', { results: one, count: 5 }, five],
  ['OData', { value: one, '@odata.count': 5 }, five],
  ['Spring', { content: one, totalElements: 5, number: 0 }, five],
  ['wrapped by ABP', { result: { items: one, totalCount: 5 }, success: true }, five],
  ['wrapped in data', { data: { items: one, totalCount: 5 } }, five],
  ['a total beside the data', { data: one, meta: { total: 5 } }, five],
  ['a total in a pagination', { items: one, pagination: { totalItems: 5 } }, five],
  ['an unknown name', { users: one, totalCount: 5 }, five],
  ['an unknown wrapper', { users: { items: one, totalCount: 5 }, message: 'ok' }, five],
  ['a wrapper without a total', { payload: { users: one } }, { items: one }],
  ['Spring with links', { _embedded: { users: one }, _links: { a: [1] }, page: { totalElements: 5 } }, five],
  ['a list beside warnings', { users: one, errors: [], warnings: ['x'] }, { items: one }],
  ['no total', { items: one }, { items: one }],
  ['a total in a text', { items: one, totalCount: '12' }, { items: one, total: 12 }],
  ['a total that is negative', { items: one, totalCount: -1 }, { items: one }],
  ['a total in words', { items: one, totalCount: 'many' }, { items: one }],
  ['a total that is null', { items: one, totalCount: null }, { items: one }],
  ['a total that is too large', { items: one, totalCount: 1e20 }, { items: one }],
  ['a total with a fraction', { items: one, totalCount: 5.5 }, { items: one }],
  ['a total that is too small', { items: one, totalCount: 0 }, { items: one }],
  ['a count of this page alone', { items: one, count: 1 }, { items: one }],
  ['a total of zero without items', { totalCount: 0 }, { items: [], total: 0 }],
  ['an empty wrapper of ABP', { result: null, success: true, __abp: true }, { items: [] }],
  ['items that are null', { items: null, totalCount: 0 }, { items: [], total: 0 }],
  ['an empty list', { items: [], totalCount: 0 }, { items: [], total: 0 }],
  ['names that every object has', JSON.parse('{"__proto__":{"items":[1]},"items":[]}'), { items: [] }],
];

it.each(forms)('the items and the total are found in %s', (_, value, page) => {
  expect(readListPage(value, 0)).toEqual(page);
});

const noList = [
  ...[undefined, null, 5, {}],
  { items: {} },
  { items: null, totalCount: 2000 },
  { errors: ['x'] },
  { error: { details: ['x'] } },
  { a: { items: [1] }, b: { items: [2] } },
  { a: { b: { items: [1] } } },
  { a: [1], b: [2] },
  { result: null },
  { totalCount: 3 },
];

it.each(noList)('the response %j is refused as a list', (value) => {
  expect(() => readListPage(value, 0)).toThrow("The platform's response does not contain a list.");
});

it('a list of other things than records is refused', async () => {
  for (const items of [[null], [1], ['a'], [[]], [{ userId: 'a' }, null]]) {
    await expect(readAll(() => ({ items }), { records: true })).rejects.toMatchObject({
      kind: 'unavailable',
      message: "The platform's response lists things that are not records, and cannot be read.",
    });
  }
});

it('any JSON is read as a page or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(1000), (value, skip) => {
      try {
        const { items, total } = readListPage(value, skip);
        expect(Array.isArray(items)).toBe(true);
        if (total !== undefined) expect(total).toBeGreaterThanOrEqual(skip + items.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
    { numRuns: 500 },
  );
});
