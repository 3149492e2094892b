import type { Clock } from '../bulk/clock.ts';
import type { Went } from '../bulk/pace.ts';
import type { Counts } from '../bulk/tally.ts';
import type { Context } from '../context.ts';

export type ImportProgress = {
  readonly update: (counts: () => Counts) => void;
  /** Nothing is sent for that many milliseconds. */
  readonly rest: (milliseconds: number, why: Exclude<Went, 'answered'>) => void;
  readonly hide: () => void;
  readonly finish: () => void;
};

/** How often the counts are looked at, in milliseconds. */
const atMost = 100;
const reasons = { throttled: 'the platform asked for it', troubled: 'the platform is in trouble' } as const;

/** The line on a terminal: how far the import is. Traces and a redrawn line would spoil each other. */
export async function importProgress({ world, options }: Context, clock: Clock): Promise<ImportProgress> {
  const { openProgress } = await import('../terminal/progress.ts');
  const quiet = options.quiet === true || options.verbose === true || options.debug === true;
  const progress = openProgress({ stderr: world.stderr, env: world.env, now: clock.now, quiet });
  const began = clock.now();
  let next = began;
  return {
    update(counts) {
      if (clock.now() < next) return;
      next = clock.now() + atMost;
      const { total, done, failed, skipped, unknown } = counts();
      const worked = done + failed + unknown;
      const perSecond = (worked * 1000) / Math.max(1, clock.now() - began);
      const left = (total - skipped - worked) / perSecond;
      progress.update({ done: done + skipped, failed, total, perSecond, left });
    },
    rest(milliseconds, why) {
      const end = progress.spin(`Waiting ${Math.ceil(milliseconds / 1000)} s: ${reasons[why]}`);
      clock.after(milliseconds, end);
    },
    hide: progress.hide,
    finish: progress.finish,
  };
}
