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

/** A command as data, with a short function. Make one with `command()`. */
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
  /** Command lines, each with a sentence on what it is for. */
  readonly examples: Readonly<Record<string, string>>;
  /** How far the command reaches. Default: as far as its operation (organization or platform); without an operation, the profile. */
  readonly reach?: Reach;
  readonly changes?: Changes;
  readonly without: Without;
  /** Runs the command for each row of a file (`--rows FILE`), from which its arguments come. */
  readonly rows?: RowsOfCommand;
  /** For a command that lists everything of a kind, from which completions and prompts take their values. */
  readonly lists?: {
    readonly kind: LiveKind;
    /** The field with the ID. */
    readonly id: string;
    /** Describes a listed item at a prompt. */
    readonly describe: (record: JsonRecord, context: Context) => readonly string[] | Promise<readonly string[]>;
  };
  /** The schema of its result; by default the operation's response. */
  readonly result?: Schema;
  readonly shell: ForShell;
  /** @returns a result, a change to be carried out, or undefined if there is nothing to print */
  readonly run: (input: never, context: Context, groups: Groups) => Promise<Result | Change | undefined>;
};

export type Changes = {
  /** Whether it can be undone, unlike overwriting and deleting. */
  readonly undoable: boolean;
  /** Set if it only adds something, so that everything that exists stays as it is. */
  readonly adds?: true;
  /** The schema of the output of --dry-run, by default one request; 'none' for a command without a dry run, because a person takes part in it. */
  readonly dryRun?: Schema | 'none';
};

/** The features of most commands that a command does not have. */
export type Without = {
  /** Why agents do not get it as a tool. Only the user decides about logins and platforms, and no secret is ever a result. */
  readonly agents?: string;
  /** Why `each` does not run it, as a clause: "it asks for a password". */
  readonly each?: string;
  /** Set if the parameters and fields of its operation are not options, because it fills in the request itself. */
  readonly fields?: true;
  /** Set if it prints for a shell or a client, so that --output does not apply. */
  readonly formats?: true;
};

/** Facts for help and completions that do not follow from the rest of a command. */
export type ForShell = {
  /** The keys of its KEY=VALUE words with their descriptions. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The failures beside those of its operation, and when they happen. `found` is exit code 10, which is not a failure. */
  readonly ends?: Readonly<Partial<Record<FailureKind | 'found', string>>>;
  /** The values or the kind of values of an argument or option, if its name does not tell them. */
  readonly completes?: Readonly<Record<string, LiveKind | readonly string[]>>;
};

/** What runs a command for each row of a file, and the options for that. */
export type RowsOfCommand = {
  /** `rows`, and the options that go with it. */
  readonly flags: Readonly<Record<string, Flag>>;
  readonly run: (command: Command, input: JsonRecord, context: Context) => Promise<Result>;
};

/** A command line of iiot after the `--` of another one. Its global options are among those of the outer command. */
export type InnerLine = {
  readonly command: Command;
  readonly input: JsonRecord;
  /** @returns the exit code @throws Failure */
  readonly run: (options: GlobalInput, world: World, parts: InnerParts) => Promise<number>;
};

/** Parts of the outer command for an inner one. `take` gets the inner command's result instead of writing it, and `warn` the inner command's notices. */
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

/** How far a command reaches, from near to far. */
export type Reach = 'machine' | 'profile' | 'platform' | 'organization';

/** The commands that share a first word, loaded when one of them is used. */
export type Group = {
  /** The first word of its commands. */
  readonly name: string;
  readonly summary: string;
  /** The heading above it in the help of the whole tool. */
  readonly heading: string;
  /** The summaries of subgroups, such as "orgs users". */
  readonly parts?: Readonly<Record<string, string>>;
  readonly load: () => Promise<readonly Command[]>;
};

/** Every group, in the order of help. */
export type Groups = readonly Group[];

type UnionToIntersection<U> = (U extends unknown ? (union: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The option for a body field: a file is given by name. */
type FieldInput<S> = S extends { readonly flag: `${string}-file` } ? string : FlagInput<S>;
/** KEY=VALUE pairs become a Map, in which any key works, in the order given. */
type FlagInput<S> = S extends { readonly type: 'object' } ? ReadonlyMap<string, string> : Infer<S>;
/** The options for body fields: those of nested objects are flattened. */
type FlatFields<P> = UnionToIntersection<
  {
    [K in keyof P]: P[K] extends { readonly type: 'object'; readonly properties: infer Q }
      ? FlatFields<Q>
      : { readonly [name in K]?: FieldInput<P[K]> | undefined };
  }[keyof P]
>;

type QueryNames<P> = { [K in keyof P]: P[K] extends { readonly in: 'query' } ? K : never }[keyof P];
type FromOperation<O> = O extends Operation
  ? { readonly [K in QueryNames<ParamsOf<O>>]?: Infer<ParamsOf<O>[K]> | undefined } & FlatFields<PropertiesOf<O>>
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

type FromFlags<F> = { readonly [K in keyof F]?: FlagInput<F[K]> | undefined };

/** The input of `run`: arguments and options by name; those not given are absent. */
type RunInput<O, A, F> = Simplify<FromOperation<O> & FromArguments<A> & FromFlags<F>> & { readonly bodyFile?: string };
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

/** Whether a command changes something on the platform, by an operation of the contract. */
export function changesPlatform({ operation, changes }: Command): boolean {
  return operation !== undefined && changes !== undefined;
}

/** The name of the argument that is a command line of iiot, if the command has one. */
export function lineArgumentOf({ arguments: args }: Command): string | undefined {
  return Object.keys(args).find((name) => args[name]?.behindDashes === 'iiot');
}

/** The failures with which every command that sends a request can end. */
export const refusals: Readonly<Partial<Record<FailureKind, string>>> = Object.fromEntries(
  (['unauthenticated', 'forbidden', 'not_found', 'rejected', 'unavailable'] as const).map((k) => [k, kinds[k].means]),
);

/** One more failure of commands that change a profile or a login. */
export const busyFailure = { unavailable: 'another command is using the settings or the login' } as const;

/** All options of a command except the global ones. */
export function ownOptions(command: Command): readonly Option[] {
  const options = optionsOf(command);
  if (!changesPlatform(command)) return options;
  const rows = Object.entries(command.rows?.flags ?? {}).map(([name, schema]) => ownOption(name, schema));
  return [...options, ...rows, ...(command.changes?.dryRun === 'none' ? [] : [dryRun])];
}

const dryRun = ownOption('dryRun', dryRunFlag);
