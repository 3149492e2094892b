/** What a step gives; undefined for what cannot be found or read. It ignores bugs as well, unlike `ignoreFailure`, so a step is one call. */
export function ignoreError<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
