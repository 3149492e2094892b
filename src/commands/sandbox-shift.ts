import { milliseconds } from '../duration.ts';
import { usage } from '../failure.ts';

/** The furthest that a sandbox's clock goes: a hundred years. */
const furthest = 100 * 365 * 86_400_000;

/**
 * Milliseconds of "+2h", "2h" or "-30m".
 * @param name how the person gave it, for the sentence
 * @throws usage for what is no duration, or too far
 */
export function readShift(word: string, name: string): number {
  const [, sign = '', duration = ''] = /^([+-]?)(.*)$/s.exec(word) ?? [];
  const shift = milliseconds(duration);
  if (shift === undefined || shift > furthest) {
    throw usage(`${name} takes a duration with its direction, such as +2h or -30m, of a hundred years at most.`);
  }
  return sign === '-' ? -shift : shift;
}
