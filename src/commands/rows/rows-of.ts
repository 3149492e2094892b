import type { RowsOfCommand } from '../../command/command.ts';
import { beforeFlag, type RowsInput, rowFlags, withRows } from '../../command/row-flags.ts';
import type { RowFacts } from './facts.ts';

/** Makes `--rows` for a command: each row is a call of it. */
export function rowsOf(facts: RowFacts): RowsOfCommand {
  return {
    flags: withRows(facts.stored ? { ...rowFlags, ...beforeFlag } : rowFlags),
    async run(command, { rows, ...input }, context) {
      const { runRows } = await import('./run.ts');
      return runRows(command, facts, { ...input, file: String(rows) } as RowsInput, context); // made by these flags
    },
  };
}
