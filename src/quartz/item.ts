import type { QuartzField } from './fields.ts';

/**
 * One item of one field of a Quartz expression, as the Quartz engines read it: numbers or a day form if all engines agree, doubtful if only some accept
 * it or some give it another meaning than it appears to have, refused if all refuse it.
 */
export type Item =
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'last'; readonly before: number; readonly weekday: boolean }
  | { readonly kind: 'nearest'; readonly day: number }
  | { readonly kind: 'lastOfWeekday'; readonly day: number }
  | { readonly kind: 'nth'; readonly day: number; readonly nth: number }
  /** `unspecified` if it still means "?"; `empty` if it adds nothing to its field. */
  | { readonly kind: 'doubtful'; readonly why: string; readonly unspecified?: true; readonly empty?: true }
  | { readonly kind: 'refused'; readonly why: string };

/** Reads one item, in upper case and not empty: `0/15`, `MON-FRI`, `L-3W`, `6#3`, `*`. Months and days of the week count from 1; Sunday is 1. */
export function readItem(item: string, field: QuartzField): Item {
  const first = item.charAt(0);
  if (first === '?') return readQuestionMark(item, field);
  if (first === '*' || first === '/') return readEvery(item, field);
  if (first >= '0' && first <= '9') return readNumber(item, field);
  if (first === 'L' && !field.names?.includes(item.slice(0, 3))) return readLast(item, field);
  if (field.names !== undefined && first >= 'A' && first <= 'Z') return readName(item, field, field.names);
  return refusedItem(field);
}

function readQuestionMark(item: string, field: QuartzField): Item {
  if (field.days === undefined) return { kind: 'refused', why: '"?" is only for the two day fields' };
  if (item === '?') return { kind: 'unspecified' };
  return item.length === 2 ? { ...ignoredTail(item.slice(1)), unspecified: true } : refusedItem(field);
}

function readEvery(item: string, field: QuartzField): Item {
  if (item === '*') return { kind: 'numbers', numbers: numbersInSteps(field.least, field.most, 1) };
  if (/^\*[^/]/.test(item)) return ignoredTail(item.slice(1));
  const [, sign, digits] = /^\*?\/([+-]?)(\d+)$/.exec(item) ?? [];
  if (digits === undefined) return { kind: 'refused', why: 'a number must follow "/"' };
  if (sign !== '') return doubtfulItem('engines read a step with a sign differently');
  return steppedValues(field.least, Number(digits), field);
}

/** A number, alone or as the start of `a-b`, `a/n`, `a-b/n`, `nL`, `nW`, `n#k`; some engines ignore what follows. */
function readNumber(item: string, field: QuartzField): Item {
  const [head = '', from = '', to, rangeStep, step] = /^(\d+)(?:-(\d+)(?:\/(\d+))?|\/(\d\d+|\d$))?/.exec(item) ?? [];
  const tail = item.slice(head.length);
  if (Number(from) > largestInteger) return refusedItem(field);
  const special = to === undefined && step === undefined ? readMark(Number(from), tail, field) : undefined;
  if (special !== undefined) return special;
  const plain =
    to !== undefined
      ? rangeOfValues(Number(from), Number(to), rangeStep === undefined ? 1 : Number(rangeStep), field)
      : step !== undefined
        ? steppedValues(Number(from), Number(step), field)
        : singleValue(Number(from), field);
  if (tail === '' || plain.kind === 'refused') return plain;
  const cutShort = tail.startsWith('/') && rangeStep === undefined && step === undefined;
  return cutShort ? { kind: 'refused', why: 'a number must follow "/"' } : ignoredTail(tail);
}

/** Reads the mark that directly follows a number: L, W, # or C, each only in its day field. Undefined if none does. */
function readMark(number: number, tail: string, field: QuartzField): Item | undefined {
  const mark = tail.charAt(0);
  if (mark === '-') return refusedItem(field);
  if (mark === 'L' && field.days === 'week') {
    if (isOutside(number, field)) return refusedItem(field);
    return tail === 'L' ? { kind: 'lastOfWeekday', day: number } : ignoredTail(tail.slice(1));
  }
  if (mark === 'W' && field.days === 'month') return readNearest(number, tail, field);
  if (mark === '#' && field.days === 'week') return readNth(number, tail, field);
  if (mark === 'C') return doubtfulItem('"C" means nothing to the engines');
  return mark !== '' && 'LW#'.includes(mark)
    ? { kind: 'refused', why: `"${mark}" is not allowed in this field` }
    : undefined;
}

function readNearest(day: number, tail: string, field: QuartzField): Item {
  // 0W sends one engine into an endless search for the next time.
  if (isOutside(day, field)) return refusedItem(field);
  if (tail !== 'W') return ignoredTail(tail.slice(1));
  if (day < 29) return { kind: 'nearest', day };
  return doubtfulItem('engines differ in months without that day; "LW" is the last weekday of the month');
}

function readNth(day: number, tail: string, field: QuartzField): Item {
  if (!/^#\+?0*[1-5]$/.test(tail)) return { kind: 'refused', why: 'a number from 1 to 5 must follow "#"' };
  if (isOutside(day, field) || tail.includes('+')) return doubtfulItem('not every engine accepts it');
  return { kind: 'nth', day, nth: Number(tail.slice(1)) };
}

function readLast(item: string, field: QuartzField): Item {
  const lenient = /^L(?:W|-\d*W?)?$/.test(item);
  if (field.days === undefined) {
    return lenient
      ? { ...doubtfulItem('"L" is for the two day fields, and names no time here'), empty: true }
      : refusedItem(field);
  }
  if (field.days === 'week') {
    if (item === 'L') return { kind: 'numbers', numbers: [field.most] };
    return lenient ? ignoredTail(item.slice(1)) : refusedItem(field);
  }
  const [whole, digits = '0', weekday] = /^L(?:-(\d+))?(W)?$/.exec(item) ?? [];
  if (whole === undefined)
    return /^L(?:-\d\d?)?W-\d\d?$/.test(item) ? doubtfulItem('only the newest engines take it') : refusedItem(field);
  const before = Number(digits);
  if (before > 30) return { kind: 'refused', why: 'the number after "L-" is 0 to 30' };
  if (weekday && before > 27) return doubtfulItem('one engine searches forever in a month too short for it');
  return { kind: 'last', before, weekday: weekday !== undefined };
}

function readName(item: string, field: QuartzField, names: readonly string[]): Item {
  const from = names.indexOf(item.slice(0, 3));
  if (from < 0) return refusedItem(field);
  const day = from + field.least;
  const tail = item.slice(3);
  if (tail === '' || field.longNames?.includes(item)) return { kind: 'numbers', numbers: [day] };
  if (tail === 'L' && field.days === 'week') return { kind: 'lastOfWeekday', day };
  if (tail.startsWith('#') && field.days === 'week') return readNth(day, tail, field);
  if (tail.startsWith('-')) {
    const to = names.indexOf(tail.slice(1, 4));
    if (to < 0) return { kind: 'refused', why: 'a range is from a name to a name, or from a number to a number' };
    return tail.length === 4 ? rangeOfValues(day, to + field.least, 1, field) : nameWithTail(tail.slice(4));
  }
  return nameWithTail(tail);
}

function nameWithTail(tail: string): Item {
  return tail.startsWith('/')
    ? doubtfulItem('a step after a name is dropped, or means weeks; write numbers')
    : ignoredTail(tail);
}

function singleValue(value: number, field: QuartzField): Item {
  const mark = internalMark(value, 0, field);
  if (mark !== undefined) return mark;
  return isForeign(value, field)
    ? refusedItem(field)
    : { kind: 'numbers', numbers: isOutside(value, field) ? [] : [value] };
}

function steppedValues(from: number, step: number, field: QuartzField): Item {
  if (step > largestInteger) return refusedItem(field);
  if (isTooWide(step, field)) return { kind: 'refused', why: `the step is at most ${field.most}` };
  const mark = internalMark(from, step, field);
  if (mark !== undefined) return mark;
  if (isForeign(from, field)) return refusedItem(field);
  return step === 0 ? zeroStep : { kind: 'numbers', numbers: numbersFrom(from, field.most, step, field) };
}

function rangeOfValues(from: number, to: number, step: number, field: QuartzField): Item {
  if (Math.max(to, step) > largestInteger) return refusedItem(field);
  const mark = internalMark(from, step, field);
  if (mark !== undefined) return mark;
  if (isForeign(from, field) || (!field.open && to > field.most)) return refusedItem(field);
  if (step === 0) return zeroStep;
  if (field.open && to < from) return { kind: 'refused', why: 'a range of years must end after it starts' };
  if (isTooWide(step, field)) return doubtfulItem(`a step above ${field.most} leaves the start of the range alone`);
  if (to < field.least && !field.open) return doubtfulItem(`the range ends before ${field.least}`);
  return { kind: 'numbers', numbers: numbersFrom(from, to, step, field) };
}

/** The engines use 99 internally for every value, and 98 for "?" in the day fields. In an expression these numbers mean the same. */
function internalMark(from: number, step: number, field: QuartzField): Item | undefined {
  if (from === 99) return doubtfulItem('99 is an internal mark of Quartz, and means every value');
  if (from !== 98 || field.days === undefined) return undefined;
  const mark = doubtfulItem('98 is an internal mark of Quartz, and means "?"');
  return step === 0 ? { ...mark, unspecified: true } : { ...mark, empty: true };
}

/** The numbers from `from` to `to` in steps. They wrap around if `to` is smaller. Years outside of the field's range are left out. */
function numbersFrom(from: number, to: number, step: number, { least, most, open }: QuartzField): readonly number[] {
  if (open) {
    const start = from < least ? from + Math.ceil((least - from) / step) * step : from;
    return numbersInSteps(start, Math.min(to, most), step);
  }
  const size = most - least + 1;
  return numbersInSteps(from, to < from ? to + size : to, step).map((value) => (value > most ? value - size : value));
}

export function numbersInSteps(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

/** The engines store numbers in 32 bits. */
const largestInteger = 2_147_483_647;

const isOutside = (value: number, { least, most }: QuartzField): boolean => value < least || value > most;
const isForeign = (value: number, field: QuartzField): boolean => !field.open && isOutside(value, field);
/** Whether a step is too wide for a field. The engines accept it after a range. */
const isTooWide = (step: number, { most, open }: QuartzField): boolean => !open && step > most;
const refusedItem = ({ takes }: QuartzField): Item => ({ kind: 'refused', why: `it takes ${takes}` });
const doubtfulItem = (why: string) => ({ kind: 'doubtful', why }) as const;
const ignoredTail = (tail: string) => doubtfulItem(`"${tail}" is ignored by some engines, and refused by others`);
const zeroStep = doubtfulItem('a step of 0 is taken as 1, or as no step at all');
