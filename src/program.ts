import { Command as Commander, CommanderError } from 'commander';
import { type Command, kebab, type Option, optionsOf } from './command.ts';
import { groups } from './commands/index.ts';
import { usage } from './failure.ts';
import { dryRunFlag, globalFlags } from './global-options.ts';

/** One option as it was typed, in order. */
export type Typed = { readonly option: Option; readonly word?: string };

/** What a command line means: a command, the words of its arguments, its options. */
export type Parsed = {
  readonly command: Command;
  readonly words: readonly (string | readonly string[] | undefined)[];
  readonly typed: readonly Typed[];
};

/** The options of every command, as options. */
export const globalOptions: readonly Option[] = Object.entries(globalFlags).map(([name, schema]) => ({
  name,
  long: kebab(name),
  schema,
}));

/** All options that a command takes, beside the global ones. */
export function ownOptions(command: Command): readonly Option[] {
  const options = optionsOf(command);
  return command.changes && command.operation ? [...options, dryRun] : options;
}

const dryRun: Option = { name: 'dryRun', long: 'dry-run', schema: dryRunFlag };

/**
 * Reads a command line; of the groups only the one that is meant is loaded.
 * @param words without interpreter and script
 * @throws a usage failure with "did you mean" for what no command takes
 */
export async function parse(words: readonly string[]): Promise<Parsed> {
  const typed: Typed[] = [];
  let parsed: Parsed | undefined;
  const program = bare(new Commander('iiot'));
  declare(program, globalOptions, typed);
  const meant = (command: Command, args: Parsed['words']) => {
    parsed = { command, words: args, typed };
  };
  for (const group of groups) bare(program.command(group.name));
  program.hook('preSubcommand', async (_, subcommand) => {
    const group = groups.find(({ name }) => name === subcommand.name());
    if (group && subcommand.parent === program) addCommands(subcommand, await group.load(), typed, meant);
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? refused(error, words) : error;
  }
  if (!parsed) throw usage('No command was given.', 'See: iiot --help');
  return parsed;
}

/** Without commander's own words and exits; set before subcommands are made, which inherit it. */
function bare(program: Commander): Commander {
  return program
    .exitOverride()
    .configureOutput({ writeOut() {}, writeErr() {} })
    .helpCommand(false)
    .helpOption(false)
    .allowExcessArguments(false);
}

type Meant = (command: Command, words: Parsed['words']) => void;

function addCommands(root: Commander, commands: readonly Command[], typed: Typed[], meant: Meant): void {
  for (const command of commands) {
    const path = command.name.split(' ').slice(1);
    const leaf = path.reduce((parent, name) => childOf(parent, name), root);
    for (const [name, argument] of Object.entries(command.arguments)) {
      const shown = `${name}${argument.repeated ? '...' : ''}`;
      leaf.argument(argument.optional ? `[${shown}]` : `<${shown}>`, argument.description);
    }
    declare(leaf, ownOptions(command), typed);
    leaf.action((...all: unknown[]) => meant(command, all.slice(0, -2) as Parsed['words'])); // commander appends options and itself
  }
}

/** Shorter words that mean the same. */
export const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm' };

function childOf(parent: Commander, name: string): Commander {
  const known = parent.commands.find((child) => child.name() === name);
  if (known) return known;
  const child = bare(parent.command(name));
  return aliases[name] ? child.alias(aliases[name]) : child;
}

/** Declares options so that each is heard as often as it is typed; absent stays absent, whatever commander would default to. */
function declare(program: Commander, options: readonly Option[], typed: Typed[]): void {
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

function refused(error: CommanderError, words: readonly string[]) {
  if (error.code === 'commander.help') {
    const group = words.filter((word) => !word.startsWith('-')).join(' ');
    return usage(`iiot ${group} needs a command behind it.`, `See: iiot ${group} --help`);
  }
  // Commander quotes what was typed, which may be a secret: only the option's name is repeated.
  const said = error.message.replace(/^error: /, '').replace(/'(--[\w-]+)=[^\n]*'/, "'$1'");
  const [sentence = '', suggestion] = said.split('\n');
  const meant = suggestion?.match(/\(Did you mean (.+?)\?\)/)?.[1];
  const hint = meant ? `Did you mean ${meant}?` : hints[error.code];
  return usage(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`.replace(/\.\.$/, '.'), hint);
}

const hints: Readonly<Record<string, string>> = {
  'commander.unknownOption':
    'See --help for the options. Passwords and secrets are read from standard input, a variable or a file',
  'commander.unknownCommand': 'See: iiot --help',
  'commander.missingArgument': 'See --help',
  'commander.excessArguments': 'See --help. A value with blanks needs quotes',
  'commander.optionMissingArgument': 'A value that begins with a hyphen is written --option=VALUE',
};
