import { describe, expect, it } from 'vitest';
import { openPace, type PaceOptions, type ResponseClass } from '../../src/work/pace.ts';
import { virtualClock } from './virtual-clock.ts';

/** Workers that ask a platform for ever; `answer` says how each request ends, and after how many milliseconds. */
function working(
  answer: (request: number, now: number) => { went: ResponseClass; hold?: number; after?: number },
  options: Partial<PaceOptions> = {},
) {
  const clock = virtualClock();
  const starts: number[] = [];
  const rests: [number, string][] = [];
  let givenUp = 0;
  let underWay = 0;
  let most = 0;
  const concurrency = options.concurrency ?? 4;
  const pace = openPace({
    concurrency,
    rate: Number.POSITIVE_INFINITY,
    patience: 600_000,
    clock,
    random: () => 1,
    onRest: (milliseconds, { why }) => rests.push([milliseconds, why]),
    onGivenUp: () => {
      givenUp += 1;
    },
    ...options,
  });
  async function work(): Promise<void> {
    while (givenUp === 0) {
      await pace.turn();
      const began = clock.now();
      const rests = pace.rests();
      starts.push(began);
      underWay += 1;
      most = Math.max(most, underWay);
      const { went, hold, after = 10 } = answer(starts.length, began);
      await new Promise<void>((resolve) => clock.after(after, resolve));
      underWay -= 1;
      if (hold !== undefined) pace.hold(hold);
      pace.report(went, rests);
    }
  }
  for (let worker = 0; worker < concurrency; worker += 1) void work();
  return { clock, starts, rests, pace, mostAtOnce: () => most, givenUp: () => givenUp };
}

const inSecond = (starts: readonly number[], second: number) =>
  starts.filter((at) => at >= second * 1000 && at < (second + 1) * 1000).length;

describe('the pace', () => {
  it('starts at most as many requests at once as allowed', async () => {
    const { clock, starts, mostAtOnce } = working(() => ({ went: 'answered' }));
    await clock.advance(99);
    expect([starts.length, mostAtOnce()]).toEqual([40, 4]);
  });

  it('starts at most as many requests per second as the rate', async () => {
    const { clock, starts } = working(() => ({ went: 'answered' }), { rate: 20 });
    await clock.advance(4999);
    expect([0, 1, 2, 3, 4].map((second) => inSecond(starts, second))).toEqual([20, 20, 20, 20, 20]);
    expect(starts.slice(0, 4)).toEqual([0, 50, 100, 150]);
  });

  it('stops all workers for exactly as long as the platform asks', async () => {
    const { clock, starts } = working((request) =>
      request === 10 ? { went: 'throttled', hold: 3000 } : { went: 'answered' },
    );
    await clock.advance(3999);
    // The 10th of four at a time began at 20 ms, and was refused at 30 ms.
    const [last, first] = [starts.filter((at) => at <= 30).at(-1), starts.find((at) => at > 30)];
    expect([last, first]).toEqual([30, 3030]);
  });

  it('is as fast as before after a single refusal', async () => {
    const { clock, starts } = working((request) =>
      request === 400 ? { went: 'throttled', hold: 1000 } : { went: 'answered' },
    );
    await clock.advance(4999);
    expect([0, 1, 2, 3, 4].map((second) => inSecond(starts, second))).toEqual([400, 3, 400, 400, 400]);
  });

  it('is a little below the known limit, and rises after ten seconds', async () => {
    const { clock, starts } = working((request) =>
      request >= 400 && request < 404 ? { went: 'throttled', hold: 1000 } : { went: 'answered' },
    );
    await clock.advance(16_999);
    const perSecond = Array.from({ length: 17 }, (_, second) => inSecond(starts, second));
    expect(perSecond.slice(0, 2)).toEqual([400, 3]);
    // 399 in the two seconds until it might go on; then 5 % more, 10 %, 20 % and so on.
    expect(new Set(perSecond.slice(3, 12))).toEqual(new Set([193, 194]));
    expect(perSecond.slice(13)).toEqual([223, 268, 376, 400]);
  });

  it('waits longer each time for refusals without Retry-After', async () => {
    const { clock, rests, givenUp } = working(() => ({ went: 'throttled' }));
    await clock.advance(600_000);
    expect(rests.slice(0, 7)).toEqual(
      [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000].map((wait) => [wait, 'throttled']),
    );
    expect(givenUp()).toBe(0);
    await clock.advance(600_000);
    expect(givenUp()).toBe(1);
  });

  it('is not reduced by occasional errors', async () => {
    const { clock, starts, rests } = working((request) => ({ went: request % 3 === 0 ? 'answered' : 'troubled' }));
    await clock.advance(9999);
    expect([starts.length, rests]).toEqual([4000, []]);
  });

  it('pauses for a failing platform, then tries one request at a time', async () => {
    const { clock, starts, rests, mostAtOnce } = working((_, now) => ({ went: now < 5000 ? 'troubled' : 'answered' }));
    await clock.advance(6999);
    expect(rests).toEqual([1000, 2000, 4000].map((wait) => [wait, 'troubled']));
    // Ten in a row are enough; those under way at that moment still end.
    const bursts = [0, 1, 2, 3, 4, 5, 6].map((second) => inSecond(starts, second));
    expect(bursts).toEqual([13, 1, 0, 1, 0, 0, 0]);
    expect(mostAtOnce()).toBe(4);
    await clock.advance(200);
    const after = starts.filter((at) => at >= 7000).map((at) => at - (starts.find((first) => first >= 7000) ?? 0));
    expect(after.slice(0, 7)).toEqual([0, 10, 10, 20, 20, 20, 20]);
  });

  it('gives up when the platform has failed for longer than the patience', async () => {
    const { clock, rests, givenUp } = working(() => ({ went: 'troubled' }), { patience: 7000 });
    await clock.advance(7000);
    expect([rests.length, givenUp()]).toEqual([3, 0]);
    await clock.advance(1000);
    expect([rests.length, givenUp()]).toEqual([3, 1]);
  });

  it('gives up sooner on a platform that has never responded', async () => {
    const refused = working(() => ({ went: 'unreached' }));
    const restarted = working((request) => ({ went: request === 1 ? 'answered' : 'unreached' }));
    for (const { clock } of [refused, restarted]) await clock.advance(60_000);
    expect([refused.givenUp(), restarted.givenUp()]).toEqual([1, 0]);
    await restarted.clock.advance(600_000);
    expect(restarted.givenUp()).toBe(1);
  });

  it('lets all workers go when it is released', async () => {
    const clock = virtualClock();
    const limits = { concurrency: 1, rate: 1, patience: 1 };
    const pace = openPace({ ...limits, clock, random: () => 1, onGivenUp: () => undefined });
    const turns: number[] = [];
    for (const turn of [1, 2, 3]) void Promise.resolve(pace.turn()).then(() => turns.push(turn));
    await clock.advance(0);
    expect(turns).toEqual([1]);
    pace.release();
    await clock.advance(0);
    expect(turns).toEqual([1, 2, 3]);
  });
});
