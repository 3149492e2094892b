import type { Failure } from '../failure.ts';
import type { Paint } from './paint.ts';

/** The formats of `-o`, in the order that help shows them. */
export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'id'] as const;

export type Format = (typeof formats)[number];

export type Column = {
  /** Dotted path in the item, `channel.name` say. */
  readonly field: string;
  readonly header: string;
  /** `whole`: ids and what else is copied by hand are never cut. `long`: other columns go before this one is cut. */
  readonly keep?: 'whole' | 'long';
  /** Where a terminal has no room for all: the column with the lowest number goes first. Without one it goes after all of these. */
  readonly goes?: number;
  /** How a table at a terminal shows it: a time as "12 min ago", true as `*` or "yes". Everything else shows the value. */
  readonly shows?: 'time' | 'mark' | 'yes';
};

export type Page = {
  readonly items: readonly unknown[];
  /** How many there are in all, as the platform counts. */
  readonly total?: number;
  /** Whether the platform has items beyond this page that are not coming; where it is absent, the total decides. */
  readonly more?: boolean;
};

export type ListResult = {
  readonly kind: 'list';
  readonly pages: AsyncIterable<Page>;
  /** Field of the item that `-o id` prints. */
  readonly id: string;
  /** None means: whatever fields the first items have. */
  readonly columns: readonly Column[];
  /** Every field the result's schema knows. A column among them is accepted though no item has it. */
  readonly fields?: readonly string[];
  /** Sentence on stderr for a table without rows. */
  readonly empty: string;
  /** Plural: "users". */
  readonly noun: string;
  /** An item as text, in a pipe as well, where that is no row of a table; not where columns are asked for. */
  readonly lines?: (item: unknown, look: Look) => string;
  /** The same for a terminal alone. */
  readonly screen?: (item: unknown, look: Look) => string;
};

export type RecordResult = {
  readonly kind: 'record';
  readonly value: unknown;
  /** Field of the value that `-o id` prints. */
  readonly id?: string;
  /** The id that the command was about, for a value that does not say it. */
  readonly about?: string;
  readonly columns?: readonly Column[];
  readonly fields?: readonly string[];
  /** The same for a person at a terminal, in lines; not where columns are asked for. */
  readonly screen?: (look: Look) => string;
};

/** JSON where nobody asked for a format, at a terminal in colour. */
type JsonByDefault = { readonly jsonByDefault?: boolean };

/** What a text for a terminal is made with. */
export type Look = { readonly paint: Paint; readonly columns: number; readonly now: number };

export type DoneResult = {
  readonly kind: 'done';
  /** What was done, where the platform's answer has no body: `{"orgId":"…","deleted":true}`. */
  readonly value: unknown;
  /** The same for a person: "Deleted organization …". */
  readonly sentence: string;
  /** Field of the value that `-o id` prints. */
  readonly id?: string;
};

/** What a command gives back. `text` goes out byte for byte, whatever the format. */
export type Result = (ListResult | RecordResult | DoneResult | { readonly kind: 'text'; readonly text: string }) &
  JsonByDefault & {
    /**
     * Asked once the result is written: how the work ended, for a result that was written although not all went well. `unwritten` is why it
     * did not get out: a failure of the device, 'unread' where its reader has gone away, undefined where it did.
     */
    readonly ending?: (unwritten: Failure | 'unread' | undefined) => Promise<Failure | undefined>;
  };

/** How the person wants it. */
export type OutputShape = {
  readonly format: Format;
  readonly columns?: readonly string[];
  readonly jq?: string;
  readonly csvSafe?: boolean;
  readonly quiet?: boolean;
};

/** Where text goes. */
export type Sink = {
  readonly isTerminal: boolean;
  /** Width of the terminal, at least 1. */
  readonly columns: number;
  readonly color: boolean;
  /** Resolves when the text was taken on; rejects with a Failure where it cannot be written (disk full). */
  write(text: string): Promise<void>;
  /** True once the reader has gone away; writing is then quiet and without effect. */
  readonly closed: boolean;
};

/** Where a result goes: the result itself, and one line at a time for the person (stderr). */
export type Streams = {
  readonly stdout: Sink;
  readonly notice: (line: string) => Promise<void>;
  /** Says that something was done; a notice where absent. */
  readonly done?: (sentence: string) => Promise<void>;
  /** Epoch milliseconds, for times that are shown as "12 min ago". */
  readonly now: () => number;
};

/** One format at work: text for each page as it comes, and the text that ends it all. */
export type Form = {
  page(items: readonly unknown[]): string | Promise<string>;
  end(): string | Promise<string>;
  /** What the person should know about the form itself: columns that did not fit. Asked after the end. */
  footer?(): string | undefined;
};
