import { type Command, ownOptions } from '../command/command.ts';
import { type Argument, isReadFromFile, type Option } from '../command/option.ts';
import type { Schema } from '../contract/schema.ts';
import { groupDigits } from '../text/group-digits.ts';

/** "-o, --output FORMAT", "--role admin|operator|viewer". */
function optionWords(option: Option): string {
  const { long, schema } = option;
  const short = schema.short ? `-${schema.short}, ` : '';
  if (schema.type === 'boolean') return `${short}--${long}`;
  return `${short}--${long} ${valueWord(schema)}`;
}

/** The words that an option or argument accepts, if there are few enough to list. */
export function acceptedWords(schema: Schema): readonly string[] | undefined {
  if (schema.type === 'string') return schema.enum;
  return schema.type === 'array' ? acceptedWords(schema.items) : undefined;
}

/** The placeholder of a value in help: FILE, KEY=VALUE, N, admin|operator|viewer. */
function valueWord(schema: Option['schema']): string {
  if (schema.value) return schema.value;
  const words = acceptedWords(schema)?.join('|');
  if (words !== undefined) return words.length <= longestWords ? words : 'TYPE';
  if (schema.type === 'object') return 'KEY=VALUE';
  if (schema.type === 'integer') return schema.unit === 'seconds' ? 'SECONDS|DURATION' : 'N';
  return schema.type === undefined ? 'VALUE' : 'TEXT';
}

const longestWords = 24;

/** The description of an option, with its limits: "New name (at most 200 characters)". */
export function optionDescription({ schema }: Option, required = false): string {
  const words = acceptedWords(schema);
  const fallback = schema.default === undefined ? undefined : `default ${schema.default}`;
  const range =
    schema.type === 'integer' && schema.maximum !== undefined
      ? `${groupDigits(schema.minimum ?? 0)} to ${groupDigits(schema.maximum)}`
      : undefined;
  const notes = [
    required ? 'required' : undefined,
    words && valueWord(schema) !== words.join('|') ? words.join(', ') : undefined,
    schema.type === 'string' && schema.maxLength ? `at most ${groupDigits(schema.maxLength)} characters` : undefined,
    range && [range, fallback].filter(Boolean).join(', '),
    schema.type === 'array' || schema.type === 'object' ? 'repeatable' : undefined,
    range ? undefined : fallback,
  ].filter((note) => note !== undefined);
  const description = `${schema.description}${schema.type === 'integer' && schema.unit === 'seconds' ? ', or 90s, 5m' : ''}`;
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** The options of a command, without those that a topic explains. */
export function shownOptions(command: Command): readonly Option[] {
  return ownOptions(command).filter(({ schema }) => !schema.topic);
}

export function optionRows(options: readonly Option[], command?: Command): (readonly [string, string])[] {
  const isNeeded = (option: Option) => command !== undefined && isRequired(command, option);
  return options.flatMap((option): (readonly [string, string])[] => {
    const says = optionDescription(option, isNeeded(option));
    const { schema, long } = option;
    const opposite = schema.type === 'boolean' && schema.negative;
    return [
      [optionWords(option), says],
      ...(opposite ? [[`--${opposite}`, `The opposite of --${long}`] as const] : []),
    ];
  });
}

/** "<deviceId>", "[KEY=VALUE...]". */
export function argumentWord(name: string, argument: Argument): string {
  const word = `${argument.value ?? name}${argument.repeated ? '...' : ''}`;
  return argument.optional ? `[${word}]` : `<${word}>`;
}

export function argumentRows({ arguments: all }: Command): (readonly [string, string])[] {
  return Object.entries(all).map(([name, argument]) => [argumentWord(name, argument), argument.description]);
}

/** The usage of a command: `iiot devices custom-info set <deviceId> [KEY=VALUE...] [OPTIONS]`. */
export function usageLine(command: Command): string {
  return ['iiot', command.name, ...usageWords(command)].join(' ');
}

/** The words after a command's name in its usage: "<deviceId>", "[OPTIONS]", "-- COMMAND [ARG...]". */
export function usageWords({ arguments: all }: Command): readonly string[] {
  const [inner, own] = [true, false].map((wanted) =>
    Object.entries(all).filter(([, { behindDashes }]) => (behindDashes !== undefined) === wanted),
  );
  const words = (own ?? []).map(([name, argument]) => argumentWord(name, argument));
  return [...words, '[OPTIONS]', ...(inner ?? []).map(([, { value = 'COMMAND' }]) => `-- ${value} [ARG...]`)];
}

/** Whether the interface requires the field of an option. Its value may still come from a prompt or --body-file. */
export function isRequired({ operation }: Command, { name, path }: Option): boolean {
  if (!operation) return false;
  if (path?.length === 1) return operation.body?.required?.includes(name) === true;
  return path === undefined && operation.params[name]?.required === true;
}

export function takesFile(schema: Option['schema']): boolean {
  return schema.value === 'FILE' || isReadFromFile(schema);
}
