import { isDateTime } from '../contract/formats.ts';
import { usage } from '../failure.ts';

/** The latest time that .NET's and other date types can hold. */
export const latest = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Reads the time of an option into epoch milliseconds: a duration from now (90d), a date, which is its start in UTC, or a time with a zone (RFC 3339).
 * @param direction -1 for a duration in the past @throws usage for anything else, for a day that does not exist, and for a time without a zone
 */
export function readTime(
  word: string,
  option: string,
  now: number,
  direction: 1 | -1,
  notice: (line: string) => void,
): number {
  const start = `${word}T00:00:00Z`;
  if (isDateTime(start)) {
    notice(`${option} ${word} is ${start}.`);
    return Date.parse(start);
  }
  const duration = milliseconds(word);
  const written = isDateTime(word) ? Date.parse(word.toUpperCase()) : undefined;
  const time = duration === undefined ? written : now + direction * duration;
  if (time !== undefined && Math.abs(time) <= latest) return time;
  // A time of day without its zone, which must have been meant.
  const [, day, clock, seconds = ':00'] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.0+)?$/.exec(word) ?? [];
  const takes =
    day === undefined
      ? 'takes a duration such as 90d, a date such as 2027-01-31, or a time with its zone such as 2027-01-31T00:00:00Z'
      : `has no time zone in ${word}: write ${day}T${clock}${seconds}Z for UTC, in a spreadsheet as text`;
  throw usage(`${option} ${takes}.`, undefined, [{ option, message: takes }]);
}

/** Reads a time in the future. @returns the time as it is sent, by `toUtc` @throws usage */
export function readExpiry(word: string, option: string, now: number, notice: (line: string) => void): string {
  const time = readTime(word, option, now, 1, notice);
  const exact = milliseconds(word) === undefined ? time : Math.ceil(time / 1000) * 1000;
  if (time > now) return toUtc(exact);
  const details = [{ option, message: 'takes a time in the future' }];
  throw usage(`${option} is in the past: ${toUtc(exact)}.`, 'Give a time in the future', details);
}

/** RFC 3339 with Z, without milliseconds if they are zero. */
export function toUtc(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds of a duration such as 500ms, 30s, 2m, 12h, 90d, 1h30m; undefined for any other text. */
export function milliseconds(text: string): number | undefined {
  if (text.length > 40 || !/^(\d+(\.\d+)?(ms|s|m|h|d|w))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? Number.NaN);
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : undefined;
}
