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

/** The process and its system, passed in by bin/ or by a test. */
export type World = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: () => string;
  /** See StoreWorld. */
  readonly accountHome?: () => string;
  readonly uid?: number;
  readonly nodeVersion: string;
  /** How to run this program again: the interpreter and the script. */
  readonly self: readonly string[];
  /** Reads a text of the package, by its path there; absent without a build. */
  readonly text?: (path: string) => string | undefined;
  /** To be called before long work: from then on, it does not matter that another version replaces the files of this program. */
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
  /** Limits the memory of long work, of the old generation or of all. Call it after everything is loaded: V8 ignores its cache for files loaded later. */
  readonly limitHeapGrowth?: (what: 'old' | 'all') => Promise<void>;
  /** Replaces the network in tests. */
  readonly fetch?: Fetch;
};

/** What a command may touch; each part is made when it is first used. */
export type Context = {
  readonly world: World;
  readonly options: GlobalInput;
  readonly settings: Settings;
  readonly store: Store;
  readonly mask: Mask;
  /** Writes a line to stderr, unless --quiet; line ends in it, which come from values, are escaped. `mark`, a coloured sign, goes before it unchanged. */
  readonly notice: (line: string, mark?: string) => void;
  /** The same, even with --quiet, for what must not be missed. */
  readonly warn: (line: string, mark?: string) => void;
  /** The spinner. */
  readonly waiting: Waiting;
  /** What the platform's responses tell of its clock. */
  readonly clock: {
    readonly told: (headers: ResponseHeaders) => void;
    readonly isTold: () => boolean;
    /** How far the clock of this machine is ahead, in milliseconds; 0 if it is right within five minutes, or if that is not known. */
    readonly ahead: () => number;
    /** The same as a sentence; undefined for 0. */
    readonly words: () => string | undefined;
  };
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly input: StandardInput;
  readonly person: () => Promise<Person>;
  /** Undefined if none is set, or if it belongs to another platform. */
  readonly clientCertificate: () => Promise<ClientCertificate | undefined>;
  /** The connections of the command. */
  readonly network: () => Promise<Fetch>;
  readonly exchange: () => Promise<Exchange>;
  readonly session: () => Promise<Session>;
  readonly platform: () => Promise<Platform>;
  /** The platform for bulk work: with a connection pool, and without repeats, because one pace controls all requests. */
  readonly bulkPlatform: (bulk: BulkOptions) => Promise<Platform>;
  /** The same context for a base URL that the user has just entered. */
  readonly withBaseUrl: (value: string) => Context;
  /** The context of all rows, in that of one of them, whose history has no entries of its own. */
  readonly ofRows?: Context;
  /** Runs another command line in this process, like `main`. @returns its exit code */
  readonly run: (argv: readonly string[], world: World) => Promise<number>;
};

export type BulkOptions = {
  readonly connections: number;
  /** Ends the requests under way. */
  readonly interrupt: AbortSignal;
  /** Called for every refusal with its status and the wait that it asks for, in milliseconds. */
  readonly onRefusal: (status: number, wait: number | undefined) => void;
};

/** Standard input, which can be read only once. */
export type StandardInput = {
  /** All its bytes, or those of a pipe, as the value of `option`. @throws usage if another option has read it */
  readonly take: (option: string, path: string) => Promise<Buffer>;
  /** Texts of files by their paths, where many calls of a command have what was agreed to, whatever becomes of the files. */
  readonly texts?: Map<string, string> | undefined;
};
