/** A set of row numbers from 1 to a known maximum, one bit each. */
export type Bitset = {
  readonly has: (row: number) => boolean;
  readonly add: (row: number) => void;
  readonly size: number;
};

export function createBitset(rows: number): Bitset {
  const bits = new Uint8Array((rows >> 3) + 1);
  let size = 0;
  const has = (row: number) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  return {
    has,
    add(row) {
      if (has(row)) return;
      bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
      size += 1;
    },
    get size() {
      return size;
    },
  };
}
