import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import { text } from '../contract/shared.ts';

/** The schema of an option: one of the contract, with facts for the command line. */
export type Flag = Schema & {
  readonly short?: string;
  /** The placeholder for its value in help: FILE, DURATION. Completions use FILE. */
  readonly value?: string;
  /** The default, for help only: it is never added to the input. */
  readonly default?: string | number;
  /** The topic or group whose help explains it, in place of the help of its command. */
  readonly topic?: string;
  /** For an option of --rows: the option to use without rows, without dashes. */
  readonly instead?: string;
  /** The field of the body that it sets, if that has another name. A switch empties the field. */
  readonly sets?: string;
  /** Whether agents get it: `never`; `typed` only if the user has typed it to agree; `secret` names a file for a secret that must not be part of a result. */
  readonly forAgents?: 'never' | 'typed' | 'secret';
};

export type Argument = Schema & {
  readonly value?: string;
  readonly optional?: true;
  /** Takes all remaining words. */
  readonly repeated?: true;
  /** Whether a value that begins with a hyphen and a digit is not taken for an option. */
  readonly maybeNegative?: true;
  /** Whether it may be the path of a file or folder. An agent may name only those below the folder of `iiot mcp`. */
  readonly isPath?: true;
  /** Set for an inner command with its options, after `--`: of any program, or of iiot, which `run` gets as an `InnerLine`. */
  readonly behindDashes?: 'any' | 'iiot';
  /** The global option that it replaces: `orgs delete <orgId>` does not take --org. */
  readonly insteadOf?: 'org' | 'profile';
};

export type Option = {
  /** The name in the input of `run`. */
  readonly name: string;
  /** The name on the command line, without dashes. */
  readonly long: string;
  readonly schema: Flag;
  /** The path of its value in the body, such as ['notification', 'channelIds']; absent if it is not a field of the body. */
  readonly path?: readonly string[];
  /** Whether its word names a JSON file with the value. */
  readonly readsJson?: boolean;
};

/** The names of an option on the command line, with that of its opposite: --enabled, --disabled. */
export function optionNames({ long, schema }: Option): readonly string[] {
  return [`--${long}`, ...(schema.type === 'boolean' && schema.negative ? [`--${schema.negative}`] : [])];
}

/** The options of a command: the query parameters and body fields of its operation, then its own. */
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
  const body = operation?.body ? optionsIn(operation, operation.body.properties ?? {}, []) : [];
  const own = Object.entries(flags).map(([name, schema]) => ownOption(name, schema));
  const replaced = new Set(own.map(({ name }) => name));
  const whole = operation?.body ? [bodyFile] : [];
  return [...query, ...body, ...whole].filter(({ name }) => !replaced.has(name)).concat(own);
}

/** Leaves out a default of the interface, which the platform applies itself. */
function withoutDefault(schema: Flag): Flag {
  const { default: _ofPlatform, ...rest } = schema;
  return rest;
}

const bodyFile = ownOption('bodyFile', text('The whole body as JSON; - is standard input', { value: 'FILE' }));

function optionsIn(operation: Operation, fields: Readonly<Record<string, Schema>>, path: readonly string[]): Option[] {
  return Object.entries(fields).flatMap(([name, schema]): Option[] => {
    // orgId is in the path and has its own option.
    if (name in operation.params) return [];
    if (schema.type === 'object' && schema.properties) return optionsIn(operation, schema.properties, [...path, name]);
    const readsJson = isReadFromFile(schema);
    const own = readsJson ? text(`${schema.description} (JSON)`, { value: 'FILE', flag: schema.flag }) : schema;
    return [{ name, long: longOf(name, schema), schema: own, path: [...path, name], readsJson }];
  });
}

/** Whether a field is read from a JSON file, because it cannot be given on the command line. */
export function isReadFromFile(schema: Schema): boolean {
  return schema.flag?.endsWith('-file') === true && schema.type !== 'string';
}

/** Whether the value of an option becomes a field of the body. Other options name a file or a profile, confirm, or are for a terminal. */
export function isField({ operation }: Definition, { name, path, schema }: Option): boolean {
  return (
    path !== undefined ||
    (schema.value !== 'FILE' && (schema.sets !== undefined || Object.hasOwn(operation?.body?.properties ?? {}, name)))
  );
}

/** The option for the field that an option sets: `--content` for `--content-file` and `--clear-content`. */
export function fieldOf(definition: Definition, option: Option): Option {
  return optionsOf(definition).find(({ name }) => name === option.schema.sets) ?? option;
}

/** The value that empties a field. */
export const emptyOf = ({ schema }: Option): '' | readonly [] => (schema.type === 'array' ? [] : '');

/** Whether the words of an option become texts of the body, or items of a list in it. */
export function givesText(definition: Definition, option: Option): boolean {
  const isOther = option.readsJson || ['boolean', 'integer', 'object'].includes(String(option.schema.type));
  return !isOther && isField(definition, option);
}

/** Whether the words of an option become a list of the body, unlike those of a filter, which are not stored. */
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
