import { optionWords } from '../command/line.ts';
import type { Option } from '../command/option.ts';
import { argumentFor, globalOptionsOf } from '../command/reach.ts';
import { valuesIn } from '../command/word.ts';
import { usage } from '../failure.ts';
import { isRecord, type JsonRecord } from '../text/record.ts';
import type { Field, Tool } from './tools.ts';

export type ToolLine = ReturnType<typeof lineForTool>;

/**
 * The command line for the input of a tool, without the program: the words of the command, its options, and its arguments after "--"; its standard
 * input; and the global options that it takes, because those of `iiot mcp` itself apply to it. Values are never reinterpreted: a text that begins with
 * a hyphen is not an option.
 * @throws a usage failure for a field that the tool does not have, a missing field, or a value of the wrong type
 */
export function lineForTool({ name, command, fields }: Tool, input: JsonRecord) {
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
    else if (kind.kind === 'option') options.push(...optionForLine(field, kind.option, value));
    else if (stdin !== undefined)
      throw usage(`${name} takes only one of its JSON inputs at a time.`, 'Give them all as body');
    else {
      options.push(`--${kind.option.long}=-`);
      stdin = JSON.stringify(value);
    }
  }
  // A script reads a list whole; an agent has to ask for that.
  if (command.flags.limit && input.limit === undefined && input.all !== true) options.push(`--limit=${rowsForAgents}`);
  const global = globalOptionsOf(command).filter((option) => !input[argumentFor(command, option.name)?.[0] ?? '']);
  return { words: command.name.split(' '), options, positional, global, ...(stdin !== undefined && { stdin }) };
}

/** How many rows of a list an agent gets that does not say how many. */
const rowsForAgents = 50;

function argumentWords(
  name: string,
  { repeated, required }: Extract<Field, { kind: 'argument' }>,
  value: unknown,
): string[] {
  if (value === undefined || value === null) {
    if (required) throw usage(`"${name}" is missing.`, 'See the input schema of the tool');
    return [];
  }
  if (!repeated) return [wordForValue(name, value)];
  if (!Array.isArray(value)) throw usage(`"${name}" must be a list of strings.`);
  return value.map((each) => wordForValue(name, each));
}

/** An option for a value that JSON gives, each as one word. */
function optionForLine(name: string, option: Option, value: unknown): string[] {
  const words = optionWords(option, checkedValue(name, option, value));
  return words.map(([long, word]) => (word === undefined ? `--${long}` : `--${long}=${word}`));
}

function checkedValue(name: string, { schema, path }: Option, value: unknown): unknown {
  switch (schema.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw usage(`"${name}" must be true or false.`);
      return value;
    case 'array':
      if (!Array.isArray(value)) throw usage(`"${name}" must be a list.`);
      return value.map((each) => (path ? oneValue(name, wordForValue(name, each)) : wordForValue(name, each)));
    case 'object':
      if (!isRecord(value)) throw usage(`"${name}" must be an object.`);
      return new Map(Object.entries(value).map(([key, each]) => [key, wordForValue(name, each)]));
    default:
      return wordForValue(name, value);
  }
}

function oneValue(name: string, word: string): string {
  const several = valuesIn(word);
  if (!several) return word;
  const hint = `Give ${JSON.stringify(several)}; if it is one value, give the whole "body"`;
  throw usage(`"${name}" has an item that looks like several: "${word}".`, hint);
}

function wordForValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw usage(`"${name}" must be a string or a number.`);
}
