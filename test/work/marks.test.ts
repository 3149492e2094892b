import { describe, expect, it } from 'vitest';
import { markOf, openComparison } from '../../src/work/marks.ts';
import { diceOf } from '../support/dice.ts';

/** A row is "a1": a key of one letter, and what it says. */
const mark = (row: string) => markOf(row.slice(0, 1), row);

/** What is known of a file of rows after others were done, or sent. */
function compared(done: readonly string[], sent: readonly string[], file: readonly string[], adds: boolean) {
  const unknown = new Map<string, { mark: string; number: number; key: string }[]>();
  for (const [at, row] of sent.entries())
    unknown.set(mark(row), [...(unknown.get(mark(row)) ?? []), { mark: mark(row), number: at + 1, key: row }]);
  const { see, found } = openComparison({ marks: Buffer.from(done.map(mark).join('')), unknown }, adds);
  for (const row of file) see(mark(row));
  const known = found();
  const numbers = file.map((_, at) => at + 1);
  return {
    done: numbers.filter(known.done.has),
    unknown: numbers.filter(known.unknown.has),
    lost: known.lost,
    gone: [...known.gone.values()].flat().map(({ key }) => key),
  };
}

const rowsOf = (dice: (limit: number) => number, most: number) =>
  Array.from({ length: dice(most) }, () => `${'abc'[dice(3)]}${dice(3)}`);

describe('the rows of a file compared with earlier runs', () => {
  it('are finished as often as before, in any order, if they add something', () => {
    for (let seed = 1; seed <= 3000; seed += 1) {
      const dice = diceOf(seed);
      const [done, sent, file] = [rowsOf(dice, 7), rowsOf(dice, 4), rowsOf(dice, 8)];
      const left = { done: [...done], sent: [...sent] };
      const taken = (from: string[], row: string) => from.includes(row) && from.splice(from.indexOf(row), 1).length > 0;
      const expected = { done: [] as number[], unknown: [] as number[] };
      for (const [at, row] of file.entries()) {
        if (taken(left.done, row)) expected.done.push(at + 1);
        else if (taken(left.sent, row)) expected.unknown.push(at + 1);
      }
      const { gone, ...found } = compared(done, sent, file, true);
      expect([seed, { ...found, gone: gone.toSorted() }]).toEqual([
        seed,
        { ...expected, lost: left.done.length, gone: left.sent.toSorted() },
      ]);
    }
  });

  it('are finished up to the first new row of their device', () => {
    for (let seed = 1; seed <= 3000; seed += 1) {
      const dice = diceOf(seed);
      const done = rowsOf(dice, 7);
      // Often one that was edited only here and there.
      const file =
        dice(3) === 0
          ? rowsOf(dice, 8)
          : done.filter(() => dice(8) > 0).flatMap((row) => (dice(6) ? [row] : [row, ...rowsOf(dice, 2)]));
      const expected: number[] = [];
      for (const key of 'abc') {
        const before = done.filter((row) => row.startsWith(key));
        const now = [...file.entries()].filter(([, row]) => row.startsWith(key));
        let [next, isLeft] = [0, false];
        const skipped: number[] = [];
        for (const [at, row] of now) {
          if (row !== before[next]) isLeft = true;
          else next += 1;
          if (!isLeft) skipped.push(at + 1);
        }
        if (next === before.length) expected.push(...skipped);
      }
      expect([seed, compared(done, [], file, false).done]).toEqual([
        seed,
        expected.toSorted((one, other) => one - other),
      ]);
    }
  });
});
