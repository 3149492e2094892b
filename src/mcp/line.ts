import type { Option } from '../command/option.ts';
import { argumentFor, globalOptionsOf } from '../command/reach.ts';
import { valuesIn } from '../command/word.ts';
import { usage } from '../failure.ts';
import type { Field, Tool } from './tools.ts';

export type ToolInput = Readonly<Record<string, unknown>>;

/** A command line without the program: the words of the command, its options, and its arguments after "--"; and its standard input. */
export type Line = {
  readonly words: readonly string[];
  readonly options: readonly string[];
  readonly positional: readonly string[];
  readonly stdin?: string;
  /** The global options that it takes: those of `iiot mcp` itself apply to it. */
  readonly global: readonly Option[];
};

/**
 * The command line for the input of a tool. Values are never reinterpreted: a text that begins with a hyphen is not an option.
 * @throws a usage failure for a field that the tool does not have, a missing field, or a value of the wrong type
 */
export function lineOf({ name, command, fields }: Tool, input: ToolInput): Line {
  for (const field of Object.keys(input)) {
    if (!Object.hasOwn(fields, field)) throw usage(`The tool ${name} has no input "${field}".`, 'See its input schema');
  }
  const options: string[] = [];
  const positional: string[] = [];
  let stdin: string | undefined;
  for (const [field, kind] of Object.entries(fields)) {
    const value = input[field];
    if (kind.kind === 'argument') positional.push(...argumentWords(field, kind, value));
    else if (value === undefined || value === null) continue;
    else if (kind.kind === 'option') options.push(...optionWords(field, kind.option, value));
    else if (stdin !== undefined)
      throw usage(`${name} takes only one of its inputs of JSON at a time.`, 'Give them all as body');
    else {
      options.push(`--${kind.option.long}=-`);
      stdin = JSON.stringify(value);
    }
  }
  const global = globalOptionsOf(command).filter((option) => !input[argumentFor(command, option.name)?.[0] ?? '']);
  return { words: command.name.split(' '), options, positional, global, ...(stdin !== undefined && { stdin }) };
}

function argumentWords(
  name: string,
  { repeated, required }: Extract<Field, { kind: 'argument' }>,
  value: unknown,
): string[] {
  if (value === undefined || value === null) {
    if (required) throw usage(`"${name}" is missing.`, 'See the input schema of the tool');
    return [];
  }
  if (!repeated) return [text(name, value)];
  if (!Array.isArray(value)) throw usage(`"${name}" must be a list of strings.`);
  return value.map((each) => text(name, each));
}

function optionWords(name: string, { long, schema, path }: Option, value: unknown): string[] {
  switch (schema.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw usage(`"${name}" must be true or false.`);
      return value ? [`--${long}`] : schema.negative ? [`--${schema.negative}`] : [];
    case 'array':
      if (!Array.isArray(value)) throw usage(`"${name}" must be a list.`);
      return value.map((each) => `--${long}=${path ? oneValue(name, text(name, each)) : text(name, each)}`);
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw usage(`"${name}" must be an object.`);
      return Object.entries(value).map(([key, each]) => `--${long}=${key}=${text(name, each)}`);
    default:
      return [`--${long}=${text(name, value)}`];
  }
}

function oneValue(name: string, word: string): string {
  const several = valuesIn(word);
  if (!several) return word;
  const hint = `Give ${JSON.stringify(several)}; if the comma belongs to it, give the whole "body"`;
  throw usage(`"${name}" has an item that looks like several: "${word}".`, hint);
}

function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw usage(`"${name}" must be a string or a number.`);
}
