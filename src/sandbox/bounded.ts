/** Adds to a map and forgets its oldest entries beyond the bound, so that a sandbox under load does not grow. */
export function addBounded<K, V>(map: Map<K, V>, bound: number, key: K, value: V): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= bound) return;
    map.delete(oldest);
  }
}
