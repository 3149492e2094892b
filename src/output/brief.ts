import { utcTime } from '../contract/formats.ts';
import { cellText } from './columns.ts';
import type { Column } from './result.ts';

const units = [
  { name: 'd', size: 86_400_000 },
  { name: 'h', size: 3_600_000 },
  { name: 'min', size: 60_000 },
  { name: 's', size: 1000 },
] as const;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The text of a value at a terminal: short times, marks for true, and any other value as in other cells. */
export function briefText(value: unknown, { shows }: Column, now: number): string {
  if (shows === 'time') return briefTime(value, now) ?? cellText(value);
  if (shows === 'mark') return value === true ? '*' : '';
  if (shows === 'yes') return value === true ? 'yes' : '';
  if (shows === 'seconds' && Number.isInteger(value)) return secondsText(Number(value));
  return cellText(value);
}

/** Ends the heading of a column that shows days, to name their time zone. */
export const zoneSuffix = ' (UTC)';

/** Whether a text shows a time by its day alone. */
export function isDay(text: string, value: unknown): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text !== value;
}

/** "12 min ago", "in 3 d", or the day (UTC) if it is a week away or more. Undefined for a value that is not a time. */
function briefTime(value: unknown, now: number): string | undefined {
  if (typeof value !== 'string' || !isoTime.test(value)) return undefined;
  const at = utcTime(value);
  if (Number.isNaN(at)) return undefined;
  const away = Math.abs(at - now);
  if (away >= 7 * units[0].size) return new Date(at).toISOString().slice(0, 10);
  const distance = roundedSpan(away);
  if (distance === undefined) return 'now';
  return at > now ? `in ${distance}` : `${distance} ago`;
}

function roundedSpan(milliseconds: number): string | undefined {
  const unit = units.find(({ size }) => milliseconds >= size);
  return unit && `${Math.floor(milliseconds / unit.size)} ${unit.name}`;
}

/** "30 s", "5400 s (90 min)" */
function secondsText(seconds: number): string {
  const { name, size } = units.find((unit) => (seconds * 1000) % unit.size === 0) ?? units[3];
  return seconds < 60 || name === 's' ? `${seconds} s` : `${seconds} s (${(seconds * 1000) / size} ${name})`;
}

/** A duration in words: "1 h 59 min", "12 min", "41 s". */
export function spanText(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  const isLong = hours >= 1 && hours < 24;
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const text = roundedSpan(milliseconds) ?? 'less than a second';
  return isLong && minutes > 0 ? `${text} ${minutes} min` : text;
}
