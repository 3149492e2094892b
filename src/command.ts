import type { Change } from './change.ts';
import type { Context } from './context.ts';
import type { Operation, ParamsOf, PropertiesOf } from './contract/operation.ts';
import type { Infer, Schema } from './contract/schema.ts';
import type { Result } from './output/result.ts';

/** An option in the contract's words, with what only a shell needs. */
export type Flag = Schema & {
  readonly short?: string;
  /** The word for its value in help: FILE, DURATION. Completions know FILE. */
  readonly value?: string;
  /** What counts where it is not given; told in help, never put into the input. */
  readonly default?: string | number;
};

export type Argument = Schema & {
  readonly value?: string;
  readonly optional?: true;
  /** Takes all that follow. */
  readonly repeated?: true;
};

export type Example = { readonly line: string; readonly says: string };

/** What a command is: data, and a short function. */
export type Command = {
  /** The words that call it: "orgs users list". */
  readonly name: string;
  readonly operation?: Operation;
  /** An imperative of at most 60 characters. */
  readonly summary: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, Argument>>;
  /** Options beyond the operation's fields. */
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly Example[];
  /** Whether it changes something, on the platform or here, and whether that can be undone. */
  readonly changes?: 'reversible' | 'final';
  /** The schema of its result; by default the operation's answer. */
  readonly result?: Schema;
  /** The fields of a table, where the result is not the operation's plain answer. */
  readonly run: (input: never, context: Context) => Promise<Result | Change | undefined>;
};

type UnionToIntersection<U> = (U extends unknown ? (union: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
type Simplify<T> = { [K in keyof T]: T[K] };

/** Options of a body's fields: nested objects are flat on the command line, files are named. */
type FieldInput<S> = S extends { readonly flag: `${string}-file` } ? string : FlagInput<S>;
/** KEY=VALUE pairs come as a Map, in which any key is a key, in the order in which they were typed. */
type FlagInput<S> = S extends { readonly type: 'object' } ? ReadonlyMap<string, string> : Infer<S>;
type Flat<P> = UnionToIntersection<
  {
    [K in keyof P]: P[K] extends { readonly type: 'object'; readonly properties: infer Q }
      ? Flat<Q>
      : { readonly [name in K]?: FieldInput<P[K]> | undefined };
  }[keyof P]
>;
type QueryNames<P> = { [K in keyof P]: P[K] extends { readonly in: 'query' } ? K : never }[keyof P];
type FromOperation<O> = O extends Operation
  ? { readonly [K in QueryNames<ParamsOf<O>>]?: Infer<ParamsOf<O>[K]> | undefined } & Flat<PropertiesOf<O>>
  : unknown;
type FromArguments<A> = {
  readonly [K in keyof A]: A[K] extends { readonly repeated: true }
    ? readonly string[]
    : A[K] extends { readonly optional: true }
      ? string | undefined
      : string;
};
type FromFlags<F> = { readonly [K in keyof F]?: FlagInput<F[K]> | undefined };

/** What `run` gets: arguments and options by name, typed; what was not typed is absent. */
export type Input<O, A, F> = Simplify<FromOperation<O> & FromArguments<A> & FromFlags<F>> & {
  readonly bodyFile?: string;
};

type Written<O, A, F> = Omit<Command, 'operation' | 'summary' | 'description' | 'arguments' | 'flags' | 'run'> & {
  readonly operation?: O;
  readonly summary?: string;
  readonly description?: string;
  readonly arguments?: A;
  readonly flags?: F;
  readonly run: (input: Input<O, A, F>, context: Context) => Promise<Result | Change | undefined>;
};

/** Makes a command. Summary and description are the operation's where there is one. */
export function command<
  const O extends Operation,
  const A extends Readonly<Record<string, Argument>> = Record<never, never>,
  const F extends Readonly<Record<string, Flag>> = Record<never, never>,
>(written: Written<O, A, F>): Command {
  const { operation, arguments: args, flags, ...rest } = written;
  return {
    ...rest,
    summary: written.summary ?? operation?.summary ?? '',
    description: written.description ?? operation?.description ?? '',
    arguments: args ?? {},
    flags: flags ?? {},
    ...(operation && { operation }),
    run: written.run as Command['run'], // parse() makes the input of exactly these definitions
  };
}

/** One option as it stands on the command line. */
export type Option = {
  /** Its name in `run`'s input. */
  readonly name: string;
  /** Without dashes. */
  readonly long: string;
  readonly schema: Flag;
  /** Where its value goes in the body: ['notification', 'channelIds']; absent for what is no body field. */
  readonly path?: readonly string[];
};

/** All options of a command: its operation's query parameters and body fields, then its own. */
export function optionsOf(command: Command): readonly Option[] {
  const { operation, flags } = command;
  const query = Object.entries(operation?.params ?? {})
    .filter(([name, parameter]) => parameter.in === 'query' && !(name in command.arguments))
    .map(([name, schema]) => ({ name, long: longOf(name, schema), schema }));
  const body = operation?.body ? fieldOptions(operation, operation.body.properties ?? {}, []) : [];
  const own = Object.entries(flags).map(([name, schema]) => ({ name, long: longOf(name, schema), schema }));
  const replaced = new Set(own.map(({ name }) => name));
  const whole = operation?.body ? [bodyFile] : [];
  return [...query, ...body, ...whole].filter(({ name }) => !replaced.has(name)).concat(own);
}

const bodyFile: Option = {
  name: 'bodyFile',
  long: 'body-file',
  schema: {
    type: 'string',
    value: 'FILE',
    description: 'The whole body as JSON, instead of its options; - is standard input',
  },
};

function fieldOptions(
  operation: Operation,
  fields: Readonly<Record<string, Schema>>,
  path: readonly string[],
): Option[] {
  return Object.entries(fields).flatMap(([name, schema]): Option[] => {
    // orgId stands in the path already, and has an option of its own.
    if (name in operation.params) return [];
    if (schema.type === 'object' && schema.properties)
      return fieldOptions(operation, schema.properties, [...path, name]);
    return [
      { name, long: longOf(name, schema), schema: isFile(schema) ? asFile(schema) : schema, path: [...path, name] },
    ];
  });
}

/** A field that no words can say is read from a JSON file. */
export function isFile(schema: Schema): boolean {
  return schema.flag?.endsWith('-file') === true && schema.type !== 'string';
}

function asFile(schema: Schema): Flag {
  const description = `${schema.description}, a JSON file; - is standard input`;
  return { type: 'string', value: 'FILE', description, ...(schema.flag && { flag: schema.flag }) };
}

function longOf(name: string, schema: Schema): string {
  return schema.flag ?? kebab(name);
}

/** "RunOnStartup" and "runOnStartup" are `run-on-startup`. */
export function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}
