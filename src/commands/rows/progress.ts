import type { Context } from '../../command/context.ts';
import { spanText } from '../../output/brief.ts';
import type { Clock } from '../../work/clock.ts';
import type { Outage } from '../../work/pace.ts';
import type { RowCounts } from '../../work/tally.ts';

/** The time between two updates of the counts, in milliseconds. */
const drawInterval = 100;
const minute = 60_000;
const reasons = {
  throttled: 'the platform asks for fewer requests; --rate limits them from the start',
  troubled: 'the platform is failing',
  unreached: 'the platform cannot be reached',
  lost: 'the platform is failing; rows continue one at a time',
} as const;

/** Shows the progress of a run at a terminal. Elsewhere, it prints a line for the first wait of each kind, and for each minute of an outage. */
export async function openRowProgress(context: Context, clock: Clock) {
  const { openProgress } = await import('../../terminal/spinner.ts');
  const progress = openProgress(context, clock.now);
  let latest: (() => RowCounts) | undefined;
  let rests = 0;
  const lastSaid = new Map<Outage['why'], number>();
  const draw = () => {
    if (latest && rests === 0) progress.update(latest());
    latest = undefined;
    cancel = clock.after(drawInterval, draw);
  };
  let cancel = clock.after(drawInterval, draw);
  return {
    // Called for every row, so it does not read the clock itself.
    update(counts: () => RowCounts) {
      latest = counts;
    },
    rest(milliseconds: number, { why, lasted }: Outage) {
      if (milliseconds < 1000) return;
      rests += 1;
      const since = lasted < minute ? '' : ` (for ${spanText(lasted)} now)`;
      const sentence = `Waiting ${Math.ceil(milliseconds / 1000)} s: ${reasons[why]}${since}`;
      progress.say(sentence);
      const isDue = why !== 'throttled' || lasted >= minute;
      const last = lastSaid.get(why);
      if (last === undefined || (isDue && clock.now() - last >= minute)) {
        if (!context.world.stderr.isTTY) context.notice(`${sentence}.`);
        lastSaid.set(why, clock.now());
      }
      clock.after(milliseconds, () => {
        rests -= 1;
      });
    },
    finish() {
      cancel();
      progress.finish();
    },
  };
}
