import { capitalized } from '../text/capitalized.ts';
import { quartzFields } from './fields.ts';
import type { DayOfMonth, DayOfWeek, QuartzFields } from './quartz.ts';

/**
 * A schedule as an English phrase without a full stop: "At 10:15, Monday through Friday". It names no time zone.
 * cronstrue words the dates only, because it takes `14,18` for two times of day, whatever the minutes are. It gets a text made from the fields, not the
 * original, which it might read differently from Quartz.
 */
export async function describeSchedule(fields: QuartzFields): Promise<string> {
  const { default: cronstrue } = await import('cronstrue');
  const { hours, dayOfMonth, month, dayOfWeek, year } = fields;
  const days = ['0 0 0', dayText(dayOfMonth, 31), listed(month, 12), dayText(dayOfWeek, 7), yearText(year)].join(' ');
  const before = 'weekday' in dayOfMonth && dayOfMonth.weekday ? ', on the weekday nearest to ' : ', ';
  const dates = cronstrue
    .toString(days, { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true })
    .replace(/^At 00:00/, '')
    // An open range of years ends in 9999 for cronstrue and in a hundred years for Quartz, but people do not expect an end.
    .replace(/(\d+) through (?:2299|9999)$/, 'from $1')
    .replace(/^, (?=\d)/, before); // "3 days before the last day of the month"
  const everyDay = dates === '' && hours.length < 24 ? ', every day' : '';
  const end = year.length === 0 ? ', in no year to come' : everyDay;
  return `${capitalized(clockWords(fields))}${dates}${end}`;
}

/** The times of day in words: all of them if they are few, otherwise how often, and between which hours. */
function clockWords({ seconds, minutes, hours }: QuartzFields): string {
  const isHourly = seconds.length * minutes.length === 1;
  if (seconds.length * minutes.length * hours.length <= 6 || (isHourly && gapOf(hours) === undefined)) {
    const all = hours.flatMap((hour) => minutes.flatMap((minute) => seconds.map((second) => [hour, minute, second])));
    return `at ${joinWithAnd(all.map(clock))}`;
  }
  const [first, last] = [hours[0], hours.at(-1)].map((hour) => clock([hour, ...minutes, ...seconds]));
  if (isHourly && hours.length < 24) return `${everyUnit(hours, 'hour')}, between ${first} and ${last}`;
  const ofSeconds = seconds.join() === '0' ? [] : [paced(seconds, 'second', 'minute')];
  const pace =
    seconds.length === 1
      ? [paced(minutes, 'minute', 'hour'), ...ofSeconds]
      : [...ofSeconds, ...(minutes.length === 60 ? [] : [pastWhole(minutes, 'minute', 'hour')])];
  const windows = consecutive(hours).map((row) => `between ${clock([row[0], 0])} and ${clock([row.at(-1), 59])}`);
  return [...pace, ...(hours.length === 24 ? [] : [joinWithAnd(windows)])].join(', ');
}

/** "every 15 minutes" if that is true across the hour, too; otherwise the numbers themselves. */
function paced(numbers: readonly number[], unit: string, whole: string): string {
  if (numbers.join() === '0') return `every ${whole}`;
  const fills = numbers[0] === 0 && numbers.length * (gapOf(numbers) ?? 0) === 60;
  return fills ? everyUnit(numbers, unit) : pastWhole(numbers, unit, whole);
}

const everyUnit = (numbers: readonly number[], unit: string): string =>
  gapOf(numbers) === 1 ? `every ${unit}` : `every ${gapOf(numbers)} ${unit}s`;

const pastWhole = (numbers: readonly number[], unit: string, whole: string): string =>
  `at ${joinWithAnd(runsOf(numbers).replaceAll('-', ' through ').split(','))} ${unit}${numbers.join() === '1' ? '' : 's'} past the ${whole}`;

/** `14:05`, and `14:05:30` where there are seconds. */
const clock = ([hour = 0, minute = 0, second = 0]: readonly (number | undefined)[]): string =>
  new Date(Date.UTC(0, 0, 1, hour, minute, second)).toISOString().slice(11, second > 0 ? 19 : 16);

const joinWithAnd = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

function yearText(numbers: readonly number[]): string {
  const [{ least, most }, gap] = [quartzFields.year, gapOf(numbers) ?? 1];
  const isOpen = gap > 1 && (numbers.at(-1) ?? 0) + gap > most;
  return isOpen ? `${numbers[0]}/${gap}` : listed(numbers, most - least + 1);
}

function dayText(day: DayOfMonth | DayOfWeek, size: number): string {
  if (day.kind === 'numbers') return listed(day.numbers, size);
  if (day.kind === 'nearest') return `${day.day}W`;
  if (day.kind === 'lastOfWeekday') return `${day.day}L`;
  if (day.kind === 'nth') return `${day.day}#${day.nth}`;
  if (day.kind === 'unspecified') return '?';
  if (day.before > 0) return `L-${day.before}`;
  return day.weekday ? 'LW' : 'L';
}

/** Runs never go beyond the last number: "November through February, only in 2027" would end in 2028. */
const listed = (numbers: readonly number[], size: number): string => (numbers.length === size ? '*' : runsOf(numbers));

/** The distance between neighbours; undefined if it is not the same for all. */
function gapOf(numbers: readonly number[]): number | undefined {
  const [first = 0, second = first] = numbers;
  const gap = second - first;
  return gap > 0 && numbers.every((number, index) => number === first + index * gap) ? gap : undefined;
}

/** Three or more consecutive numbers as `a-b`, the others one by one. */
const runsOf = (numbers: readonly number[]): string =>
  String(consecutive(numbers).map((row) => (row.length > 2 ? `${row[0]}-${row.at(-1)}` : row)));

function consecutive(numbers: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const number of numbers) {
    const row = rows.at(-1);
    if (row?.at(-1) === number - 1) row.push(number);
    else rows.push([number]);
  }
  return rows;
}
