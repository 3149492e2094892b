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
  /** What a record at a terminal knows of the fields inside of it. */
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
  /** Field that `-o id` prints before it, followed by a tab. */
  readonly of?: string;
  /** If absent: the fields of the first items. */
  readonly columns: readonly Column[];
  /** All fields of the result's schema. A column for one of them is accepted even if no item has it. */
  readonly fields?: readonly string[];
  /** The sentence on stderr for an empty table, with how many there were to look at. */
  readonly empty: string | ((seen: number) => string);
  readonly seen?: number;
  /** Plural: "users". */
  readonly noun: string;
  /** An item as text, also in a pipe, if it is not shown as a row; not if columns are requested. */
  readonly lines?: (item: unknown, options: ScreenOptions) => string;
  /** The same, only for a terminal. */
  readonly screen?: (item: unknown, options: ScreenOptions) => string;
  /** It has as many items as somebody asked for: no notice says how to get the rest. */
  readonly limited?: boolean;
  /** Its items are shown as they come; no later one has a field that neither the first ones nor the columns have. */
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
  /** The value as a table and at a terminal, if that is without the secrets that formats for programs have. */
  readonly asText?: unknown;
  /** What was changed, for a terminal: "Updated template Too hot". */
  readonly sentence?: string;
  /** Its fields at a terminal, if they are in another order there, or shown in another way. */
  readonly shown?: readonly Column[];
  /** The same for a terminal, as lines; not if columns are requested. */
  readonly screen?: (options: ScreenOptions) => string;
};

/** What is needed to make a text for a terminal. */
export type ScreenOptions = { readonly paint: Paint; readonly columns: number; readonly now: number };

export type DoneResult = {
  readonly kind: 'done';
  /** What was done, if the platform's response has no body: `{"orgId":"…","deleted":true}`. */
  readonly value: unknown;
  /** The same in words: "Deleted organization …". */
  readonly sentence: string;
  /** Field of the value that `-o id` prints. */
  readonly id?: string;
};

/** How a command ends that neither failed nor ended with 0: with differences, or the exit code of what it ran. The sentences are for a person. */
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
   * Called once the result is written; returns how the work ended if not with 0: a failure, if some of the work failed, or a verdict. `unwritten`
   * says why the result was not written: a failure of the device, 'unread' if its reader has gone away, undefined if it was written.
   */
  readonly ending?: (unwritten: Failure | 'unread' | undefined) => Promise<Failure | Verdict | undefined>;
  /** The command goes on until it is stopped, so what it has to say is said at once. */
  readonly goesOn?: true;
};

export type OutputShape = {
  readonly format: Format;
  readonly columns?: readonly string[];
  readonly jq?: string;
  readonly forSpreadsheet?: boolean;
  readonly quiet?: boolean;
};

/** Where text goes. */
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
  /** A remark about what is not shown, such as columns that did not fit, even if no person reads it. Called after the end. @param others fields without a column */
  footer?(others: readonly string[]): string | undefined;
};
