import type { Session } from '../auth/session.ts';
import type { Platform } from '../http/platform.ts';
import type { ClientCertificate } from '../network/client-certificate.ts';
import type { Exchange, Fetch, ResponseHeaders } from '../network/fetch.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../terminal/person.ts';
import type { Input, Output } from '../terminal/streams.ts';
import type { Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import type { GlobalInput } from './global-options.ts';
import type { Settings } from './settings.ts';

/** The process and its system, made by launch/ or by a test. */
export type World = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: () => string;
  /** The home folder by the system's accounts, as in `StoreWorld`. */
  readonly accountHome?: () => string;
  readonly uid?: number;
  readonly nodeVersion: string;
  /** The words that run this program again: the interpreter and the script. */
  readonly self: readonly string[];
  /** Reads a text of the package, by its path there; absent without a build. */
  readonly text?: (path: string) => string | undefined;
  /** Reads all files of this program. Call it before long work, during which another version may replace them. */
  readonly keepProgram?: () => void;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  readonly random: () => number;
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with a Failure 'interrupted' as its reason. */
  readonly interrupt: AbortSignal;
  /** Limits the memory of long work, for old objects or for all. Call it after everything is loaded, because V8 ignores its code cache afterwards. */
  readonly limitHeapGrowth?: (generations: 'old' | 'all') => Promise<void>;
  /** Replaces the network in tests. */
  readonly fetch?: Fetch;
};

/** Everything outside itself that a command may use. Each part is made on first use. */
export type Context = {
  readonly world: World;
  readonly options: GlobalInput;
  readonly settings: Settings;
  readonly store: Store;
  readonly mask: Mask;
  /** Writes a line to stderr, unless --quiet. Escapes line ends in it, which come from values. @param mark a coloured sign before the line */
  readonly notice: (line: string, mark?: string) => void;
  /** Writes a line to stderr, as `notice` does, but even with --quiet. */
  readonly warn: (line: string, mark?: string) => void;
  /** The spinner. */
  readonly waiting: Waiting;
  /** Compares this machine's clock with the platform's. */
  readonly clock: {
    /** Reads the platform's time from the Date of a response. */
    readonly readDate: (headers: ResponseHeaders) => void;
    /** Whether the last response had a Date. */
    readonly isKnown: () => boolean;
    /** By how many milliseconds this machine's clock is ahead; 0 if it is right within five minutes, or if that is not known. */
    readonly ahead: () => number;
    /** A sentence about the difference; undefined if `ahead` is 0. */
    readonly words: () => string | undefined;
  };
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly input: StandardInput;
  readonly person: () => Promise<Person>;
  /** The client certificate; undefined if none is set, or if it belongs to another platform. */
  readonly clientCertificate: () => Promise<ClientCertificate | undefined>;
  /** The connections of the command. */
  readonly network: () => Promise<Fetch>;
  readonly exchange: () => Promise<Exchange>;
  readonly session: () => Promise<Session>;
  readonly platform: () => Promise<Platform>;
  /** The platform for bulk work: with a connection pool, and without repeats, because one pace controls all requests. */
  readonly bulkPlatform: (bulk: BulkOptions) => Promise<Platform>;
  /** Gives a context for a base URL that the user has just entered. */
  readonly withBaseUrl: (value: string) => Context;
  /** Set in the context of one row: the context of all rows, which alone writes the history. */
  readonly ofRows?: Context;
  /** Runs another command line in this process, like `main`. @returns its exit code */
  readonly run: (argv: readonly string[], world: World) => Promise<number>;
};

export type BulkOptions = {
  readonly connections: number;
  /** Ends the requests under way. */
  readonly interrupt: AbortSignal;
  /** Called for every refusal. @param wait how long the platform asks to wait, in milliseconds */
  readonly onRefusal: (status: number, wait: number | undefined) => void;
};

/** Reads standard input, which can be read only once, and pipes. */
export type StandardInput = {
  /** Reads all bytes of standard input, or of a pipe, as the value of an option. @throws usage if another option has read standard input */
  readonly take: (option: string, path: string) => Promise<Buffer>;
  /** The texts of files by their paths, if many calls of a command use the files as they were when the user agreed. */
  readonly texts?: Map<string, string> | undefined;
};
