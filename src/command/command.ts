import type { Operation, ParamsOf, PropertiesOf } from '../contract/operation.ts';
import type { Infer, Schema } from '../contract/schema.ts';
import type { Simplify } from '../contract/wire.ts';
import { type FailureKind, kinds } from '../failure.ts';
import type { Result } from '../output/result.ts';
import type { JsonRecord } from '../text/record.ts';
import type { Context, World } from './context.ts';
import { dryRunFlag, type GlobalInput } from './global-options.ts';
import { type Argument, type Flag, type Option, optionsOf, ownOption } from './option.ts';
import type { Change } from './perform.ts';

/** What a command is: data, and a short function. `command()` fills in what is left out. */
export type Command = {
  /** Its name on the command line: "orgs users list". */
  readonly name: string;
  readonly operation?: Operation;
  /** An imperative of at most 60 characters. */
  readonly summary: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, Argument>>;
  /** Options beyond the operation's fields. */
  readonly flags: Readonly<Record<string, Flag>>;
  /** What to type, and what for. */
  readonly examples: Readonly<Record<string, string>>;
  /** Where it acts; by default in the organization of its operation, or on its platform, or else with a profile alone. */
  readonly reach?: Reach;
  readonly changes?: Changes;
  readonly without: Without;
  /** What `--rows FILE` does: the command for each row of a file. Its arguments may then be missing. */
  readonly rows?: RowsOfCommand;
  /** It lists everything of a kind, for completions and prompts: each has its ID in this field. `describe` tells a person who is asked about an ID what it is. */
  readonly lists?: {
    readonly kind: LiveKind;
    readonly id: string;
    readonly describe: (record: JsonRecord, context: Context) => readonly string[] | Promise<readonly string[]>;
  };
  /** The schema of its result; by default the operation's response. */
  readonly result?: Schema;
  readonly shell: ForShell;
  /** Does the work. @returns its result, or a change to be carried out, or undefined if there is nothing to print */
  readonly run: (input: never, context: Context, groups: Groups) => Promise<Result | Change | undefined>;
};

export type Changes = {
  /** Whether it can be undone: what is overwritten or deleted cannot. */
  readonly undoable: boolean;
  /** It only adds something: everything that exists stays as it is. */
  readonly adds?: true;
  /** The schema of what --dry-run prints; by default one request. Where a person takes part, there is no dry run. */
  readonly dryRun?: Schema | 'none';
};

/** What a command does not have though most others do. */
export type Without = {
  /** Why agents do not get it as a tool: who the user is and which platform commands talk to is for the user to decide, and no secret is ever a result. */
  readonly agents?: string;
  /** Why `each` does not run it, for a sentence: "it asks for a password". */
  readonly each?: string;
  /** It fills in the request itself: the parameters and fields of its operation are not options. */
  readonly fields?: true;
  /** It prints for a shell or a client, in no format of ours. */
  readonly formats?: true;
};

/** What help and completions say of a command that follows from nothing else. */
export type ForShell = {
  /** The keys of its KEY=VALUE words with their descriptions. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Its own failures beside those of its operation, and when they happen. `found` is exit code 10, without a failure. */
  readonly ends?: Readonly<Partial<Record<FailureKind | 'found', string>>>;
  /** What completes an argument or option whose name does not say it: values that only this machine or the platform knows, or these words. */
  readonly completes?: Readonly<Record<string, LiveKind | readonly string[]>>;
};

/** A command for each row of a file. */
export type RowsOfCommand = {
  /** `rows`, and the options that go with it. */
  readonly flags: Readonly<Record<string, Flag>>;
  readonly run: (command: Command, input: JsonRecord, context: Context) => Promise<Result>;
};

/** A command line of iiot after the `--` of another one, which has taken its options of all commands. */
export type InnerLine = {
  readonly command: Command;
  readonly input: JsonRecord;
  /** @returns the exit code @throws Failure */
  readonly run: (options: GlobalInput, world: World, parts: InnerParts) => Promise<number>;
};

/** `take` gets the result, which is then not written; `warn` writes its notices; `session` is one that several have. */
export type InnerParts = {
  readonly take: (result: Result) => Promise<undefined>;
} & Pick<Context, 'warn'> &
  Partial<Pick<Context, 'session' | 'network'>>;

/** Kinds of values that only this machine or the platform knows. */
export type LiveKind =
  | 'profiles'
  | 'organizations'
  | 'templates'
  | 'template-names'
  | 'template-files'
  | 'channels'
  | 'credentials'
  | 'policies'
  | 'devices'
  | 'zones'
  | 'changes'
  | 'paths'
  | 'requests'
  | 'columns';

/** How far a command reaches; each place is in the next one. */
export type Reach = 'machine' | 'profile' | 'platform' | 'organization';

/** The commands that share a first word, loaded when one of them is used. */
export type Group = {
  /** The first word of its commands. */
  readonly name: string;
  readonly summary: string;
  /** What it is listed under in the help of the whole tool. */
  readonly heading: string;
  /** Summaries of the words between: "orgs users". */
  readonly parts?: Readonly<Record<string, string>>;
  readonly load: () => Promise<readonly Command[]>;
};

/** Every group, in the order of help. */
export type Groups = readonly Group[];
type UnionToIntersection<U> = (U extends unknown ? (union: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** Options for body fields: nested objects are flattened, and files are given by name. */
type FieldInput<S> = S extends { readonly flag: `${string}-file` } ? string : FlagInput<S>;
/** KEY=VALUE pairs become a Map, in which any key works, in the order given. */
type FlagInput<S> = S extends { readonly type: 'object' } ? ReadonlyMap<string, string> : Infer<S>;
type FlatFields<P> = UnionToIntersection<
  {
    [K in keyof P]: P[K] extends { readonly type: 'object'; readonly properties: infer Q }
      ? FlatFields<Q>
      : {
          readonly [name in K]?: FieldInput<P[K]> | undefined;
        };
  }[keyof P]
>;

type QueryNames<P> = {
  [K in keyof P]: P[K] extends { readonly in: 'query' } ? K : never;
}[keyof P];
type FromOperation<O> = O extends Operation
  ? {
      readonly [K in QueryNames<ParamsOf<O>>]?: Infer<ParamsOf<O>[K]> | undefined;
    } & FlatFields<PropertiesOf<O>>
  : unknown;

type FromArguments<A> = {
  readonly [K in keyof A]: A[K] extends { readonly behindDashes: 'iiot' }
    ? InnerLine
    : A[K] extends { readonly repeated: true }
      ? readonly string[]
      : A[K] extends { readonly optional: true }
        ? string | undefined
        : string;
};

type FromFlags<F> = {
  readonly [K in keyof F]?: FlagInput<F[K]> | undefined;
};

/** The input of `run`: arguments and options by name; those not given are absent. */
type RunInput<O, A, F> = Simplify<FromOperation<O> & FromArguments<A> & FromFlags<F>> & {
  readonly bodyFile?: string;
};
type Defaulted = 'summary' | 'description' | 'without' | 'shell';
type CommandDefinition<O, A, F> = Omit<Command, Defaulted | 'operation' | 'arguments' | 'flags' | 'run'> &
  Partial<Pick<Command, Defaulted>> & {
    readonly operation?: O;
    readonly arguments?: A;
    readonly flags?: F;
    readonly run: (input: RunInput<O, A, F>, context: Context, groups: Groups) => Promise<Result | Change | undefined>;
  };

/** Makes a command. Summary and description default to the operation's. */
export function command<
  const O extends Operation,
  const A extends Readonly<Record<string, Argument>> = Record<never, never>,
  const F extends Readonly<Record<string, Flag>> = Record<never, never>,
>(definition: CommandDefinition<O, A, F>): Command {
  const { operation, arguments: args, flags, ...rest } = definition;
  return {
    without: {},
    shell: {},
    ...rest,
    summary: definition.summary ?? operation?.summary ?? '',
    description: definition.description ?? operation?.description ?? '',
    arguments: args ?? {},
    flags: flags ?? {},
    operation,
    run: definition.run as Command['run'], // parse() makes the input of exactly these definitions
  };
}

/** Whether it changes something on the platform, by an operation of the contract. */
export function changesPlatform({ operation, changes }: Command): boolean {
  return operation !== undefined && changes !== undefined;
}

/** The argument that is a command line of iiot, if it has one. */
export function takesLine({ arguments: args }: Command): string | undefined {
  return Object.keys(args).find((name) => args[name]?.behindDashes === 'iiot');
}

/** How every command that sends a request can end. */
export const refusals = Object.fromEntries(
  (['unauthenticated', 'forbidden', 'not_found', 'rejected', 'unavailable'] as const).map((kind) => [
    kind,
    kinds[kind].means,
  ]),
);

/** How else a command that changes a profile or a login can end. */
export const busy = { unavailable: 'another command is using the settings or the login' } as const;

/** All options of a command except the global ones. */
export function ownOptions(command: Command): readonly Option[] {
  const options = optionsOf(command);
  if (!changesPlatform(command)) return options;
  const rows = Object.entries(command.rows?.flags ?? {}).map(([name, schema]) => ownOption(name, schema));
  return [...options, ...rows, ...(command.changes?.dryRun === 'none' ? [] : [dryRun])];
}
const dryRun = ownOption('dryRun', dryRunFlag);
