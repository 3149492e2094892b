import type { Session } from '../auth/session.ts';
import type { Operation } from '../contract/operation.ts';
import type { WireRequest } from '../contract/wire.ts';
import type { Platform } from '../http/platform.ts';
import type { ClientCertificate } from '../network/client-certificate.ts';
import type { Exchange, Fetch } from '../network/fetch.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../terminal/person.ts';
import type { Input, Output } from '../terminal/streams.ts';
import type { Waiting } from '../terminal/waiting.ts';
import type { Mask } from '../text/mask.ts';
import type { GlobalInput } from './global-options.ts';
import type { Settings } from './settings.ts';

/** The real world, handed in by bin/ or by a test. */
export type World = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: () => string;
  readonly uid?: number;
  readonly nodeVersion: string;
  /** How this program is called again: the interpreter and the script. */
  readonly self: readonly string[];
  /** A text that the build has written, by its path in the package; absent where nothing is built. */
  readonly text?: (path: string) => string | undefined;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds that no clock change moves. */
  readonly monotonic: () => number;
  readonly random: () => number;
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with a Failure 'interrupted' as its reason. */
  readonly interrupt: AbortSignal;
  /**
   * Keeps the memory of long work small: of what lives long, or of all, at the price of more collecting. Told once
   * everything is loaded: of a file that is loaded later V8 takes nothing that it has compiled in an earlier run.
   */
  readonly limitHeapGrowth?: (what: 'old' | 'all') => Promise<void>;
  /** A test's wire; the network where absent. */
  readonly fetch?: Fetch;
};

/** What a command may touch; each part is made when it is first used. */
export type Context = {
  readonly world: World;
  readonly options: GlobalInput;
  readonly settings: Settings;
  readonly store: Store;
  readonly mask: Mask;
  /**
   * One line on stderr for the person, unless --quiet: a line end inside of it is a value's, and is spelled out. `mark` stands before it as
   * it is: a coloured sign.
   */
  readonly notice: (line: string, mark?: string) => void;
  /** The same, even with --quiet: what must not be missed. */
  readonly warn: (line: string) => void;
  /** What a person sees while they wait. */
  readonly waiting: Waiting;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly input: StandardInput;
  readonly person: () => Promise<Person>;
  /** Undefined where none is set, or where it belongs to another platform. */
  readonly clientCertificate: () => Promise<ClientCertificate | undefined>;
  readonly exchange: () => Promise<Exchange>;
  readonly session: () => Promise<Session>;
  readonly platform: () => Promise<Platform>;
  /** The platform for bulk work: over a pool of connections, and without repeats of its own, because all of the work has one pace. */
  readonly bulkPlatform: (bulk: BulkOptions) => Promise<BulkPlatform>;
  /** The same context for another platform: a person has just named it. */
  readonly withBaseUrl: (value: string) => Context;
  /** Runs another command line in this process, as `main` does. @returns its exit code */
  readonly run: RunCommandLine;
};

type RunCommandLine = (argv: readonly string[], world: World) => Promise<number>;

/** Makes changes of which nobody reads what the answer says. Rejects as `Platform` does. */
export type BulkPlatform = { readonly send: (operation: Operation, request: WireRequest) => Promise<unknown> };

export type BulkOptions = {
  readonly connections: number;
  /** Ends what is under way. */
  readonly interrupt: AbortSignal;
  /** Called with every answer that is a refusal: its status, and how many milliseconds it asks to wait. */
  readonly onRefusal: (status: number, wait: number | undefined) => void;
};

/** Standard input, which can be taken once. */
export type StandardInput = {
  /** All its bytes. `option` is whose value it is. @throws usage where another option has taken it */
  readonly take: (option: string) => Promise<Buffer>;
};
