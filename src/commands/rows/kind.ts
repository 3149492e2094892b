import type { Confirmation } from '../../command/confirm.ts';
import type { BulkOptions, Context } from '../../command/context.ts';
import type { RowsInput } from '../../command/row-flags.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Result } from '../../output/result.ts';
import type { Place, Problem, Row, RowContent, RowFormat, Rows, Shard } from '../../rows/row.ts';
import type { Source } from '../../rows/source.ts';

/** What a command says of its rows. */
type RowFacts = {
  /** What a row is about: "alert policy". */
  readonly one: string;
  /** The column or field with the ID that a row is about. Rows with the same ID are sent in their order. */
  readonly key: string;
  /** The command that shows what there is. */
  readonly look?: string;
  /** The fields of a result that are shown for each row: what only the platform knows, and where something is. */
  readonly results?: readonly string[];
};

/** What the record of a command says of its rows, if they are calls of it. */
export type CallFacts = RowFacts & {
  /** "alert policies" */
  readonly many: string;
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

/** What is known about rows of a kind before one is read. */
export type RowWork = RowFacts & {
  /** The command line again, with other values for some of its arguments and options. */
  readonly line: (changes: Partial<RowsInput>) => string;
  /** The options that say what the rows mean, each with its value: those that read the file, and those that hold for every row. */
  readonly meaning: readonly string[];
  /** The checksum of the files that options name, once every row was checked. */
  readonly files?: () => string | undefined;
  /** Called for each row. */
  readonly operation: Operation;
  /** The organization of all rows. */
  readonly orgId?: string | undefined;
  /** Set if a row must not be sent twice unasked: the journal then has every step. `adds`: a second time would add a second one. */
  readonly steps?: { readonly adds: boolean };
};

/** What a command does with its rows. */
export type RowKind<T> = RowWork & {
  /** Returns what reads the rows of one input: with `csv`, rows of cells, else JSON. */
  readonly reader: (csv: CellReading | undefined) => (row: Row) => RowContent<T>;
  /** The columns of a header: one that it must have, or what refuses others, and which have IDs. */
  readonly columns: {
    readonly required?: string;
    readonly judge?: (columns: readonly string[], file: string, below?: string) => void;
    readonly isHeader?: (columns: readonly string[]) => boolean;
    readonly isId: (column: string) => boolean;
    /** What to say of them once all rows were read. @throws usage */
    readonly notes?: (file: string) => readonly string[];
  };
  /** What a row changes, as a text: the same if the row is the same. */
  readonly contentOf: (value: T) => string;
  /** The fields that the rows set, for the history; by default their columns. */
  readonly fields?: () => readonly string[];
  /** What else is wrong with a row that can be read. */
  readonly inspect?: (value: T, place: Place) => Promise<Problem | undefined>;
  /** Whether what an earlier run has left shows that it carried out a row. */
  readonly wasDone?: ((value: T) => boolean) | undefined;
  /** What to agree to before anything is sent. @param left how many rows there are to send */
  readonly question: (checked: CheckedRows<T>, left: number) => Confirmation;
  /** The result of a dry run. */
  readonly rehearse: (checked: CheckedRows<T>, context: Context) => Promise<Result>;
  /** Returns what sends a row once, and resolves with what is known of it then. */
  readonly open: (context: Context, bulk: BulkOptions) => Promise<(value: T) => Promise<object | undefined>>;
};

/** The cell that means null. */
export type CellReading = Pick<RowsInput, 'nullAs' | 'listSeparator'>;

/** What to do with the rows, decided before anything is read. */
export type RowsPlan = Omit<RowsInput, 'format' | 'rate' | 'shard'> & {
  readonly kind: RowWork;
  readonly format: RowFormat;
  readonly concurrency: number;
  /** Requests per second. */
  readonly rate: number;
  readonly isJournalNamed: boolean;
  /** For the rows of unknown outcome that are not safe to repeat; beside `failedFile`. */
  readonly unknownFile: string | undefined;
  /** The part of the IDs to import; undefined for all. */
  readonly shard: Shard | undefined;
};

/** An input whose rows have all been checked. */
export type CheckedRows<T> = {
  readonly kind: RowKind<T>;
  readonly plan: RowsPlan;
  readonly source: Source;
  /** Rows in all. */
  readonly total: number;
  /** The number of rows that cannot be sent. */
  readonly bad: number;
  /** Reads all rows again. */
  readonly read: () => Rows;
  readonly meaningOf: (row: Row) => RowContent<T>;
  /** The names of the keys that the rows set, if the input has a header. */
  readonly keys: readonly string[];
  /** The number of rows without a value, which are not in `total`. */
  readonly empty: number;
  /** What the user may not have meant to import, as sentences. */
  readonly doubts: readonly string[];
  /** The beginning of a file with such rows. */
  readonly head: () => string;
};
