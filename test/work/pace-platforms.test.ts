import { describe, expect, it } from 'vitest';
import { openPace, type ResponseClass } from '../../src/work/pace.ts';
import { diceOf } from '../support/dice.ts';
import { virtualClock } from './virtual-clock.ts';

type Answer = { readonly went: ResponseClass /** Milliseconds to wait, if it says so. */; readonly hold?: number };

type Platform = (now: number) => Answer;

/** Sends rows through a pace, each until it was answered, to a platform that takes `latency` for each answer. */
async function importing(rows: number, platform: Platform, { concurrency = 16, latency = 10 } = {}) {
  const clock = virtualClock();
  // A monotonic clock begins anywhere.
  const began = 3_600_000;
  await clock.advance(began);
  const random = dice(3);
  const pace = openPace({
    concurrency,
    rate: Number.POSITIVE_INFINITY,
    patience: 600_000,
    clock,
    random,
    onGivenUp: () => expect.fail('it was given up'),
  });
  const found = { seconds: 0, refused: 0, pauses: 0 };
  let left = rows;
  const wait = (milliseconds: number) => new Promise<void>((done) => clock.after(milliseconds, done));
  async function send(): Promise<void> {
    for (let troubles = 0; ; ) {
      await pace.turn();
      const rests = pace.rests();
      await wait(latency / 2);
      const { went, hold } = platform(clock.now() - began);
      await wait(latency / 2);
      if (hold !== undefined) pace.hold(hold);
      pace.report(went, rests);
      if (went === 'answered') return;
      found.refused += went === 'throttled' ? 1 : 0;
      found.pauses += (hold ?? 0) / 1000;
      // As a row that meets trouble waits by itself.
      if (went === 'troubled') await wait(random() * 250 * 2 ** troubles++);
    }
  }
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await send();
    }
    found.seconds = (clock.now() - began) / 1000;
  }
  const all = Promise.all(Array.from({ length: concurrency }, work));
  let over = false;
  void all.then(() => (over = true));
  while (!over) await clock.advance(1000);
  return found;
}

/** Numbers from 0 to 1 that are the same in every run. */
function dice(seed: number): () => number {
  const roll = diceOf(seed);
  return () => roll(2 ** 32) / 2 ** 32;
}

/** Some are told to wait a second, some find no service or are cut off, each by chance. */
function sporadic(seed: number, refusals: number, troubles = 0.07): Platform {
  const random = dice(seed);
  return () => {
    const drawn = random();
    if (drawn < troubles) return { went: 'troubled' };
    return drawn < troubles + refusals ? { went: 'throttled', hold: 1000 } : { went: 'answered' };
  };
}

const limit = 100;

/** Takes so many in each second of its own clock, and refuses the others until the next one. */
function windowed(retryAfter: 'exact' | 'whole' | 'none', most = limit, span = 1000): Platform {
  let [window, admitted] = [0, 0];
  return (now) => {
    if (Math.floor(now / span) !== window) [window, admitted] = [Math.floor(now / span), 0];
    admitted += 1;
    if (admitted <= most) return { went: 'answered' };
    if (retryAfter === 'none') return { went: 'throttled' };
    return { went: 'throttled', hold: retryAfter === 'whole' ? 1000 : 1000 - (now % 1000) };
  };
}

/** Takes as many as its bucket holds, which fills by so many a second. */
function bucket(size: number, retryAfter: 'whole' | 'none', perSecond = limit): Platform {
  let [level, filled] = [size, 0];
  return (now) => {
    level = Math.min(size, level + ((now - filled) / 1000) * perSecond);
    filled = now;
    if (level < 1) return { went: 'throttled', ...(retryAfter === 'whole' && { hold: 1000 }) };
    level -= 1;
    return { went: 'answered' };
  };
}

describe('an import to a platform that refuses at random', () => {
  it.each([32, 16, 8])(
    'takes little longer than the requested pauses with %i requests at a time',
    async (concurrency) => {
      for (const latency of [2, 20])
        for (const seed of [1, 2, 3]) {
          const without = await importing(800, sporadic(seed, 0), { concurrency, latency });
          const { seconds, pauses } = await importing(800, sporadic(seed, 0.01), { concurrency, latency });
          expect(seconds, `latency ${latency}, seed ${seed}`).toBeLessThan(1.5 * pauses + without.seconds);
        }
    },
  );

  it('recovers quickly with one request at a time', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { seconds, pauses } = await importing(800, sporadic(seed, 0.01, 0), { concurrency: 1, latency: 10 });
      expect(seconds, `seed ${seed}`).toBeLessThan(3 * pauses + 8);
    }
  });
});

describe('an import to a platform with a limit', () => {
  it.each([
    ['in each second, which it tells exactly', () => windowed('exact'), 0.93],
    ['in each second, which it tells in whole seconds', () => windowed('whole'), 0.9],
    ['in each second, which it does not return', () => windowed('none'), 0.8],
    ['by a bucket of 100', () => bucket(100, 'whole'), 0.95],
    ['by a bucket of 100, which it does not return', () => bucket(100, 'none'), 0.95],
    ['by a bucket of 1000', () => bucket(1000, 'whole'), 0.95],
    ['by a bucket of 20', () => bucket(20, 'whole'), 0.65],
  ])('of 100 requests a second %s almost reaches it with few refusals', async (_, platform, share) => {
    for (const concurrency of [16, 4]) {
      const { seconds, refused } = await importing(3000, platform(), { concurrency, latency: 5 });
      expect(3000 / seconds, `${concurrency} at a time`).toBeGreaterThan(share * limit);
      // The first burst is what it takes to learn.
      expect(refused, `${concurrency} at a time`).toBeLessThan(concurrency + 10);
    }
  });

  // A limiter of ASP.NET Core refuses by a 503 or a 429 without Retry-After, unless it is told otherwise.
  it.each([
    ['20 a second', 600, 60, 20, 1000],
    ['20 in 5 seconds', 150, 100, 20, 5000],
    ['100 a minute', 300, 60, 100, 60_000],
  ])('of %s without Retry-After finishes %i rows with fewer than %i refusals', async (...given) => {
    const [, rows, refusals, most, span] = given;
    for (const concurrency of [16, 8]) {
      const { refused } = await importing(rows, windowed('none', most, span), { concurrency });
      expect(refused, `${concurrency} at a time`).toBeLessThan(refusals);
    }
  });

  it('follows a limit that is lowered', async () => {
    const [high, low] = [bucket(100, 'whole', 200), bucket(50, 'whole', 40)];
    const { seconds, refused } = await importing(4000, (now) => (now < 10_000 ? high : low)(now), { latency: 5 });
    // 10 s at 200 a second, and 50 s at 40.
    expect(seconds).toBeLessThan(90);
    expect(refused).toBeLessThan(70);
  });
});
