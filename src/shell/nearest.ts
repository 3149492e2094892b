/**
 * The known word that is most similar to a word, if only a few letters are wrong, missing, extra or swapped. Ignores case. Undefined if none is
 * similar.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const candidates = known
    .map((each) => ({ each, distance: distance(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance: far }) => far <= Math.max(1, Math.floor(Math.min(each.length, word.length) / 3)))
    .sort((one, other) => one.distance - other.distance);
  return candidates[0]?.each;
}

/** The Damerau-Levenshtein distance in its restricted form, which swaps two neighbours only once. */
function distance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
