import { describe, expect, it } from 'vitest';
import { readAhead } from '../../src/output/pages.ts';

describe('reading ahead', () => {
  it('has one page more on its way, never two', async () => {
    let asked = 0;
    async function* numbers() {
      while (asked < 5) yield ++asked;
    }
    const ahead: number[] = [];
    for await (const page of readAhead(numbers())) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ahead.push(asked - page);
    }
    expect(ahead).toEqual([1, 1, 1, 1, 0]);
  });

  it('gives the pages before a fault, and then the fault', async () => {
    async function* faulty() {
      yield 'first';
      throw new Error('the second page is missing');
    }
    const got: string[] = [];
    const reading = (async () => {
      for await (const page of readAhead(faulty())) got.push(page);
    })();
    await expect(reading).rejects.toThrow('the second page is missing');
    expect(got).toEqual(['first']);
  });

  it('does not wait for the page under way when it is left early, and closes the source after it', async () => {
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

  it('drops a fault that no one waits for any more', async () => {
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
