import { usage } from '../failure.ts';
import { ignoreError } from '../text/ignore-error.ts';
import { type DayOfMonth, type DayOfWeek, daysIn, type QuartzFields } from './quartz.ts';

/**
 * The next times of a schedule, at most `count`, strictly after `after` and in whole seconds. There are fewer if the years end or a hundred have passed.
 * When a zone changes to or from summer time the engines differ, and this is croner's answer: a single time of day that the clock skips comes right after
 * the change, and a repeated one counts once. A list, range or step leaves out skipped times and has repeated ones twice.
 * @param zone a name such as UTC or Europe/Berlin
 * @throws usage for an unknown zone
 */
export async function nextTimes(fields: QuartzFields, after: Date, zone: string, count: number): Promise<Date[]> {
  if (!ignoreError(() => new Intl.DateTimeFormat('en', { timeZone: zone }))) {
    const sentence = `--tz takes the name of a time zone, but "${zone}" is not one.`;
    throw usage(sentence, 'Give UTC, or a name such as Europe/Berlin.');
  }
  const { Cron } = await import('croner');
  const times: Date[] = [];
  for (const part of cronPatterns(fields, after.getUTCFullYear())) {
    if (times.length >= count) break;
    const cron = new Cron(part, { mode: '7-part', alternativeWeekdays: true, timezone: zone });
    times.push(...cron.nextRuns(count - times.length, after));
  }
  return times;
}

/**
 * The times of a schedule at which the engines differ, because the clock of the zone skips them or shows them twice, as text: "2027-03-28 02:30:00".
 * Looks at `count` times after `after`, and of these only up to `until`, if that is given.
 */
export async function doubtfulTimes(
  fields: QuartzFields,
  after: Date,
  zone: string,
  { count, until }: { readonly count: number; readonly until?: Date | undefined },
): Promise<string[]> {
  const clockTime = (time: Date): Date => new Date(time.getTime() + offsetOf(time, zone));
  // A clock without changes shows each time of day once.
  const times = await nextTimes(fields, clockTime(after), 'UTC', count);
  const last = until === undefined ? Number.POSITIVE_INFINITY : clockTime(until).getTime();
  const isDoubtful = (shown: number): boolean => {
    const offsets = new Set([-day, day].map((away) => offsetOf(new Date(shown + away), zone)));
    return [...offsets].filter((offset) => offsetOf(new Date(shown - offset), zone) === offset).length !== 1;
  };
  const doubtful = times.filter((time) => time.getTime() <= last && isDoubtful(time.getTime()));
  return doubtful.map((time) => time.toISOString().slice(0, 19).replace('T', ' '));
}

const day = 86_400_000;

/** How far the clock of a zone is ahead of UTC, in milliseconds. */
export function offsetOf(time: Date, zone: string): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d{2}):(\d{2})/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A schedule as patterns of croner, in the order of their times. */
function* cronPatterns(fields: QuartzFields, thisYear: number): Generator<string> {
  // A time zone may still be in the previous year, or already in the next.
  const year = fields.year.filter((each) => each >= thisYear - 1 && each <= thisYear + 100);
  const { dayOfMonth, month, dayOfWeek } = fields;
  if (year.length === 0) return;
  if (dayOfMonth.kind !== 'last' || dayOfMonth.before === 0) {
    yield cronPattern(fields, daysOf(dayOfMonth), month, daysOf(dayOfWeek), year);
    return;
  }
  // croner has no syntax for a number of days before the last, so each month gets its own day.
  for (const eachYear of year) {
    for (const eachMonth of month) {
      const day = daysIn(eachYear, eachMonth) - dayOfMonth.before;
      if (day < 1) continue;
      yield cronPattern(fields, dayOfMonth.weekday ? `${day}W` : `${day}`, [eachMonth], '*', [eachYear]);
    }
  }
}

function cronPattern(
  { seconds, minutes, hours }: QuartzFields,
  days: string,
  month: readonly number[],
  weekdays: string,
  year: readonly number[],
): string {
  return [seconds.join(), minutes.join(), hours.join(), days, month.join(), weekdays, year.join()].join(' ');
}

function daysOf(day: DayOfMonth | DayOfWeek): string {
  if (day.kind === 'numbers') return day.numbers.join();
  if (day.kind === 'nearest') return `${day.day}W`;
  if (day.kind === 'last') return day.weekday ? 'LW' : 'L';
  if (day.kind === 'lastOfWeekday') return `${day.day}#L`;
  return day.kind === 'nth' ? `${day.day}#${day.nth}` : '*';
}
