import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import { text } from '../contract/shared.ts';

/** An option as a schema of the contract, with what only the command line needs. */
export type Flag = Schema & {
  readonly short?: string;
  /** The placeholder for its value in help: FILE, DURATION. Completions use FILE. */
  readonly value?: string;
  /** The default, for help only: it is never added to the input. */
  readonly default?: string | number;
  /** The topic or group whose help explains it, not the help of its command. */
  readonly topic?: string;
  /** The option that has its place where the other is not given, without dashes. */
  readonly instead?: string;
  /** The field of the body that it sets, where that has another name; a switch empties it. */
  readonly sets?: string;
  /** What agents may do with it: `never` is for a person, `typed` is typed by a person to agree, `secret` names a file for what must not come back as a result. */
  readonly forAgents?: 'never' | 'typed' | 'secret';
};

export type Argument = Schema & {
  readonly value?: string;
  readonly optional?: true;
  /** Takes all remaining words. */
  readonly repeated?: true;
  /** A value may begin with a hyphen and a digit without being taken for an option. */
  readonly maybeNegative?: true;
  /** It may be the path of what is read. An agent may only name what is below the folder of `iiot mcp`. */
  readonly isPath?: true;
  /** An inner command with its options, after `--`: of any program, or a command line of iiot, which `run` gets as one. */
  readonly behindDashes?: 'any' | 'iiot';
  /** The global option that it takes the place of: what `orgs delete <orgId>` deletes is not told by --org. */
  readonly insteadOf?: 'org' | 'profile';
};

export type Option = {
  /** Its name in `run`'s input. */
  readonly name: string;
  /** Without dashes. */
  readonly long: string;
  readonly schema: Flag;
  /** Where its value goes in the body: ['notification', 'channelIds']; absent if it is not a body field. */
  readonly path?: readonly string[];
  /** Its word names a JSON file that has the value. */
  readonly readsJson?: boolean;
};

/** An option as it is typed, and its opposite: --enabled, --disabled. */
export function optionNames({ long, schema }: Option): readonly string[] {
  return [`--${long}`, ...(schema.type === 'boolean' && schema.negative ? [`--${schema.negative}`] : [])];
}

/** All options of a command: its operation's query parameters and body fields, then its own. */
export function optionsOf(definition: Definition): readonly Option[] {
  const known = computed.get(definition);
  if (known) return known;
  const options = allOptions(definition);
  computed.set(definition, options);
  return options;
}

/** The part of a command that its options depend on. */
type Definition = {
  readonly operation?: Operation;
  readonly without: { readonly fields?: true };
  readonly arguments: Readonly<Record<string, Argument>>;
  readonly flags: Readonly<Record<string, Flag>>;
};

const computed = new WeakMap<Definition, readonly Option[]>();

function allOptions(definition: Definition): readonly Option[] {
  const { arguments: args, flags } = definition;
  const operation = definition.without.fields ? undefined : definition.operation;
  const query = Object.entries(operation?.params ?? {})
    .filter(([name, parameter]) => parameter.in === 'query' && !(name in args))
    .map(([name, schema]) => ({ name, long: longOf(name, schema), schema: withoutDefault(schema) }));
  const body = operation?.body ? fieldOptions(operation, operation.body.properties ?? {}, []) : [];
  const own = Object.entries(flags).map(([name, schema]) => ownOption(name, schema));
  const replaced = new Set(own.map(({ name }) => name));
  const whole = operation?.body ? [bodyFile] : [];
  return [...query, ...body, ...whole].filter(({ name }) => !replaced.has(name)).concat(own);
}

/** A default of the interface is the platform's: a list asks for as many as it needs. */
function withoutDefault(schema: Flag): Flag {
  const { default: _ofPlatform, ...rest } = schema;
  return rest;
}

const bodyFile = ownOption('bodyFile', text('The whole body as JSON; - is standard input', { value: 'FILE' }));

function fieldOptions(
  operation: Operation,
  fields: Readonly<Record<string, Schema>>,
  path: readonly string[],
): Option[] {
  return Object.entries(fields).flatMap(([name, schema]): Option[] => {
    // orgId is in the path and has its own option.
    if (name in operation.params) return [];
    if (schema.type === 'object' && schema.properties)
      return fieldOptions(operation, schema.properties, [...path, name]);
    const readsJson = isFile(schema);
    const own = readsJson ? text(`${schema.description} (JSON)`, { value: 'FILE', flag: schema.flag }) : schema;
    return [{ name, long: longOf(name, schema), schema: own, path: [...path, name], readsJson }];
  });
}

/** Whether a field is read from a JSON file, because it cannot be given on the command line. */
export function isFile(schema: Schema): boolean {
  return schema.flag?.endsWith('-file') === true && schema.type !== 'string';
}

/** Whether an option gives a field of the body. Others name a file or a profile, agree, or belong to a terminal. */
export function isField({ operation }: Definition, { name, path, schema }: Option): boolean {
  return (
    path !== undefined ||
    (schema.value !== 'FILE' && (schema.sets !== undefined || Object.hasOwn(operation?.body?.properties ?? {}, name)))
  );
}

/** The option whose value an option gives: `--content` for `--content-file` and `--clear-content`. */
export function fieldOf(definition: Definition, option: Option): Option {
  return optionsOf(definition).find(({ name }) => name === option.schema.sets) ?? option;
}

/** What empties a field. */
export const emptyOf = ({ schema }: Option): '' | readonly [] => (schema.type === 'array' ? [] : '');

/** Whether its words are texts of the body, or items of a list there. */
export function givesText(definition: Definition, option: Option): boolean {
  const isOther = option.readsJson || ['boolean', 'integer', 'object'].includes(String(option.schema.type));
  return !isOther && isField(definition, option);
}

/** Whether each word becomes part of a body. The words of a filter are compared, not stored. */
export function isStoredList({ schema, path }: Option): boolean {
  return schema.type === 'array' && path !== undefined;
}

export function ownOption(name: string, schema: Flag): Option {
  return { name, long: longOf(name, schema), schema };
}

function longOf(name: string, schema: Schema): string {
  return schema.flag ?? kebab(name);
}

/** "RunOnStartup" and "runOnStartup" are `run-on-startup`. */
export function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}
