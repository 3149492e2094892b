import { Command as Commander, CommanderError } from 'commander';
import { type Command, ownOptions } from '../command/command.ts';
import { aliases, globalOptions } from '../command/global-options.ts';
import { type Option, optionNames } from '../command/option.ts';
import { ownWords } from '../command/word.ts';
import { groups } from '../commands/index.ts';

/** One option as it was typed, with its word if it has one. */
export type TypedValues = { readonly option: Option; readonly word?: string };

/** A parsed command line: the command, the words of its arguments, and its options in the order in which they were typed. */
export type ParsedLine = {
  readonly command: Command;
  readonly words: readonly (string | readonly string[] | undefined)[];
  readonly typed: readonly TypedValues[];
  /** The required arguments that were not given. */
  readonly missing: readonly string[];
};

/**
 * Parses a command line, which may be the name of a group alone. Loads only that group. @param canLack whether the missing arguments can be asked for
 * @throws a usage failure with "did you mean" for words that no command accepts
 */
export async function parseLine(
  words: readonly string[],
  canLack: (line: ParsedLine) => Promise<boolean> = async () => false,
): Promise<ParsedLine | { readonly group: readonly string[] }> {
  const quick = await parse(words, partNamedBy(words));
  // To describe an error, commander needs all groups, commands and options.
  const read = quick === undefined || quick instanceof CommanderError ? await parse(words, everything) : quick;
  if (!read) return { group: [] };
  if ('missing' in read && (read.missing.length === 0 || (await canLack(read)))) return read;
  if ('code' in read && read.code === 'commander.help') {
    const { branchReachedBy } = await import('../shell/find-help.ts');
    return { group: (await branchReachedBy(groups, words))?.name.split(' ') ?? [] };
  }
  const reordered = 'code' in read ? await moveNegative(read, words) : undefined;
  if (reordered) return parseLine(reordered, canLack);
  const failures = await import('./command-line-failure.ts');
  if ('code' in read) throw await failures.commandLineFailure(read, words);
  throw failures.incompleteLine(read.command, read.missing[0]);
}

/** Moves a negative value such as `-30m`, which commander took for an option, behind a `--`. @returns undefined if the command has no such argument */
async function moveNegative({ code, message }: CommanderError, words: readonly string[]) {
  const [word] = /-\d[^']*/.exec(code === 'commander.unknownOption' ? message : '') ?? [];
  if (word === undefined || words.includes('--')) return undefined;
  const { branchReachedBy } = await import('../shell/find-help.ts');
  const { arguments: args = {} } = (await branchReachedBy(groups, words))?.command ?? {};
  if (!Object.values(args).some(({ maybeNegative }) => maybeNegative)) return undefined;
  return [...words.toSpliced(words.indexOf(word), 1), '--', word];
}

/** Which groups, commands and options to define in commander. */
type DeclaredPart = {
  readonly group: (name: string) => boolean;
  readonly command: (command: Command) => boolean;
  readonly option: (option: Option) => boolean;
};

const everything: DeclaredPart = { group: () => true, command: () => true, option: () => true };

/** The part that the words can refer to, because defining everything takes longer than parsing. */
function partNamedBy(words: readonly string[]): DeclaredPart {
  const hasShort = words.some((word) => /^-[^-]/.test(word));
  const isTyped = (name: string) => words.some((word) => word.startsWith(name));
  return {
    group: (name) => words.includes(name),
    command: ({ name }) =>
      name.split(' ').every((word) => words.includes(word) || words.includes(aliases[word] ?? word)),
    option: (option) => (hasShort && option.schema.short !== undefined) || optionNames(option).some(isTyped),
  };
}

/** Parses with commander. @returns undefined if the words name no group */
async function parse(words: readonly string[], part: DeclaredPart): Promise<ParsedLine | CommanderError | undefined> {
  const typed: TypedValues[] = [];
  let parsed: ParsedLine | undefined;
  const program = withoutMessages(new Commander('iiot'));
  declare(program, globalOptions.filter(part.option), typed);
  const onCommand = (command: Command, args: ParsedLine['words']) => {
    parsed = { command, words: args, typed, missing: missingIn(command, args, typed) };
  };
  for (const { name } of groups.filter(({ name }) => part.group(name))) withoutMessages(program.command(name));
  program.hook('preSubcommand', async (_, subcommand) => {
    const group = groups.find(({ name }) => name === subcommand.name());
    if (!group || subcommand.parent !== program) return;
    for (const command of (await group.load()).filter(part.command))
      addCommand(subcommand, command, ownOptions(command).filter(part.option), typed, onCommand);
  });
  // As for kubectl, -o=json is -ojson.
  const ownPart = ownWords(words).map((word) => word.replace(/^(-[A-Za-z])=(?=.)/s, '$1'));
  try {
    await program.parseAsync([...ownPart, ...words.slice(ownPart.length)], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
  return parsed;
}

/** Turns off commander's own messages and exits; to be called before adding subcommands, which inherit it. */
function withoutMessages(program: Commander): Commander {
  return program
    .exitOverride()
    .configureOutput({ writeOut() {}, writeErr() {} })
    .helpCommand(false)
    .helpOption(false)
    .allowExcessArguments(false);
}

function addCommand(
  root: Commander,
  command: Command,
  options: readonly Option[],
  typed: TypedValues[],
  onCommand: (command: Command, words: ParsedLine['words']) => void,
): void {
  const path = command.name.split(' ').slice(1);
  const leaf = path.reduce(childOf, root);
  for (const [name, argument] of Object.entries(command.arguments)) {
    // Always optional for commander, because a missing argument may be asked for.
    leaf.argument(`[${name}${argument.repeated ? '...' : ''}]`, argument.description);
  }
  declare(leaf, options, typed);
  leaf.action((...all: unknown[]) => onCommand(command, all.slice(0, -2) as ParsedLine['words'])); // commander appends options and itself
}

/** The required arguments without words. With --rows there are none, because the arguments are in the rows of a file. */
function missingIn({ arguments: args }: Command, words: ParsedLine['words'], typed: readonly TypedValues[]) {
  if (typed.some(({ option: { name } }) => name === 'rows')) return [];
  const required = Object.keys(args).filter((name) => !args[name]?.optional);
  return required.filter((name) => [words[Object.keys(args).indexOf(name)] ?? []].flat().length === 0);
}

function childOf(parent: Commander, name: string): Commander {
  const known = parent.commands.find((child) => child.name() === name);
  if (known) return known;
  const child = withoutMessages(parent.command(name));
  return aliases[name] ? child.alias(aliases[name]) : child;
}

/** Declares options so that `typed` collects each occurrence in order, and gets no defaults. */
function declare(program: Commander, options: readonly Option[], typed: TypedValues[]): void {
  for (const option of options) {
    const { schema, long } = option;
    const value = schema.type === 'boolean' ? '' : ` <${schema.value ?? 'value'}>`;
    program.option(`${schema.short ? `-${schema.short}, ` : ''}--${long}${value}`, schema.description);
    program.on(`option:${long}`, (word?: string) =>
      typed.push(typeof word === 'string' ? { option, word } : { option }),
    );
    const negative = schema.type === 'boolean' ? schema.negative : undefined;
    if (negative === undefined) continue;
    program.option(`--${negative}`, schema.description);
    program.on(`option:${negative}`, () => typed.push({ option, word: 'false' }));
  }
}

/** Requires `--` before an inner command, or some options of that would count for the outer one. @throws usage if it is missing */
export async function checkDashes({ command }: Pick<ParsedLine, 'command'>, words: readonly string[]): Promise<void> {
  if (words.includes('--') || !Object.values(command.arguments).some(({ behindDashes }) => behindDashes)) return;
  throw (await import('./command-line-failure.ts')).incompleteLine(command);
}
