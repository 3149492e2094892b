import { expect, it } from 'vitest';
import { spanText } from '../../src/output/brief.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000] as const;

it.each([
  [0, 'less than a second'],
  [41.4 * second, '41 s'],
  [12 * minute + 59 * second, '12 min'],
  [hour, '1 h'],
  [2 * hour - second, '1 h 59 min'],
  [89 * day + 23 * hour, '89 d'],
])('a time span of %i milliseconds is printed as "%s"', (milliseconds, says) => {
  expect(spanText(milliseconds)).toBe(says);
});
