import type { Failure } from '../failure.ts';
import type { Paint } from './paint.ts';

/** The formats of `-o`, in the order that help shows them. */
export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'id'] as const;

export type Format = (typeof formats)[number];

/** Whether a format is for programs: with it, a failure is JSON too. */
export function isStructured(format: string): boolean {
  return ['json', 'ndjson', 'yaml'].includes(format);
}

/** The word that stands for every field among requested columns. */
export const allColumns = 'all';

export type Column = {
  /** Dotted path in the item, such as `channel.name`. */
  readonly field: string;
  readonly header: string;
  /** `whole`: never cut, for IDs and other values that people copy. `long`: other columns are dropped before this one is cut. */
  readonly keep?: 'whole' | 'long';
  /** If a terminal has no room for all columns, the one with the lowest number is dropped first. Columns without a number are dropped last. */
  readonly dropOrder?: number;
  /** How a terminal shows it: a time as "12 min ago", true as `*` or "yes", seconds as "300 s (5 min)". All other formats show the value. */
  readonly shows?: 'time' | 'mark' | 'yes' | 'seconds';
  /** The columns of the fields inside of a value, for a record at a terminal. */
  readonly members?: readonly Column[];
};

export type Page = {
  readonly items: readonly unknown[];
  readonly total?: number;
  /** Whether the platform has items beyond this page that will not be read; if absent, the total decides. */
  readonly more?: boolean;
};

export type ListResult = {
  readonly kind: 'list';
  readonly pages: AsyncIterable<Page>;
  /** Field of the item that `-o id` prints. */
  readonly id: string;
  /** Field that `-o id` prints before the ID, followed by a tab. */
  readonly of?: string;
  /** If absent: the fields of the first items. */
  readonly columns: readonly Column[];
  /** All fields of the result's schema. A column for one of them is accepted even if no item has it. */
  readonly fields?: readonly string[];
  /** The sentence on stderr for an empty table. The function gets `seen`, the number of items before they were filtered. */
  readonly empty: string | ((seen: number) => string);
  readonly seen?: number;
  /** Plural: "users". */
  readonly noun: string;
  /** Gives an item as text instead of a table row, also in a pipe, unless columns are requested. */
  readonly lines?: (item: unknown, options: ScreenOptions) => string;
  /** Gives an item as text instead of a table row, only at a terminal. */
  readonly screen?: (item: unknown, options: ScreenOptions) => string;
  /** The list has as many items as were asked for, so no notice says how to get the rest. */
  readonly limited?: boolean;
  /** Items are shown as they come. Later ones have no field that the columns and the first items lack. */
  readonly live?: true;
};

export type RecordResult = {
  readonly kind: 'record';
  readonly value: unknown;
  /** Field of the value that `-o id` prints. */
  readonly id?: string;
  /** The ID that the command was called with, for a value that does not contain it. */
  readonly about?: string;
  readonly columns?: readonly Column[];
  readonly fields?: readonly string[];
  /** The value without the secrets that only formats for programs show. */
  readonly asText?: unknown;
  /** Says at a terminal what was changed: "Updated template Too hot". */
  readonly sentence?: string;
  /** The columns for a terminal, if they have another order there or are shown in another way. */
  readonly shown?: readonly Column[];
  /** Gives the value as lines for a terminal, unless columns are requested. */
  readonly screen?: (options: ScreenOptions) => string;
};

export type ScreenOptions = { readonly paint: Paint; readonly columns: number; readonly now: number };

export type DoneResult = {
  readonly kind: 'done';
  /** States what was done, for a response without a body: `{"orgId":"…","deleted":true}`. */
  readonly value: unknown;
  readonly sentence: string;
  /** Field of the value that `-o id` prints. */
  readonly id?: string;
};

/** The end of a command that did not fail and exits with another code than 0: it found differences, or passes on an exit code. The texts are for a person. */
export type Verdict = { readonly exit: number; readonly sentence?: string; readonly hint?: string };

/** The result of a command. `text` is written byte for byte, whatever the format. */
export type Result = (
  | ListResult
  | RecordResult
  | DoneResult
  | { readonly kind: 'text'; readonly text: string | Uint8Array }
) & {
  /** JSON is the default format, coloured at a terminal. */
  readonly jsonByDefault?: boolean;
  /**
   * Called after writing. Returns a failure if some of the work failed, a verdict for another exit code than 0, or undefined. `unwritten` says why the
   * result was not written: a failure of the device, or 'unread' if the reader has gone away.
   */
  readonly ending?: (unwritten: Failure | 'unread' | undefined) => Promise<Failure | Verdict | undefined>;
  /** The command runs until it is stopped, so it shows its notices at once. */
  readonly goesOn?: true;
};

export type OutputShape = {
  readonly format: Format;
  readonly columns?: readonly string[];
  readonly jq?: string;
  readonly forSpreadsheet?: boolean;
  readonly quiet?: boolean;
};

export type Sink = {
  readonly isTerminal: boolean;
  /** Width of the terminal, at least 1. */
  readonly columns: number;
  readonly color: boolean;
  /** Resolves when the stream has accepted the text; rejects with a Failure if it cannot be written (disk full). */
  write(text: string | Uint8Array): Promise<void>;
  /** True once the reader has gone away; after that, writes have no effect. */
  readonly closed: boolean;
};

/** Where output goes: the result itself, and one line at a time for the user (stderr). */
export type Streams = {
  readonly stdout: Sink;
  readonly notice: (line: string) => Promise<void>;
  /** Whether a person reads the notices. */
  readonly isWatched?: boolean;
  /** Takes the names of the fields that a list has. */
  readonly fields?: (names: readonly string[]) => unknown;
  /** Reports that something was done; defaults to a notice. */
  readonly done?: (sentence: string) => Promise<void>;
  /** Epoch milliseconds, for times such as "12 min ago". */
  readonly now: () => number;
};

/** One output format: the text for each page as it arrives, and the text at the end. */
export type Form = {
  page(items: readonly unknown[]): string | Promise<string>;
  end(): string | Promise<string>;
  readonly columns?: readonly Column[];
  /** A remark for a person about what was written. Called after the end. */
  remark?(): string | undefined;
  /** A remark about data that is not shown, such as columns that did not fit, also for scripts. Called after the end. @param others fields without a column */
  footer?(others: readonly string[]): string | undefined;
};
