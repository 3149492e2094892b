/** One press of the Tab key: the line as a shell gives it, and the answer as that shell takes it. */
import type { TypedLine, Wanted } from './wanted.ts';

/** What may stand at the cursor, every value of it known. */
export type Found = Exclude<Wanted, { readonly kind: 'live' }>;

export type Tab = {
  readonly line: TypedLine;
  /** What the shell's script reads from standard output. */
  readonly answer: (found: Found) => string;
};

/** Reads what a script has given to `iiot __complete SHELL`. Undefined where nothing can be offered. */
export type ReadTab = (given: readonly string[]) => Tab | undefined;
