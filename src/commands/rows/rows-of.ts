import type { RowsOfCommand } from '../../command/command.ts';
import { callRowFlags, type RowsInput, resultRowFlags, withRows } from '../../command/row-flags.ts';
import type { CallFacts } from './kind.ts';

/** `--rows` for a command whose rows are calls of it. */
export function rowsOf(facts: CallFacts): RowsOfCommand {
  return {
    flags: withRows(facts.results ? resultRowFlags : callRowFlags),
    run: async (command, input, context) =>
      (await import('./calls.ts')).runCalls(command, facts, input as RowsInput & { rows: string }, context), // made by these flags
  };
}
