import type { RowsOfCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { callRowFlags, type RowsInput, withRows } from '../../command/row-flags.ts';
import type { RowFacts } from './kind.ts';

/** What the record of a command says of its rows, which are calls of it. */
export type CallFacts = RowFacts & {
  /** "alert policies" */
  readonly many: string;
  /** Whether no other row may have the same key. */
  readonly isUnique?: true;
  /** An option that has to be given. */
  readonly needs?: string;
  /** What to know before agreeing, as a sentence. */
  readonly asks?: string;
  /** Says what an earlier run has left behind. */
  readonly leftovers?: (context: Context) => void;
};

/** `--rows` for a command whose rows are calls of it. */
export function rowsOf(facts: CallFacts): RowsOfCommand {
  return {
    flags: withRows(callRowFlags),
    run: async (command, input, context) =>
      (await import('./calls.ts')).runCalls(command, facts, input as RowsInput & { rows: string }, context), // made by these flags
  };
}
