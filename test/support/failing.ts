import { Failure, type FailureKind } from '../../src/failure.ts';

/** The failure of some work as its user sees it. Throws if the work succeeds, or throws something else. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ kind: FailureKind; message: string; hint?: string | undefined }> {
  const value = await work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
  if (!(value instanceof Failure)) throw value instanceof Error ? value : new Error(String(value));
  return { kind: value.kind, message: value.message, hint: value.facts.hint };
}
