/** The progress of long work: a wait that is shown at once, and says how much is done. */
import { groupDigits } from '../text/group-digits.ts';
import type { Waiting } from './waiting.ts';

/** What has become of the items of some work; those that are skipped were done before. */
type Work = {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped?: number;
  readonly unknown?: number;
};

type ProgressWorld = {
  readonly waiting: Waiting;
  readonly options: { readonly verbose?: boolean | undefined; readonly debug?: boolean | undefined };
};

/** The progress of one piece of work, with its rate since now. With traces it shows nothing: they would mix with a redrawn line. */
export function openProgress({ waiting, options }: ProgressWorld, now: () => number) {
  const isTraced = options.verbose === true || options.debug === true;
  const wait = waiting.begin('', 'at once');
  const began = now();
  const say = (text: string) => {
    if (!isTraced) wait.say(text);
  };
  return {
    say,
    update: (work: Work) => say(workText(work, (now() - began) / 1000)),
    finish: wait.end,
  };
}

/** `1,204 of 2,000 done, 3 failed, 48 a second, 17 s left` */
export function workText({ total, done, failed, skipped = 0, unknown = 0 }: Work, seconds: number): string {
  const number = (value: number) => groupDigits(Math.round(value));
  const worked = done + failed + unknown;
  const perSecond = worked / Math.max(0.001, seconds);
  const left = (total - skipped - worked) / perSecond;
  const parts = [
    `${number(done + skipped)} of ${number(total)} done`,
    failed > 0 && `${number(failed)} failed`,
    `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : number(perSecond)} a second`,
    Number.isFinite(left) && `${sayDuration(Math.ceil(left))} left`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

function sayDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
