/** The nearest known word, or the first with a part that begins like the word: request-timeout for "timeout". */
export function nearestOrPart(word: string, known: readonly string[]): string | undefined {
  return nearest(word, known) ?? known.find((each) => word.length > 2 && `-${each}`.includes(`-${word}`));
}

/** The most similar known word, ignoring case; undefined if more than a few letters are wrong, missing, extra or swapped. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const errors = (each: string) => distance(word.toLowerCase(), each.toLowerCase());
  const most = (each: string) => Math.max(1, Math.floor(Math.min(each.length, word.length) / 3));
  return known.filter((each) => errors(each) <= most(each)).sort((one, other) => errors(one) - errors(other))[0];
}

/** The Damerau-Levenshtein distance in its restricted form, which swaps two neighbours only once. */
function distance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number) => rows[row]?.[column] ?? column;
  for (const [row, cells] of rows.entries()) {
    for (let column = 1; row > 0 && column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = at(row - 1, column - 1) + (same ? 0 : 1);
      const crossed = swapped ? at(row - 2, column - 2) + 1 : changed;
      cells.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, changed, crossed));
    }
  }
  return at(one.length, other.length);
}
