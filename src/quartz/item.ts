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
export function readItem(item: string, place: QuartzField): Item {
  const first = item.charAt(0);
  if (first === '?') return readQuestionMark(item, place);
  if (first === '*' || first === '/') return readEvery(item, place);
  if (first >= '0' && first <= '9') return readNumber(item, place);
  if (first === 'L' && !place.names?.includes(item.slice(0, 3))) return readLast(item, place);
  if (place.names !== undefined && first >= 'A' && first <= 'Z') return readName(item, place, place.names);
  return refused(place);
}

function readQuestionMark(item: string, place: QuartzField): Item {
  if (place.days === undefined) return { kind: 'refused', why: '"?" is only for the two day fields' };
  if (item === '?') return { kind: 'unspecified' };
  return item.length === 2 ? { ...ignored(item.slice(1)), unspecified: true } : refused(place);
}

function readEvery(item: string, place: QuartzField): Item {
  if (item === '*') return { kind: 'numbers', numbers: count(place.least, place.most, 1) };
  if (/^\*[^/]/.test(item)) return ignored(item.slice(1));
  const [, sign, digits] = /^\*?\/([+-]?)(\d+)$/.exec(item) ?? [];
  if (digits === undefined) return { kind: 'refused', why: 'a number must follow "/"' };
  if (sign !== '') return doubtful('engines read a step with a sign differently');
  return stepped(place.least, Number(digits), place);
}

/** A number, alone or as the start of `a-b`, `a/n`, `a-b/n`, `nL`, `nW`, `n#k`; some engines ignore what follows. */
function readNumber(item: string, place: QuartzField): Item {
  const [head = '', from = '', to, rangeStep, step] = /^(\d+)(?:-(\d+)(?:\/(\d+))?|\/(\d\d+|\d$))?/.exec(item) ?? [];
  const tail = item.slice(head.length);
  if (Number(from) > largest) return refused(place);
  const special = to === undefined && step === undefined ? readMarked(Number(from), tail, place) : undefined;
  if (special !== undefined) return special;
  const plain =
    to !== undefined
      ? ranged(Number(from), Number(to), rangeStep === undefined ? 1 : Number(rangeStep), place)
      : step !== undefined
        ? stepped(Number(from), Number(step), place)
        : single(Number(from), place);
  if (tail === '' || plain.kind === 'refused') return plain;
  const cutShort = tail.startsWith('/') && rangeStep === undefined && step === undefined;
  return cutShort ? { kind: 'refused', why: 'a number must follow "/"' } : ignored(tail);
}

/** What may directly follow a number: L, W, #, C, each only in its day field. Undefined if none of them does. */
function readMarked(number: number, tail: string, place: QuartzField): Item | undefined {
  const mark = tail.charAt(0);
  if (mark === '-') return refused(place);
  if (mark === 'L' && place.days === 'week') {
    if (outside(number, place)) return refused(place);
    return tail === 'L' ? { kind: 'lastOfWeekday', day: number } : ignored(tail.slice(1));
  }
  if (mark === 'W' && place.days === 'month') return nearest(number, tail, place);
  if (mark === '#' && place.days === 'week') return nth(number, tail, place);
  if (mark === 'C') return doubtful('"C" means nothing to the engines');
  return mark !== '' && 'LW#'.includes(mark)
    ? { kind: 'refused', why: `"${mark}" is not allowed in this field` }
    : undefined;
}

function nearest(day: number, tail: string, place: QuartzField): Item {
  // 0W sends one engine into an endless search for the next time.
  if (outside(day, place)) return refused(place);
  if (tail !== 'W') return ignored(tail.slice(1));
  if (day < 29) return { kind: 'nearest', day };
  return doubtful('engines differ in months without that day; "LW" is the last weekday of the month');
}

function nth(day: number, tail: string, place: QuartzField): Item {
  if (!/^#\+?0*[1-5]$/.test(tail)) return { kind: 'refused', why: 'a number from 1 to 5 must follow "#"' };
  if (outside(day, place) || tail.includes('+')) return doubtful('not every engine accepts it');
  return { kind: 'nth', day, nth: Number(tail.slice(1)) };
}

function readLast(item: string, place: QuartzField): Item {
  const lenient = /^L(?:W|-\d*W?)?$/.test(item);
  if (place.days === undefined) {
    return lenient
      ? { ...doubtful('"L" is for the two day fields, and names no time here'), empty: true }
      : refused(place);
  }
  if (place.days === 'week') {
    if (item === 'L') return { kind: 'numbers', numbers: [place.most] };
    return lenient ? ignored(item.slice(1)) : refused(place);
  }
  const [whole, digits = '0', weekday] = /^L(?:-(\d+))?(W)?$/.exec(item) ?? [];
  if (whole === undefined)
    return /^L(?:-\d\d?)?W-\d\d?$/.test(item) ? doubtful('only the newest engines take it') : refused(place);
  const before = Number(digits);
  if (before > 30) return { kind: 'refused', why: 'the number after "L-" is 0 to 30' };
  if (weekday && before > 27) return doubtful('one engine searches forever in a month too short for it');
  return { kind: 'last', before, weekday: weekday !== undefined };
}

function readName(item: string, place: QuartzField, names: readonly string[]): Item {
  const from = names.indexOf(item.slice(0, 3));
  if (from < 0) return refused(place);
  const day = from + place.least;
  const tail = item.slice(3);
  if (tail === '' || place.longNames?.includes(item)) return { kind: 'numbers', numbers: [day] };
  if (tail === 'L' && place.days === 'week') return { kind: 'lastOfWeekday', day };
  if (tail.startsWith('#') && place.days === 'week') return nth(day, tail, place);
  if (tail.startsWith('-')) {
    const to = names.indexOf(tail.slice(1, 4));
    if (to < 0) return { kind: 'refused', why: 'a range is from a name to a name, or from a number to a number' };
    return tail.length === 4 ? ranged(day, to + place.least, 1, place) : nameWithTail(tail.slice(4));
  }
  return nameWithTail(tail);
}

function nameWithTail(tail: string): Item {
  return tail.startsWith('/')
    ? doubtful('a step after a name is dropped, or means weeks; write numbers')
    : ignored(tail);
}

function single(value: number, place: QuartzField): Item {
  const mark = internalMark(value, 0, place);
  if (mark !== undefined) return mark;
  return foreign(value, place) ? refused(place) : { kind: 'numbers', numbers: outside(value, place) ? [] : [value] };
}

function stepped(from: number, step: number, place: QuartzField): Item {
  if (step > largest) return refused(place);
  if (isTooWide(step, place)) return { kind: 'refused', why: `the step is at most ${place.most}` };
  const mark = internalMark(from, step, place);
  if (mark !== undefined) return mark;
  if (foreign(from, place)) return refused(place);
  return step === 0 ? zeroStep : { kind: 'numbers', numbers: within(from, place.most, step, place) };
}

function ranged(from: number, to: number, step: number, place: QuartzField): Item {
  if (Math.max(to, step) > largest) return refused(place);
  const mark = internalMark(from, step, place);
  if (mark !== undefined) return mark;
  if (foreign(from, place) || (!place.open && to > place.most)) return refused(place);
  if (step === 0) return zeroStep;
  if (place.open && to < from) return { kind: 'refused', why: 'a range of years must end after it starts' };
  if (isTooWide(step, place)) return doubtful(`a step above ${place.most} leaves the start of the range alone`);
  if (to < place.least && !place.open) return doubtful(`the range ends before ${place.least}`);
  return { kind: 'numbers', numbers: within(from, to, step, place) };
}

/** The engines use 99 internally for every value and, in the day fields, 98 for "?". In an expression these numbers mean the same. */
function internalMark(from: number, step: number, place: QuartzField): Item | undefined {
  if (from === 99) return doubtful('99 is an internal mark of Quartz, and means every value');
  if (from !== 98 || place.days === undefined) return undefined;
  const mark = doubtful('98 is an internal mark of Quartz, and means "?"');
  return step === 0 ? { ...mark, unspecified: true } : { ...mark, empty: true };
}

/** From a to b in steps, wrapping around if b is smaller; drops years outside the field's range. */
function within(from: number, to: number, step: number, { least, most, open }: QuartzField): readonly number[] {
  if (open) {
    const start = from < least ? from + Math.ceil((least - from) / step) * step : from;
    return count(start, Math.min(to, most), step);
  }
  const size = most - least + 1;
  return count(from, to < from ? to + size : to, step).map((value) => (value > most ? value - size : value));
}

export function count(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

/** The engines store numbers in 32 bits. */
const largest = 2_147_483_647;

const outside = (value: number, { least, most }: QuartzField): boolean => value < least || value > most;
const foreign = (value: number, place: QuartzField): boolean => !place.open && outside(value, place);
/** After a range the engines take such a step, too. */
const isTooWide = (step: number, { most, open }: QuartzField): boolean => !open && step > most;
const refused = ({ takes }: QuartzField): Item => ({ kind: 'refused', why: `it takes ${takes}` });
const doubtful = (why: string) => ({ kind: 'doubtful', why }) as const;
const ignored = (tail: string) => doubtful(`"${tail}" is ignored by some engines, and refused by others`);
const zeroStep = doubtful('a step of 0 is taken as 1, or as no step at all');
