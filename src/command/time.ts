import { isDateTime } from '../contract/formats.ts';
import { usage } from '../failure.ts';
import { milliseconds } from './duration.ts';

/** The latest time that .NET's and other date types can hold. */
export const latest = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Parses the time of an option, to epoch milliseconds: a duration from now (90d), or a time with a zone (RFC 3339).
 * @param direction -1 for a duration in the past
 * @throws usage for anything else, for a day that does not exist, and for a time without a zone, which depends on the machine
 */
export function readTime(word: string, option: string, now: number, direction: 1 | -1): number {
  const duration = milliseconds(word);
  const time =
    duration !== undefined ? now + direction * duration : isDateTime(word) ? Date.parse(word.toUpperCase()) : undefined;
  if (time !== undefined && Math.abs(time) <= latest) return time;
  const takes = 'takes a duration such as 90d, or a time with its zone such as 2027-01-31T00:00:00Z';
  throw usage(`${option} ${takes}.`, undefined, [{ option, message: takes }]);
}

/** The same for a time that must be in the future, as it is sent: UTC, without milliseconds if they are zero. */
export function readExpiry(word: string, option: string, now: number): string {
  const time = readTime(word, option, now, 1);
  const exact = milliseconds(word) === undefined ? time : Math.ceil(time / 1000) * 1000;
  if (time > now) return toUtc(exact);
  throw usage(`${option} is in the past: ${toUtc(exact)}.`, 'Give a time in the future', [
    { option, message: 'takes a time in the future' },
  ]);
}

/** RFC 3339 with Z, without milliseconds if they are zero. */
export function toUtc(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
