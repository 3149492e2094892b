import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';

/** The facts about a command's rows, each of which is a call of it. They stand in the command's record. */
export type RowFacts = {
  /** The noun for what a row changes: "alert policy", and "alert policies". */
  readonly one: string;
  readonly many: string;
  /** The column or field with the ID of what a row changes. Rows with the same ID are sent in their order. */
  readonly key: string;
  /** The input that gets every other column, as a Map by the names of the columns. */
  readonly others?: string;
  /** The command line that lists the records. */
  readonly look?: string;
  /** The list command that reads a row's record before it is changed, for --before-file. */
  readonly stored?: Command;
  /** The fields of a result to keep for each row, such as the new ID, or the file with a secret. */
  readonly results?: readonly string[];
  /** Set if two rows must not have the same key. */
  readonly isUnique?: true;
  /** An option that rows require. */
  readonly needs?: string;
  /** Options that cannot be combined with rows. */
  readonly without?: readonly string[];
  /** How to send content from files, which no row can name. */
  readonly filesBy?: string;
  /** A sentence for the question before rows are sent. @param typed the input of the command line */
  readonly asks?: (rows: number, typed: Readonly<Record<string, unknown>>) => string;
  /** Warns of what earlier runs left behind. */
  readonly leftovers?: (context: Context) => void;
  /** Whether something that an earlier run left shows that it has carried out the row with this input and key. */
  readonly wasDone?: (input: Readonly<Record<string, unknown>>, key: string) => boolean;
};
