import type { Bitset } from './done-rows.ts';
import type { JournalHead } from './journal-head.ts';

/** How a journal records rows: by marks that tell a row wherever it is in its file, or step by step, for one file as it is. */
export type JournalKind = {
  /**
   * What a journal knows of the rows of an input.
   * @param bytes may be overwritten
   * @throws usage if it is of other work or of another file
   */
  readonly read: (bytes: Buffer, input: JournalInput) => Promise<KnownRows>;
  /** The same where there is no journal. @throws usage if a run cannot be resumed without one */
  readonly none: (path: string) => KnownRows;
};

export type JournalInput = {
  readonly path: string;
  readonly head: JournalHead;
  /** The input's name, for messages. */
  readonly input: string;
  /** Calls `see` for each row of the input, in its order: with its mark, or without if it cannot be sent. */
  readonly eachMark: (see: (mark: string | undefined) => void) => Promise<unknown>;
};

export type KnownRows = {
  /** The rows done in earlier runs, by their number in this input. */
  readonly done: Bitset;
  /** The rows that an earlier run sent, and whose end it did not record. Only step by step. */
  readonly begun?: Bitset;
  /** The statuses that came for rows of those. */
  readonly statuses?: ReadonlyMap<number, number>;
  /** The number of bytes dropped from an incomplete last line. */
  readonly dropped: number;
  /** The files of failed rows of this run. */
  readonly failedRowFiles: ReadonlySet<string>;
  /** What the journal goes on with, after its head line. */
  readonly lines: readonly (string | Buffer)[];
  /** Set if the input was edited. */
  readonly changed?: Changed | undefined;
};

/** What an edited input has of the rows that are done. `lost`: rows that are not in it any more. */
export type Changed = { readonly done: number; readonly lost: number };
