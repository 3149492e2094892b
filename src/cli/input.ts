import { emptyHint, emptyProblem, furtherProblems } from '../command/body.ts';
import { type GlobalInput, globalOptions } from '../command/global-options.ts';
import { optionsForShell } from '../command/line.ts';
import { givesText, isStoredList, type Option } from '../command/option.ts';
import { ignoredOptions } from '../command/reach.ts';
import { addValue, isRepeatable, listMarks, readWord, valuesIn } from '../command/word.ts';
import { refusedInput } from '../failure.ts';
import type { ParsedLine, TypedValues } from './parse.ts';
import { helpOf } from './report.ts';

/** The values of a command line by name. Global options are separate, because a field of the platform may have the same name. */
export type CommandLine = Pick<ParsedLine, 'command'> & {
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: GlobalInput;
  /** Notes about values that are sent as they are, but may be mistakes. */
  readonly notes: readonly string[];
  /** The arguments that the user has yet to choose. */
  readonly missing: readonly string[];
};

/**
 * Turns the words of a command line into values. @param argv the whole line, to distinguish `--name=--x` from `--name --x`
 * @param isTyped false for words from JSON, whose empty texts are meant @throws a usage failure with every problem, each with its option
 */
export function checkedInput(parsed: ParsedLine, argv: readonly string[], isTyped = true): CommandLine {
  const { problems, empty, ...line } = readInput(parsed, argv, isTyped);
  if (problems.length === 0) return line;
  const input = { orgId: line.options.org, ...line.input };
  const others = furtherProblems(parsed.command, { input, problems });
  throw refusedInput([...problems, ...others], emptyHint(parsed.command, empty) || helpOf(parsed.command));
}

function readInput({ command, words, typed, missing }: ParsedLine, argv: readonly string[], isTyped: boolean) {
  const input: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [index, name] of Object.keys(command.arguments).entries()) {
    const value = words[index];
    if (value !== undefined) input[name] = value;
  }
  const isEmpty = ({ option, word }: TypedValues) => isTyped && word === '' && givesText(command, option);
  const empty = [...new Set(typed.filter(isEmpty).map(({ option }) => option))];
  const problems = empty.map((option) => emptyProblem(command, option));
  for (const each of typed.filter(({ option }) => !empty.includes(option))) {
    const message = addTyped(globalOptions.includes(each.option) ? options : input, each, typed, argv);
    const option = `--${each.option.long}`;
    const isKnown = problems.some((known) => known.option === option && known.message === message);
    if (message !== undefined && !isKnown) problems.push({ option, message });
  }
  problems.push(...ignoredOptions(command, input, options));
  const needsRows = ({ schema }: Option) => schema.topic === 'rows' && command.rows && input.rows === undefined;
  for (const { long, schema } of typed.map(({ option }) => option).filter(needsRows)) {
    const instead = schema.instead === undefined ? 'see iiot help rows' : `without, use --${schema.instead}`;
    problems.push({ option: `--${long}`, message: `needs --rows FILE; ${instead}` });
  }
  const notes = typed
    .filter(({ option, word }) => isStoredList(option) && listMarks.test(word ?? ''))
    .map(({ option, word }) => `Note: --${option.long} "${word}" is sent as one value.`);
  for (const word of isTyped ? argv.filter((each) => rewrittenPath.test(each)) : [])
    notes.push(`Note: "${word}" is sent as it is. If Git Bash made that path of another, set MSYS_NO_PATHCONV=1.`);
  const all: GlobalInput = { ...options, ...(input.dryRun === true && { dryRun: true }) };
  return { command, input, options: all, problems, empty, notes, missing };
}

/** Matches a KEY=VALUE whose value began with a slash before Git Bash or MSYS2 put its own folder there. */
const rewrittenPath = /^[^-=][^=]*=[a-z]:\/(?:[^/]+\/)*(?:Git|PortableGit|msys\d*)\//i;

/** Adds one value to the input. @returns what is wrong with it, as text that follows the option's name; undefined if nothing is */
function addTyped(
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
    return `takes a value; write one that begins with a hyphen as ${long}=VALUE`;
  const meaning = readWord(schema, word);
  if ('refusal' in meaning) return meaning.refusal;
  const values = isStoredList(option) ? valuesIn(word) : undefined;
  if (values) {
    const each = optionsForShell([option], { [name]: values }).join(' ');
    return `takes one value each time: ${each}, or --body-file if it is one value`;
  }
  if (!isRepeatable(schema) && all.filter((other) => other.option === option).length > 1)
    return 'was given more than once';
  return addValue(input, name, schema, meaning.value);
}

function addSwitch(input: Record<string, unknown>, { name, schema }: Option, value: boolean): string | undefined {
  if (input[name] !== undefined && input[name] !== value && schema.type === 'boolean')
    return `and --${schema.negative} cannot be combined`;
  input[name] = value;
  return undefined;
}
