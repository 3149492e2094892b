/** One press of the Tab key: the line as the shell passes it, and the answer in the shell's format. */
import type { Completion, TypedLine } from './completion-at.ts';

/** The possible words at the cursor, with all values known. */
export type ResolvedCompletion = Exclude<Completion, { readonly kind: 'live' }>;

export type Tab = {
  readonly line: TypedLine;
  /** The text on standard output for the shell's script. */
  readonly format: (completion: ResolvedCompletion) => string;
};

/** Parses the words that a script passes to `iiot __complete SHELL`. Undefined if nothing can be offered. */
export type ReadTab = (given: readonly string[]) => Tab | undefined;
