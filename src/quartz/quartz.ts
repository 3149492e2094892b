import { type QuartzField, quartzFields } from './fields.ts';
import { type Item, readItem } from './item.ts';

type Quartz = {
  /** Why every engine refuses it, or fails on it: a phrase to follow "…: ", without a full stop. */
  readonly refusal?: string;
  /** Sentences. Empty if all engines read the expression alike. */
  readonly warnings: readonly string[];
  /** The expanded expression; absent if it is refused, or if the engines differ on its meaning. */
  readonly fields?: QuartzFields;
};

/** Fields as sorted numbers, or a day form. Months and days of the week (Sunday) count from 1, years are 1970 to 2299. One of the day fields is unspecified. */
export type QuartzFields = Readonly<Record<'seconds' | 'minutes' | 'hours' | 'month' | 'year', readonly number[]>> & {
  readonly dayOfMonth: DayOfMonth;
  readonly dayOfWeek: DayOfWeek;
};

export type DayOfMonth = Extract<Item, { kind: 'numbers' | 'unspecified' | 'last' | 'nearest' }>;

export type DayOfWeek = Extract<Item, { kind: 'numbers' | 'unspecified' | 'lastOfWeekday' | 'nth' }>;

/**
 * Reads a Quartz expression, "seconds-first format with six or seven parts", as the Quartz engines for Java and .NET do. It is refused only if all
 * engines refuse it, or if it breaks the scheduler on its first run. If only some accept it, there is a warning.
 * @param thisYear to detect years that are over, or too far away for the engines, which give up after a hundred
 */
export function readQuartz(expression: string, thisYear?: number): Quartz {
  if (expression.length > longest) return refuse(`it has ${expression.length} characters, more than ${longest}`);
  const texts = expression.split(blanks).filter((text) => text !== '');
  if (texts.length < 6) return refuse(tooFewFields(texts));
  const readings = fieldOrder.map((key, index) => readField(texts[index] ?? '*', quartzFields[key]));
  const refusal = readings.find((field) => field.refusal !== undefined)?.refusal ?? daysRefusal(texts, readings);
  if (refusal !== undefined) return refuse(refusal);
  const surplus =
    texts.length > 7 ? ['Fields after the seventh are ignored by some engines, and refused by others.'] : [];
  const doubts = [...readings.flatMap((field) => field.warnings.slice(0, 3)), ...bothDays(texts, readings), ...surplus];
  if (doubts.length > 0) return { warnings: doubts };
  const fields = quartzValues(readings);
  return { warnings: neverRunsWarning(fields, thisYear), fields };
}

const fieldOrder = ['seconds', 'minutes', 'hours', 'dayOfMonth', 'month', 'dayOfWeek', 'year'] as const;
// Engines know spaces and tabs only; `batches create` sends spaces.
const blanks = /\s+/;
// All numbers of all fields written out take some 2,000 characters.
const longest = 4096;

// Only ASCII letters: some others, such as the long s, have an ASCII letter as their upper case.
const upperCased = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
const refuse = (refusal: string): Quartz => ({ refusal, warnings: [] });

function tooFewFields(texts: readonly string[]): string {
  const takes = 'Quartz takes six, seconds first, or seven with a year';
  if (texts.length === 0) return `it is empty; ${takes}`;
  if (texts[0]?.startsWith('@'))
    return `"${shorten(texts[0])}" is a nickname of Unix cron; ${takes.replace('six,', 'six fields,')}`;
  if (texts.length === 5) return `it has five fields, as Unix cron has; ${takes}`;
  return `it has ${texts.length} field${texts.length === 1 ? '' : 's'}; ${takes}`;
}

type FieldReading = {
  readonly refusal?: string;
  readonly warnings: readonly string[];
  readonly unspecified: boolean;
  readonly item: Item;
};

function readField(text: string, field: QuartzField): FieldReading {
  const parts = text.split(',');
  const items = parts.filter((part) => part !== '').map((part) => ({ part, item: readItem(upperCased(part), field) }));
  const unspecified = items.some(
    ({ item }) => item.kind === 'unspecified' || (item.kind === 'doubtful' && item.unspecified),
  );
  const item = joinItems(items.map((each) => each.item));
  for (const { part, item } of items) {
    if (item.kind === 'refused') return { refusal: problemIn(field, part, item.why), warnings: [], unspecified, item };
  }
  const empty = items.every(({ item }) => item.kind === 'doubtful' && item.empty);
  const why =
    empty && !field.open
      ? 'nothing in it names a time, and every engine fails at the first run'
      : listRefusal(text, field);
  if (why !== undefined) return { refusal: problemIn(field, text, why), warnings: [], unspecified, item };
  const doubts = items.flatMap(({ part, item }) => (item.kind === 'doubtful' ? [doubtAt(field, part, item.why)] : []));
  if (items.length < parts.length) doubts.push(doubtAt(field, text, 'empty items are dropped by some engines'));
  if (item.kind === 'doubtful' && doubts.length === 0) doubts.push(doubtAt(field, text, item.why));
  return { warnings: doubts, unspecified, item };
}

function listRefusal(text: string, field: QuartzField): string | undefined {
  if (field.days !== 'week') return undefined;
  if (text.indexOf('#') !== text.lastIndexOf('#')) return 'only one "#" is allowed';
  return text.includes(',') && upperCased(text).includes('L') ? '"L" cannot be combined with other days' : undefined;
}

function joinItems(items: readonly Item[]): Item {
  const [first, ...others] = items;
  const plain = items.filter((item) => item.kind === 'numbers');
  if (plain.length === items.length) return { kind: 'numbers', numbers: sorted(plain.flatMap((item) => item.numbers)) };
  if (first !== undefined && others.length === 0) return first;
  return { kind: 'doubtful', why: 'engines read a day form in a list differently' };
}

function daysRefusal(texts: readonly string[], read: readonly FieldReading[]): string | undefined {
  if (dayFields.some((index) => !read[index]?.unspecified)) return undefined;
  const [rule, example] = ['exactly one of day of month and day of week must be "?"', withDayReplaced(texts, '?', '*')];
  return example === '' ? rule : `${rule}, as in${example}`;
}

/** The warning for an expression with both day fields: Quartz.NET accepts them from version 4 on, the other engines never. */
function bothDays(texts: readonly string[], read: readonly FieldReading[]): readonly string[] {
  if (dayFields.some((index) => read[index]?.unspecified)) return [];
  const only = 'Only Quartz.NET 4 and later takes both a day of month and a day of week, and runs on either day';
  const [offered, week = ''] = [withDayReplaced(texts, '*', '?'), texts[5]];
  if (offered === '') return [`${only}.`];
  const { names } = quartzFields.dayOfWeek;
  const [ours, other] = [6, 0].map((away) => {
    const named = week.replace(/(?<![#/\d])\d+/g, (day) => names[(Number(day) + away) % 7] ?? day);
    return withDayReplaced(texts.with(5, named), '*', '?');
  });
  const sunday = /(?:^|,)\d/.test(week) ? ' (1 is Sunday in Quartz)' : '';
  const monday = ours === other ? '' : `; with 1 as Monday, as in Spring and Unix, it is${other}`;
  return [`${only}; every engine takes${ours || offered}${sunday}${monday}.`];
}

const dayFields = [5, 3] as const;

/** The expression with one day field replaced, preferably the day of week; empty if not every engine accepts that. */
function withDayReplaced(texts: readonly string[], from: string, to: string): string {
  const index = dayFields.find((each) => texts[each] === from);
  const changed = index === undefined ? '' : texts.with(index, to).join(' ');
  return readQuartz(changed).fields === undefined ? '' : ` "${shorten(changed)}"`;
}

function quartzValues(read: readonly FieldReading[]): QuartzFields {
  const day = (index: number): Item => read[index]?.item ?? { kind: 'unspecified' };
  const numbers = (index: number): readonly number[] => {
    const item = day(index);
    return item.kind === 'numbers' ? item.numbers : [];
  };
  return {
    seconds: numbers(0),
    minutes: numbers(1),
    hours: numbers(2),
    dayOfMonth: day(3) as DayOfMonth, // readItem gives each day field its own forms
    month: numbers(4),
    dayOfWeek: day(5) as DayOfWeek, // likewise
    year: numbers(6),
  };
}

function neverRunsWarning({ dayOfMonth, month, year }: QuartzFields, thisYear: number | undefined): readonly string[] {
  const years = year.filter((each) => each >= (thisYear ?? 1970) && each <= (thisYear ?? 2099) + 100);
  if (years.length === 0) return ['It never runs: its years are over, or too far away.'];
  const needed = firstDayNeeded(dayOfMonth);
  const comes = month.some((each) => years.some((inYear) => needed <= daysIn(inYear, each)));
  return comes ? [] : ['It never runs: none of its months has that day.'];
}

/** The number of days a month needs to contain a day of the field. */
function firstDayNeeded(day: DayOfMonth): number {
  if (day.kind === 'numbers') return day.numbers[0] ?? 1;
  if (day.kind === 'last') return day.before + 1;
  return day.kind === 'nearest' ? day.day : 1;
}

/** The number of days in a month; months are numbered from 1. */
export const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const sorted = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b);
const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const problemIn = ({ name }: QuartzField, text: string, why: string): string =>
  `the ${name} field has "${shorten(text)}"; ${why}`;
const doubtAt = (field: QuartzField, text: string, why: string): string => `T${problemIn(field, text, why).slice(1)}.`;
