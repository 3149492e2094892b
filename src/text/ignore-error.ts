/** Runs a step, and returns its result, or undefined for any error. Unlike `ignoreFailure` it also hides bugs, so the step should be a single call. */
export function ignoreError<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
