import type { GlobalInput } from '../command/global-options.ts';
import { globalOptions } from '../command/global-options.ts';
import type { Option } from '../command/option.ts';
import { ignoredPlaces } from '../command/reach.ts';
import { readWord, valuesIn } from '../command/word.ts';
import type { FailureDetail } from '../failure.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import type { ParsedLine, TypedValues } from './parse.ts';

/**
 * The values given on the command line, by name. The command's own input is separate from the global options, because a field of the
 * platform may have the same name as one of these (a channel's timeout).
 */
type CommandInput = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: GlobalInput;
  readonly problems: readonly FailureDetail[];
  /** What is sent as it is, and may be meant otherwise. */
  readonly notes: readonly string[];
};

/**
 * Turns the words of a command line into values; returns every problem, each with its option.
 * @param argv the whole command line, to distinguish `--name=--x` from `--name --x`
 */
export function readInput({ command, words, typed }: ParsedLine, argv: readonly string[]): CommandInput {
  const input: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [index, name] of Object.keys(command.arguments).entries()) {
    const value = words[index];
    if (value !== undefined) input[name] = value;
  }
  const problems: FailureDetail[] = [];
  for (const each of typed) {
    const message = add(globalOptions.includes(each.option) ? options : input, each, typed, argv);
    const option = `--${each.option.long}`;
    const isKnown = problems.some((known) => known.option === option && known.message === message);
    if (message !== undefined && !isKnown) problems.push({ option, message });
  }
  problems.push(...ignoredPlaces(command, input, options));
  const notes = typed
    .filter(({ option, word }) => isStoredList(option) && word?.includes(','))
    .map(({ option, word }) => `Note: --${option.long} "${word}" has a comma and is sent as one value.`);
  return { input, options: { ...options, ...(input.dryRun === true && { dryRun: true }) }, problems, notes };
}

/** Whether each word becomes part of a body. The words of a filter are compared, not stored. */
function isStoredList({ schema, path }: Option): boolean {
  return schema.type === 'array' && path !== undefined;
}

/** Adds one value; returns what is wrong with it instead, as text that follows the option's name. */
function add(
  input: Record<string, unknown>,
  { option, word }: TypedValues,
  all: readonly TypedValues[],
  argv: readonly string[],
): string | undefined {
  const long = `--${option.long}`;
  const { schema, name } = option;
  if (schema.type === 'boolean') return addSwitch(input, option, word !== 'false');
  if (word === undefined) return 'takes a value';
  if (/^--?[A-Za-z]/.test(word) && !argv.includes(`${long}=${word}`))
    return `takes a value; one that begins with a hyphen is written ${long}=VALUE`;
  const meaning = readWord(schema, word);
  if ('refusal' in meaning) return meaning.refusal;
  const several = isStoredList(option) ? valuesIn(word) : undefined;
  if (several) {
    const each = several.map((value) => `${long} ${quoteForShell(value)}`).join(' ');
    return `takes one value each time: ${each}, or --body-file if the comma belongs to it`;
  }
  if (schema.type === 'array') {
    input[name] = [...((input[name] as unknown[] | undefined) ?? []), meaning.value]; // only this line writes it
    return undefined;
  }
  if (schema.type === 'object') return addPair(input, option, meaning.value as [string, string]); // readWord returns pairs for objects
  if (all.filter((other) => other.option === option).length > 1) return 'was given more than once';
  if ('enum' in schema && schema.enum && !schema.enum.includes(word)) return `takes one of ${schema.enum.join(', ')}`;
  input[name] = meaning.value;
  return undefined;
}

function addSwitch(input: Record<string, unknown>, { name, schema }: Option, value: boolean): string | undefined {
  if (input[name] !== undefined && input[name] !== value && schema.type === 'boolean')
    return `and --${schema.negative} contradict each other`;
  input[name] = value;
  return undefined;
}

function addPair(input: Record<string, unknown>, { name }: Option, [key, value]: [string, string]): string | undefined {
  // A Map, so that keys such as __proto__ or "10" are ordinary keys and keep their order.
  const pairs = (input[name] as Map<string, string> | undefined) ?? new Map<string, string>(); // only this function writes it
  if (pairs.has(key)) return `names "${key}" more than once`;
  input[name] = pairs.set(key, value);
  return undefined;
}
