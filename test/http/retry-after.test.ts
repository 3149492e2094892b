import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoff, retryAfter } from '../../src/http/retry-after.ts';
import type { ResponseHeaders } from '../../src/network/fetch.ts';

function headers(fields: Readonly<Record<string, string>>): ResponseHeaders {
  return {
    get: (name) => fields[name.toLowerCase()] ?? null,
    getSetCookie: () => [],
    entries: () => Object.entries(fields),
  };
}

it('the longest wait doubles from half a second to 20 s', () => {
  const longest = Array.from({ length: 9 }, (_, index) => backoff(index + 1, () => 1));
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000, 20_000]);
});

it('the wait is spread evenly from zero to the longest', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 2000 }), (chance, count) => {
      const wait = backoff(count, () => chance);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(20_000);
      expect(wait).toBeCloseTo(chance * Math.min(20_000, 500 * 2 ** (count - 1)), 5);
    }),
  );
});

const now = Date.UTC(2026, 10, 1, 12, 0, 0);
const date = 'Sun, 01 Nov 2026 12:00:00 GMT';
const waits: readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[] = [
  ['no header', {}, undefined],
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['seconds between blanks', { 'retry-after': ' 7 ' }, 7000],
  ["a date by this machine's clock", { 'retry-after': 'Sun, 01 Nov 2026 12:01:00 GMT' }, 60_000],
  [
    "a date by the platform's clock",
    { 'retry-after': 'Sun, 01 Nov 2026 13:01:00 GMT', date: 'Sun, 01 Nov 2026 13:00:00 GMT' },
    60_000,
  ],
  ['a date in the form of RFC 850', { 'retry-after': 'Sunday, 01-Nov-26 12:01:00 GMT' }, 60_000],
  ['a date in the form of asctime', { 'retry-after': 'Sun Nov  1 12:01:00 2026' }, 60_000],
  ['a date that is over', { 'retry-after': date, date: 'Sun, 01 Nov 2026 13:00:00 GMT' }, 0],
  ['a date beside an invalid Date', { 'retry-after': 'Sun, 01 Nov 2026 12:01:00 GMT', date: 'today' }, 60_000],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
  ['hexadecimal', { 'retry-after': '0x10' }, undefined],
  ['an exponent', { 'retry-after': '1e3' }, undefined],
  ['words', { 'retry-after': 'a while' }, undefined],
  ['a date of ISO 8601', { 'retry-after': '2026-11-01T12:01:00Z' }, undefined],
  ['two numbers', { 'retry-after': '3, 9' }, undefined],
  ['an empty header', { 'retry-after': '' }, undefined],
];

it.each(waits)('the wait is read from Retry-After with %s', (_, fields, wait) => {
  expect(retryAfter(headers(fields), now)).toBe(wait);
});

it('any Retry-After is read as a time or ignored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), fc.string(), (value, clock) => {
      const wait = retryAfter(headers({ 'retry-after': value, date: clock }), now);
      if (wait !== undefined) expect(Number.isFinite(wait) && wait >= 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});
