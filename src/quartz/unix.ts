import { type QuartzField, quartzFields } from './fields.ts';
import { numbersInSteps } from './item.ts';
import { readQuartz } from './quartz.ts';

/**
 * The Quartz form of a Unix cron line: five fields, minutes first, or a nickname such as @daily.
 * Undefined if it is not a cron line, or if Quartz cannot express it: both day fields restricted (Unix fires on either), `@reboot`.
 * Unix numbers the days of the week from 0 = Sunday (also 7), Quartz from 1 = Sunday, so they are written as names, which are unambiguous.
 */
export function quartzOfUnix(expression: string): string | undefined {
  if (expression.length > longest) return undefined;
  const line = expression.trim().toLowerCase();
  const texts = (nicknames.get(line) ?? line).split(/\s+/);
  const read = unixFields.map((field, index) => readUnixField(texts[index] ?? '', field));
  const [minutes, hours, days, months, weekdays] = read;
  if (texts.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  if (!days.every && !weekdays.every) return undefined;
  const week = weekdays.every ? '?' : namesOfDays(weekdays.numbers);
  const month = weekdays.every ? days.text : '?';
  const quartz = ['0', minutes.text, hours.text, month, months.text, week].join(' ').toUpperCase();
  return readQuartz(quartz).fields === undefined ? undefined : quartz;
}

/**
 * The Quartz form of an expression that Quartz refuses, if it is written for Unix, for Spring, which adds seconds to Unix, or for AWS, which has minutes
 * first and a year last, and numbers the days as Quartz does. `why` names the difference.
 */
export function quartzOfOther(expression: string): { readonly quartz: string; readonly why?: string } | undefined {
  const line = expression.trim().replace(/^cron\((.*)\)$/i, '$1');
  const unix = quartzOfUnix(line);
  if (unix !== undefined) return { quartz: unix };
  const [seconds, ...others] = line.split(/\s+/);
  const spring = `${seconds} ${quartzOfUnix(others.join(' '))?.slice(2)}`;
  if (/(?:^|[,-])0/.test(others.at(-1) ?? '') && readQuartz(spring).fields)
    return { quartz: spring, why: 'its days of the week start at 0, as in Spring; in Quartz 1 is Sunday' };
  const why = 'its minutes come first and its year last, as in AWS; Quartz has seconds first';
  const isAws = others.length === 5 && readQuartz(`0 ${line}`).fields !== undefined;
  return isAws ? { quartz: `0 ${line}`.replace(/ \*$/, ''), why } : undefined;
}

const longest = 1000;

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

type UnixField = Pick<QuartzField, 'least' | 'most' | 'names' | 'days'>;

const { minutes, hours, dayOfMonth, month, dayOfWeek } = quartzFields;
const unixFields: readonly UnixField[] = [minutes, hours, dayOfMonth, month, { ...dayOfWeek, least: 0 }];

/** `every`: the field has a star, and so restricts nothing. */
type UnixReading = { readonly text: string; readonly numbers: readonly number[]; readonly every: boolean };

function readUnixField(text: string, field: UnixField): UnixReading | undefined {
  // Only Quartz has "?": a Quartz expression without its seconds, in which it stands for "*".
  if (text === '*' || (text === '?' && field.days))
    return { text: '*', numbers: numbersInSteps(field.least, field.most, 1), every: true };
  const items = text.split(',').map((item) => readUnixItem(item, field));
  const numbers = items.flatMap((item) => item ?? []);
  // Quartz does not allow a step after a name, or a name next to a number.
  const plain = /^[a-z,-]+$|^[^a-z]+$/.test(text);
  return items.includes(undefined) ? undefined : { text: plain ? text : numbers.join(), numbers, every: false };
}

function readUnixItem(item: string, field: UnixField): readonly number[] | undefined {
  const [, star, first, last, stepText] = /^(?:(\*)|([a-z]{3}|\d+)(?:-([a-z]{3}|\d+))?)(?:\/(\d+))?$/.exec(item) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  const from = star ? field.least : numberOf(first, field);
  const to = last !== undefined ? numberOf(last, field) : star || stepText !== undefined ? field.most : from;
  if (from === undefined || to === undefined || to < from || step < 1) return undefined;
  return numbersInSteps(from, to, step);
}

function numberOf(text: string | undefined, { least, most, names }: UnixField): number | undefined {
  if (text === undefined) return undefined;
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const number = named < 0 ? Number(text) : named + least;
  return number >= least && number <= most ? number : undefined;
}

const week = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

/** Unix days of the week as names: `MON-FRI` for three or more in a row, otherwise `SAT,SUN`. */
function namesOfDays(numbers: readonly number[]): string {
  const days = week.filter((_, index) => numbers.some((number) => (number + 6) % 7 === index));
  if (days.length === week.length) return '*';
  const isRow = days.length > 2 && week.join().includes(days.join());
  return isRow ? `${days[0]}-${days.at(-1)}` : days.join();
}
