import { quartzFields } from './fields.ts';
import type { DayOfMonth, DayOfWeek, QuartzFields } from './quartz.ts';

/**
 * A schedule as an English phrase without a full stop: "At 10:15, Monday through Friday". It names no time zone.
 * The fields come from `readQuartz`, which returns none if the engines differ, so there is no phrase for such expressions.
 * cronstrue gets a text made from the fields instead of the original, so that it never sees syntax that it reads differently from Quartz.
 */
export async function describeSchedule(fields: QuartzFields): Promise<string> {
  const { default: cronstrue } = await import('cronstrue');
  const words = cronstrue.toString(plainText(fields), { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true });
  return corrections(fields).reduce((text, [wrong, right]) => text.replace(wrong, right), words);
}

function plainText({ seconds, minutes, hours, dayOfMonth, month, dayOfWeek, year }: QuartzFields): string {
  const times = [ofClock(seconds, 60), ofClock(minutes, 60), ofClock(hours, 24)];
  return [...times, ofMonth(dayOfMonth), cycle(month, 12), ofWeek(dayOfWeek), years(year)].join(' ');
}

/** Rewrites phrases that cronstrue gets wrong or words differently from us. */
function corrections(fields: QuartzFields): readonly (readonly [RegExp, string])[] {
  const { hours, dayOfMonth, month, dayOfWeek, year } = fields;
  const daily = covers(dayOfMonth, 31) || covers(dayOfWeek, 7);
  const always = daily && month.length === 12 && year.length === everyYear;
  return [
    // An open range of years ends in 9999 for cronstrue and in a hundred years for Quartz, but people do not expect an end.
    [/(\d+) through (?:2299|9999)$/, 'from $1'],
    ...(dayOfMonth.kind === 'last' && dayOfMonth.weekday
      ? [[/(\d+ days? before the last day)/, 'on the weekday nearest to $1'] as const]
      : []),
    ...(year.length === 0 ? [[/$/, ', in no year to come'] as const] : []),
    ...(always && hours.length < 24 ? [[/$/, ', every day'] as const] : []),
  ];
}

const everyYear = quartzFields.year.most - quartzFields.year.least + 1;

const covers = (day: DayOfMonth | DayOfWeek, size: number): boolean =>
  day.kind === 'numbers' && day.numbers.length === size;

/** "Every 15 minutes" only if it is also true across the hour; otherwise the numbers themselves. */
function ofClock(numbers: readonly number[], size: number): string {
  const gap = gapOf(numbers);
  if (gap === undefined || gap === 1) return cycle(numbers, size);
  if (numbers[0] === 0 && numbers.length * gap === size) return `*/${gap}`;
  return numbers.length > 8 ? `${numbers[0]}-${numbers.at(-1)}/${gap}` : cycle(numbers, size);
}

/** A range if the numbers are consecutive, also around the end; otherwise the result of `runs`. */
function cycle(numbers: readonly number[], size: number): string {
  if (numbers.length === size) return '*';
  const starts = numbers.filter((number) => !numbers.some((other) => (other + 1) % size === number % size));
  const ends = numbers.filter((number) => !numbers.some((other) => (number + 1) % size === other % size));
  return starts.length === 1 && numbers.length > 2 ? `${starts[0]}-${ends[0]}` : runs(numbers);
}

function years(numbers: readonly number[]): string {
  if (numbers.length === everyYear) return '*';
  const gap = gapOf(numbers) ?? 1;
  const open = (numbers.at(-1) ?? 0) + gap > quartzFields.year.most;
  return gap > 1 && open ? `${numbers[0]}/${gap}` : runs(numbers);
}

function ofMonth(day: DayOfMonth): string {
  if (day.kind === 'numbers') return day.numbers.length === 31 ? '*' : runs(day.numbers);
  if (day.kind === 'nearest') return `${day.day}W`;
  if (day.kind === 'unspecified') return '?';
  return day.before > 0 ? `L-${day.before}` : day.weekday ? 'LW' : 'L';
}

function ofWeek(day: DayOfWeek): string {
  if (day.kind === 'numbers') return cycle(day.numbers, 7);
  if (day.kind === 'nth') return `${day.day}#${day.nth}`;
  return day.kind === 'unspecified' ? '?' : `${day.day}L`;
}

/** The distance between all neighbours, if it is the same. */
function gapOf(numbers: readonly number[]): number | undefined {
  const [first = 0, second = first] = numbers;
  const gap = second - first;
  return gap > 0 && numbers.every((number, index) => number === first + index * gap) ? gap : undefined;
}

/** Three or more consecutive numbers as `a-b`, the others one by one. */
function runs(numbers: readonly number[]): string {
  const rows: number[][] = [];
  for (const number of numbers) {
    const row = rows.at(-1);
    if (row?.at(-1) === number - 1) row.push(number);
    else rows.push([number]);
  }
  return rows.map((row) => (row.length > 2 ? `${row[0]}-${row.at(-1)}` : row.join())).join();
}
