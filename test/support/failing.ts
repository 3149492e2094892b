import { Failure, type Kind } from '../../src/failure.ts';

/** How work failed, as its user sees it. Throws where it did not fail, or not by a Failure. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ kind: Kind; message: string; hint?: string | undefined }> {
  const value = await work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
  if (!(value instanceof Failure)) throw value instanceof Error ? value : new Error(String(value));
  return { kind: value.kind, message: value.message, hint: value.facts.hint };
}
