import type { RowCounts } from '../../bulk/bulk.ts';
import type { Clock } from '../../bulk/clock.ts';
import type { ResponseClass } from '../../bulk/pace.ts';
import type { Context } from '../../command/context.ts';
import type { Counts as ProgressCounts } from '../../terminal/progress.ts';

type ImportProgress = {
  readonly update: (counts: () => RowCounts) => void;
  /** Shows a pause of that many milliseconds. */
  readonly rest: (milliseconds: number, why: Exclude<ResponseClass, 'answered'>) => void;
  readonly hide: () => void;
  readonly finish: () => void;
};

/** How often the counts are read, in milliseconds. */
const atMost = 100;
const reasons = { throttled: 'the platform asked for it', troubled: 'the platform is failing' } as const;

/** The progress line at a terminal. Not with traces, which would mix with a redrawn line. */
export async function importProgress({ world, options, waiting }: Context, clock: Clock): Promise<ImportProgress> {
  const { openProgress } = await import('../../terminal/progress.ts');
  const quiet = options.quiet === true || options.verbose === true || options.debug === true;
  const progress = openProgress({ stderr: world.stderr, env: world.env, now: clock.now, quiet });
  // This line replaces the spinner's text.
  const wait = waiting.begin('');
  const began = clock.now();
  let latest: (() => RowCounts) | undefined;
  const draw = () => {
    if (latest) progress.update(progressCounts(latest(), (clock.now() - began) / 1000));
    latest = undefined;
    cancel = clock.after(atMost, draw);
  };
  let cancel = clock.after(atMost, draw);
  return {
    // Called for every row, so it does not read the clock.
    update(counts) {
      latest = counts;
    },
    rest(milliseconds, why) {
      const end = progress.spin(`Waiting ${Math.ceil(milliseconds / 1000)} s: ${reasons[why]}`);
      clock.after(milliseconds, end);
    },
    hide: progress.hide,
    finish() {
      cancel();
      progress.finish();
      wait.end();
    },
  };
}

function progressCounts({ total, done, failed, skipped, unknown }: RowCounts, seconds: number): ProgressCounts {
  const worked = done + failed + unknown;
  const perSecond = worked / Math.max(0.001, seconds);
  return { done: done + skipped, failed, total, perSecond, left: (total - skipped - worked) / perSecond };
}
