import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';

/** What the record of a command says of its rows, each of which is a call of it. */
export type RowFacts = {
  /** What a row is about: "alert policy", and "alert policies". */
  readonly one: string;
  readonly many: string;
  /** The column or field with the ID that a row is about. Rows with the same ID are sent in their order. */
  readonly key: string;
  /** The input that takes every other column, as a Map by the names of the columns. */
  readonly others?: string;
  /** The command that shows what there is. */
  readonly look?: string;
  /** The list of what there is, where a row's record can be read before it is changed. */
  readonly stored?: Command;
  /** The fields of a result that are kept for each row: what only the platform knows, and where something is. */
  readonly results?: readonly string[];
  /** Whether no other row may have the same key. */
  readonly isUnique?: true;
  /** An option that has to be given. */
  readonly needs?: string;
  /** Options that do not go with rows. */
  readonly without?: readonly string[];
  /** How to send what files have, which no row names. */
  readonly filesBy?: string;
  /** What to know before agreeing, as a sentence. @param typed the input of the command line */
  readonly asks?: (rows: number, typed: Readonly<Record<string, unknown>>) => string;
  /** Says what an earlier run has left behind. */
  readonly leftovers?: (context: Context) => void;
  /** Whether what an earlier run has left shows that it carried out the row with this input and key. */
  readonly wasDone?: (input: Readonly<Record<string, unknown>>, key: string) => boolean;
};
