import { describe, expect, it } from 'vitest';
import { readAhead } from '../../src/output/pages.ts';

describe('reading ahead', () => {
  it('closes the source after the pending page if the reader stops early', async () => {
    let arrive = () => {};
    let isClosed = false;
    async function* slow() {
      try {
        yield 1;
        await new Promise<void>((resolve) => {
          arrive = resolve;
        });
        yield 2;
      } finally {
        isClosed = true;
      }
    }
    for await (const page of readAhead(slow())) {
      expect(page).toBe(1);
      break;
    }
    expect(isClosed).toBe(false);
    arrive();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isClosed).toBe(true);
  });

  it('ignores an error after the reader has stopped', async () => {
    async function* faulty() {
      yield 1;
      throw new Error('too late to matter');
    }
    const got: number[] = [];
    for await (const page of readAhead(faulty())) {
      got.push(page);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(got).toEqual([1]);
  });
});
