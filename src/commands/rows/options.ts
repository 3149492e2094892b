import type { Command, RowsOfCommand } from '../../command/command.ts';
import type { Flag } from '../../command/option.ts';
import { callRowFlags, keyRowFlags, type RowsInput, rowsFlag } from '../../command/row-flags.ts';

/** The options of `--rows`, each with the topic that explains it: none is for agents, whose files the user does not see. */
function withTopic(flags: Readonly<Record<string, Flag>>): Readonly<Record<string, Flag>> {
  const named = Object.entries(flags).map(([name, flag]) => [name, { ...flag, topic: 'rows', forAgents: 'never' }]);
  return { rows: rowsFlag, ...Object.fromEntries(named) };
}

/** `--rows` for a command whose rows are calls of it. */
export function rowsOf(facts: Omit<RowsOfCommand, 'flags' | 'run'>): RowsOfCommand {
  return {
    ...facts,
    flags: withTopic(callRowFlags),
    run: async (command: Command, input, context) =>
      (await import('./calls.ts')).runCalls(command, facts, input as RowsInput & { rows: string }, context), // made by these flags
  };
}

/** `--rows` for a command whose rows have other columns than its options. */
export function keyRows(facts: Omit<RowsOfCommand, 'flags'>): RowsOfCommand {
  return { ...facts, flags: withTopic(keyRowFlags) };
}
